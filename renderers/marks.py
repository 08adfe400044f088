"""The marks of the six players: each has a colour and a shape, and a symbol of that shape for texts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import cos, pi, sin
from typing import Final, assert_never

from renderers.canvas import Point, Polyline, arc, rectangle
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


def shape_polygon(shape: Shape, centre: Point, radius: float) -> Polyline:
    """Return the outline of a shape; all six look equally large at the same radius."""
    x, y = centre
    match shape:
        case Shape.CIRCLE:
            return arc(centre, radius * 0.92, 0.0, 1.0, 28)
        case Shape.TRIANGLE:
            return (
                (x, y - radius * 1.08),
                (x + radius * 1.1, y + radius * 0.84),
                (x - radius * 1.1, y + radius * 0.84),
            )
        case Shape.SQUARE:
            return rectangle(x - radius * 0.82, y - radius * 0.82, x + radius * 0.82, y + radius * 0.82)
        case Shape.DIAMOND:
            return ((x, y - radius * 1.16), (x + radius * 1.0, y), (x, y + radius * 1.16), (x - radius * 1.0, y))
        case Shape.STAR:
            return tuple(_star_point(centre, radius * 1.2, number) for number in range(10))
        case Shape.CROSS:
            return _cross(centre, radius, radius * 0.38)
        case never:
            assert_never(never)


def _star_point(centre: Point, radius: float, number: int) -> Point:
    """Return one of the ten corners of a star; every second one lies further in."""
    angle = pi * number / 5 - pi / 2
    reach = radius * (0.48 if number % 2 else 1.0)
    return (centre[0] + reach * cos(angle), centre[1] + reach * sin(angle))


def _cross(centre: Point, reach: float, half: float) -> Polyline:
    """Return the outline of a cross, given the reach and half the width of its arms."""
    x, y = centre
    return (
        (x - half, y - reach),
        (x + half, y - reach),
        (x + half, y - half),
        (x + reach, y - half),
        (x + reach, y + half),
        (x + half, y + half),
        (x + half, y + reach),
        (x - half, y + reach),
        (x - half, y + half),
        (x - reach, y + half),
        (x - reach, y - half),
        (x - half, y - half),
    )
