"""The lines of the roads of a tile, and what stands where they end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import pi, sin
from typing import Final

from engine.carcassonne.tiles import Face, FeatureKind, Segment
from engine.geometry import Axis, Side
from renderers.carcassonne.faces.outline import CityOutline
from renderers.shapes import CENTRE, Point, Polyline, along, cubic, inside, turned, turned_line

ROAD_WIDTH: Final = 0.14
HUB_RADIUS: Final = 0.15
"""Of the village or the market square in which roads end."""
_AWAY: Final = 0.085
"""How far a crossing moves away from a city beside it."""
_AGAINST: Final = -0.09
"""The same for one that leans against the wall of the city."""
_FROM_UNDER: Final = 0.3
"""How far what stands in the middle moves out from under what is laid across its tile."""
_OTHER_BANK: Final = 0.28
"""How far from the middle of its tile a monastery stands on the other bank."""
_SWAY: Final = 0.05
"""How far a straight road swings from the middle line."""


class RoadEnd(StrEnum):
    """What a road leads to within its tile."""

    THROUGH = "through"
    GATE = "gate"
    HUB = "hub"
    MONASTERY = "monastery"


@dataclass(frozen=True, slots=True)
class RoadPath:
    """A road piece: its line from the side of the tile, and where the line ends."""

    segment: int
    line: Polyline
    end: RoadEnd


def road_paths(face: Face, cities: tuple[CityOutline, ...], across: Axis | None = None) -> tuple[RoadPath, ...]:
    """The lines of all road pieces of a face, in the order of its segments."""
    return tuple(
        _path(face, index, segment, cities, across)
        for index, segment in enumerate(face.segments)
        if segment.kind is FeatureKind.ROAD
    )


def parted(face: Face) -> bool:
    """Whether a feature of a box's own kind runs over a face, so that it has two banks."""
    return any(not isinstance(kind, FeatureKind) for kind in face.kinds)


def hub(face: Face, paths: tuple[RoadPath, ...], across: Axis | None = None) -> Point | None:
    """The middle of the village that the roads of the tile end in."""
    return _crossing(face, across) if any(path.end is RoadEnd.HUB for path in paths) else None


def alleys_to(face: Face, cities: tuple[CityOutline, ...], centre: Point | None) -> tuple[Polyline, ...]:
    """From a village to the walls of the cities beside it, where it has to touch several to keep fields apart.

    A single one it leans against.
    """
    touched = [city for city in cities if centre is not None and _parts_fields(face, city.segment)]
    if centre is None or len(touched) < 2:
        return ()
    return tuple((centre, along(city.walls[0], 0.5)) for city in touched)


def from_under(face: Face, across: Axis) -> Point:
    """Where what stands in the middle moves beside what lies across the tile: south or west if it can be."""
    first, second = (Side.S, Side.N) if across is Axis.WE else (Side.W, Side.E)
    walled = face.side_segments[first] >= 0 and face.segments[face.side_segments[first]].cap
    return turned((0.5, 0.5 - _FROM_UNDER), second if walled else first)


def _crossing(face: Face, across: Axis | None) -> Point:
    """The middle of the tile, or so far from a city that a field can pass between."""
    if across is not None:
        return from_under(face, across)
    x, y = CENTRE
    for index, segment in enumerate(face.segments):
        if segment.kind is FeatureKind.CITY and len(segment.places) == 1:
            away = turned((0.5, _AGAINST if _parts_fields(face, index) else _AWAY), segment.places[0], about=(0.5, 0.0))
            x, y = x + away[0] - 0.5, y + away[1]
    return x, y


def _parts_fields(face: Face, city: int) -> bool:
    """Whether the crossing has to touch a city, since nothing else parts two fields that meet there."""
    fields = [index for index, segment in enumerate(face.segments) if city in segment.cities]
    roads = [segment.places for segment in face.segments if segment.kind is FeatureKind.ROAD]
    return len(fields) > 1 and all(_goal(face, places[0]) != city for places in roads)


def _path(face: Face, index: int, segment: Segment, cities: tuple[CityOutline, ...], across: Axis | None) -> RoadPath:
    match segment.places:
        case (side,):
            goal = _goal(face, side)
            city = next((city for city in cities if city.segment == goal), None)
            if city is not None:
                return RoadPath(index, _to_city(side, city), RoadEnd.GATE)
            if face.monastery >= 0:
                goal_point = CENTRE if across is None else from_under(face, across)
                if parted(face):
                    goal_point = turned((0.5, 0.5 + _OTHER_BANK), side)
                start, pull = turned_line(((0.5, 0.0), (0.5, 0.1)), side)
                return RoadPath(index, (start, pull, goal_point), RoadEnd.MONASTERY)
            return RoadPath(index, _to_crossing(side, _crossing(face, across)), RoadEnd.HUB)
        case (one, other) if (other - one) % 4 == 2:
            return RoadPath(index, turned_line(_straight(), one), RoadEnd.THROUGH)
        case (one, other):
            first = one if (other - one) % 4 == 1 else other
            return RoadPath(index, turned_line(_bend(), first), RoadEnd.THROUGH)
        case _:
            raise ValueError(f"a road with {len(segment.places)} ends: {segment.name}")


def _goal(face: Face, side: int) -> int:
    """The city that both fields beside the road touch, -1 for none: a road that parts two fields has to reach it."""
    left, right = (face.half_segments[half] for half in (2 * side, 2 * side + 1))
    if left == right:
        return -1
    if parted(face):
        return _on_other_bank(face, {left, right})
    shared = set(face.segments[left].cities) & set(face.segments[right].cities)
    return min(shared, default=-1)


def _on_other_bank(face: Face, near: set[int]) -> int:
    """The city on the other bank, where two fields touch it that only the road can keep apart; -1 for none."""
    fields = [segment.cities for index, segment in enumerate(face.segments) if index not in near]
    return next((city for city in range(len(face.segments)) if sum(city in touched for touched in fields) > 1), -1)


def _to_city(side: int, city: CityOutline) -> Polyline:
    """Straight on, if the city lies there; otherwise to the middle of its wall."""
    ahead = turned_line(tuple((0.5, step / 50) for step in range(46)), side)
    hit = next((step for step, point in enumerate(ahead) if inside(point, city.ground)), None)
    if hit is not None:
        return ahead[: hit + 1]
    gate = along(city.walls[0], 0.5)
    start, pull = turned_line(((0.5, 0.0), (0.5, 0.3)), side)
    beside = (0.5 + (0.5 - gate[0]) * -0.1, 0.5 + (0.5 - gate[1]) * -0.1)
    return cubic(start, pull, beside, gate)


def _to_crossing(side: int, goal: Point) -> Polyline:
    start, pull, push = turned_line(((0.5, 0.0), (0.5, 0.2), (0.5, 0.3)), side)
    return cubic(start, pull, push, goal)


def _straight() -> Polyline:
    """From north to south with a swing that leaves the ends square to the sides."""
    steps = [step / 24 for step in range(25)]
    return tuple((0.5 + _SWAY * sin(2 * pi * y) * sin(pi * y) ** 2, y) for y in steps)


def _bend() -> Polyline:
    """From north to east."""
    return cubic((0.5, 0), (0.5, 0.24), (0.76, 0.5), (1, 0.5), steps=20)
