"""Draw the landmarks of a tile: shields, monasteries, villages, and the towers where its walls meet others.

A point is the middle of a landmark's foot, in units of the tile.
"""

from __future__ import annotations

from collections.abc import Iterable

from PIL import Image

from renderers.buildings import house, house_shadow, tower
from renderers.caches import cached_sprite
from renderers.canvas import Canvas, Point, Polyline, ellipse, rectangle
from renderers.carcassonne.faces.lines import HUB_RADIUS
from renderers.theme import Colour, Theme


def shield(canvas: Canvas, at: Point) -> None:
    """Draw a pennant: a blue shield with a gold chevron."""
    x, y = canvas.on_pixel(at)
    theme = canvas.theme
    for grow, colour in ((0.022, theme.halo), (0.008, theme.ink), (0.0, theme.shield)):
        canvas.polygon(_shield(x, y, grow), colour)
    chevron = (
        (x - 0.062, y + 0.01),
        (x, y - 0.05),
        (x + 0.062, y + 0.01),
        (x + 0.055, y + 0.045),
        (x, y - 0.008),
        (x - 0.055, y + 0.045),
    )
    canvas.polygon(chevron, theme.shield_mark)


def _shield(x: float, y: float, grow: float) -> Polyline:
    """Return the outline of a shield, made larger by ``grow`` on all sides."""
    half, top, foot = 0.07 + grow, y - 0.085 - grow, y + 0.095 + grow * 1.4
    belly = y + 0.02
    return (
        (x - half, top),
        (x + half, top),
        (x + half, belly),
        (x + half * 0.72, belly + (foot - belly) * 0.55),
        (x, foot),
        (x - half * 0.72, belly + (foot - belly) * 0.55),
        (x - half, belly),
    )


def monastery(canvas: Canvas, at: Point, size: float = 1.0) -> None:
    """Draw a church with a tower in a walled garden; ``at`` is the middle of the garden, 0.29 below the spire."""
    theme = canvas.theme

    def place(points: Iterable[Point]) -> Polyline:
        return tuple((at[0] + x * size, at[1] + y * size) for x, y in points)

    def area(left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
        (x, y), (ex, ey) = place(((left, top), (right, bottom)))
        return x, y, ex, ey

    canvas.rounded(area(-0.204, -0.164, 0.204, 0.199), 0.05 * size, theme.tree_dark)
    canvas.rounded(area(-0.19, -0.15, 0.19, 0.185), 0.04 * size, theme.meadow_light)
    canvas.box(*area(-0.03, 0.1, 0.03, 0.2), theme.road)
    for bed in place(((-0.15, 0.13), (-0.1, 0.155), (0.1, 0.155), (0.15, 0.13), (-0.155, 0.07), (0.155, 0.07))):
        canvas.disc(bed, 0.017 * size, theme.tree)
        canvas.disc((bed[0] - 0.004, bed[1] - 0.006), 0.008 * size, theme.awning[0])
    shadow = place(((-0.13, 0.11), (0.15, 0.11), (0.19, 0.07), (0.19, -0.08), (0.13, -0.08)))
    canvas.shade([shadow], 0.32)
    _church(canvas, (at[0], at[1] + 0.1 * size), size)


def _church(canvas: Canvas, foot: Point, size: float) -> None:
    """Draw the church of a monastery."""
    theme = canvas.theme
    lit, shaded = theme.roofs[2]

    def shape(fill: Colour, *points: Point) -> None:
        canvas.polygon(tuple((foot[0] + x * size, foot[1] + y * size) for x, y in points), fill)

    shape(theme.ink, (-0.15, 0.01), (-0.15, -0.09), (-0.13, -0.21), (0.13, -0.21), (0.15, -0.09), (0.15, 0.01))
    shape(theme.plaster, *rectangle(-0.14, -0.09, 0.14, 0))
    shape(theme.plaster_dark, *rectangle(0.05, -0.09, 0.14, 0))
    shape(lit, (-0.12, -0.2), (0.12, -0.2), (0.152, -0.09), (-0.152, -0.09))
    shape(shaded, (-0.12, -0.2), (0.12, -0.2), (0.124, -0.18), (-0.124, -0.18))
    for x in (-0.1, 0.09):
        shape(theme.window, *ellipse((x, -0.045), 0.014, 0.026))
    shape(theme.ink, *rectangle(-0.058, -0.26, 0.058, 0.01))
    shape(theme.plaster_dark, *rectangle(-0.048, -0.25, 0.048, 0))
    shape(theme.plaster, *rectangle(-0.048, -0.25, 0.012, 0))
    shape(theme.ink, (0, -0.392), (0.078, -0.24), (-0.078, -0.24))
    shape(theme.spire_dark, (0, -0.37), (0.06, -0.25), (-0.06, -0.25))
    shape(theme.spire, (0, -0.37), (0.008, -0.25), (-0.06, -0.25))
    shape(theme.window, *ellipse((-0.002, -0.2), 0.02, 0.02))
    shape(theme.window, *ellipse((0, -0.035), 0.024, 0.04))


def village(canvas: Canvas, at: Point) -> None:
    """Draw the houses of a crossing, on a green."""
    x, y = at
    places = ((x - 0.055, y - 0.045), (x + 0.06, y - 0.035), (x - 0.06, y + 0.065), (x + 0.055, y + 0.08))
    canvas.shade([house_shadow(place, 0.78) for place in places], 0.3)
    for kind, place in enumerate(places):
        house(canvas, place, kind + 1, 0.78)


@cached_sprite
def corner_tower(theme: Theme, size: int) -> Image.Image:
    """Draw the tower where the walls of neighbouring tiles meet; the corner is the middle of the sprite."""
    canvas = Canvas(size, theme, 0.3, 0.5)
    canvas.shade([ellipse((0.185, 0.275), 0.09, 0.05)], 0.35)
    tower(canvas, (0.15, 0.29), 0.075, 0.1)
    return canvas.finished()


def square(canvas: Canvas, at: Point) -> None:
    """Draw the ground of a village, or of what replaces it."""
    canvas.disc(at, HUB_RADIUS + 0.012, canvas.theme.road_edge)
    canvas.disc(at, HUB_RADIUS, canvas.theme.square)
