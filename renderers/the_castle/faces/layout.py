"""The layout of a castle tile: the place of everything on it, computed from its segments before anything is drawn.

A face is a tile in one rotation. Paths are lines, with squares, junctions and wells on them. Towers, houses and courts
share the eight wedges between the half-sides and the middle of the tile; paths, wells and squares lie over them. An
anchor is the place of a figure on a segment. All sizes are in units of the tile. Codes such as TC-05 are rules of the
rule digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from engine import tiles as base
from engine.caching import thread_safe_lru_cache
from engine.the_castle.tiles import Face, FeatureKind, Segment, TileKind
from renderers import masks
from renderers.canvas import (
    CENTRE,
    Point,
    Polyline,
    cubic,
    distance,
    ellipse,
    octagon,
    point_along,
    rectangle,
    rotated_line,
    stroke_polygon,
    swaying_line,
)
from renderers.masks import decoration_rng

PATH_WIDTH: Final = 0.15
"""Width of a path."""
SQUARE_REACH: Final = 0.2
"""Distance from the middle of the tile to the sides of a square."""
WELL_RADIUS: Final = 0.125
"""Radius of the round place of a well; the path continues around it."""
_SWAY: Final = 0.03
"""The swing of a straight path from the middle line."""


@dataclass(frozen=True, slots=True)
class PathLine:
    """A stretch of a path: from the side of the tile to another side, or to the middle."""

    segment: int
    line: Polyline
    ends: bool
    """True if it ends at a building in the middle of the tile."""


@dataclass(frozen=True, slots=True)
class Ways:
    """All stretches of paths on a face, with their bends, wells, junction and square."""

    paths: tuple[PathLine, ...]
    bends: tuple[int, ...]
    """The corners that a path cuts off, by the side before them."""
    wells: tuple[tuple[int, Point], ...]
    """The wells, each with the index of its path's segment."""
    junction: bool
    """True if three or more stretches of one path meet in the middle."""
    square: bool
    """True if a square in the middle separates the stretches (TC-05)."""


def ways_of(face: Face) -> Ways:
    """Return the ways of a face."""
    segments = face.segments
    paths = tuple(_paths(face))
    corners = (_bend_side(segments[path.segment]) for path in paths)
    return Ways(
        paths=paths,
        bends=tuple(side for side in corners if side is not None),
        wells=tuple(
            (index, _well_place([path for path in paths if path.segment == index]))
            for index, segment in enumerate(segments)
            if segment.well
        ),
        junction=any(segment.kind is FeatureKind.PATH and len(segment.places) > 2 for segment in segments),
        square=face.tile.square,
    )


def bend(side: int) -> Polyline:
    """Return the line of a path from a side to the next one clockwise."""
    return rotated_line(cubic((0.5, 0.0), (0.5, 0.27), (0.73, 0.5), (1.0, 0.5), steps=20), side)


def square_outline(grow: float = 0.0) -> Polyline:
    """Return the edge of a square: an octagon, so that it does not look like the round place of a well."""
    return octagon(SQUARE_REACH + grow, (SQUARE_REACH + grow) * 0.45)


def _paths(face: Face) -> Iterator[PathLine]:
    """Yield the stretches of all paths on a face."""
    square = face.tile.square
    for index, segment in enumerate(face.segments):
        if segment.kind is not FeatureKind.PATH:
            continue
        side = _bend_side(segment)
        if side is not None:
            yield PathLine(index, bend(side), ends=False)
        elif len(segment.places) == 2:
            yield PathLine(index, rotated_line(swaying_line(_SWAY), segment.places[0]), ends=False)
        else:
            reach = 0.5 - SQUARE_REACH if square else 0.5
            for place in segment.places:
                arm = rotated_line(tuple((0.5, reach * step / 8) for step in range(9)), place)
                yield PathLine(index, arm, ends=not square and len(segment.places) == 1)


def _bend_side(segment: Segment) -> int | None:
    """Return the first of the two neighbouring sides, clockwise, that a path joins; None for any other segment."""
    if segment.kind is not FeatureKind.PATH or len(segment.places) != 2:
        return None
    first, second = segment.places
    match (second - first) % 4:
        case 1:
            return first
        case 3:
            return second
        case _:
            return None


def _well_place(stretches: Sequence[PathLine]) -> Point:
    """Return the place of a well: where stretches meet, in the middle of the only one, or half way to a building."""
    if len(stretches) > 1:
        return CENTRE
    return point_along(stretches[0].line, 0.45 if stretches[0].ends else 0.5)


_NO_SEGMENT: Final = 255
"""The label of a square, which is part of no segment."""


class LabelMap:
    """A map of a tile with a margin around it; each point holds the index of its segment plus 1.

    Args:
        face: the tile.
        ways: its paths.
        scale: pixels of the tile.
        margin: pixels of the margin, into which half-sides continue that are not closed.
        closed: one bit for each half-side where the feature is known to end.
    """

    def __init__(self, face: Face, ways: Ways, scale: int, margin: int = 0, closed: int = 0) -> None:
        self.scale, self.margin = scale, margin
        self._face, self._owners = face, half_owners(face)
        side = scale + 2 * margin
        self.image = Image.new("L", (side, side))
        self._draw = ImageDraw.Draw(self.image)
        self._paint_wedges(closed)
        self._paint_bends(ways.bends)
        self._paint_paths(ways.paths)
        for segment, at in ways.wells:
            self._paint(ellipse(at, WELL_RADIUS, WELL_RADIUS), segment)
        if ways.square:
            self._paint(square_outline(), _NO_SEGMENT - 1)

    def area(self, segment: int) -> Image.Image:
        """Return the points of a segment as a mask."""
        return self.image.point([255 if value == segment + 1 else 0 for value in range(256)])

    def owner(self, point: Point) -> int:
        """Return the index of the segment at a point of the tile; -1 if there is none."""
        x, y = (min(max(int(value * self.scale), 0), self.scale - 1) + self.margin for value in point)
        value = self.image.getpixel((x, y))
        return int(value) - 1 if isinstance(value, (int, float)) and value != _NO_SEGMENT else -1

    def _paint(self, points: Polyline, segment: int) -> None:
        """Fill an outline with the index of a segment."""
        scaled = [(x * self.scale + self.margin, y * self.scale + self.margin) for x, y in points]
        self._draw.polygon(scaled, fill=segment + 1)

    def _paint_wedges(self, closed: int) -> None:
        """Paint the wedge of each half-side, and the margin beyond it unless the feature ends there."""
        for half, owner in enumerate(self._owners):
            self._paint(_wedge(half), owner)
            if self.margin and not closed >> half & 1:
                self._paint(_margin_beyond(half, self.margin / self.scale), owner)
        if self.margin:
            self._paint_corners(closed)

    def _paint_corners(self, closed: int) -> None:
        """Paint the margin beyond those corners of the tile that a feature goes around."""
        margin = self.margin / self.scale
        for corner, (x, y) in enumerate(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))):
            before, after = (corner * 2 + 7) % 8, corner * 2
            if self._owners[before] == self._owners[after] and not (closed >> before | closed >> after) & 1:
                left, top = (x - margin if x == 0.0 else x), (y - margin if y == 0.0 else y)
                self._paint(rectangle(left, top, left + margin, top + margin), self._owners[after])

    def _paint_bends(self, bends: Iterable[int]) -> None:
        """Fill the ground between a bend and the middle with a feature beside it, but with a tower only if need be."""
        for side in bends:
            first, second = side * 2 + 1, (side * 2 + 2) % 8
            before, after = self._owners[side * 2], self._owners[(side * 2 + 3) % 8]
            inner = after if self._face.kinds[before] is FeatureKind.TOWER else before
            self._paint(_wedge(first), inner)
            self._paint(_wedge(second), inner)
            line, corner = bend(side), rotated_line(((1.0, 0.0),), side)
            half = len(line) // 2
            self._paint((*line[: half + 1], *corner), self._owners[first])
            self._paint((*line[half:], *corner), self._owners[second])

    def _paint_paths(self, paths: Iterable[PathLine]) -> None:
        """Fill the paths, also in the margin."""
        for path in paths:
            self._paint(stroke_polygon(_extended(path.line), PATH_WIDTH), path.segment)


def half_owners(face: Face) -> tuple[int, ...]:
    """Return the index of the tower, house or court at each half-side; -1 where a start space has none."""
    return tuple(owner_at(face, half) for half in range(8))


def owner_at(face: Face, half: int) -> int:
    """Return the index of the tower, house or court at one half-side."""
    return face.ports[half // 2 * 3 + half % 2 * 2]


def _wedge(half: int) -> Polyline:
    """Return the triangle between a half-side and the middle of the tile."""
    side, second = divmod(half, 2)
    return rotated_line(((0.5 * second, 0.0), (0.5 * second + 0.5, 0.0), CENTRE), side)


def _margin_beyond(half: int, margin: float) -> Polyline:
    """Return the margin outside a half-side."""
    side, second = divmod(half, 2)
    return rotated_line(rectangle(0.5 * second, -margin, 0.5 * second + 0.5, 0.0), side)


def _extended(line: Polyline) -> Polyline:
    """Return the line of a path, extended into the margin at the sides of the tile."""
    first, last = line[0], line[-1]
    return (_outwards(first), *line, _outwards(last)) if _on_side(last) else (_outwards(first), *line)


def _outwards(point: Point) -> Point:
    """Return the point moved away from the middle of the tile, by half its distance."""
    return (point[0] + (point[0] - 0.5) * 0.5, point[1] + (point[1] - 0.5) * 0.5)


def _on_side(point: Point) -> bool:
    """Return True if the point lies on a side of the tile."""
    return min(*point, 1 - point[0], 1 - point[1]) < 1e-6


MARKET_RADIUS: Final = 0.19
"""Radius of the paved place of a market."""
HOUSE_SIZE: Final = 1.25
"""Scale of houses, relative to those of Carcassonne."""
_HOUSE_STEP: Final = 0.19
"""Distance between two houses of a row."""
_HOUSE_ROW: Final = 0.138
"""Distance between two rows of houses."""
_TREE_RADIUS: Final = 0.05
"""Radius of a tree's foot, kept free of figures and markets."""
_HERALD_DISTANCE: Final = 0.2
"""Distance of a herald, the figure on a path, from a well, in tiles."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a face, in units of the tile; the point of anything upright is the middle of its foot."""

    face: Face
    ways: Ways
    markets: tuple[Point, ...]
    turrets: tuple[tuple[Point, float], ...]
    """The places of turrets, each with the radius of the free room around it."""
    houses: tuple[Point, ...]
    trees: tuple[Point, ...]
    anchors: tuple[Point, ...]
    """The place of a figure on each segment."""

    def index_of(self, segment: base.Segment) -> int:
        """Return the index of a segment (board oriented) of the face.

        Raises:
            ValueError: the face has no such segment.
        """
        for index, printed in enumerate(self.face.segments):
            if printed.kind == segment.kind and printed.places == segment.places:
                return index
        raise ValueError(f"no {segment.name} on {self.face.tile.id}")

    def labels(self, scale: int, margin: int = 0, closed: int = 0) -> LabelMap:
        """Return the map of the face's segments."""
        return LabelMap(self.face, self.ways, scale, margin, closed)


@thread_safe_lru_cache(512)
def layout_of(tile: TileKind, rotation: int) -> Layout:
    """Return the layout of a tile rotated clockwise by ``rotation`` degrees."""
    face = tile.faces[rotation // 90]
    ways = ways_of(face)
    labels = LabelMap(face, ways, masks.GRID)
    rng = decoration_rng(tile.id)
    markets = tuple(_markets(face, labels))
    occupied = [*((at, MARKET_RADIUS) for at in markets), *((at, WELL_RADIUS) for _, at in ways.wells)]
    return Layout(
        face=face,
        ways=ways,
        markets=markets,
        turrets=tuple(_turrets(face, labels)),
        houses=tuple(_houses(rng, face, labels, occupied)),
        trees=tuple(_trees(rng, face, labels, occupied)),
        anchors=tuple(
            _on_path([path for path in ways.paths if path.segment == index], ways)
            if kind is FeatureKind.PATH
            else masks.roomiest_point(masks.without_discs(labels.area(index), occupied))[0]
            for index, kind in enumerate(face.kinds)
        ),
    )


def anchor(tile: TileKind, rotation: int, segment: base.Segment) -> Point:
    """Return the place of the figure on a segment (board oriented).

    Raises:
        ValueError: the face has no such segment.
    """
    layout = layout_of(tile, rotation)
    return layout.anchors[layout.index_of(segment)]


def _on_path(stretches: Sequence[PathLine], ways: Ways) -> Point:
    """Return the middle of a path, or a place on it beside its well."""
    if len(stretches) > 1:
        points = [CENTRE, *(point_along(path.line, 0.5) for path in stretches)]
    else:
        points = [point_along(stretches[0].line, part) for part in (0.5, 0.25, 0.8, 0.2)]
    return max(points, key=lambda point: all(distance(point, at) >= _HERALD_DISTANCE for _, at in ways.wells))


def _markets(face: Face, labels: LabelMap) -> Iterator[Point]:
    """Yield the places of the markets in each court."""
    for index, segment in enumerate(face.segments):
        area = labels.area(index)
        for _ in range(segment.markets):
            (x, y), _ = masks.roomiest_point(area)
            yield (min(max(x, 0.2), 0.8), min(max(y, 0.2), 0.84))
            area = masks.without_disc(area, (x, y), MARKET_RADIUS)


def _turrets(face: Face, labels: LabelMap) -> Iterator[tuple[Point, float]]:
    """Yield a turret for each quarter that a tower fills, clockwise from the unrotated tile's north-west."""
    turn = face.rotation // 90
    for index, segment in enumerate(face.segments):
        if segment.kind is not FeatureKind.TOWER:
            continue
        for quarter in sorted(segment.quarters, key=lambda quarter: (quarter - turn) % 4):
            box = rotated_line(((0.0, 0.0), (0.5, 0.5)), quarter)
            (left, right), (top, bottom) = (sorted(values) for values in zip(*box, strict=True))
            part = Image.new("L", (masks.GRID, masks.GRID))
            part.paste(255, tuple(round(value * masks.GRID) for value in (left, top, right, bottom)))
            yield masks.roomiest_point(ImageChops.multiply(part, labels.area(index)))


def _houses(rng: Random, face: Face, labels: LabelMap, occupied: Iterable[tuple[Point, float]]) -> Iterator[Point]:
    """Yield the places of houses in rows from north to south."""
    homes = {index for index, kind in enumerate(face.kinds) if kind is FeatureKind.HOUSE}
    half = 0.07 * HOUSE_SIZE
    for row in range(round(1 / _HOUSE_ROW) + 1):
        for column in range(round(1 / _HOUSE_STEP) + 2):
            x = (column + 0.5 * (row % 2)) * _HOUSE_STEP + rng.uniform(-0.015, 0.015)
            y = (row + 1) * _HOUSE_ROW + rng.uniform(-0.012, 0.012)
            if half < x < 1 - half and y < 0.985:
                corners = {labels.owner(point) for point in rectangle(x - half, y - 0.11, x + half, y + 0.015)}
                blocked = any(distance(at, (x, y - 0.05)) < room + half for at, room in occupied)
                if len(corners) == 1 and corners <= homes and not blocked:
                    yield (x, y)


def _trees(rng: Random, face: Face, labels: LabelMap, occupied: Iterable[tuple[Point, float]]) -> Iterator[Point]:
    """Yield a few trees in each court, away from its middle."""
    obstacles = [(at, room + _TREE_RADIUS) for at, room in occupied]
    for index, segment in enumerate(face.segments):
        if segment.kind is not FeatureKind.COURT:
            continue
        area = masks.without_discs(masks.eroded(labels.area(index), 0.075), obstacles)
        for _ in range(len(segment.quarters) + 1):
            cells = masks.cell_centres(area)
            if not cells:
                break
            at = rng.choice(cells)
            yield at
            area = masks.without_disc(area, at, 0.14)
