"""Inns: where they stand, in fields beside their roads, and how they look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

from engine.carcassonne.expansions.inns_cathedrals import has_inn
from engine.carcassonne.tiles import Face, FeatureKind
from renderers import masks
from renderers.buildings import house, house_shadow
from renderers.canvas import Canvas
from renderers.carcassonne.faces.features import Features
from renderers.carcassonne.faces.ground import Ground
from renderers.carcassonne.faces.paths import RoadEnd, RoadPath
from renderers.carcassonne.faces.prints import Low, hidden, sparing
from renderers.figures import within_tile
from renderers.shapes import Point, Polyline, along, distance, ellipse, rectangle, turned_line

_INN_SIZES: Final = (1.0, 0.85, 0.7)
_GOOD: Final = 0.5
"""What a place for an inn may cost, so that smaller ones are not tried."""
_STEPS: Final = 24
"""Places at which an inn may stand, along one side of a tile."""
_TRIED: Final = 6
"""So many of them are tried with a farmer beside them."""
_CLEARLY: Final = 0.2
"""So much nearer is an inn to its own road than to any other."""


@dataclass(frozen=True, slots=True, order=True)
class Inn(Low):
    """An inn: the middle of its foot, and how large it is."""

    size: float

    @property
    def room(self) -> float:
        """The radius of the disc that it takes."""
        return 0.17 * self.size

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Its left, top, right and bottom."""
        (x, y), size = self.at, self.size
        return (x - 0.13 * size, y - 0.15 * size, x + 0.17 * size, y + 0.155 * size)


def inns(features: Features, standing: Sequence[Point] | None) -> Iterator[Inn]:
    """In fields, beside their roads, where they leave followers on roads and in cities their places; else in corners.

    ``standing`` are those places, none where it is crowded.
    """
    face, roads = features.face, features.roads
    for road in roads:
        if not has_inn(face.segments[road.segment]):
            continue
        others = [other for other in roads if other is not road]
        cost = None if standing is None else partial(_cost, road, others, standing)
        yield (cost and _roomiest(face, features.ground, cost)) or in_corner(face, road)


def in_corner(face: Face, road: RoadPath) -> Inn:
    """In a corner at the end of the road, in the south if it can be, where there is more room for what is upright."""
    corners = turned_line(((0.24, 0.24), (0.76, 0.24)), face.segments[road.segment].places[0])
    return Inn(max(corners, key=lambda point: (point[1] > 0.5, point)), 1.0)


def _roomiest(face: Face, land: Ground, cost: Callable[[Inn], float]) -> Inn | None:
    """The inn that costs least, also when a farmer lies in its field: large if it can be."""
    found: list[tuple[float, Inn]] = []
    fields = {index for index, kind in enumerate(face.kinds) if kind is FeatureKind.FIELD}
    for size in _INN_SIZES:
        places = (Inn(((x + 0.5) / _STEPS, (y + 0.5) / _STEPS), size) for x, y in product(range(_STEPS), repeat=2))
        free = sorted((cost(inn), inn) for inn in places if _fits(land, fields, inn))
        found += [(so_far + _under_farmer(land, inn), inn) for so_far, inn in free[:_TRIED]]
        if found and min(found)[0] < _GOOD:
            break
    return min(found)[1] if found else None


def _under_farmer(land: Ground, inn: Inn) -> float:
    """How much of an inn the farmer beside it hides."""
    farmer, _ = masks.heart(sparing(land.area(land.owner(inn.at)), [inn]))
    return hidden(inn, within_tile(farmer, lying=True), lying=True)


def _cost(road: RoadPath, others: Iterable[RoadPath], standing: Iterable[Point], inn: Inn) -> float:
    """How badly an inn stands at a place: far from its road, or near to another one, hidden by a follower, small."""
    away = _from(road, inn)
    near = max((_CLEARLY + away - _from(other, inn) for other in others), default=0.0)
    covered = max(hidden(inn, within_tile(at, lying=False), lying=False) for at in standing)
    return away + 2 * max(near, 0.0) + covered + 2 * (1.0 - inn.size)


def _from(road: RoadPath, inn: Inn) -> float:
    """How far an inn is from the part of a road that shows, without what leads through a village or gate."""
    ends = 1.0 if road.end is RoadEnd.THROUGH else 0.6
    return min(distance(inn.at, along(road.line, ends * step / 8)) for step in range(9))


def inn_outline(inn: Inn) -> Polyline:
    """What an inn covers: the house, and the pond before it."""
    (x, y), size = inn.at, inn.size
    house = rectangle(x - 0.11 * size, y - 0.14 * size, x + 0.14 * size, y + 0.03 * size)
    return (*house, *ellipse((x + 0.02 * size, y + 0.07 * size), 0.15 * size, 0.085 * size))


def _fits(land: Ground, fields: set[int], inn: Inn) -> bool:
    """Whether an inn there lies on its tile, all of it in one field."""
    field = land.owner(inn.at)
    left, top, right, bottom = inn.box
    within = min(left, top) >= 0.0 and max(right, bottom) <= 1.0
    return within and field in fields and all(land.owner(at) == field for at in inn_outline(inn))


def paint_inn(canvas: Canvas, inn: Inn) -> None:
    """A house with a sign by a pond."""
    (x, y), size = inn.at, inn.size
    theme = canvas.theme
    pond = (x + 0.02 * size, y + 0.07 * size)
    canvas.polygon(ellipse(pond, 0.15 * size, 0.085 * size), theme.road_edge)
    canvas.polygon(ellipse(pond, 0.135 * size, 0.072 * size), theme.water)
    canvas.polygon(
        ellipse((pond[0] - 0.03 * size, pond[1] - 0.015 * size), 0.07 * size, 0.026 * size), theme.water_light
    )
    canvas.polygon(ellipse((pond[0] - 0.02 * size, pond[1] - 0.006 * size), 0.07 * size, 0.026 * size), theme.water)
    door = (x - 0.02 * size, y + 0.01 * size)
    canvas.shade([house_shadow(door, 1.3 * size)], 0.3)
    house(canvas, door, 4, 1.3 * size)
    canvas.box(x + 0.075 * size, y - 0.1 * size, x + 0.087 * size, y + 0.01 * size, theme.timber_dark)
    canvas.box(x + 0.087 * size, y - 0.1 * size, x + 0.14 * size, y - 0.055 * size, theme.highlight)
