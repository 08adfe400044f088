"""The paths of a castle tile as lines, with what lies on them: squares, junctions and wells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import pi, sin
from typing import Final

from engine.the_castle.tiles import Face, FeatureKind, Segment
from renderers.shapes import CENTRE, Point, Polyline, along, cubic, turned_line

PATH_WIDTH: Final = 0.15
SQUARE_REACH: Final = 0.2
"""From the middle of the tile to the sides of a square."""
WELL_ROOM: Final = 0.125
"""Radius of the round place in which a well stands; the path goes on round it."""
_SWAY: Final = 0.03
"""How far a straight path swings from the middle line."""


@dataclass(frozen=True, slots=True)
class PathLine:
    """A stretch of a path: from the side of the tile to another side, or to the middle."""

    segment: int
    line: Polyline
    ends: bool
    """Whether it ends at a building in the middle of the tile."""


@dataclass(frozen=True, slots=True)
class Ways:
    """All stretches of paths on a face, and what is peculiar about them."""

    paths: tuple[PathLine, ...]
    bends: tuple[int, ...]
    """The corners that a path cuts off, by the side before them."""
    wells: tuple[tuple[int, Point], ...]
    """With the segment of the path on which each stands."""
    junction: bool
    """Whether three or more stretches of one path meet in the middle."""
    square: bool
    """Whether there is a square in the middle, which parts them (TC-05)."""


def ways_of(face: Face) -> Ways:
    """The ways of a face."""
    segments = face.segments
    paths = tuple(_paths(face))
    corners = (_bend_side(segments[path.segment]) for path in paths)
    return Ways(
        paths=paths,
        bends=tuple(side for side in corners if side is not None),
        wells=tuple(
            (index, _well([path for path in paths if path.segment == index]))
            for index, segment in enumerate(segments)
            if segment.well
        ),
        junction=any(segment.kind is FeatureKind.PATH and len(segment.places) > 2 for segment in segments),
        square=face.tile.square,
    )


def bend(side: int) -> Polyline:
    """The line of a path from a side to the next one clockwise."""
    return turned_line(cubic((0.5, 0.0), (0.5, 0.27), (0.73, 0.5), (1.0, 0.5), steps=20), side)


def square_outline(grow: float = 0.0) -> Polyline:
    """The edge of a square: an octagon, so that it does not look like the round place of a well."""
    reach, cut = SQUARE_REACH + grow, (SQUARE_REACH + grow) * 0.45
    corner = ((0.5 - cut, 0.5 - reach), (0.5 + cut, 0.5 - reach))
    return tuple(point for side in range(4) for point in turned_line(corner, side))


def _paths(face: Face) -> Iterator[PathLine]:
    square = face.tile.square
    for index, segment in enumerate(face.segments):
        if segment.kind is not FeatureKind.PATH:
            continue
        side = _bend_side(segment)
        if side is not None:
            yield PathLine(index, bend(side), ends=False)
        elif len(segment.places) == 2:
            yield PathLine(index, turned_line(_straight(), segment.places[0]), ends=False)
        else:
            reach = 0.5 - SQUARE_REACH if square else 0.5
            for place in segment.places:
                arm = turned_line(tuple((0.5, reach * step / 8) for step in range(9)), place)
                yield PathLine(index, arm, ends=not square and len(segment.places) == 1)


def _bend_side(segment: Segment) -> int | None:
    """The first of the two neighbouring sides, clockwise, that a path joins; None for any other segment."""
    if segment.kind is not FeatureKind.PATH or len(segment.places) != 2:
        return None
    one, other = segment.places
    match (other - one) % 4:
        case 1:
            return one
        case 3:
            return other
        case _:
            return None


def _straight() -> Polyline:
    """From north to south with a swing that leaves the ends square to the sides."""
    steps = [step / 24 for step in range(25)]
    return tuple((0.5 + _SWAY * sin(2 * pi * y) * sin(pi * y) ** 2, y) for y in steps)


def _well(stretches: Sequence[PathLine]) -> Point:
    """Where the stretches meet, in the middle of the only one, or half way to a building."""
    if len(stretches) > 1:
        return CENTRE
    return along(stretches[0].line, 0.45 if stretches[0].ends else 0.5)
