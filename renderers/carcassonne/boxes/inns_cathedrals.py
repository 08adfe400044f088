"""Drawings of *Inns & Cathedrals*: the big follower, and the inns and cathedrals on tiles of any expansion.

Cathedrals stand in their cities. The place of an inn, in a field beside its road, is the one of the lowest cost among
many: near its own road, far from others, and not hidden by figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Final

from PIL import Image

from engine.carcassonne import Position
from engine.carcassonne.expansions import INNS_CATHEDRALS
from engine.carcassonne.expansions.inns_cathedrals import has_cathedral, has_inn
from engine.carcassonne.tiles import Face, FeatureKind, Segment
from renderers import masks
from renderers.buildings import house, house_shadow
from renderers.caches import cached_sprite
from renderers.canvas import Canvas, Point, Polyline, distance, ellipse, point_along, rectangle, rotated_line
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.faces.ground import Features, Ground
from renderers.carcassonne.faces.layout import Layout
from renderers.carcassonne.faces.lines import RoadEnd, RoadPath
from renderers.carcassonne.faces.prints import Bounds, Disc, LowPrint, Print, hidden_share, without_prints
from renderers.drawings import read_drawings
from renderers.marks import PLAYER_MARKS, shape_polygon
from renderers.pieces import FIGURE_SIZE, FigureSprite, paint_outlines, paint_wanderer, posed, within_tile
from renderers.theme import Theme

BIG_FOLLOWER_SCALE: Final = 1.3
"""The size of the big follower, as a multiple of a follower's."""
BIG_FOLLOWER_REACH: Final = 1.4
"""The reach of the big follower, as a multiple of a follower's: it is broader too."""
_SPRITE_SIDE: Final = FIGURE_SIZE * BIG_FOLLOWER_SCALE
"""Side of the sprite of the big follower, in cells."""
_DRAWINGS: Final = read_drawings(__file__)
"""The drawings of the big follower, of the cathedral, and of what is beside the house of an inn."""


@cached_sprite
def big_follower(theme: Theme, player: int, size: int, *, lying: bool) -> Image.Image:
    """Draw a large wanderer with broad shoulders and two bands across the cloak; as a farmer it lies on one side."""
    canvas = Canvas(size, theme, _SPRITE_SIDE, _SPRITE_SIDE)
    mark, middle = PLAYER_MARKS[player], (_SPRITE_SIDE / 2, _SPRITE_SIDE / 2)

    def part(line: Polyline) -> Polyline:
        return posed(line, middle, lying=lying, size=BIG_FOLLOWER_SCALE)

    whole, shaded, *across = (shape.points for shape in _DRAWINGS["big-follower"].shapes)
    cloak, head = part(whole), part(shape_polygon(mark.shape, (0.0, -0.1), 0.13))
    # The light does not turn with a lying figure.
    fold = part(tuple((-x, y) for x, y in shaded) if lying else shaded)
    canvas.shade([ellipse((middle[0] + 0.04, middle[1] + (0.14 if lying else 0.26)), 0.27, 0.09)], 0.35)
    paint_outlines(canvas, (cloak, head))
    paint_wanderer(canvas, mark, cloak, fold, head, map(part, across))
    return canvas.finished()


CATHEDRAL_BOUNDS: Final = (-0.32, -0.63, 0.32, 0.055)
"""Bounds of a cathedral, relative to the middle of its foot: left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Cathedral(Print):
    """A cathedral on a tile."""

    @property
    def discs(self) -> tuple[Disc, ...]:
        """The discs that cover it."""
        x, y = self.at
        return tuple(((x + dx, y + dy), 0.17) for dx, dy in product((-0.16, 0.0, 0.16), (-0.08, -0.22, -0.36)))


def cathedrals(features: Features) -> Iterator[Cathedral]:
    """Yield the cathedrals, placed so that a follower finds room to the right in the city."""
    for index, segment in enumerate(features.face.segments):
        if has_cathedral(segment):
            (x, y), _ = masks.roomiest_point(features.ground.area(index))
            left, top, right, bottom = CATHEDRAL_BOUNDS
            yield Cathedral((min(max(x - 0.14, -left), 1 - right), min(max(y + 0.26, -top), 1 - bottom)))


def paint_cathedral(canvas: Canvas, at: Point) -> None:
    """Draw a stone church on a square, twice as high as a monastery: a rose window between two towers."""
    _DRAWINGS["cathedral"].paint(canvas, canvas.on_pixel(at))


_INN_SIZES: Final = (1.0, 0.85, 0.7)
"""The scales of an inn that are tried, the largest first."""
_GOOD_COST: Final = 0.5
"""The cost of a place for an inn below which no smaller inn is tried."""
_CANDIDATES_PER_SIDE: Final = 24
"""Candidate places for an inn, along one side of a tile."""
_CANDIDATES_TRIED: Final = 6
"""Candidates of the lowest cost that are tried with a farmer beside them."""
_ROAD_MARGIN: Final = 0.2
"""The margin in distance by which an inn should be nearer to its own road than to any other, in tiles."""


@dataclass(frozen=True, slots=True, order=True)
class Inn(LowPrint):
    """An inn: the middle of its foot, and its scale."""

    size: float

    @property
    def radius(self) -> float:
        """The radius of the disc that covers it."""
        return 0.17 * self.size

    @property
    def bounds(self) -> Bounds:
        """The bounds of the house and its pond."""
        (x, y), size = self.at, self.size
        return (x - 0.13 * size, y - 0.15 * size, x + 0.17 * size, y + 0.155 * size)


def inns(features: Features, standing: Sequence[Point] | None) -> Iterator[Inn]:
    """Yield the inns, each in a field beside its road or else in a corner.

    ``standing`` are the places of followers on roads and in cities, which the inns keep free; None on a crowded tile,
    where inns go to corners.
    """
    face, roads = features.face, features.roads
    for road in roads:
        if not has_inn(face.segments[road.segment]):
            continue
        other_roads = [candidate for candidate in roads if candidate is not road]
        cost = None if standing is None else partial(_place_cost, road, other_roads, standing)
        yield (cost and _cheapest_inn(face, features.ground, cost)) or inn_in_corner(face, road)


def inn_in_corner(face: Face, road: RoadPath) -> Inn:
    """Return an inn in a corner at the end of the road; in the south if possible, where it hides less behind it."""
    corners = rotated_line(((0.24, 0.24), (0.76, 0.24)), face.segments[road.segment].places[0])
    return Inn(max(corners, key=lambda point: (point[1] > 0.5, point)), 1.0)


def _cheapest_inn(face: Face, land: Ground, cost: Callable[[Inn], float]) -> Inn | None:
    """Return the inn of the lowest cost, including a farmer in its field; the largest size that is good enough."""
    candidates: list[tuple[float, Inn]] = []
    fields = {index for index, kind in enumerate(face.kinds) if kind is FeatureKind.FIELD}
    for size in _INN_SIZES:
        places = (
            Inn(((x + 0.5) / _CANDIDATES_PER_SIDE, (y + 0.5) / _CANDIDATES_PER_SIDE), size)
            for x, y in product(range(_CANDIDATES_PER_SIDE), repeat=2)
        )
        fitting = sorted((cost(inn), inn) for inn in places if _fits(land, fields, inn))
        candidates += [
            (place_cost + _hidden_by_farmer(land, inn), inn) for place_cost, inn in fitting[:_CANDIDATES_TRIED]
        ]
        if candidates and min(candidates)[0] < _GOOD_COST:
            break
    return min(candidates)[1] if candidates else None


def _hidden_by_farmer(land: Ground, inn: Inn) -> float:
    """Return the share of an inn that the farmer beside it hides."""
    farmer, _ = masks.roomiest_point(without_prints(land.area(land.owner(inn.at)), [inn]))
    return hidden_share(inn.bounds, within_tile(farmer, lying=True), lying=True)


def _place_cost(road: RoadPath, other_roads: Iterable[RoadPath], standing: Iterable[Point], inn: Inn) -> float:
    """Return the cost of a place for an inn.

    It grows with the distance from its road, nearness to another road, cover by a follower, and smallness.
    """
    distance_from_road = _distance_from_road(road, inn)
    crowding = max(
        (_ROAD_MARGIN + distance_from_road - _distance_from_road(other_road, inn) for other_road in other_roads),
        default=0.0,
    )
    covered = max(hidden_share(inn.bounds, within_tile(at, lying=False), lying=False) for at in standing)
    return distance_from_road + 2 * max(crowding, 0.0) + covered + 2 * (1.0 - inn.size)


def _distance_from_road(road: RoadPath, inn: Inn) -> float:
    """Return the distance of an inn from the visible part of a road, without its end at a village or gate."""
    ends = 1.0 if road.end is RoadEnd.THROUGH else 0.6
    return min(distance(inn.at, point_along(road.line, ends * step / 8)) for step in range(9))


def inn_outline(inn: Inn) -> Polyline:
    """Return the outline of an inn: the house and the pond in front of it."""
    (x, y), size = inn.at, inn.size
    house = rectangle(x - 0.11 * size, y - 0.14 * size, x + 0.14 * size, y + 0.03 * size)
    return (*house, *ellipse((x + 0.02 * size, y + 0.07 * size), 0.15 * size, 0.085 * size))


def _fits(land: Ground, fields: set[int], inn: Inn) -> bool:
    """Return True if an inn lies on its tile and in a single field."""
    field = land.owner(inn.at)
    left, top, right, bottom = inn.bounds
    within = min(left, top) >= 0.0 and max(right, bottom) <= 1.0
    return within and field in fields and all(land.owner(at) == field for at in inn_outline(inn))


def paint_inn(canvas: Canvas, inn: Inn) -> None:
    """Draw a house with a sign by a pond."""
    (x, y), size = inn.at, inn.size
    _DRAWINGS["pond"].paint(canvas, inn.at, scale=size)
    door = (x - 0.02 * size, y + 0.01 * size)
    canvas.shade([house_shadow(door, 1.3 * size)], 0.3)
    house(canvas, door, 4, 1.3 * size)
    _DRAWINGS["sign"].paint(canvas, inn.at, scale=size)


class InnsCathedrals(Drawings):
    """The big follower, inns by their roads, and cathedrals."""

    figures: Mapping[str, FigureSprite] = MappingProxyType({"big-follower": big_follower})
    reaches: Mapping[str, float] = MappingProxyType({"big-follower": BIG_FOLLOWER_REACH})

    def upright(self, features: Features) -> Iterable[Print]:
        """Yield the cathedrals."""
        return cathedrals(features)

    def low(self, features: Features, standing: Sequence[Point] | None) -> Iterable[LowPrint]:
        """Yield the inns."""
        return inns(features, standing)

    def words(self, segment: Segment) -> Iterable[tuple[int, str]]:
        """Yield the word for an inn, which stands between those for the end of a city and for the cities of a field."""
        yield 4, f"inn={has_inn(segment)!r}"

    def draw_prints(self, canvas: Canvas, layout: Layout) -> None:
        """Draw inns and cathedrals."""
        for cathedral in layout.printed(Cathedral):
            paint_cathedral(canvas, cathedral.at)
        for inn in layout.printed(Inn):
            paint_inn(canvas, inn)

    def idle_prints(self, layout: Layout, position: Position) -> Iterable[LowPrint]:
        """Return the inns on tiles of other boxes in a game without this one (IX-03)."""
        return () if INNS_CATHEDRALS in position.setup.expansions else layout.printed(Inn)
