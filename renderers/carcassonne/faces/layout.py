"""The layout of a face: the place of everything on it, computed from its segments before anything is drawn.

A face is a tile in one rotation. An anchor is the place of a follower on a segment. A piece of a box can span a tile
from side to side, so that villages and monasteries move out of its way; ``span`` is its axis, None without one. Houses
in cities and trees on fields are scattered by a random generator whose seed is the content of the tile, so a tile looks
the same as long as its content does.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from PIL import Image

from engine.carcassonne.tiles import Face, FeatureKind, Segment
from engine.geometry import Axis, Side
from renderers import masks
from renderers.canvas import CENTRE, Point, Polyline, distance, length, point_along, rectangle, rotated, rotated_line
from renderers.carcassonne.faces import lines
from renderers.carcassonne.faces.ground import Features, features_of
from renderers.carcassonne.faces.prints import (
    Bounds,
    Disc,
    ExpansionPrints,
    LowPrint,
    Print,
    hidden_share,
    without_prints,
)
from renderers.masks import decoration_rng
from renderers.pieces import LYING_REACH, STANDING_REACH, within_tile


def follower_places(
    features: Features,
    monastery: Point | None,
    upright: Sequence[Disc],
    low: Collection[LowPrint],
    printed: Mapping[int, Point],
    *,
    crowded: bool,
) -> tuple[Point, ...]:
    """Return the place of a follower on each segment, beside upright and low prints.

    ``printed`` has the places of segments that are prints themselves. On a crowded tile farmers ignore the low prints.
    """
    occupied = [*upright, *(disc for print_ in low for disc in print_.discs)]
    return tuple(
        printed[index]
        if index in printed
        # A farmer hides the least of low prints, where their field has most room beside upright ones.
        else masks.roomiest_point(without_prints(masks.without_discs(features.ground.area(index), upright), low))[0]
        if kind is FeatureKind.FIELD and not crowded
        else _anchor(features, index, monastery, occupied)
        for index, kind in enumerate(features.face.kinds)
    )


def standing(features: Features, upright: Sequence[Disc]) -> list[Point]:
    """Return the places of the followers on roads and in cities."""
    kinds = {FeatureKind.ROAD, FeatureKind.CITY}
    return [_anchor(features, index, None, upright) for index, kind in enumerate(features.face.kinds) if kind in kinds]


def _anchor(features: Features, index: int, monastery: Point | None, occupied: Iterable[Disc]) -> Point:
    """Return the place of a follower on one segment, outside the discs if possible."""
    face, area = features.face, features.ground.area(index)
    if index == face.monastery and monastery is not None:
        east, west = (face.side_segments[side] >= 0 for side in (Side.E, Side.W))
        offset = 0.0 if east and west else -0.1 if east else 0.1
        return (monastery[0] + offset, monastery[1] + 0.05)
    if face.kinds[index] is FeatureKind.ROAD and features.overpass >= 0:
        return rotated((0.5, 0.2), face.segments[index].places[0])
    if face.kinds[index] is FeatureKind.ROAD and len(face.segments[index].places) == 1:
        return masks.roomiest_point(area)[0]
    if face.kinds[index] is FeatureKind.ROAD:
        return min(masks.cell_centres(area), key=lambda cell: (round(distance(cell, CENTRE), 6), cell))
    return masks.roomiest_point(masks.without_discs(area, occupied))[0]


_TOLERATED_COVER: Final = 0.15
"""Share of a mark that figures on another feature may cover."""
_SHIELD_ROOM: Final = 0.06
"""Least distance of a shield that avoids figures from the boundary of its city, in tiles."""
_FIGURE_MARGIN: Final = 0.05
"""Distance of such a figure's place from the boundary of its segment, in tiles, where the segment is wide enough."""
_FIGURE_SPACING: Final = 0.33
"""Desired distance between the places of two figures, in tiles."""
_MIN_FIGURE_SPACING: Final = 0.2
"""Least distance of another place from those of other figures, unless the usual one is nearer, in tiles."""
_CANDIDATE_STEP: Final = 3
"""One in so many cells of a segment is tried as another place."""
_STEP_ASIDE_COST: Final = 0.3
"""Cost of one tile between a figure's place and the roomiest one of its segment; a whole hidden mark costs 1."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """Something printed that figures on other segments should not hide, such as a pennant."""

    bounds: Bounds
    segment: int
    """The index of the segment that it belongs to, -1 if it is on no segment of its own."""


def _marks(
    features: Features, monastery: Point | None, size: float, pennants: Iterable[Point], prints: Iterable[Print]
) -> Iterator[_Mark]:
    """Yield the marks on a face: its monastery, pennants, and prints of expansions."""
    if monastery is not None:
        (x, y), (half, spire, garden) = monastery, (0.16 * size, 0.29 * size, 0.1 * size)
        yield _Mark((x - half, y - spire, x + half, y + garden), features.face.monastery)
    for x, y in pennants:
        yield _Mark(shield_bounds((x, y)), features.ground.owner((x, y)))
    for print_ in prints:
        if print_.bounds is not None:
            yield _Mark(print_.bounds, print_.segment)


def _clear_places(features: Features, anchors: Sequence[Point], marks: Sequence[_Mark]) -> tuple[Point, ...]:
    """Return the places of followers, those that hide a mark of another segment moved aside if there is room."""
    places = list(anchors)
    for index in range(len(places)):
        places[index] = _clear_place(features, index, places, marks)
    return tuple(places)


def _clear_place(features: Features, index: int, anchors: Sequence[Point], marks: Sequence[_Mark]) -> Point:
    """Return the place of a follower on a segment, another one if it hides a mark of another segment there."""
    lying = features.face.kinds[index] is FeatureKind.FIELD
    bounds = [mark.bounds for mark in marks if mark.segment != index]
    others = [anchor for number, anchor in enumerate(anchors) if number != index]

    def hidden(place: Point) -> float:
        at = within_tile(place, lying=lying)
        return sum(max(hidden_share(area, at, lying=lying) - _TOLERATED_COVER, 0.0) for area in bounds)

    def nearest_to(place: Point) -> float:
        return min((distance(place, other) for other in others), default=1.0)

    min_spacing = min(_MIN_FIGURE_SPACING, nearest_to(anchors[index]))

    def cost(place: Point) -> tuple[float, Point]:
        crowding = max(_FIGURE_SPACING - nearest_to(place), 0.0)
        misplaced = features.ground.owner(within_tile(place, lying=lying)) != index
        aside = _STEP_ASIDE_COST * distance(place, anchors[index])
        return round(hidden(place) + crowding + misplaced + aside, 6), place

    if not hidden(anchors[index]):
        return anchors[index]
    area = features.ground.area(index)
    cells = masks.cell_centres(masks.eroded(area, _FIGURE_MARGIN)) or masks.cell_centres(area)
    free = (cell for cell in cells[::_CANDIDATE_STEP] if nearest_to(cell) >= min_spacing)
    return min(map(cost, [anchors[index], *free]))[1]


PLAZA_RADIUS: Final = 0.12
"""Radius of the free room around the place of a follower."""
_PLAZA_CENTRE_RADIUS: Final = 0.1
"""Radius of the part of that room which houses leave free."""
_HOUSE_ROW: Final = 0.12
"""Distance between two rows of houses, in tiles."""
_HOUSE_STEP: Final = 0.15
"""Distance between two houses of a row, in tiles."""


def decoration_rng_of(features: Features, boxes: Collection[ExpansionPrints]) -> random.Random:
    """Return the random generator for decorating a face, seeded with a description of its segments.

    The order of the description must never change: another seed would move the houses and trees on every tile.
    """
    descriptions = [_segment_description(segment, boxes) for segment in features.face.segments]
    return decoration_rng(f"({', '.join(descriptions)}{',' if len(descriptions) == 1 else ''})")


def _segment_description(segment: Segment, boxes: Collection[ExpansionPrints]) -> str:
    """Return the description of a segment, a part of the seed of the decoration."""
    words = [
        (0, f"kind={segment.kind!r}"),
        (1, f"places={segment.places!r}"),
        (2, f"pennants={segment.pennants!r}"),
        (3, f"cap={segment.cap!r}"),
        (5, f"cities={segment.cities!r}"),
        *(word for box in boxes for word in box.words(segment)),
    ]
    return f"Segment({', '.join(word for _, word in sorted(words))})"


def houses(rng: random.Random, features: Features, discs: Iterable[Disc], plazas: Iterable[Point]) -> Iterator[Point]:
    """Yield the places of houses in rows from north to south in all cities, leaving the plazas free."""
    land, within = features.ground, {city.segment for city in features.cities}
    obstacles = [*discs, *((plaza, _PLAZA_CENTRE_RADIUS) for plaza in plazas)]
    for row in range(round(1 / _HOUSE_ROW)):
        x = 0.072 + rng.uniform(0.0, 0.06)
        while x < 0.93:
            y = (row + 1.02) * _HOUSE_ROW + rng.uniform(-0.015, 0.015)
            corners = {land.owner(corner) for corner in rectangle(x - 0.075, y - 0.085, x + 0.075, y + 0.025)}
            inside = y < 0.98 and len(corners) == 1 and corners <= within
            if inside and all(distance((x, y - 0.05), point) > radius for point, radius in obstacles):
                yield (x, y)
                x += _HOUSE_STEP + rng.uniform(-0.01, 0.02)
            else:
                x += _HOUSE_STEP / 5


def trees(rng: random.Random, features: Features, discs: Iterable[Disc], anchors: Iterable[Point]) -> Iterator[Point]:
    """Yield a few trees in each field, away from landmarks and figures."""
    obstacles = [*discs, *((point, PLAZA_RADIUS) for point in anchors)]
    for index, kind in enumerate(features.face.kinds):
        if kind is not FeatureKind.FIELD:
            continue
        area = masks.eroded(features.ground.area(index), 0.1)
        area = masks.without_discs(area, [(point, radius + 0.03) for point, radius in obstacles])
        cells = masks.cell_centres(area)
        for _ in range(min(3, len(cells) // 60)):
            yield rng.choice(cells)


MONASTERY_RADIUS: Final = 0.2
"""The radius of the disc that a monastery covers, in tiles."""
MIDDLE_RADIUS: Final = 0.2
"""The radius of the disc that a print in place of a village covers, in tiles."""
SPAN_WIDTH: Final = 0.2
"""The width of a piece across a tile, in tiles."""
_SMALL_MONASTERY_SCALE: Final = 0.78
"""The scale of a monastery that shares its tile with a road or a city."""
P = TypeVar("P", bound=Print)
"""The type of an expansion's print."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a face, in units of the tile; the point of a building is the middle of its foot."""

    features: Features
    monastery: Point | None
    monastery_size: float
    middle: Point | None
    """The place of the print, such as a bazaar, that an expansion has instead of a village."""
    prints: tuple[Print, ...]
    """The prints of the expansions."""
    shields: tuple[Point, ...]
    barriers: tuple[Polyline, ...]
    """Walls across the corners of the tile."""
    houses: tuple[Point, ...]
    trees: tuple[Point, ...]
    landmarks: tuple[Disc, ...]
    """The discs covered by everything that must stay visible."""
    anchors: tuple[Point, ...]
    """The place of a follower on each segment."""

    @property
    def drawn(self) -> tuple[object, ...]:
        """All values that decide the drawing: two layouts with equal values look alike."""
        features = self.features
        return (
            (features.cities, features.roads, features.tracts, features.hub, features.alleys, features.overpass),
            (self.monastery, self.monastery_size, self.middle, self.prints),
            (self.shields, self.barriers, self.houses, self.trees),
        )

    def printed(self, kind: type[P]) -> tuple[P, ...]:
        """Return the prints of one type."""
        return tuple(print_ for print_ in self.prints if isinstance(print_, kind))


def lay_out(face: Face, span: Axis | None, boxes: Collection[ExpansionPrints]) -> Layout:
    """Return the layout of a face with the prints of these expansions; nothing lies below a piece across it."""
    features = features_of(face, span, (tract for box in boxes for tract in box.tracts(face)))
    monastery, size = _monastery(features, span)
    middle = _middle(features, span) if any(box.fills_middle(face) for box in boxes) else None
    tall = tuple(print_ for box in boxes for print_ in box.upright(features))
    upright = tuple(_upright(features, monastery, middle, tall))
    printed = {print_.segment: print_.place for print_ in tall if print_.segment >= 0}
    places = [*standing(features, upright), *printed.values()] if middle is None else None
    low = tuple(print_ for box in boxes for print_ in box.low(features, places))
    occupied = (*upright, *(disc for print_ in low for disc in print_.discs))
    anchors = follower_places(features, monastery, upright, low, printed, crowded=middle is not None)
    pennants = tuple(_shields(features, occupied, anchors))
    signs = tuple(print_ for box in boxes for print_ in box.signs(features, occupied, anchors, pennants))
    rng = decoration_rng_of(features, boxes)
    marks = tuple(_marks(features, monastery, size, pennants, (*tall, *low, *signs)))
    return Layout(
        features=features,
        monastery=monastery,
        monastery_size=size,
        middle=middle,
        prints=(*tall, *low, *signs),
        shields=pennants,
        barriers=lines.closed_corners(face),
        houses=tuple(houses(rng, features, occupied, (*anchors, *pennants, *(sign.at for sign in signs)))),
        trees=tuple(trees(rng, features, occupied, anchors)),
        landmarks=occupied,
        anchors=_clear_places(features, anchors, marks),
    )


def low_prints(layout: Layout) -> tuple[LowPrint, ...]:
    """Return the prints that a farmer should not hide; none on a crowded tile."""
    low = tuple(print_ for print_ in layout.prints if isinstance(print_, LowPrint))
    return low if layout.middle is None else ()


def span_line(axis: Axis) -> Polyline:
    """Return the straight line under a piece across a tile."""
    return rotated_line(((0.5, 0.0), (0.5, 1.0)), Side.N if axis is Axis.NS else Side.E)


def _middle(features: Features, span: Axis | None) -> Point:
    """Return the place of a print in the middle: the village's, or beside a piece across the tile."""
    return features.hub or (CENTRE if span is None else lines.place_beside_span(features.face, span))


def _upright(
    features: Features, monastery: Point | None, middle: Point | None, tall: Iterable[Print]
) -> Iterator[Disc]:
    """Yield the discs of everything that is placed before figures."""
    if monastery is not None:
        yield monastery, MONASTERY_RADIUS
    if middle is not None:
        yield middle, MIDDLE_RADIUS
    for tract in features.tracts:
        yield from tract.discs
    for print_ in tall:
        yield from print_.discs


def _monastery(features: Features, span: Axis | None) -> tuple[Point | None, float]:
    """Return the place and the scale of the monastery; None and 0 on a face without one.

    The monastery stands in the middle, unless a road or water runs there; then beside it, with the whole spire on the
    tile. A road that crosses water ends at the monastery on the other bank.
    """
    face, roads, two_banks = features.face, features.roads, lines.has_two_banks(features.face)
    if face.monastery < 0:
        return None, 0.0
    ending = [road.line[-1] for road in roads if road.end is lines.RoadEnd.MONASTERY]
    if two_banks and ending:
        return _on_tile(ending[0]), _SMALL_MONASTERY_SCALE
    if not two_banks and all(road.end is not lines.RoadEnd.THROUGH for road in roads):
        if span is not None:
            return _on_tile(lines.place_beside_span(face, span)), _SMALL_MONASTERY_SCALE
        return CENTRE, _SMALL_MONASTERY_SCALE if FeatureKind.CITY in face.kinds else 1.0
    return _on_tile(_roomiest_field(features, span)), _SMALL_MONASTERY_SCALE


def _roomiest_field(features: Features, span: Axis | None) -> Point:
    """Return the place with most room in any field, beside a piece that spans the tile."""
    fields = [index for index, kind in enumerate(features.face.kinds) if kind is FeatureKind.FIELD]
    areas = [features.ground.area(index) for index in fields]
    if span is not None:
        areas = [masks.outside_band(area, span_line(span), 0.3) for area in areas]
    return max((masks.roomiest_point(area) for area in areas), key=lambda candidate: candidate[1])[0]


def _on_tile(monastery: Point) -> Point:
    """Return the point moved so that a small monastery there stays on its tile, spire and garden."""
    x, y = monastery
    return (min(max(x, 0.18), 0.82), min(max(y, 0.31 * _SMALL_MONASTERY_SCALE), 0.83))


def _shields(features: Features, occupied: Iterable[Disc], anchors: Sequence[Point]) -> Iterator[Point]:
    """Yield the places of the pennants, as far from the city's follower as possible, and not behind any other."""
    lies = [kind is FeatureKind.FIELD for kind in features.face.kinds]
    figures = [(within_tile(at, lying=lying), lying) for at, lying in zip(anchors, lies, strict=True)]
    for index, segment in enumerate(features.face.segments):
        area = masks.without_discs(features.ground.area(index), [*occupied, (anchors[index], 0.25)])
        for _ in range(segment.pennants):
            point, _ = masks.roomiest_point(area)
            if any(hidden_share(shield_bounds(point), at, lying=lying) > _TOLERATED_COVER for at, lying in figures):
                clear, room = masks.roomiest_point(_beside(area, figures))
                point = clear if room >= _SHIELD_ROOM else point
            yield (min(max(point[0], 0.09), 0.91), min(max(point[1], 0.11), 0.89))  # with its whole outline on the tile
            area = masks.without_disc(area, point, 0.2)


def _beside(area: Image.Image, figures: Iterable[tuple[Point, bool]]) -> Image.Image:
    """Return the part of a mask in which no figure hides a shield; figures are places, with True if they lie."""
    for (x, y), lying in figures:
        reach_x, reach_y = LYING_REACH if lying else STANDING_REACH
        left, top, right, bottom = shield_bounds((x, y))
        outline = rectangle(left - reach_x, top - reach_y, right + reach_x, bottom + reach_y)
        area = masks.outside_outline(area, outline)
    return area


def shield_bounds(at: Point) -> Bounds:
    """Return the bounds of a shield."""
    x, y = at
    return (x - 0.09, y - 0.11, x + 0.09, y + 0.12)


def trimmed_road(road: lines.RoadPath) -> Polyline:
    """Return the visible part of a road's line."""
    if road.end is not lines.RoadEnd.HUB:
        return road.line
    reach = 1 - (lines.HUB_RADIUS - lines.ROAD_WIDTH / 4) / length(road.line)
    return tuple(point_along(road.line, reach * step / 8) for step in range(9))
