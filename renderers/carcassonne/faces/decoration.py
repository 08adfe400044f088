"""Houses in cities and trees on fields: by chance, but the same for as long as the same is printed on a tile."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from engine.carcassonne.tiles import FeatureKind, Segment
from renderers import masks
from renderers.carcassonne.faces.features import Features
from renderers.carcassonne.faces.prints import Prints, Room
from renderers.masks import decoration_dice
from renderers.shapes import Point, distance, rectangle

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
        area = masks.shrunk(features.ground.area(index), 0.1)
        area = masks.without_discs(area, [(point, room + 0.03) for point, room in full])
        cells = masks.cells_of(area)
        for _ in range(min(3, len(cells) // 60)):
            yield dice.choice(cells)
