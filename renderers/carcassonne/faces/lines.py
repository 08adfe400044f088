"""The lines of a tile: the outlines of its city pieces, and the lines of its roads with their ends.

All lines are computed from the segments of a face (a tile in one rotation), in units of the tile: ``(0.5, 0.0)`` is the
middle of its north side. All cities meet a side between the same two points, so that those of neighbouring tiles join.
The parts between are walls; the shape of a wall depends on the number of sides that it goes around. A cap is a city
piece on one side only. Roads end at the gate of a city, at a monastery, or in a hub, the village in the middle of the
tile. ``span`` is the axis of a piece that spans the tile, beside which the middle moves; None without one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.carcassonne.tiles import EDGE_KINDS, Face, FeatureKind, Segment
from engine.geometry import Axis, Side
from renderers.canvas import (
    CENTRE,
    Point,
    Polyline,
    cubic,
    is_inside,
    mirrored,
    point_along,
    rotated,
    rotated_line,
    swaying_line,
)

CITY_INSET: Final = 0.075
"""Distance from the corner of the tile to the beginning of a city."""
CAP_DEPTH: Final = 0.315
"""The depth of a cap, a city piece on one side only."""
CROWDED_DEPTH: Final = 0.255
"""The depth of a cap beside another city, from which it keeps away."""
FIELD_DEPTH: Final = 0.27
"""The depth of a field on one side between two other sides that one city fills."""
DEEP_FIELD_DEPTH: Final = 0.47
"""The same depth if a cap lies on that side, with a field between the two cities."""
CROSSING_WIDTH: Final = 0.34
"""Distance from the side of the tile to the waist of a city that crosses another one."""
CORNERS: Final[Polyline] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
"""The corners of the tile; number n is the first corner of side n, clockwise."""


@dataclass(frozen=True, slots=True)
class CityOutline:
    """A city piece: the polygon of its ground, its walls, and the corners of the tile that it fills.

    Through its gates another city passes below it.
    """

    segment: int
    ground: Polyline
    walls: tuple[Polyline, ...]
    corners: frozenset[int]
    gates: tuple[Point, ...] = ()


def city_outlines(face: Face) -> tuple[CityOutline, ...]:
    """Return the outlines of all city pieces of a face, in the order of its segments."""
    return tuple(
        _outline(face, index, segment)
        for index, segment in enumerate(face.segments)
        if segment.kind is FeatureKind.CITY
    )


def _outline(face: Face, index: int, segment: Segment) -> CityOutline:
    """Return the outline of one city piece."""
    sides = segment.places
    if len(sides) == 4:
        return CityOutline(index, CORNERS, (), frozenset(range(4)))
    crossing = crossing_cities(face)
    if crossing is not None:
        above = index == crossing[1]
        return _upper_city(index, segment) if above else _lower_city(face, index)
    ground: list[Point] = []
    walls: list[Polyline] = []
    for side in (
        candidate for candidate in sides if (candidate - 1) % 4 not in sides
    ):  # the first of neighbouring sides, clockwise
        last = side
        ground.append(rotated((CITY_INSET, 0.0), side))
        while (last + 1) % 4 in sides:
            last = (last + 1) % 4
            ground.append(CORNERS[last])
        gap = next(size for size in (1, 2, 3) if (last + 1 + size) % 4 in sides)
        wall = _wall(face, segment, last, gap)
        ground.extend(wall)
        walls.append(wall)
    corners = frozenset(side for side in sides if (side - 1) % 4 in sides)
    return CityOutline(index, tuple(ground), tuple(walls), corners)


def crossing_cities(face: Face) -> tuple[int, int] | None:
    """Return the city that runs below and the one above it where two of them cross; None on all other tiles."""
    straight = [
        index
        for index, segment in enumerate(face.segments)
        if segment.kind is FeatureKind.CITY and segment.places in {(0, 2), (1, 3)}
    ]
    return (straight[0], straight[1]) if len(straight) == 2 else None


_UPPER_WALL: Final = cubic((CITY_INSET, 0.0), (0.3, 0.16), (CROSSING_WIDTH, 0.3), (CROSSING_WIDTH, 0.5))
"""The northern half of the western wall of a city from north to south that crosses another one."""
_LOWER_WALL: Final = cubic((0.0, CITY_INSET), (0.05, 0.28), (0.18, 0.41), (CROSSING_WIDTH, 0.41))
"""The wall of the city below it around the field in the north-west, as far as the city above."""
_BLIND_WALL: Final[Polyline] = ((1 - CITY_INSET * 1.6, 0.1), (1.0, CITY_INSET))
"""The wall of the city below it in the north-east, where no field lies between the two."""


def _upper_city(index: int, segment: Segment) -> CityOutline:
    """Return the outline of a city that crosses another one: a waist, the same on both sides."""
    west = _UPPER_WALL + tuple((x, 1 - y) for x, y in reversed(_UPPER_WALL[:-1]))
    east = tuple((1 - x, y) for x, y in reversed(west))
    walls = tuple(rotated_line(wall, segment.places[0]) for wall in (west, east))
    gates = tuple(point_along(wall, 0.5) for wall in walls)
    return CityOutline(index, walls[0] + walls[1], walls, frozenset(), gates)


def _lower_city(face: Face, index: int) -> CityOutline:
    """Return the outline of a city that another one crosses: two fields lie in opposite corners between them.

    The shape is computed for a city from west to east with a field in the north-west, and then rotated or mirrored.
    """
    turns = 1 - face.segments[index].places[0]
    corners = {(entry.corner - turns) % 4 for entry in face.segments if entry.corner >= 0}
    field, blind = _LOWER_WALL, _BLIND_WALL
    half = (*field, (0.5, 0.41), (0.8, 0.12), *blind)
    ground = half + _opposite(half)
    walls = [field, blind, *map(_opposite, (field, blind))]

    def placed(line: Polyline) -> Polyline:
        return rotated_line(line if 0 in corners else mirrored(line), turns)

    return CityOutline(index, placed(ground), tuple(map(placed, walls)), frozenset())


def _opposite(line: Polyline) -> Polyline:
    """Return the line turned by half a turn about the middle of the tile."""
    return tuple((1 - x, 1 - y) for x, y in line)


def _wall(face: Face, segment: Segment, last: int, gap: int) -> Polyline:
    """Return the wall from the clockwise end of side ``last`` around ``gap`` sides.

    Every shape is computed for a wall that starts at the western side, and then rotated.
    """
    walled = [face.kinds[index] is FeatureKind.CITY for index in _beyond(face, last, gap) if index >= 0]
    match gap:
        case 1:
            line = _dent(DEEP_FIELD_DEPTH, (0.1, 0.2)) if any(walled) else _dent(FIELD_DEPTH, (0.22, CITY_INSET))
        case 2:
            line = _wall_around_corner(face, last)
        case _ if segment.cap or any(walled):
            line = _cap(*(face.side_segments[(last + turn) % 4] for turn in (1, 3)), face=face)
        case _:
            line = _pointed_city(_pointed_corners(face, last))
    return rotated_line(line, last - 3)


def _beyond(face: Face, last: int, gap: int) -> list[int]:
    """Return the cities and roads at the sides that a wall goes around."""
    return [face.side_segments[(last + turn) % 4] for turn in range(1, gap + 1)]


def _dent(depth: float, pull: Point) -> Polyline:
    """Return the wall around a field on the northern side; ``pull`` is the first control point of its curve."""
    half = cubic((0, CITY_INSET), pull, (0.26, depth), (0.5, depth))
    return half + tuple((1 - x, y) for x, y in reversed(half[:-1]))


def _wall_around_corner(face: Face, last: int) -> Polyline:
    """Return the wall around the north-east of a city in the south-west; it gives way to other cities there.

    Where nothing else separates the two fields that meet in that corner, it runs out to a tip between them.
    """
    first, second = (last + 1) % 4, (last + 2) % 4
    field, other_field = face.half_segments[2 * first + 1], face.half_segments[2 * second]
    if -1 not in {field, other_field} and field != other_field:
        half = cubic((0, CITY_INSET), (0.3, 0.32), (0.66, 0.3), (0.985, 0.015))
        return half + tuple((1 - y, 1 - x) for x, y in reversed(half[:-1]))
    crowded = [index >= 0 and face.kinds[index] is FeatureKind.CITY for index in _beyond(face, last, 2)]
    pull = (0.02, 0.42) if crowded[0] else (0.24, CITY_INSET)
    push = (0.58, 0.98) if crowded[1] else (1 - CITY_INSET, 0.76)
    return cubic((0, CITY_INSET), pull, push, (1 - CITY_INSET, 1), steps=20)


def closed_corners(face: Face) -> tuple[Polyline, ...]:
    """Return the walls across those corners of the tile where only a wall encloses a field."""
    enclosed = [segment for segment in face.segments if segment.kind is FeatureKind.FIELD and not segment.places]
    return tuple(
        rotated_line(((1 - CITY_INSET, 0.0), (1.0, CITY_INSET)), side)
        for side in range(4)
        if any(_lies_between(face, field, side, (side + 1) % 4) for field in enclosed)
    )


def _lies_between(face: Face, field: Segment, side: int, following: int) -> bool:
    """Return True if an enclosed field reaches the corner between two sides."""
    cities = {face.side_segments[side], face.side_segments[following]}
    return len(cities) == 2 and cities <= set(field.cities) and field.corner in {-1, following}


def _cap(before: int, after: int, *, face: Face) -> Polyline:
    """Return a semicircle on the west side; beside another city it gives way."""
    crowded = [index >= 0 and face.kinds[index] is FeatureKind.CITY for index in (before, after)]
    depth = CROWDED_DEPTH if any(crowded) else CAP_DEPTH
    upper, lower = (_half_cap(depth, crowded=side) for side in crowded)
    return upper + mirrored(lower)[1:]


def _half_cap(depth: float, *, crowded: bool) -> Polyline:
    """Return the northern half of a cap on the west side; ``crowded`` if another city is next to it."""
    if crowded:
        return cubic((0, CITY_INSET), (0.05, CITY_INSET + 0.04), (depth, 0.3), (depth, 0.5))
    return cubic((0, CITY_INSET), (0.2, CITY_INSET), (depth, 0.24), (depth, 0.5))


def _pointed_corners(face: Face, side: int) -> tuple[int, ...]:
    """Return the corners that the pointed city on ``side`` reaches: 1 the clockwise one, -1 the other; maybe none.

    It reaches each corner where two fields meet that nothing else separates.
    """
    corners = ((1, 2 * side + 3), (-1, 2 * side + 5))
    fields = {turn: {face.half_segments[half % 8], face.half_segments[(half + 1) % 8]} for turn, half in corners}
    return tuple(turn for turn, meeting in fields.items() if len(meeting) == 2 and -1 not in meeting)


_POINTED_WALL: Final = cubic((0, CITY_INSET), (0.25, 0.28), (0.6, 0.24), (0.985, 0.015))
"""The northern wall of a pointed city on the west side, as far as its tip in the north-east."""


def _pointed_city(tips: tuple[int, ...]) -> Polyline:
    """Return a pointed city on the west side; its tips are in the north-east (1), south-east (-1) or middle (none)."""
    match tips:
        case (1, -1):
            back = cubic((0.985, 0.015), (0.62, 0.3), (0.62, 0.7), (0.985, 0.985))
            return _POINTED_WALL + back[1:] + mirrored(_POINTED_WALL)[1:]
        case (1,):
            return _POINTED_WALL + cubic((0.985, 0.015), (0.72, 0.34), (0.42, 0.6), (0, 1 - CITY_INSET))[1:]
        case (-1,):
            return mirrored(_pointed_city((1,)))
        case _:
            half = cubic((0, CITY_INSET), (0.2, 0.2), (0.3, 0.4), (0.46, 0.5))
            return half + mirrored(half)[1:]


ROAD_WIDTH: Final = 0.14
"""Width of a road, in tiles."""
HUB_RADIUS: Final = 0.15
"""Radius of the village or market square where roads end."""
_CROSSING_OFFSET: Final = 0.085
"""The offset of a crossing away from a city beside it."""
_LEANING_OFFSET: Final = -0.09
"""The offset of a crossing towards a city whose wall it touches."""
_MOVED_LANDMARK_OFFSET: Final = 0.3
"""The distance that a landmark in the middle moves aside for a piece across its tile."""
_OTHER_BANK_OFFSET: Final = 0.28
"""Distance of a monastery on the other bank from the middle of its tile."""
_SWAY: Final = 0.05
"""The swing of a straight road from the middle line."""


class RoadEnd(StrEnum):
    """The end of a road within its tile."""

    THROUGH = "through"
    JUNCTION = "junction"
    """The middle of another line of the same road."""
    PORTAL = "portal"
    """The mouth by which a road goes below a city."""
    GATE = "gate"
    HUB = "hub"
    MONASTERY = "monastery"


@dataclass(frozen=True, slots=True)
class RoadPath:
    """A road piece: its line from the side of the tile, and the end of the line."""

    segment: int
    line: Polyline
    end: RoadEnd


def road_paths(face: Face, cities: tuple[CityOutline, ...], span: Axis | None = None) -> tuple[RoadPath, ...]:
    """Return the lines of all road pieces of a face, in the order of its segments; some have several lines."""
    return tuple(
        path
        for index, segment in enumerate(face.segments)
        if segment.kind is FeatureKind.ROAD
        for path in _paths(face, index, segment, cities, span)
    )


def has_two_banks(face: Face) -> bool:
    """Return True if a feature of an expansion's own kind divides a face into two banks."""
    return any(kind in EDGE_KINDS for kind in face.kinds)


def hub(face: Face, paths: tuple[RoadPath, ...], span: Axis | None = None) -> Point | None:
    """Return the middle of the village that the roads of the tile end in; None if they do not."""
    return _crossing(face, span) if any(path.end is RoadEnd.HUB for path in paths) else None


def alleys_from(face: Face, cities: tuple[CityOutline, ...], centre: Point | None) -> tuple[Polyline, ...]:
    """Return the alleys from a village to the cities around it, if it has to touch several to keep fields apart.

    If there is a single one, the village leans against its wall instead.
    """
    touched = [city for city in cities if centre is not None and _separates_fields(face, city.segment)]
    if centre is None or len(touched) < 2:
        return ()
    return tuple((centre, point_along(city.walls[0], 0.5)) for city in touched)


def place_beside_span(face: Face, span: Axis) -> Point:
    """Return the place of a landmark beside a piece across the tile: south or west if possible."""
    first, second = (Side.S, Side.N) if span is Axis.WE else (Side.W, Side.E)
    walled = face.side_segments[first] >= 0 and face.segments[face.side_segments[first]].cap
    return rotated((0.5, 0.5 - _MOVED_LANDMARK_OFFSET), second if walled else first)


def _crossing(face: Face, span: Axis | None) -> Point:
    """Return the middle of the tile, or a point so far from a city that a field fits between."""
    if span is not None:
        return place_beside_span(face, span)
    x, y = CENTRE
    for index, segment in enumerate(face.segments):
        if segment.kind is FeatureKind.CITY and len(segment.places) == 1:
            offset = rotated(
                (0.5, _LEANING_OFFSET if _separates_fields(face, index) else _CROSSING_OFFSET),
                segment.places[0],
                about=(0.5, 0.0),
            )
            x, y = x + offset[0] - 0.5, y + offset[1]
    return x, y


def _separates_fields(face: Face, city: int) -> bool:
    """Return True if the crossing has to touch a city, because nothing else separates two fields that meet there."""
    fields = [index for index, segment in enumerate(face.segments) if city in segment.cities]
    roads = [segment.places for segment in face.segments if segment.kind is FeatureKind.ROAD]
    return len(fields) > 1 and all(_destination_city(face, places[0]) != city for places in roads)


def _paths(
    face: Face, index: int, segment: Segment, cities: tuple[CityOutline, ...], span: Axis | None
) -> tuple[RoadPath, ...]:
    """Return the lines of one road piece: two if it has three ends, or passes below a city.

    Raises:
        ValueError: the road has no end, or more than three.
    """
    sides = segment.places
    if len(sides) == 3:
        arm = next(side for side in sides if (side + 2) % 4 not in sides)
        through = rotated_line(swaying_line(_SWAY), next(side for side in sides if side != arm))
        joining = rotated_line(((0.5, 0.0), (0.5, 0.25), CENTRE), arm)
        return RoadPath(index, through, RoadEnd.THROUGH), RoadPath(index, joining, RoadEnd.JUNCTION)
    above = next((city for city in cities if is_inside(CENTRE, city.ground)), None)
    if above is not None and len(sides) == 2 and (sides[1] - sides[0]) % 4 == 2:
        return tuple(RoadPath(index, *_below_city(face, side, above)) for side in sides)
    return (_path(face, index, segment, cities, span),)


def _below_city(face: Face, side: int, city: CityOutline) -> tuple[Polyline, RoadEnd]:
    """Return the line of a road that passes below a city, up to the gate, and its end.

    Where the field is one on both sides of the road, it goes below the ground before it reaches the wall.
    """
    if face.half_segments[2 * side] != face.half_segments[2 * side + 1]:
        return _to_city(side, city), RoadEnd.GATE
    return rotated_line(((0.5, 0.0), (0.5, 0.06), (0.5, _PORTAL)), side), RoadEnd.PORTAL


def _path(face: Face, index: int, segment: Segment, cities: tuple[CityOutline, ...], span: Axis | None) -> RoadPath:
    """Return the line of a road piece with one line.

    Raises:
        ValueError: the road has no end, or more than two.
    """
    match segment.places:
        case (side,):
            goal = _destination_city(face, side)
            city = next((city for city in cities if city.segment == goal), None)
            if city is not None:
                return RoadPath(index, _to_city(side, city), RoadEnd.GATE)
            if face.monastery >= 0:
                goal_point = CENTRE if span is None else place_beside_span(face, span)
                if has_two_banks(face):
                    goal_point = rotated((0.5, 0.5 + _OTHER_BANK_OFFSET), side)
                start, pull = rotated_line(((0.5, 0.0), (0.5, 0.1)), side)
                return RoadPath(index, (start, pull, goal_point), RoadEnd.MONASTERY)
            start, pull, push = rotated_line(((0.5, 0.0), (0.5, 0.2), (0.5, 0.3)), side)
            return RoadPath(index, cubic(start, pull, push, _crossing(face, span)), RoadEnd.HUB)
        case (start_side, end_side) if (end_side - start_side) % 4 == 2:
            return RoadPath(index, rotated_line(swaying_line(_SWAY), start_side), RoadEnd.THROUGH)
        case (start_side, end_side):
            first = start_side if (end_side - start_side) % 4 == 1 else end_side
            touched = _city_touched_by_bend(face, first)
            if touched >= 0:
                return RoadPath(index, _bend_touching(face.segments[touched].places[0], first), RoadEnd.THROUGH)
            return RoadPath(index, rotated_line(NORTH_EAST_BEND, first), RoadEnd.THROUGH)
        case _:
            raise ValueError(f"a road with {len(segment.places)} ends: {segment.name}")


def _destination_city(face: Face, side: int) -> int:
    """Return the city that a road leads to, -1 for none.

    It is the city that both fields beside the road touch: a road that separates two fields has to reach it.
    """
    left_field, right_field = (face.half_segments[half] for half in (2 * side, 2 * side + 1))
    if left_field == right_field:
        return -1
    if has_two_banks(face):
        return _on_other_bank(face, {left_field, right_field})
    shared = set(face.segments[left_field].cities) & set(face.segments[right_field].cities)
    return min(shared, default=-1)


def _city_touched_by_bend(face: Face, first: int) -> int:
    """Return the city that a bend has to touch to separate two fields, -1 for none; ``first`` is its first side."""
    outer = {face.half_segments[half % 8] for half in (2 * first, 2 * first + 3)}
    if len(outer) < 2 or -1 in outer or has_two_banks(face):
        return -1
    cities = set.intersection(*(set(face.segments[field].cities) for field in outer))
    return next((city for city in cities if len(face.segments[city].places) == 1), -1)


def _bend_touching(city_side: int, first: int) -> Polyline:
    """Return a bend that touches the wall of the city on a side; ``first`` is the first of the road's sides."""
    east = (first - city_side) % 4 == 1
    line = _TOUCHING_BEND if east else tuple((1 - x, y) for x, y in reversed(_TOUCHING_BEND))
    return rotated_line(line, city_side)


def _on_other_bank(face: Face, near: set[int]) -> int:
    """Return the city on the other bank where only the road can separate two fields that touch it; -1 for none."""
    fields = [segment.cities for index, segment in enumerate(face.segments) if index not in near]
    return next((city for city in range(len(face.segments)) if sum(city in touched for touched in fields) > 1), -1)


def _to_city(side: int, city: CityOutline) -> Polyline:
    """Return the line from a side straight to the city if that is opposite, otherwise to the middle of its wall."""
    straight = rotated_line(tuple((0.5, step / 50) for step in range(46)), side)
    hit = next((step for step, point in enumerate(straight) if is_inside(point, city.ground)), None)
    if hit is not None:
        return straight[: hit + 1]
    gate = point_along(city.walls[0], 0.5)
    start, pull = rotated_line(((0.5, 0.0), (0.5, 0.3)), side)
    push = (0.5 + (0.5 - gate[0]) * -0.1, 0.5 + (0.5 - gate[1]) * -0.1)
    return cubic(start, pull, push, gate)


NORTH_EAST_BEND: Final = cubic((0.5, 0), (0.5, 0.24), (0.76, 0.5), (1, 0.5), steps=20)
"""The line of a road from the north side to the east side."""
_TOUCHING_BEND: Final[Polyline] = (*cubic((1.0, 0.5), (0.78, 0.5), (0.44, 0.1), (0.5, 0.62), steps=20), (0.5, 1.0))
"""The line of a road from the east side to the south side that touches the wall of a city in the north."""
_PORTAL: Final = 0.175
"""The distance of a portal from the side of the tile."""
