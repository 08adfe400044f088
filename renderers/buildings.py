"""Small upright buildings and trees; a point is the middle of the foot, and light comes from the north-west."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.carcassonne.tiles import Goods
from renderers.canvas import SHADOW, Canvas
from renderers.shapes import Line, Point, ellipse, rectangle
from renderers.theme import Colour

_HOUSE: Final = 0.135
"""The width of a house."""


def house(canvas: Canvas, at: Point, kind: int, size: float = 1.0) -> None:
    """A house with a pitched roof; ``kind`` chooses its roof and whether the gable faces us."""
    x, y = canvas.on_pixel(at)
    theme = canvas.theme
    half, wall, roof = _HOUSE * size / 2, 0.042 * size, 0.078 * size
    lit, shaded = theme.roofs[kind % len(theme.roofs)]
    left, right, eaves = x - half, x + half, y - wall
    if kind % 3:
        canvas.box(left, eaves, right, y, theme.plaster_dark)
        canvas.box(left, eaves, x + half * 0.3, y, theme.plaster)
        over = 0.012 * size
        slope = ((left + over, eaves - roof), (right - over, eaves - roof), (right + over, eaves), (left - over, eaves))
        canvas.polygon(slope, lit)
        canvas.polygon(
            (slope[0], slope[1], (right - over, eaves - roof + 0.014), (left + over, eaves - roof + 0.014)), shaded
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


def house_shadow(at: Point, size: float = 1.0) -> Line:
    """The ground that a house darkens."""
    half = _HOUSE * size / 2
    left, right, y = at[0] - half, at[0] + half, at[1]
    return (
        (left, y),
        (left + SHADOW[0], y + SHADOW[1]),
        (right + SHADOW[0], y + SHADOW[1]),
        (right + SHADOW[0], y - 0.05),
        (right, y - 0.05),
    )


def tower(canvas: Canvas, at: Point, radius: float = 0.05, height: float = 0.09) -> None:
    """A round tower of the wall with a pointed roof."""
    x, y = canvas.on_pixel(at)
    theme = canvas.theme
    top = y - height
    canvas.disc((x, y), radius, theme.stone_dark, flat=0.5)
    canvas.box(x - radius, top, x + radius, y, theme.stone_dark)
    canvas.box(x - radius * 0.86, top, x + radius * 0.35, y, theme.stone)
    canvas.box(x - radius * 0.86, top, x - radius * 0.3, y + radius * 0.2, theme.stone_light)
    over = radius * 1.25
    tip = (x, top - radius * 2.1)
    canvas.polygon((tip, (x + over, top + radius * 0.3), (x - over, top + radius * 0.3)), theme.spire_dark)
    canvas.polygon((tip, (x + over * 0.15, top + radius * 0.45), (x - over, top + radius * 0.3)), theme.spire)


def gate(canvas: Canvas, at: Point) -> None:
    """The gatehouse where a road enters a city."""
    x, y = canvas.on_pixel(at)
    theme = canvas.theme
    half, top = 0.085, y - 0.12
    canvas.box(x - half, top, x + half, y + 0.03, theme.stone_dark)
    canvas.box(x - half + 0.012, top + 0.012, x + half - 0.012, y + 0.03, theme.stone)
    canvas.box(x - half + 0.012, top + 0.012, x - 0.03, y + 0.03, theme.stone_light)
    for step in range(4):
        left = x - half + step * 0.0485
        canvas.box(left, top - 0.024, left + 0.0245, top + 0.002, theme.stone_dark)
    canvas.disc((x, y - 0.035), 0.042, theme.ink)
    canvas.box(x - 0.042, y - 0.035, x + 0.042, y + 0.03, theme.ink)


def shield(canvas: Canvas, at: Point) -> None:
    """A pennant: a blue shield with a gold chevron."""
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


def _shield(x: float, y: float, grow: float) -> Line:
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


GOODS: Final = 0.128
"""Radius of the board that shows what is traded in a city."""


def goods(canvas: Canvas, at: Point, kind: Goods) -> None:
    """What is traded in a city, on a round board: grapes, a sheaf, or a bale of cloth."""
    x, y = canvas.on_pixel(at)
    theme = canvas.theme
    canvas.disc((x, y), GOODS, theme.ink)
    canvas.disc((x, y), GOODS - 0.014, theme.halo)
    match kind:
        case Goods.WINE:
            canvas.stroke(((x, y - 0.09), (x + 0.016, y - 0.046)), 0.023, theme.timber_dark)
            for row, count in enumerate((3, 2, 1)):
                for number in range(count):
                    berry = (x + (number - (count - 1) / 2) * 0.055, y - 0.031 + row * 0.047)
                    canvas.disc(berry, 0.032, theme.ink)
                    canvas.disc(berry, 0.024, theme.categories[2])
        case Goods.GRAIN:
            for lean in (-0.058, 0.0, 0.058):
                canvas.stroke(((x + lean * 0.3, y + 0.085), (x + lean, y - 0.04)), 0.018, theme.timber_dark)
                canvas.polygon(ellipse((x + lean * 1.05, y - 0.044), 0.027, 0.048), theme.timber_dark)
                canvas.polygon(ellipse((x + lean * 1.05, y - 0.044), 0.019, 0.039), theme.shield_mark)
            canvas.box(x - 0.039, y + 0.023, x + 0.039, y + 0.047, theme.awning[0])
        case Goods.CLOTH:
            canvas.box(x - 0.078, y - 0.058, x + 0.078, y + 0.058, theme.ink)
            canvas.box(x - 0.066, y - 0.046, x + 0.066, y + 0.046, theme.awning[0])
            for stripe in (-0.026, 0.013):
                canvas.box(x - 0.066, y + stripe, x + 0.066, y + stripe + 0.013, theme.awning[1])
            canvas.polygon(ellipse((x + 0.066, y), 0.021, 0.058), theme.ink)
            canvas.polygon(ellipse((x + 0.066, y), 0.011, 0.044), theme.awning[1])


def tree(canvas: Canvas, at: Point, kind: int) -> None:
    """A tree or, for odd kinds, a bush."""
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


def tree_shadow(at: Point) -> Line:
    """The ground that a tree darkens."""
    return ellipse((at[0] + SHADOW[0], at[1] + 0.005), 0.05, 0.026)


def stalls(canvas: Canvas, at: Point) -> None:
    """A market: three stalls with striped awnings round a square."""
    x, y = canvas.on_pixel(at)
    theme = canvas.theme
    places = (
        (x - 0.085, y - 0.03, theme.awning[0]),
        (x + 0.085, y - 0.02, theme.awning[2]),
        (x, y + 0.11, theme.awning[3]),
    )
    canvas.shade([rectangle(px - 0.06, py - 0.02, px + 0.1, py + 0.035) for px, py, _ in places], 0.3)
    for px, py, colour in places:
        _stall(canvas, (px, py), colour, theme.awning[1])


def _stall(canvas: Canvas, at: Point, colour: Colour, white: Colour) -> None:
    x, y = at
    theme = canvas.theme
    half, top, eaves = 0.078, y - 0.105, y - 0.045
    canvas.box(x - half * 0.85, eaves, x + half * 0.85, y, theme.timber_dark)
    canvas.box(x - half * 0.85, y - 0.026, x + half * 0.85, y + 0.004, theme.timber_light)
    stripes = 5
    upper, lower = half * 1.5 / stripes, half * 2.1 / stripes
    canvas.polygon(
        (
            (x - half * 0.75 - 0.01, top - 0.01),
            (x + half * 0.75 + 0.01, top - 0.01),
            (x + half * 1.05 + 0.012, eaves + 0.022),
            (x - half * 1.05 - 0.012, eaves + 0.022),
        ),
        theme.ink,
    )
    for stripe in range(stripes):
        shade = white if stripe % 2 else colour
        over, under = x - half * 0.75 + stripe * upper, x - half * 1.05 + stripe * lower
        canvas.polygon(((over, top), (over + upper, top), (under + lower, eaves), (under, eaves)), shade)
        canvas.disc((under + lower / 2, eaves), lower / 2, shade)


def monastery(canvas: Canvas, at: Point, size: float = 1.0) -> None:
    """A church with a tower in a walled garden; ``at`` is the middle of the garden, the spire rises 0.29 above it."""
    theme = canvas.theme

    def place(points: Iterable[Point]) -> Line:
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


def inn(canvas: Canvas, at: Point) -> None:
    """A house by a pond."""
    x, y = at
    theme = canvas.theme
    pond = (x + 0.02, y + 0.07)
    canvas.polygon(ellipse(pond, 0.15, 0.085), theme.road_edge)
    canvas.polygon(ellipse(pond, 0.135, 0.072), theme.water)
    canvas.polygon(ellipse((pond[0] - 0.03, pond[1] - 0.015), 0.07, 0.026), theme.water_light)
    canvas.polygon(ellipse((pond[0] - 0.02, pond[1] - 0.006), 0.07, 0.026), theme.water)
    canvas.shade([house_shadow((x - 0.02, y + 0.01), 1.3)], 0.3)
    house(canvas, (x - 0.02, y + 0.01), 4, 1.3)
    canvas.box(x + 0.075, y - 0.1, x + 0.087, y + 0.01, theme.timber_dark)
    canvas.box(x + 0.087, y - 0.1, x + 0.14, y - 0.055, theme.highlight)


def village(canvas: Canvas, at: Point) -> None:
    """The houses of a crossing, on a green."""
    x, y = at
    places = ((x - 0.055, y - 0.045), (x + 0.06, y - 0.035), (x - 0.06, y + 0.065), (x + 0.055, y + 0.08))
    canvas.shade([house_shadow(place, 0.78) for place in places], 0.3)
    for kind, place in enumerate(places):
        house(canvas, place, kind + 1, 0.78)
