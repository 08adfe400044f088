"""Where the followers on the segments of a face stand: the natural point of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from PIL import Image

from engine.carcassonne.tiles import FeatureKind
from engine.geometry import Side
from renderers import masks
from renderers.carcassonne.faces.features import Features
from renderers.carcassonne.faces.prints import Low, Room, sparing
from renderers.shapes import CENTRE, Point, distance, turned


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
        return turned((0.5, 0.2), face.segments[index].places[0])
    if face.kinds[index] is FeatureKind.ROAD:
        return masks.heart(area)[0] if len(face.segments[index].places) == 1 else _road_middle(area)
    return masks.heart(masks.without_discs(area, taken))[0]


def _farmer(field: Image.Image, upright: Iterable[Room], low: Collection[Low]) -> Point:
    """The roomiest point of a field beside what is upright, where a farmer hides what is low as little as can be."""
    return masks.heart(sparing(masks.without_discs(field, upright), low))[0]


def _road_middle(area: Image.Image) -> Point:
    return min(masks.cells_of(area), key=lambda cell: (round(distance(cell, CENTRE), 6), cell))
