"""The courses of rivers over a tile: their lines, what they cover, what they begin or end in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import pi, sin
from typing import Final, assert_never

from engine.carcassonne.tiles import Face
from renderers.carcassonne.faces.ground import Tract
from renderers.shapes import CENTRE, Polyline, along, band, cubic, distance, ellipse, turned_line

RIVER: Final[str] = "river"
"""The kind of the segments that are rivers."""
LAKES: Final = frozenset({"river/FFFI"})
"""The tiles with a lake: by their segments they could as well be springs."""
RIVER_WIDTH: Final = 0.18
LAKE: Final = (0.3, 0.25)
SPRING: Final = (0.11, 0.085)
"""Half axes of the water in the middle of a tile where a river ends or begins."""
_SWAY: Final = -0.03
"""How far a straight river swings from the middle line."""
_BANK: Final = 0.03
"""How far on either side of the water a bridge begins."""
_SPRING_ROOM: Final = 0.2
_STEPS: Final = 48


class RiverEnd(StrEnum):
    """What a river does within its tile."""

    THROUGH = "through"
    SPRING = "spring"
    LAKE = "lake"


@dataclass(frozen=True, slots=True)
class Water:
    """A river piece: its line from the side of the tile, and what is at the end of the line."""

    segment: int
    line: Polyline
    end: RiverEnd

    @property
    def areas(self) -> tuple[Polyline, ...]:
        """What it covers."""
        course = band(self.line, RIVER_WIDTH)
        match self.end:
            case RiverEnd.THROUGH:
                return (course,)
            case RiverEnd.SPRING:
                return (course, ellipse(CENTRE, *SPRING))
            case RiverEnd.LAKE:
                return (course, ellipse(CENTRE, *LAKE))
            case never:
                assert_never(never)

    @property
    def tract(self) -> Tract:
        """What it takes of its tile; nothing is built at a spring."""
        return Tract(self.segment, self.areas, ((CENTRE, _SPRING_ROOM),) if self.end is RiverEnd.SPRING else ())


def waters_of(face: Face) -> tuple[Water, ...]:
    """All river pieces of a face; one with a single end leads to a lake, or comes from a spring."""
    end = RiverEnd.LAKE if face.tile.id in LAKES else RiverEnd.SPRING
    return tuple(
        Water(index, course(segment.places), RiverEnd.THROUGH if len(segment.places) == 2 else end)
        for index, segment in enumerate(face.segments)
        if segment.kind == RIVER
    )


def course(places: Sequence[int]) -> Polyline:
    """The line of a river that reaches these sides of its tile.

    Raises:
        ValueError: it reaches none, or more than two.
    """
    match tuple(places):
        case (side,):
            return turned_line(((0.5, 0.0), (0.5, 0.12), (0.49, 0.25), (0.5, 0.4), (0.5, 0.5)), side)
        case (one, other) if (other - one) % 4 == 2:
            return turned_line(_straight(), one)
        case (one, other):
            first = one if (other - one) % 4 == 1 else other
            return turned_line(cubic((0.5, 0.0), (0.5, 0.16), (0.84, 0.5), (1.0, 0.5), steps=20), first)
        case _:
            raise ValueError(f"a river with {len(places)} ends")


def _straight() -> Polyline:
    """From north to south with a swing, square to the sides and without any in the middle, where roads may cross."""
    steps = [step / 24 for step in range(25)]
    return tuple((0.5 + _SWAY * sin(2 * pi * y) * sin(pi * y) ** 2, y) for y in steps)


def crossed(road: Polyline, waters: Collection[Water]) -> Polyline:
    """The part of a road that lies over water, with a little of both banks; empty where there is none."""
    over = [
        step / _STEPS
        for step in range(_STEPS + 1)
        if any(_depth(along(road, step / _STEPS), water) < RIVER_WIDTH / 2 + _BANK for water in waters)
    ]
    if not over:
        return ()
    return tuple(along(road, over[0] + (over[-1] - over[0]) * step / 6) for step in range(7))


def _depth(point: tuple[float, float], water: Water) -> float:
    return min(distance(point, along(water.line, step / _STEPS)) for step in range(_STEPS + 1))
