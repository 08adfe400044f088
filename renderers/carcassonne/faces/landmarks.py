"""Draw the landmarks of a tile: shields, monasteries, villages, and the towers where its walls meet others.

A point is the middle of a landmark's foot, in units of the tile.
"""

from __future__ import annotations

from typing import Final

from PIL import Image

from renderers.buildings import house, house_shadow, tower
from renderers.caches import cached_sprite
from renderers.canvas import Canvas, Point, ellipse
from renderers.carcassonne.faces.lines import HUB_RADIUS
from renderers.drawings import read_drawings
from renderers.theme import Theme

_DRAWINGS: Final = read_drawings(__file__)
"""The drawings of landmarks by name."""


def shield(canvas: Canvas, at: Point) -> None:
    """Draw a pennant: a blue shield with a gold chevron."""
    _DRAWINGS["shield"].paint(canvas, canvas.on_pixel(at))


def monastery(canvas: Canvas, at: Point, size: float = 1.0) -> None:
    """Draw a church with a tower in a walled garden; ``at`` is the middle of the garden, 0.29 below the spire."""
    _DRAWINGS["garden"].paint(canvas, at, scale=size)
    for x, y in ((-0.15, 0.13), (-0.1, 0.155), (0.1, 0.155), (0.15, 0.13), (-0.155, 0.07), (0.155, 0.07)):
        bush = (at[0] + x * size, at[1] + y * size)
        canvas.disc(bush, 0.017 * size, canvas.theme.tree)
        canvas.disc((bush[0] - 0.004, bush[1] - 0.006), 0.008 * size, canvas.theme.awning[0])
    _DRAWINGS["church-shadow"].paint(canvas, at, scale=size)
    _DRAWINGS["church"].paint(canvas, (at[0], at[1] + 0.1 * size), scale=size)


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
