"""Where everything on a face goes: computed from its segments alone, before anything is drawn.

Followers stand at the natural point of each segment. Houses in cities and trees on fields go by chance, but the same as
long as the same is printed on a tile.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from PIL import Image

from engine.carcassonne.tiles import Face, FeatureKind, Segment
from engine.geometry import Axis, Side
from renderers import masks
from renderers.carcassonne.faces.ground import Features, features_of
from renderers.carcassonne.faces.lines import (
    HUB_RADIUS,
    ROAD_WIDTH,
    RoadEnd,
    RoadPath,
    closed_corners,
    from_under,
    parted,
)
from renderers.carcassonne.faces.prints import Low, Print, Prints, Room, sparing
from renderers.masks import decoration_dice
from renderers.shapes import CENTRE, Point, Polyline, distance, length, point_along, rectangle, rotated, rotated_line


def anchors_of(
    features: Features, monastery: Point | None, upright: Sequence[Room], low: Collection[Low], *, crowded: bool
) -> tuple[Point, ...]:
    """One for each segment, beside what is upright and what is low; where it is crowded, farmers mind neither more."""
    taken = [*upright, *(room for each in low for room in each.rooms)]
    return tuple(
        _farmer(features.ground.area(index), upright, low)
        if kind is FeatureKind.FIELD and not crowded
        else _anchor(features, index, monastery, taken)
        for index, kind in enumerate(features.face.kinds)
    )


def standing(features: Features, upright: Sequence[Room]) -> list[Point]:
    """The places of the followers on roads and in cities."""
    kinds = {FeatureKind.ROAD, FeatureKind.CITY}
    return [_anchor(features, index, None, upright) for index, kind in enumerate(features.face.kinds) if kind in kinds]


def _anchor(features: Features, index: int, monastery: Point | None, taken: Iterable[Room]) -> Point:
    face, area = features.face, features.ground.area(index)
    if index == face.monastery and monastery is not None:
        east, west = (face.side_segments[side] >= 0 for side in (Side.E, Side.W))
        aside = 0.0 if east and west else -0.1 if east else 0.1
        return (monastery[0] + aside, monastery[1] + 0.05)
    if face.kinds[index] is FeatureKind.ROAD and features.overpass >= 0:
        return rotated((0.5, 0.2), face.segments[index].places[0])
    if face.kinds[index] is FeatureKind.ROAD:
        return masks.roomiest_point(area)[0] if len(face.segments[index].places) == 1 else _road_middle(area)
    return masks.roomiest_point(masks.without_discs(area, taken))[0]


def _farmer(field: Image.Image, upright: Iterable[Room], low: Collection[Low]) -> Point:
    """The roomiest point of a field beside what is upright, where a farmer hides what is low as little as can be."""
    return masks.roomiest_point(sparing(masks.without_discs(field, upright), low))[0]


def _road_middle(area: Image.Image) -> Point:
    return min(masks.cell_centres(area), key=lambda cell: (round(distance(cell, CENTRE), 6), cell))


PLAZA: Final = 0.12
"""The free room kept round the place of a follower."""
_SQUARE: Final = 0.1
"""The part of it that houses leave free."""
_HOUSE_ROW: Final = 0.12
_HOUSE_STEP: Final = 0.15


def dice_of(features: Features, boxes: Collection[Prints]) -> random.Random:
    """The chance by which a face is decorated: what is said of its segments, in the same order at all times."""
    said = [_said(segment, boxes) for segment in features.face.segments]
    return decoration_dice(f"({', '.join(said)}{',' if len(said) == 1 else ''})")


def _said(segment: Segment, boxes: Collection[Prints]) -> str:
    words = [
        (0, f"kind={segment.kind!r}"),
        (1, f"places={segment.places!r}"),
        (2, f"pennants={segment.pennants!r}"),
        (3, f"cap={segment.cap!r}"),
        (5, f"cities={segment.cities!r}"),
        *(word for box in boxes for word in box.words(segment)),
    ]
    return f"Segment({', '.join(word for _, word in sorted(words))})"


def houses(dice: random.Random, features: Features, taken: Iterable[Room], plazas: Iterable[Point]) -> Iterator[Point]:
    """Rows of houses in all cities, leaving free the plazas, from north to south."""
    land, within = features.ground, {city.segment for city in features.cities}
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


def trees(dice: random.Random, features: Features, taken: Iterable[Room], anchors: Iterable[Point]) -> Iterator[Point]:
    """A few trees in each field, away from everything that matters."""
    full = [*taken, *((point, PLAZA) for point in anchors)]
    for index, kind in enumerate(features.face.kinds):
        if kind is not FeatureKind.FIELD:
            continue
        area = masks.eroded(features.ground.area(index), 0.1)
        area = masks.without_discs(area, [(point, room + 0.03) for point, room in full])
        cells = masks.cell_centres(area)
        for _ in range(min(3, len(cells) // 60)):
            yield dice.choice(cells)


MONASTERY_ROOM: Final = 0.2
MIDDLE_ROOM: Final = 0.2
ACROSS_WIDTH: Final = 0.2
"""The width of what is laid straight across a tile."""
_SMALL: Final = 0.78
"""The size of a monastery that shares its tile with a road or a city."""
P = TypeVar("P", bound=Print)


@dataclass(frozen=True, slots=True)
class Layout:
    """A face laid out, in units of the tile; the points of buildings are the middles of their feet."""

    features: Features
    monastery: Point | None
    monastery_size: float
    middle: Point | None
    """The place of what a box has in place of a village."""
    prints: tuple[Print, ...]
    """What boxes have printed beside the features."""
    shields: tuple[Point, ...]
    barriers: tuple[Polyline, ...]
    """Walls across the corners of the tile."""
    houses: tuple[Point, ...]
    trees: tuple[Point, ...]
    landmarks: tuple[Room, ...]
    """What stands and lies there for everybody to see, with the room that each takes."""
    anchors: tuple[Point, ...]
    """The natural point of each segment: where its follower stands."""

    @property
    def drawn(self) -> tuple[object, ...]:
        """All that is drawn of it: what is alike in this looks alike."""
        features = self.features
        return (
            (features.cities, features.roads, features.tracts, features.hub, features.alleys, features.overpass),
            (self.monastery, self.monastery_size, self.middle, self.prints),
            (self.shields, self.barriers, self.houses, self.trees),
        )

    def printed(self, kind: type[P]) -> tuple[P, ...]:
        """What a box has printed of one kind."""
        return tuple(print_ for print_ in self.prints if isinstance(print_, kind))


def laid_out(face: Face, across: Axis | None, boxes: Collection[Prints]) -> Layout:
    """A face with what these boxes print on it; what stood in the way of something across it stands beside that."""
    features = features_of(face, across, (tract for box in boxes for tract in box.tracts(face)))
    monastery, size = _monastery(features, across)
    middle = _middle(features, across) if any(box.fills_middle(face) for box in boxes) else None
    tall = tuple(print_ for box in boxes for print_ in box.upright(features))
    upright = tuple(_upright(features, monastery, middle, tall))
    places = standing(features, upright) if middle is None else None
    low = tuple(print_ for box in boxes for print_ in box.low(features, places))
    taken = (*upright, *(room for print_ in low for room in print_.rooms))
    anchors = anchors_of(features, monastery, upright, low, crowded=middle is not None)
    pennants = tuple(_shields(features, taken, anchors))
    signs = tuple(print_ for box in boxes for print_ in box.signs(features, taken, anchors, pennants))
    dice = dice_of(features, boxes)
    return Layout(
        features=features,
        monastery=monastery,
        monastery_size=size,
        middle=middle,
        prints=(*tall, *low, *signs),
        shields=pennants,
        barriers=closed_corners(face),
        houses=tuple(houses(dice, features, taken, (*anchors, *pennants, *(sign.at for sign in signs)))),
        trees=tuple(trees(dice, features, taken, anchors)),
        landmarks=taken,
        anchors=anchors,
    )


def low_prints(layout: Layout) -> tuple[Low, ...]:
    """What a farmer should not hide; where it is crowded he minds nothing."""
    found = tuple(print_ for print_ in layout.prints if isinstance(print_, Low))
    return found if layout.middle is None else ()


def line_across(axis: Axis) -> Polyline:
    """The straight line under what is laid across a tile."""
    return rotated_line(((0.5, 0.0), (0.5, 1.0)), Side.N if axis is Axis.NS else Side.E)


def _middle(features: Features, across: Axis | None) -> Point:
    return features.hub or (CENTRE if across is None else from_under(features.face, across))


def _upright(
    features: Features, monastery: Point | None, middle: Point | None, tall: Iterable[Print]
) -> Iterator[Room]:
    """The room of everything that stands before figures find their places."""
    if monastery is not None:
        yield monastery, MONASTERY_ROOM
    if middle is not None:
        yield middle, MIDDLE_ROOM
    for tract in features.tracts:
        yield from tract.rooms
    for print_ in tall:
        yield from print_.rooms


def _monastery(features: Features, across: Axis | None) -> tuple[Point | None, float]:
    """In the middle, unless a road or something of a box runs there: then beside it, with the whole spire on the tile.

    A road that crosses such a feature ends at it on the other bank.
    """
    face, roads, wet = features.face, features.roads, parted(features.face)
    if face.monastery < 0:
        return None, 0.0
    ending = [road.line[-1] for road in roads if road.end is RoadEnd.MONASTERY]
    if wet and ending:
        return _on_tile(ending[0]), _SMALL
    if not wet and all(road.end is not RoadEnd.THROUGH for road in roads):
        if across is not None:
            return _on_tile(from_under(face, across)), _SMALL
        return CENTRE, _SMALL if FeatureKind.CITY in face.kinds else 1.0
    return _on_tile(_roomiest_field(features, across)), _SMALL


def _roomiest_field(features: Features, across: Axis | None) -> Point:
    fields = [index for index, kind in enumerate(features.face.kinds) if kind is FeatureKind.FIELD]
    areas = [features.ground.area(index) for index in fields]
    if across is not None:
        areas = [masks.outside_band(area, line_across(across), 0.3) for area in areas]
    return max((masks.roomiest_point(area) for area in areas), key=lambda found: found[1])[0]


def _on_tile(monastery: Point) -> Point:
    """The point moved so that a small monastery there keeps to its tile, spire and garden."""
    x, y = monastery
    return (min(max(x, 0.18), 0.82), min(max(y, 0.31 * _SMALL), 0.83))


def _shields(features: Features, taken: Iterable[Room], anchors: Sequence[Point]) -> Iterator[Point]:
    """Pennants, as far from the city's follower as can be."""
    for index, segment in enumerate(features.face.segments):
        area = masks.without_discs(features.ground.area(index), [*taken, (anchors[index], 0.25)])
        for _ in range(segment.pennants):
            point, _ = masks.roomiest_point(area)
            yield point
            area = masks.without_disc(area, point, 0.2)


def trimmed_road(road: RoadPath) -> Polyline:
    """The line of a road as far as it shows."""
    if road.end is not RoadEnd.HUB:
        return road.line
    reach = 1 - (HUB_RADIUS - ROAD_WIDTH / 4) / length(road.line)
    return tuple(point_along(road.line, reach * step / 8) for step in range(9))
