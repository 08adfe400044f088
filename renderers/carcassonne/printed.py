"""Where what is printed beside the features of a tile goes: shields, goods, inns and cathedrals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

from PIL import Image

from engine.carcassonne import Goods, goods_on, has_cathedral, has_inn
from engine.carcassonne.tiles import Face, FeatureKind
from renderers import masks
from renderers.carcassonne.ground import Ground
from renderers.carcassonne.paths import RoadEnd, RoadPath
from renderers.figures import FIGURE_REACH, LYING_REACH, within_tile
from renderers.shapes import Line, Point, along, distance, ellipse, rectangle, turned_line

_GOODS_RIM: Final = 0.14
"""How far the middle of what shows goods keeps from the sides of its tile."""
_GOODS_ROOM: Final = 0.04
"""How far it should be from what bounds its place."""
_INN_SIZES: Final = (1.0, 0.85, 0.7)
_GOOD: Final = 0.5
"""What a place for an inn may cost, so that smaller ones are not tried."""
_STEPS: Final = 24
"""Places at which an inn may stand, along one side of a tile."""
_TRIED: Final = 6
"""So many of them are tried with a farmer beside them."""
_CLEARLY: Final = 0.2
"""So much nearer is an inn to its own road than to any other."""
_FEW: Final = 9
_FARMER_ROOM: Final = 0.06
"""How far a farmer should be from what bounds the field."""


@dataclass(frozen=True, slots=True, order=True)
class Inn:
    """An inn: the middle of its foot, and how large it is."""

    at: Point
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


def shields(
    face: Face, land: Ground, taken: Iterable[tuple[Point, float]], anchors: Sequence[Point]
) -> Iterator[Point]:
    """Pennants, as far from the city's follower as can be."""
    for index, segment in enumerate(face.segments):
        area = masks.without_discs(land.area(index), [*taken, (anchors[index], 0.25)])
        for _ in range(segment.pennants):
            point, _ = masks.heart(area)
            yield point
            area = masks.without_disc(area, point, 0.2)


def goods(
    face: Face, land: Ground, taken: Iterable[tuple[Point, float]], anchors: Sequence[Point], pennants: Sequence[Point]
) -> Iterator[tuple[Point, Goods]]:
    """Where neither the city's follower nor a shield hides them, whole on their tile; if need be over its wall."""
    within = rectangle(_GOODS_RIM, _GOODS_RIM, 1 - _GOODS_RIM, 1 - _GOODS_RIM)
    for index, segment in enumerate(face.segments):
        kind = goods_on(segment)
        if kind is None:
            continue
        x, y = within_tile(anchors[index], lying=False)
        city = masks.only(land.area(index), within)
        places: list[tuple[Point, float]] = []
        for area, free in ((city, 0.09), (city, 0.05), (masks.only(masks.grown(city, 0.12), within), 0.09)):
            across, tall = FIGURE_REACH[0] + free, FIGURE_REACH[1] + free
            beside = masks.without(area, rectangle(x - across, y - tall, x + across, y + tall))
            places.append(masks.heart(masks.without_discs(beside, [*taken, *((point, 0.17) for point in pennants)])))
        place, _ = next((found for found in places if found[1] >= _GOODS_ROOM), places[-1])
        yield place, kind


def inns(face: Face, roads: Sequence[RoadPath], land: Ground, standing: Sequence[Point]) -> Iterator[Inn]:
    """In fields, beside their roads; ``standing`` are the places of the followers on roads and in cities."""
    for road in roads:
        if has_inn(face.segments[road.segment]):
            others = [other for other in roads if other is not road]
            yield _roomiest(face, land, partial(_cost, road, others, standing)) or in_corner(face, road)


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
    farmer, _ = masks.heart(beside_inns(land.area(land.owner(inn.at)), [inn]))
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


def inn_outline(inn: Inn) -> Line:
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


def hidden(inn: Inn, figure: Point, *, lying: bool) -> float:
    """How much of an inn a figure covers, as a part of it."""
    (left, top, right, bottom), (x, y) = inn.box, figure
    across, tall = LYING_REACH if lying else FIGURE_REACH
    wide = min(right, x + across) - max(left, x - across)
    high = min(bottom, y + tall) - max(top, y - tall)
    return max(wide, 0.0) * max(high, 0.0) / ((right - left) * (bottom - top))


def beside_inns(field: Image.Image, inns: Collection[Inn]) -> Image.Image:
    """The part of a field in which a farmer hides no inn, or as little as can be; all of it where there are none."""
    across, tall = LYING_REACH
    if not inns:
        return field
    for share in (1.0, 0.75, 0.5):
        rest = field
        for inn in inns:
            left, top, right, bottom = inn.box
            beside = (left - share * across, top - share * tall, right + share * across, bottom + share * tall)
            rest = masks.without(rest, rectangle(*beside))
        if masks.shrunk(rest, _FARMER_ROOM).getbbox() is not None:
            return rest
    return _least_hiding(field, inns)


def _least_hiding(field: Image.Image, inns: Collection[Inn]) -> Image.Image:
    """A few places in a field too narrow for a farmer and an inn, from which he hides least of it."""
    within = masks.shrunk(field, _FARMER_ROOM)
    area = within if within.getbbox() is not None else field

    def hiding(at: Point) -> float:
        return sum(hidden(inn, within_tile(at, lying=True), lying=True) for inn in inns)

    return masks.of_cells([at for _, at in sorted((hiding(at), at) for at in masks.cells_of(area))[:_FEW]])


CATHEDRAL: Final = (-0.32, -0.63, 0.32, 0.055)
"""What a cathedral covers from the middle of its foot: left, top, right, bottom."""


def cathedrals(face: Face, land: Ground) -> Iterator[Point]:
    """The middle of the foot of each cathedral, so that its city's follower finds room on its right."""
    for index, segment in enumerate(face.segments):
        if has_cathedral(segment):
            (x, y), _ = masks.heart(land.area(index))
            left, top, right, bottom = CATHEDRAL
            yield (min(max(x - 0.14, -left), 1 - right), min(max(y + 0.26, -top), 1 - bottom))


def cathedral_room(at: Point) -> Iterator[tuple[Point, float]]:
    """The discs that a cathedral takes."""
    for x, y in product((-0.16, 0.0, 0.16), (-0.08, -0.22, -0.36)):
        yield (at[0] + x, at[1] + y), 0.17
