"""Upright buildings and trees, which look the same however their tile is rotated.

A point is the middle of the foot; the light comes from the north-west.
"""

from __future__ import annotations

from typing import Final

from renderers.canvas import SHADOW_OFFSET, Canvas, Point, Polyline, ellipse, rectangle
from renderers.drawings import read_drawings

_DRAWINGS: Final = read_drawings(__file__)
"""The drawings of buildings that have just one form, by name."""
_HOUSE_WIDTH: Final = 0.135
"""The width of a house, in cells."""


def house(canvas: Canvas, at: Point, kind: int, size: float = 1.0) -> None:
    """Draw a house with a pitched roof; ``kind`` chooses the roof's colour and the direction of the gable."""
    x, y = canvas.on_pixel(at)
    theme = canvas.theme
    half, wall, roof = _HOUSE_WIDTH * size / 2, 0.042 * size, 0.078 * size
    lit, shaded = theme.roofs[kind % len(theme.roofs)]
    left, right, eaves = x - half, x + half, y - wall
    if kind % 3:
        canvas.box(left, eaves, right, y, theme.plaster_dark)
        canvas.box(left, eaves, x + half * 0.3, y, theme.plaster)
        overhang = 0.012 * size
        slope = (
            (left + overhang, eaves - roof),
            (right - overhang, eaves - roof),
            (right + overhang, eaves),
            (left - overhang, eaves),
        )
        canvas.polygon(slope, lit)
        canvas.polygon(
            (slope[0], slope[1], (right - overhang, eaves - roof + 0.014), (left + overhang, eaves - roof + 0.014)),
            shaded,
        )
    else:
        ridge = eaves - roof
        canvas.polygon(((left, eaves), (x, ridge), (right, eaves), (right, y), (left, y)), theme.plaster)
        canvas.polygon(
            ((x, ridge - 0.012), (x, ridge + 0.018), (left - 0.012, eaves + 0.012), (left - 0.016, eaves - 0.01)), lit
        )
        canvas.polygon(
            ((x, ridge - 0.012), (x, ridge + 0.018), (right + 0.012, eaves + 0.012), (right + 0.016, eaves - 0.01)),
            shaded,
        )
    canvas.box(x - 0.011 * size, y - wall * 0.75, x + 0.011 * size, y, theme.window)


def house_shadow(at: Point, size: float = 1.0) -> Polyline:
    """Return the area that the shadow of a house covers."""
    half = _HOUSE_WIDTH * size / 2
    left, right, y = at[0] - half, at[0] + half, at[1]
    return (
        (left, y),
        (left + SHADOW_OFFSET[0], y + SHADOW_OFFSET[1]),
        (right + SHADOW_OFFSET[0], y + SHADOW_OFFSET[1]),
        (right + SHADOW_OFFSET[0], y - 0.05),
        (right, y - 0.05),
    )


def tower(canvas: Canvas, at: Point, radius: float = 0.05, height: float = 0.09) -> None:
    """Draw a round tower of the wall with a pointed roof."""
    x, y = canvas.on_pixel(at)
    theme = canvas.theme
    top = y - height
    canvas.disc((x, y), radius, theme.stone_dark, flat=0.5)
    canvas.box(x - radius, top, x + radius, y, theme.stone_dark)
    canvas.box(x - radius * 0.86, top, x + radius * 0.35, y, theme.stone)
    canvas.box(x - radius * 0.86, top, x - radius * 0.3, y + radius * 0.2, theme.stone_light)
    overhang = radius * 1.25
    tip = (x, top - radius * 2.1)
    canvas.polygon((tip, (x + overhang, top + radius * 0.3), (x - overhang, top + radius * 0.3)), theme.spire_dark)
    canvas.polygon((tip, (x + overhang * 0.15, top + radius * 0.45), (x - overhang, top + radius * 0.3)), theme.spire)


def gate(canvas: Canvas, at: Point) -> None:
    """Draw the gatehouse where a road enters a city."""
    _DRAWINGS["gate"].paint(canvas, canvas.on_pixel(at))


def portal(canvas: Canvas, at: Point) -> None:
    """Draw the mouth by which a road goes below the ground."""
    _DRAWINGS["portal"].paint(canvas, canvas.on_pixel(at))


def tree(canvas: Canvas, at: Point, kind: int) -> None:
    """Draw a tree or, for odd kinds, a bush."""
    x, y = canvas.on_pixel(at)
    theme = canvas.theme
    radius = 0.036 + 0.006 * (kind % 3)
    if kind % 2:
        radius *= 0.7
    else:
        canvas.box(x - 0.009, y - 0.03, x + 0.009, y + 0.012, theme.trunk)
    middle = (x, y - radius * 0.9)
    canvas.disc(middle, radius + 0.006, theme.tree_dark)
    canvas.disc(middle, radius, theme.tree)
    canvas.disc((x - radius * 0.28, y - radius * 1.2), radius * 0.6, theme.tree_light)


def tree_shadow(at: Point) -> Polyline:
    """Return the area that the shadow of a tree covers."""
    return ellipse((at[0] + SHADOW_OFFSET[0], at[1] + 0.005), 0.05, 0.026)


def market_stalls(canvas: Canvas, at: Point) -> None:
    """Draw a market: three stalls with striped awnings around a square."""
    x, y = canvas.on_pixel(at)
    theme = canvas.theme
    places = (
        (x - 0.085, y - 0.03, theme.awning[0]),
        (x + 0.085, y - 0.02, theme.awning[2]),
        (x, y + 0.11, theme.awning[3]),
    )
    canvas.shade([rectangle(px - 0.06, py - 0.02, px + 0.1, py + 0.035) for px, py, _ in places], 0.3)
    for px, py, colour in places:
        _DRAWINGS["stall"].paint(canvas, (px, py), colours={"awning": colour})
