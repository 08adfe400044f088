"""Where everything on a tile goes: computed from the segments of a face alone, before anything is drawn."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageChops

from engine import tiles as base
from engine.carcassonne import Goods, goods_on, has_inn
from engine.carcassonne.tiles import Face, FeatureKind, Segment, TileKind
from engine.geometry import Axis, Side
from engine.once import recent
from renderers import masks
from renderers.carcassonne import printed
from renderers.carcassonne.ground import Ground
from renderers.carcassonne.outline import CityOutline, city_outlines, closed_corners
from renderers.carcassonne.paths import (
    HUB_RADIUS,
    ROAD_WIDTH,
    RoadEnd,
    RoadPath,
    alleys_to,
    from_under,
    hub,
    road_paths,
)
from renderers.carcassonne.printed import Inn
from renderers.carcassonne.waters import RiverEnd, Water, waters_of
from renderers.chance import decoration_dice
from renderers.shapes import CENTRE, Line, Point, along, distance, length, rectangle, turned, turned_line

PLAZA: Final = 0.12
"""The free room kept round the place of a follower."""
MONASTERY_ROOM: Final = 0.2
SPRING_ROOM: Final = 0.2
SMALL: Final = 0.78
"""The size of a monastery that shares its tile with a road or a city."""
BRIDGE_WIDTH: Final = 0.2
_SQUARE: Final = 0.1
"""The part of it that houses leave free."""
_HOUSE_ROW: Final = 0.12
_HOUSE_STEP: Final = 0.15


@dataclass(frozen=True, slots=True)
class Layout:
    """A face laid out, in units of the tile; the points of buildings are the middles of their feet."""

    face: Face
    ground: Ground
    cities: tuple[CityOutline, ...]
    roads: tuple[RoadPath, ...]
    hub: Point | None
    alleys: tuple[Line, ...]
    """From the village to the cities that it keeps apart."""
    waters: tuple[Water, ...]
    bazaar: Point | None
    monastery: Point | None
    monastery_size: float
    cathedrals: tuple[Point, ...]
    inns: tuple[Inn, ...]
    shields: tuple[Point, ...]
    goods: tuple[tuple[Point, Goods], ...]
    barriers: tuple[Line, ...]
    """Walls across the corners of the tile."""
    overpass: int
    """The road that crosses another one on a bridge of stone, -1 for none."""
    houses: tuple[Point, ...]
    trees: tuple[Point, ...]
    landmarks: tuple[tuple[Point, float], ...]
    """Monastery, market, cathedrals and inns, with the room that each takes."""
    anchors: tuple[Point, ...]
    """The natural point of each segment: where its follower stands."""


@recent(1024)
def layout_of(tile: TileKind, rotation: int, bridge: Axis | None = None) -> Layout:
    """The layout of a tile turned clockwise by so many degrees; what stood in the way of a bridge stands beside it."""
    face = tile.faces[rotation // 90]
    cities = city_outlines(face)
    roads = road_paths(face, cities, bridge)
    centre = hub(face, roads, bridge)
    alleys = alleys_to(face, cities, centre)
    waters = waters_of(face)
    land = Ground(face, cities, roads, centre, alleys, waters)
    monastery, size = _monastery(face, roads, land, bridge, wet=bool(waters))
    middle = CENTRE if bridge is None else from_under(face, bridge)
    bazaar = (centre or middle) if "bazaar" in tile.flags else None
    taken = [(point, room) for point, room in ((monastery, MONASTERY_ROOM), (bazaar, 0.2)) if point]
    taken += [(CENTRE, SPRING_ROOM) for water in waters if water.end is RiverEnd.SPRING]
    cathedrals = tuple(printed.cathedrals(face, land))
    taken += [room for at in cathedrals for room in printed.cathedral_room(at)]
    inns = _inns(face, roads, land, taken, crowded=bazaar is not None)
    upright = tuple(taken)
    taken += [(inn.at, inn.room) for inn in inns]
    anchors = tuple(
        _farmer(land.area(index), upright, inns)
        if kind is FeatureKind.FIELD and bazaar is None
        else _anchor(face, index, land, monastery, taken)
        for index, kind in enumerate(face.kinds)
    )
    pennants = tuple(printed.shields(face, land, taken, anchors))
    traded = tuple(printed.goods(face, land, taken, anchors, pennants))
    dice = decoration_dice(_drawn_from(face.segments))
    houses = tuple(_houses(dice, cities, land, taken, (*anchors, *pennants, *(place for place, _ in traded))))
    trees = tuple(_trees(dice, face, land, taken, anchors))
    return Layout(
        face=face,
        ground=land,
        cities=cities,
        roads=roads,
        hub=centre,
        alleys=alleys,
        waters=waters,
        bazaar=bazaar,
        monastery=monastery,
        monastery_size=size,
        cathedrals=cathedrals,
        inns=inns,
        shields=pennants,
        goods=traded,
        barriers=closed_corners(face),
        overpass=_overpass(face),
        houses=houses,
        trees=trees,
        landmarks=tuple(taken),
        anchors=anchors,
    )


@recent(4096)
def anchor(tile: TileKind, rotation: int, segment: base.Segment, bridge: Axis | None = None) -> Point:
    """Where the follower on a segment (board oriented) stands; beside the bridge, unless it stands on that.

    Raises:
        ValueError: neither the face nor its bridge has the segment.
    """
    layout = layout_of(tile, rotation, bridge)
    index = segment_index(tile, rotation, segment)
    if index >= 0:
        return layout.anchors[index] if bridge is None else _beside(layout, index, bridge)
    if bridge is None or segment.kind != FeatureKind.ROAD:
        raise ValueError(f"no {segment.name} on {tile.id}")
    return _upon(layout, bridge)


def segment_index(tile: TileKind, rotation: int, segment: base.Segment) -> int:
    """The index of a segment (board oriented) on its face, -1 for one that is not printed there: a bridge."""
    printed = enumerate(tile.faces[rotation // 90].segments)
    return next((n for n, other in printed if other.kind == segment.kind and other.places == segment.places), -1)


def bridge_line(axis: Axis) -> Line:
    """The straight line under a bridge."""
    return turned_line(((0.5, 0.0), (0.5, 1.0)), Side.N if axis is Axis.NS else Side.E)


def _upon(layout: Layout, bridge: Axis) -> Point:
    """The place on the bridge with most room between it and the places of the tile."""
    others = [_beside(layout, index, bridge) for index in range(len(layout.anchors))]
    places = [(part, 0.43) if bridge is Axis.WE else (0.5, part) for part in (0.5, 0.3, 0.7)]
    return max(places, key=lambda place: min(distance(place, other) for other in others))


def _beside(layout: Layout, index: int, bridge: Axis) -> Point:
    area = _standing_area(layout, index)
    free = masks.without_band(area, bridge_line(bridge), BRIDGE_WIDTH)
    point, depth = masks.heart(free)
    return point if depth else layout.anchors[index]


def _standing_area(layout: Layout, index: int) -> Image.Image:
    """The cells of a segment without the landmarks on it, or those of the monastery."""
    if layout.face.kinds[index] is FeatureKind.MONASTERY and layout.monastery is not None:
        whole = Image.new("L", (masks.GRID, masks.GRID), 255)
        return ImageChops.subtract(whole, masks.without_disc(whole, layout.monastery, MONASTERY_ROOM))
    inns = layout.inns if layout.bazaar is None else ()
    return masks.without_discs(printed.beside_inns(layout.ground.area(index), inns), layout.landmarks)


def _monastery(
    face: Face, roads: Iterable[RoadPath], land: Ground, bridge: Axis | None, *, wet: bool
) -> tuple[Point | None, float]:
    """In the middle, unless a road, river or bridge runs there: then beside it, with the whole spire on the tile.

    A road that crosses a river ends at it on the other bank.
    """
    if face.monastery < 0:
        return None, 0.0
    ending = [road.line[-1] for road in roads if road.end is RoadEnd.MONASTERY]
    if wet and ending:
        return _on_tile(ending[0]), SMALL
    if not wet and all(road.end is not RoadEnd.THROUGH for road in roads):
        if bridge is not None:
            return _on_tile(from_under(face, bridge)), SMALL
        return CENTRE, SMALL if FeatureKind.CITY in face.kinds else 1.0
    areas = [land.area(index) for index, kind in enumerate(face.kinds) if kind is FeatureKind.FIELD]
    if bridge is not None:
        areas = [masks.without_band(area, bridge_line(bridge), 0.3) for area in areas]
    place, _ = max((masks.heart(area) for area in areas), key=lambda found: found[1])
    return _on_tile(place), SMALL


def _on_tile(monastery: Point) -> Point:
    """The point moved so that a small monastery there keeps to its tile, spire and garden."""
    x, y = monastery
    return (min(max(x, 0.18), 0.82), min(max(y, 0.31 * SMALL), 0.83))


def _anchor(
    face: Face, index: int, land: Ground, monastery: Point | None, taken: Iterable[tuple[Point, float]]
) -> Point:
    if index == face.monastery and monastery is not None:
        east, west = (face.side_segments[side] >= 0 for side in (Side.E, Side.W))
        aside = 0.0 if east and west else -0.1 if east else 0.1
        return (monastery[0] + aside, monastery[1] + 0.05)
    area = land.area(index)
    if face.kinds[index] is FeatureKind.ROAD and _overpass(face) >= 0:
        return turned((0.5, 0.2), face.segments[index].places[0])
    if face.kinds[index] is FeatureKind.ROAD:
        return masks.heart(area)[0] if len(face.segments[index].places) == 1 else _road_middle(area)
    return masks.heart(masks.without_discs(area, taken))[0]


def _farmer(field: Image.Image, taken: Iterable[tuple[Point, float]], inns: Collection[Inn]) -> Point:
    """The roomiest point of a field beside what is taken, where a farmer hides these inns as little as can be."""
    return masks.heart(printed.beside_inns(masks.without_discs(field, taken), inns))[0]


def _inns(
    face: Face, roads: Sequence[RoadPath], land: Ground, taken: Iterable[tuple[Point, float]], *, crowded: bool
) -> tuple[Inn, ...]:
    """Where the followers on roads and in cities leave them to be seen; where it is crowded, in the corners."""
    if crowded:
        return tuple(printed.in_corner(face, road) for road in roads if has_inn(face.segments[road.segment]))
    kinds = {FeatureKind.ROAD, FeatureKind.CITY}
    standing = [_anchor(face, index, land, None, taken) for index, kind in enumerate(face.kinds) if kind in kinds]
    return tuple(printed.inns(face, roads, land, standing))


def _road_middle(area: Image.Image) -> Point:
    return min(masks.cells_of(area), key=lambda cell: (round(distance(cell, CENTRE), 6), cell))


def _drawn_from(segments: Sequence[Segment]) -> str:
    """What chance decorates a tile by: the same words for as long as the same is printed on it."""
    words = [
        f"Segment(kind={segment.kind!r}, places={segment.places!r}, pennants={segment.pennants!r}, "
        f"cap={segment.cap!r}, inn={has_inn(segment)!r}, cities={segment.cities!r}, goods={goods_on(segment)!r})"
        for segment in segments
    ]
    return f"({', '.join(words)}{',' if len(words) == 1 else ''})"


def _overpass(face: Face) -> int:
    """The road from east to west where another one runs from north to south."""
    roads = [segment.places if segment.kind is FeatureKind.ROAD else () for segment in face.segments]
    return roads.index((1, 3)) if {(0, 2), (1, 3)} <= set(roads) else -1


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
        x = 0.072 + dice.uniform(0.0, 0.06)
        while x < 0.93:
            y = (row + 1.02) * _HOUSE_ROW + dice.uniform(-0.015, 0.015)
            corners = {land.owner(corner) for corner in rectangle(x - 0.075, y - 0.085, x + 0.075, y + 0.025)}
            inside = y < 0.98 and len(corners) == 1 and corners <= within
            if inside and all(distance((x, y - 0.05), point) > room for point, room in full):
                yield (x, y)
                x += _HOUSE_STEP + dice.uniform(-0.01, 0.02)
            else:
                x += _HOUSE_STEP / 5


def _trees(
    dice: random.Random, face: Face, land: Ground, taken: Iterable[tuple[Point, float]], anchors: Iterable[Point]
) -> Iterator[Point]:
    """A few trees in each field, away from everything that matters."""
    full = [*taken, *((point, PLAZA) for point in anchors)]
    for index, kind in enumerate(face.kinds):
        if kind is not FeatureKind.FIELD:
            continue
        area = masks.shrunk(land.area(index), 0.1)
        area = masks.without_discs(area, [(point, room + 0.03) for point, room in full])
        cells = masks.cells_of(area)
        for _ in range(min(3, len(cells) // 60)):
            yield dice.choice(cells)


def trimmed_road(road: RoadPath) -> Line:
    """The line of a road as far as it shows."""
    if road.end is not RoadEnd.HUB:
        return road.line
    reach = 1 - (HUB_RADIUS - ROAD_WIDTH / 4) / length(road.line)
    return tuple(along(road.line, reach * step / 8) for step in range(9))
