"""The marks of the six players: each has a colour and a shape, and a symbol of that shape for texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import cos, pi, sin
from typing import Final

from renderers.canvas import Point, Polyline, arc, rectangle, rotated
from renderers.theme import Colour, mixed


class Shape(StrEnum):
    """The shape of a player, which tells players apart without colours."""

    CIRCLE = "circle"
    TRIANGLE = "triangle"
    SQUARE = "square"
    DIAMOND = "diamond"
    STAR = "star"
    CROSS = "cross"


@dataclass(frozen=True, slots=True)
class PlayerMark:
    """The mark of one seat: ``ink`` is legible upon ``colour``, ``symbol`` and ``emoji`` stand for both in texts."""

    name: str
    colour: Colour
    ink: Colour
    shape: Shape
    symbol: str
    emoji: str

    @property
    def is_dark(self) -> bool:
        """True if a dark line would be invisible upon the colour."""
        return sum(self.colour) < 3 * 64

    @property
    def fold(self) -> Colour:
        """The colour of folds and shaded parts: darker, or lighter if a darker one would be invisible."""
        return mixed(self.colour, (140, 140, 150), 0.5) if self.is_dark else mixed(self.colour, (40, 30, 40), 0.26)


_DARK: Final = (24, 24, 28)
"""The ink upon light colours."""
_LIGHT: Final = (255, 255, 255)
"""The ink upon dark colours."""
PLAYER_MARKS: Final = (
    PlayerMark("red", (214, 40, 40), _LIGHT, Shape.CIRCLE, "●", "🔴"),
    PlayerMark("blue", (20, 60, 190), _LIGHT, Shape.TRIANGLE, "▲", "🔵"),
    PlayerMark("yellow", (255, 210, 30), _DARK, Shape.SQUARE, "■", "🟡"),
    PlayerMark("black", (26, 26, 30), _LIGHT, Shape.DIAMOND, "◆", "⚫"),
    PlayerMark("pink", (236, 120, 180), _DARK, Shape.STAR, "★", "🩷"),
    PlayerMark("white", (255, 255, 255), _DARK, Shape.CROSS, "✚", "⚪"),
)
"""The marks by seat. A test measures that they differ in greyscale and in the three kinds of colour blindness."""


_CROSS_ARM: Final = ((-0.38, -1.0), (0.38, -1.0), (0.38, -0.38))
"""The end of the upper arm of a cross, and the corner between this arm and the one on the right."""
_OUTLINES: Final[Mapping[Shape, Polyline]] = {
    Shape.TRIANGLE: ((0.0, -1.08), (1.1, 0.84), (-1.1, 0.84)),
    Shape.SQUARE: rectangle(-0.82, -0.82, 0.82, 0.82),
    Shape.DIAMOND: ((0.0, -1.16), (1.0, 0.0), (0.0, 1.16), (-1.0, 0.0)),
    Shape.CROSS: tuple(rotated(point, side, (0.0, 0.0)) for side in range(4) for point in _CROSS_ARM),
}
"""The outlines of the shapes with straight sides at radius 1; all six shapes look equally large at the same radius."""


def shape_polygon(shape: Shape, centre: Point, radius: float) -> Polyline:
    """Return the outline of a shape."""
    if shape is Shape.CIRCLE:
        return arc(centre, radius * 0.92, 0.0, 1.0, 28)
    if shape is Shape.STAR:
        return tuple(_star_point(centre, radius * 1.2, number) for number in range(10))
    return tuple((centre[0] + x * radius, centre[1] + y * radius) for x, y in _OUTLINES[shape])


def _star_point(centre: Point, radius: float, number: int) -> Point:
    """Return one of the ten corners of a star; every second one lies further in."""
    angle = pi * number / 5 - pi / 2
    reach = radius * (0.48 if number % 2 else 1.0)
    return (centre[0] + reach * cos(angle), centre[1] + reach * sin(angle))
