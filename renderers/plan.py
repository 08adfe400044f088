"""Where everything on a tile goes: computed from the segments of a face alone, before anything is drawn."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops

from engine.carcassonne.tiles import Face, FeatureKind, Segment, TileKind
from engine.geometry import Axis, Side
from renderers import ground
from renderers.ground import Ground
from renderers.outline import CityOutline, city_outlines
from renderers.paths import HUB_RADIUS, ROAD_WIDTH, RoadEnd, RoadPath, hub, road_paths
from renderers.shapes import CENTRE, Line, Point, along, distance, length, rectangle, turned_line

PLAZA: Final = 0.12
"""The free room kept round the place of a follower."""
MONASTERY_ROOM: Final = 0.2
SMALL: Final = 0.78
"""The size of a monastery that shares its tile with a road or a city."""
BRIDGE_WIDTH: Final = 0.2
_SQUARE: Final = 0.1
"""The part of it that houses leave free."""
_HOUSE_ROW: Final = 0.12
_HOUSE_STEP: Final = 0.15


@dataclass(frozen=True, slots=True)
class Plan:
    """A face laid out, in units of the tile; the points of buildings are the middles of their feet."""

    face: Face
    ground: Ground
    cities: tuple[CityOutline, ...]
    roads: tuple[RoadPath, ...]
    hub: Point | None
    bazaar: Point | None
    monastery: Point | None
    monastery_size: float
    inns: tuple[Point, ...]
    shields: tuple[Point, ...]
    houses: tuple[Point, ...]
    trees: tuple[Point, ...]
    landmarks: tuple[tuple[Point, float], ...]
    """Monastery, market and inns, with the room that each takes."""
    anchors: tuple[Point, ...]
    """The natural point of each segment: where its follower stands."""


@lru_cache(maxsize=1024)
def plan_of(tile: TileKind, rotation: int) -> Plan:
    """The layout of a tile turned clockwise by so many degrees."""
    face = tile.faces[rotation // 90]
    cities = city_outlines(face)
    roads = road_paths(face, cities)
    centre = hub(face, roads)
    land = Ground(face, cities, roads, centre)
    monastery, size = _monastery(face, roads, land)
    bazaar = (centre or CENTRE) if "bazaar" in tile.flags else None
    taken = [(point, room) for point, room in ((monastery, MONASTERY_ROOM), (bazaar, 0.2)) if point]
    inns = tuple(_inns(face, roads))
    taken += [(point, 0.17) for point in inns]
    anchors = tuple(_anchor(face, index, land, monastery, taken) for index in range(len(face.segments)))
    shields = tuple(_shields(face, land, taken, anchors))
    dice = decoration_dice(repr(face.segments))
    houses = tuple(_houses(dice, cities, land, taken, (*anchors, *shields)))
    trees = tuple(_trees(dice, face, land, taken, anchors))
    return Plan(
        face=face,
        ground=land,
        cities=cities,
        roads=roads,
        hub=centre,
        bazaar=bazaar,
        monastery=monastery,
        monastery_size=size,
        inns=inns,
        shields=shields,
        houses=houses,
        trees=trees,
        landmarks=tuple(taken),
        anchors=anchors,
    )


@lru_cache(maxsize=4096)
def anchor(tile: TileKind, rotation: int, segment: Segment, bridge: Axis | None = None) -> Point:
    """Where the follower on a segment (board oriented) stands; beside the bridge, unless it stands on that.

    Raises:
        ValueError: neither the face nor its bridge has the segment.
    """
    plan = plan_of(tile, rotation)
    found = [
        index
        for index, printed in enumerate(plan.face.segments)
        if printed.kind is segment.kind and printed.places == segment.places
    ]
    if found:
        return plan.anchors[found[0]] if bridge is None else _beside(plan, found[0], bridge)
    if bridge is None or segment.kind is not FeatureKind.ROAD:
        raise ValueError(f"no {segment.name} on {tile.id}")
    return _upon(plan, bridge)


def bridge_line(axis: Axis) -> Line:
    """The straight line under a bridge."""
    return turned_line(((0.5, 0.0), (0.5, 1.0)), Side.N if axis is Axis.NS else Side.E)


def decoration_dice(seed: str) -> random.Random:
    """Chance for trees and roofs that falls the same way each time."""
    return random.Random(zlib.crc32(seed.encode()))  # noqa: S311 - decoration, and reproducible on purpose


def _upon(plan: Plan, bridge: Axis) -> Point:
    """The place on the bridge with most room between it and the places of the tile."""
    others = [_beside(plan, index, bridge) for index in range(len(plan.anchors))]
    places = [(part, 0.43) if bridge is Axis.WE else (0.5, part) for part in (0.5, 0.3, 0.7)]
    return max(places, key=lambda place: min(distance(place, other) for other in others))


def _beside(plan: Plan, index: int, bridge: Axis) -> Point:
    area = _standing_area(plan, index)
    free = ground.without_band(area, bridge_line(bridge), BRIDGE_WIDTH)
    point, depth = ground.heart(free)
    return point if depth else plan.anchors[index]


def _standing_area(plan: Plan, index: int) -> Image.Image:
    """The cells of a segment without the landmarks on it, or those of the monastery."""
    if plan.face.kinds[index] is FeatureKind.MONASTERY and plan.monastery is not None:
        whole = Image.new("L", (ground.GRID, ground.GRID), 255)
        return ImageChops.subtract(whole, ground.without_disc(whole, plan.monastery, MONASTERY_ROOM))
    return ground.without_discs(plan.ground.area(index), plan.landmarks)


def _monastery(face: Face, roads: Iterable[RoadPath], land: Ground) -> tuple[Point | None, float]:
    """In the middle, unless a road runs there: then in the roomiest field, with the whole spire on the tile."""
    if face.monastery < 0:
        return None, 0.0
    if all(road.end is not RoadEnd.THROUGH for road in roads):
        return CENTRE, SMALL if FeatureKind.CITY in face.kinds else 1.0
    fields = [index for index, kind in enumerate(face.kinds) if kind is FeatureKind.FIELD]
    (x, y), _ = max((ground.heart(land.area(index)) for index in fields), key=lambda found: found[1])
    return (x, max(y, 0.31 * SMALL)), SMALL


def _anchor(
    face: Face, index: int, land: Ground, monastery: Point | None, taken: Iterable[tuple[Point, float]]
) -> Point:
    if index == face.monastery and monastery is not None:
        aside = 0.1 if face.side_segments[Side.E] < 0 else -0.1
        return (monastery[0] + aside, monastery[1] + 0.05)
    area = land.area(index)
    if face.kinds[index] is FeatureKind.ROAD:
        return ground.heart(area)[0] if len(face.segments[index].places) == 1 else _road_middle(area)
    return ground.heart(ground.without_discs(area, taken))[0]


def _road_middle(area: Image.Image) -> Point:
    return min(ground.cells_of(area), key=lambda cell: (round(distance(cell, CENTRE), 6), cell))


def _inns(face: Face, roads: Iterable[RoadPath]) -> Iterator[Point]:
    """Beside the road, in the south if it can be, where the tile has more room for what stands upright."""
    for road in roads:
        if not face.segments[road.segment].inn:
            continue
        side = face.segments[road.segment].places[0]
        left, right = turned_line(((0.24, 0.24), (0.76, 0.24)), side)
        yield max((left, right), key=lambda point: (point[1] > 0.5, point))


def _shields(
    face: Face, land: Ground, taken: Iterable[tuple[Point, float]], anchors: tuple[Point, ...]
) -> Iterator[Point]:
    for index, segment in enumerate(face.segments):
        area = ground.without_discs(land.area(index), [*taken, (anchors[index], 0.25)])
        for _ in range(segment.pennants):
            point, _ = ground.heart(area)
            yield point
            area = ground.without_disc(area, point, 0.2)


def _houses(
    dice: random.Random,
    cities: Iterable[CityOutline],
    land: Ground,
    taken: Iterable[tuple[Point, float]],
    plazas: Iterable[Point],
) -> Iterator[Point]:
    """Rows of houses in all cities, leaving free the plazas, from north to south."""
    within = {city.segment for city in cities}
    full = [*taken, *((plaza, _SQUARE) for plaza in plazas)]
    for row in range(round(1 / _HOUSE_ROW)):
        for column in range(round(1 / _HOUSE_STEP) + 1):
            x = (column + 0.5 * (row % 2)) * _HOUSE_STEP + dice.uniform(-0.02, 0.02)
            y = (row + 1.02) * _HOUSE_ROW + dice.uniform(-0.015, 0.015)
            corners = {land.owner(corner) for corner in rectangle(x - 0.075, y - 0.085, x + 0.075, y + 0.025)}
            inside = 0.07 < x < 0.93 and y < 0.98 and len(corners) == 1 and corners <= within
            if inside and all(distance((x, y - 0.05), point) > room for point, room in full):
                yield (x, y)


def _trees(
    dice: random.Random, face: Face, land: Ground, taken: Iterable[tuple[Point, float]], anchors: Iterable[Point]
) -> Iterator[Point]:
    """A few trees in each field, away from everything that matters."""
    full = [*taken, *((point, PLAZA) for point in anchors)]
    for index, kind in enumerate(face.kinds):
        if kind is not FeatureKind.FIELD:
            continue
        area = ground.shrunk(land.area(index), 0.1)
        area = ground.without_discs(area, [(point, room + 0.03) for point, room in full])
        cells = ground.cells_of(area)
        for _ in range(min(3, len(cells) // 60)):
            yield dice.choice(cells)


def trimmed_road(road: RoadPath) -> Line:
    """The line of a road as far as it shows."""
    if road.end is not RoadEnd.HUB:
        return road.line
    reach = 1 - (HUB_RADIUS - ROAD_WIDTH / 4) / length(road.line)
    return tuple(along(road.line, reach * step / 8) for step in range(9))
