"""Draw the structures in a castle: round towers, markets, wells, the cross of a square.

A point is the middle of the foot; the light comes from the north-west, however a tile is rotated.
"""

from __future__ import annotations

from typing import Final

from renderers import buildings
from renderers.canvas import SHADOW_OFFSET, Canvas, Point, Polyline, ellipse
from renderers.drawings import read_drawings
from renderers.theme import mixed

_DRAWINGS: Final = read_drawings(__file__)
"""The drawings of structures that have just one form, by name."""
_TURRET_RADIUS: Final = 0.085
"""Radius of a round tower where there is enough room, in tiles."""
_TURRET_HEIGHT: Final = 0.13
"""Height of such a tower below its battlements or roof, in tiles."""


def turret(canvas: Canvas, at: Point, room: float, kind: int) -> None:
    """Draw a round tower; ``kind`` chooses between battlements and a pointed roof."""
    radius = min(_TURRET_RADIUS, room * 0.6)
    height = _TURRET_HEIGHT * radius / _TURRET_RADIUS
    pointed = not kind % 2 and at[1] > 0.2
    x, y = canvas.on_pixel((at[0], max(at[1] + 0.075, height + (2.2 if pointed else 0.9) * radius)))
    theme = canvas.theme
    top, line = y - height, 0.012
    top_radius, flat = radius * 1.14, 0.5
    for grow, colour in ((line, theme.ink), (0.0, theme.stone_dark)):
        canvas.disc((x, y), radius + grow, colour, flat=flat)
        canvas.box(x - radius - grow, top, x + radius + grow, y, colour)
    canvas.box(x - radius, top, x + radius * 0.3, y, theme.stone)
    canvas.disc((x - radius * 0.35, y), radius * 0.64, theme.stone, flat=flat * 0.7)
    canvas.box(x - radius, top, x - radius * 0.45, y + radius * 0.12, theme.stone_light)
    canvas.box(x - radius * 0.12, top + height * 0.4, x + radius * 0.12, top + height * 0.8, theme.ink)
    for grow, colour in ((line, theme.ink), (0.0, theme.stone_light)):
        canvas.disc((x, top), top_radius + grow, colour, flat=flat)
        canvas.box(x - top_radius - grow, top - 0.035 - grow, x + top_radius + grow, top, colour)
        canvas.disc((x, top - 0.035), top_radius + grow, colour, flat=flat)
    if not pointed:
        canvas.disc((x, top - 0.035), top_radius * 0.78, theme.ink, flat=flat)
        canvas.disc((x, top - 0.03), top_radius * 0.74, theme.stone_dark, flat=flat * 0.9)
        for part in (-0.9, -0.3, 0.3, 0.9):
            canvas.box(
                x + part * top_radius - 0.012, top - 0.07, x + part * top_radius + 0.014, top - 0.02, theme.stone_light
            )
        return
    tip, eaves, roof_radius = (x, top - radius * 2.2), top - 0.02, top_radius * 1.06
    canvas.polygon(
        ((tip[0], tip[1] - 0.02), (x + roof_radius + line, eaves + line), (x - roof_radius - line, eaves + line)),
        theme.ink,
    )
    canvas.disc((x, eaves), roof_radius + line, theme.ink, flat=0.36)
    canvas.disc((x, eaves), roof_radius, theme.spire_dark, flat=0.34)
    canvas.polygon((tip, (x + roof_radius, eaves), (x - roof_radius, eaves)), theme.spire_dark)
    canvas.polygon(
        (
            tip,
            (x + roof_radius * 0.1, eaves + roof_radius * 0.33),
            (x - roof_radius * 0.75, eaves + roof_radius * 0.2),
            (x - roof_radius, eaves),
        ),
        theme.spire,
    )


def turret_shadow(at: Point, room: float) -> Polyline:
    """Return the area that the shadow of a round tower covers."""
    radius = min(_TURRET_RADIUS, room * 0.6)
    return ellipse((at[0] + SHADOW_OFFSET[0] * 2.4, at[1] + 0.065 + SHADOW_OFFSET[1]), radius * 1.2, radius * 0.62)


def market(canvas: Canvas, at: Point) -> None:
    """Draw market stalls on a paved place."""
    theme = canvas.theme
    middle = (at[0], at[1] - 0.005)
    canvas.polygon(ellipse(middle, 0.192, 0.172, 40), theme.road_edge)
    canvas.polygon(ellipse(middle, 0.178, 0.158, 40), theme.square)
    buildings.market_stalls(canvas, at)


def well(canvas: Canvas, at: Point) -> None:
    """Draw a stone ring with water in it; the path continues around it."""
    _DRAWINGS["well"].paint(canvas, canvas.on_pixel(at))


def paving(canvas: Canvas, outline: Polyline) -> None:
    """Draw rows of paving stones within an octagon."""
    theme = canvas.theme
    joint = mixed(theme.square, theme.road_edge, 0.55)
    left, right = min(x for x, _ in outline), max(x for x, _ in outline)
    cut = sorted({x for x, _ in outline})[1]
    count = 5
    step = (right - left) / count
    for number in range(1, count):
        at = left + number * step
        inset = max(cut - at, at - (1 - cut), 0.0)
        canvas.box(at - 0.005, left + inset, at + 0.005, right - inset, joint)
        canvas.box(left + inset, at - 0.005, right - inset, at + 0.005, joint)


def market_cross(canvas: Canvas, at: Point) -> None:
    """Draw a column on steps, as in the middle of a square."""
    _DRAWINGS["market-cross"].paint(canvas, canvas.on_pixel(at))
