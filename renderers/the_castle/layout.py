"""Where everything on a castle tile goes: computed from the segments of a face alone, before anything is drawn.

Towers, houses and courts share out the eight wedges between the half-sides and the middle; paths run between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import pi, sin
from random import Random
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from engine.the_castle.tiles import Face, FeatureKind, TileKind
from engine.tiles import Segment
from renderers import ground
from renderers.plan import decoration_dice
from renderers.shapes import CENTRE, Line, Point, along, band, cubic, distance, rectangle, turned_line

PATH_WIDTH: Final = 0.15
SQUARE_REACH: Final = 0.2
"""From the middle of the tile to the sides of a square."""
WELL_ROOM: Final = 0.125
"""Radius of the round place in which a well stands; the path goes on round it."""
MARKET_ROOM: Final = 0.19
HOUSE_SIZE: Final = 1.25
_HOUSE_STEP: Final = 0.19
_HOUSE_ROW: Final = 0.138
_SWAY: Final = 0.03
"""How far a straight path swings from the middle line."""
_BESIDE: Final = 0.2
"""How far from a well a herald stands."""


@dataclass(frozen=True, slots=True)
class PathLine:
    """A stretch of a path: from the side of the tile to another side, or to the middle."""

    segment: int
    line: Line
    ends: bool
    """Whether it ends at a building in the middle of the tile."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A face laid out, in units of the tile; the points of what stands upright are the middles of their feet."""

    face: Face
    paths: tuple[PathLine, ...]
    bends: tuple[int, ...]
    """The corners, by the side before them, that a path cuts off."""
    junction: bool
    """Whether three or more stretches meet in the middle without a square."""
    wells: tuple[Point, ...]
    markets: tuple[Point, ...]
    turrets: tuple[tuple[Point, float], ...]
    """Where towers rise, and how wide the place is."""
    houses: tuple[Point, ...]
    trees: tuple[Point, ...]
    anchors: tuple[Point, ...]
    """The natural point of each segment: where its figure stands."""

    def index_of(self, segment: Segment) -> int:
        """The number of a segment (board oriented) of the face.

        Raises:
            ValueError: the face has no such segment.
        """
        for index, printed in enumerate(self.face.segments):
            if printed.kind == segment.kind and printed.places == segment.places:
                return index
        raise ValueError(f"no {segment.name} on {self.face.tile.id}")


@lru_cache(maxsize=512)
def layout_of(tile: TileKind, rotation: int) -> Layout:
    """The layout of a tile turned clockwise by so many degrees."""
    face = tile.faces[rotation // 90]
    paths = tuple(_paths(face, square=tile.square))
    bends = tuple(side for path in paths for side in (_bend_side(face.segments[path.segment]),) if side is not None)
    junction = any(len(segment.places) > 2 for segment in face.segments if segment.kind is FeatureKind.PATH)
    wells = tuple(_well(path, paths) for path in _first_stretches(face, paths))
    areas = LabelMap(face, paths, bends, square=tile.square, scale=ground.GRID)
    dice = decoration_dice(tile.id)
    markets = tuple(_markets(face, areas))
    taken = [*((at, MARKET_ROOM) for at in markets), *((at, WELL_ROOM) for at in wells)]
    return Layout(
        face=face,
        paths=paths,
        bends=bends,
        junction=junction,
        wells=wells,
        markets=markets,
        turrets=tuple(_turrets(face, areas)),
        houses=tuple(_houses(dice, face, areas)),
        trees=tuple(_trees(dice, face, areas, taken)),
        anchors=tuple(_anchor(face, index, paths, areas, taken) for index in range(len(face.segments))),
    )


def anchor(tile: TileKind, rotation: int, segment: Segment) -> Point:
    """Where the figure on a segment (board oriented) stands.

    Raises:
        ValueError: the face has no such segment.
    """
    layout = layout_of(tile, rotation)
    return layout.anchors[layout.index_of(segment)]


class LabelMap:
    """Which segment each point of a tile, and of a margin round it, belongs to.

    Args:
        face: the tile.
        paths: its paths.
        bends: the corners that a path cuts off.
        square: whether there is a square in the middle.
        scale: pixels of the tile.
        margin: pixels round it, in which the half-sides go on that are not closed.
        closed: one bit for each half-side at which the feature is known to end.
    """

    def __init__(
        self,
        face: Face,
        paths: Iterable[PathLine],
        bends: Iterable[int],
        *,
        square: bool,
        scale: int,
        margin: int = 0,
        closed: int = 0,
    ) -> None:
        self.scale, self.margin = scale, margin
        self._face = face
        side = scale + 2 * margin
        self.image = Image.new("L", (side, side))
        self._draw = ImageDraw.Draw(self.image)
        owners = half_owners(face)
        for half, owner in enumerate(owners):
            self._paint(wedge(half), owner)
            if margin and not closed >> half & 1:
                self._paint(_beyond(half, margin / scale), owner)
        if margin:
            self._paint_corners(owners, closed)
        paths = tuple(paths)
        self._paint_bends(owners, bends)
        for path in paths:
            self._paint(band(_prolonged(path.line), PATH_WIDTH), path.segment)
        if square:
            self._draw.polygon([self._pixel(point) for point in square_outline()], fill=255)

    def area(self, segment: int) -> Image.Image:
        """The points of a segment as a mask."""
        return self.image.point([255 if value == segment + 1 else 0 for value in range(256)])

    def _paint(self, points: Line, segment: int) -> None:
        self._draw.polygon([self._pixel(point) for point in points], fill=segment + 1)

    def _paint_corners(self, owners: tuple[int, ...], closed: int) -> None:
        """The margin beyond a corner of the tile, where the feature goes on round it."""
        wide = self.margin / self.scale
        for corner, (x, y) in enumerate(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))):
            before, after = (corner * 2 + 7) % 8, corner * 2
            if owners[before] == owners[after] and not (closed >> before | closed >> after) & 1:
                left, top = (x - wide if x == 0.0 else x), (y - wide if y == 0.0 else y)
                self._paint(rectangle(left, top, left + wide, top + wide), owners[after])

    def _paint_bends(self, owners: tuple[int, ...], bends: Iterable[int]) -> None:
        """What lies between a bend and the middle belongs to the ground around it, rather not to a tower."""
        for side in bends:
            first, second = side * 2 + 1, (side * 2 + 2) % 8
            before, after = owners[side * 2], owners[(side * 2 + 3) % 8]
            inner = after if self._face.kinds[before] is FeatureKind.TOWER else before
            self._paint(wedge(first), inner)
            self._paint(wedge(second), inner)
            line = bend(side)
            corner = turned_line(((1.0, 0.0),), side)
            half = len(line) // 2
            self._paint((*line[: half + 1], *corner), owners[first])
            self._paint((*line[half:], *corner), owners[second])

    def _pixel(self, point: Point) -> tuple[float, float]:
        return (point[0] * self.scale + self.margin, point[1] * self.scale + self.margin)


def label_map(layout: Layout, scale: int, margin: int, closed: int) -> LabelMap:
    """The map of a layout, large enough to draw from."""
    square = layout.face.tile.square
    return LabelMap(layout.face, layout.paths, layout.bends, square=square, scale=scale, margin=margin, closed=closed)


def half_owners(face: Face) -> tuple[int, ...]:
    """The index of the tower, house or court at each half-side."""
    return tuple(face.ports[half // 2 * 3 + half % 2 * 2] for half in range(8))


def wedge(half: int) -> Line:
    """The triangle between a half-side and the middle of the tile."""
    side, second = divmod(half, 2)
    start, end = ((0.5, 0.0), (1.0, 0.0)) if second else ((0.0, 0.0), (0.5, 0.0))
    return turned_line((start, end, CENTRE), side)


def bend(side: int) -> Line:
    """The line of a path from a side to the next one clockwise."""
    return turned_line(cubic((0.5, 0.0), (0.5, 0.27), (0.73, 0.5), (1.0, 0.5), steps=20), side)


def square_outline(grow: float = 0.0) -> Line:
    """The edge of a square: an octagon, so that it does not look like the round place of a well."""
    reach, cut = SQUARE_REACH + grow, (SQUARE_REACH + grow) * 0.45
    corner = ((0.5 - cut, 0.5 - reach), (0.5 + cut, 0.5 - reach))
    return tuple(point for side in range(4) for point in turned_line(corner, side))


def _beyond(half: int, margin: float) -> Line:
    """The margin outside a half-side."""
    side, second = divmod(half, 2)
    left = 0.5 * second
    return turned_line(rectangle(left, -margin, left + 0.5, 0.0), side)


def _prolonged(line: Line) -> Line:
    """The line of a path, with its ends at the sides of the tile drawn out into the margin."""
    first, last = line[0], line[-1]
    return (_outward(first), *line, _outward(last)) if _on_side(last) else (_outward(first), *line)


def _outward(point: Point) -> Point:
    return (point[0] + (point[0] - 0.5) * 0.5, point[1] + (point[1] - 0.5) * 0.5)


def _on_side(point: Point) -> bool:
    return min(*point, 1 - point[0], 1 - point[1]) < 1e-6


# ---------------------------------------------------------------- paths


def _paths(face: Face, *, square: bool) -> Iterator[PathLine]:
    for index, segment in enumerate(face.segments):
        if segment.kind is not FeatureKind.PATH:
            continue
        side = _bend_side(segment)
        if side is not None:
            yield PathLine(index, bend(side), ends=False)
        elif len(segment.places) == 2:
            yield PathLine(index, turned_line(_straight(), segment.places[0]), ends=False)
        else:
            reach = 0.5 - SQUARE_REACH if square else 0.5
            for place in segment.places:
                arm = turned_line(tuple((0.5, reach * step / 8) for step in range(9)), place)
                yield PathLine(index, arm, ends=not square and len(segment.places) == 1)


def _bend_side(segment: Segment) -> int | None:
    """The first of the two neighbouring sides, clockwise, that a path joins; None for any other segment."""
    if segment.kind is not FeatureKind.PATH or len(segment.places) != 2:
        return None
    one, other = segment.places
    match (other - one) % 4:
        case 1:
            return one
        case 3:
            return other
    return None


def _straight() -> Line:
    """From north to south with a swing that leaves the ends square to the sides."""
    steps = [step / 24 for step in range(25)]
    return tuple((0.5 + _SWAY * sin(2 * pi * y) * sin(pi * y) ** 2, y) for y in steps)


def _first_stretches(face: Face, paths: Iterable[PathLine]) -> Iterator[PathLine]:
    """For each path with a well, its first stretch."""
    seen: set[int] = set()
    for path in paths:
        if face.segments[path.segment].well and path.segment not in seen:
            seen.add(path.segment)
            yield path


def _well(path: PathLine, paths: Iterable[PathLine]) -> Point:
    """Where the stretches meet, in the middle of the only one, or half way to a building."""
    stretches = sum(other.segment == path.segment for other in paths)
    if stretches > 1:
        return CENTRE
    return along(path.line, 0.45 if path.ends else 0.5)


# ---------------------------------------------------------------- what stands on a tile


def _markets(face: Face, areas: LabelMap) -> Iterator[Point]:
    for index, segment in enumerate(face.segments):
        area = areas.area(index)
        for _ in range(segment.markets):
            (x, y), _ = ground.heart(area)
            yield (min(max(x, 0.2), 0.8), min(max(y, 0.2), 0.84))
            area = ground.without_disc(area, (x, y), MARKET_ROOM)


def _turrets(face: Face, areas: LabelMap) -> Iterator[tuple[Point, float]]:
    """One in each quarter that a tower fills, clockwise from what is the north-west when the tile is not turned."""
    turn = face.rotation // 90
    for index, segment in enumerate(face.segments):
        if segment.kind is not FeatureKind.TOWER:
            continue
        for quarter in sorted(segment.quarters, key=lambda quarter: (quarter - turn) % 4):
            box = turned_line(((0.0, 0.0), (0.5, 0.5)), quarter)
            (left, right), (top, bottom) = (sorted(values) for values in zip(*box, strict=True))
            part = Image.new("L", (ground.GRID, ground.GRID))
            part.paste(255, tuple(round(value * ground.GRID) for value in (left, top, right, bottom)))
            yield ground.heart(ImageChops.multiply(part, areas.area(index)))


def _houses(dice: Random, face: Face, areas: LabelMap) -> Iterator[Point]:
    """Rows of houses wherever there is room for one, from north to south."""
    data, labels = areas.image.tobytes(), {index + 1 for index, kind in enumerate(face.kinds) if kind == "house"}
    half = 0.068 * HOUSE_SIZE
    for row in range(round(1 / _HOUSE_ROW) + 1):
        for column in range(round(1 / _HOUSE_STEP) + 2):
            x = (column + 0.5 * (row % 2)) * _HOUSE_STEP + dice.uniform(-0.015, 0.015)
            y = (row + 1) * _HOUSE_ROW + dice.uniform(-0.012, 0.012)
            if not (half < x < 1 - half and y < 0.985):
                continue
            corners = {_label(data, point) for point in rectangle(x - half, y - 0.11, x + half, y + 0.015)}
            if len(corners) == 1 and corners <= labels:
                yield (x, y)


def _label(data: bytes, point: Point) -> int:
    x, y = (min(max(int(value * ground.GRID), 0), ground.GRID - 1) for value in point)
    return data[y * ground.GRID + x]


def _trees(dice: Random, face: Face, areas: LabelMap, taken: Iterable[tuple[Point, float]]) -> Iterator[Point]:
    """A few trees in each court, off its middle."""
    for index, kind in enumerate(face.kinds):
        if kind is not FeatureKind.COURT:
            continue
        area = ground.without_discs(ground.shrunk(areas.area(index), 0.075), [(at, room + 0.05) for at, room in taken])
        wanted = len(face.segments[index].quarters) + 1
        for _ in range(wanted):
            cells = ground.cells_of(area)
            if not cells:
                break
            at = dice.choice(cells)
            yield at
            area = ground.without_disc(area, at, 0.14)


def _anchor(
    face: Face, index: int, paths: Iterable[PathLine], areas: LabelMap, taken: list[tuple[Point, float]]
) -> Point:
    if face.kinds[index] is not FeatureKind.PATH:
        return ground.heart(ground.without_discs(areas.area(index), taken))[0]
    stretches = [path for path in paths if path.segment == index]
    points = [CENTRE] if len(stretches) > 1 else []
    points += [along(path.line, part) for path in stretches for part in (0.5, 0.25, 0.8, 0.2)]
    if stretches[0].ends:
        points = [along(stretches[0].line, part) for part in (0.45, 0.75)]
    wells = [at for at, room in taken if room == WELL_ROOM]
    return max(points, key=lambda point: min((distance(point, well) for well in wells), default=_BESIDE) >= _BESIDE)
