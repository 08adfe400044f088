"""Where everything on a castle tile goes: computed from the segments of a face alone, before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from PIL import Image, ImageChops

from engine.once import recent
from engine.the_castle.tiles import Face, FeatureKind, TileKind
from engine.tiles import Segment
from renderers import masks
from renderers.masks import decoration_dice
from renderers.shapes import CENTRE, Point, along, distance, rectangle, turned_line
from renderers.the_castle.faces.labels import LabelMap
from renderers.the_castle.faces.ways import WELL_ROOM, PathLine, Ways, ways_of

MARKET_ROOM: Final = 0.19
HOUSE_SIZE: Final = 1.25
_HOUSE_STEP: Final = 0.19
_HOUSE_ROW: Final = 0.138
_TREE_ROOM: Final = 0.05
_BESIDE: Final = 0.2
"""How far from a well a herald stands."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A face laid out, in units of the tile; the points of what stands upright are the middles of their feet."""

    face: Face
    ways: Ways
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

    def labels(self, scale: int, margin: int = 0, closed: int = 0) -> LabelMap:
        """The map of its segments, see :class:`renderers.the_castle.faces.labels.LabelMap`."""
        return LabelMap(self.face, self.ways, scale, margin, closed)


@recent(512)
def layout_of(tile: TileKind, rotation: int) -> Layout:
    """The layout of a tile turned clockwise by so many degrees."""
    face = tile.faces[rotation // 90]
    ways = ways_of(face)
    labels = LabelMap(face, ways, masks.GRID)
    dice = decoration_dice(tile.id)
    markets = tuple(_markets(face, labels))
    taken = [*((at, MARKET_ROOM) for at in markets), *((at, WELL_ROOM) for _, at in ways.wells)]
    return Layout(
        face=face,
        ways=ways,
        markets=markets,
        turrets=tuple(_turrets(face, labels)),
        houses=tuple(_houses(dice, face, labels, taken)),
        trees=tuple(_trees(dice, face, labels, taken)),
        anchors=tuple(
            _on_path([path for path in ways.paths if path.segment == index], ways)
            if kind is FeatureKind.PATH
            else masks.heart(masks.without_discs(labels.area(index), taken))[0]
            for index, kind in enumerate(face.kinds)
        ),
    )


def anchor(tile: TileKind, rotation: int, segment: Segment) -> Point:
    """Where the figure on a segment (board oriented) stands.

    Raises:
        ValueError: the face has no such segment.
    """
    layout = layout_of(tile, rotation)
    return layout.anchors[layout.index_of(segment)]


def _on_path(stretches: Sequence[PathLine], ways: Ways) -> Point:
    """The middle of a path, or a place on it beside its well."""
    if len(stretches) > 1:
        points = [CENTRE, *(along(path.line, 0.5) for path in stretches)]
    else:
        points = [along(stretches[0].line, part) for part in (0.5, 0.25, 0.8, 0.2)]
    return max(points, key=lambda point: min((distance(point, at) for _, at in ways.wells), default=_BESIDE) >= _BESIDE)


def _markets(face: Face, labels: LabelMap) -> Iterator[Point]:
    for index, segment in enumerate(face.segments):
        area = labels.area(index)
        for _ in range(segment.markets):
            (x, y), _ = masks.heart(area)
            yield (min(max(x, 0.2), 0.8), min(max(y, 0.2), 0.84))
            area = masks.without_disc(area, (x, y), MARKET_ROOM)


def _turrets(face: Face, labels: LabelMap) -> Iterator[tuple[Point, float]]:
    """One in each quarter that a tower fills, clockwise from what is the north-west when the tile is not turned."""
    turn = face.rotation // 90
    for index, segment in enumerate(face.segments):
        if segment.kind is not FeatureKind.TOWER:
            continue
        for quarter in sorted(segment.quarters, key=lambda quarter: (quarter - turn) % 4):
            box = turned_line(((0.0, 0.0), (0.5, 0.5)), quarter)
            (left, right), (top, bottom) = (sorted(values) for values in zip(*box, strict=True))
            part = Image.new("L", (masks.GRID, masks.GRID))
            part.paste(255, tuple(round(value * masks.GRID) for value in (left, top, right, bottom)))
            yield masks.heart(ImageChops.multiply(part, labels.area(index)))


def _houses(dice: Random, face: Face, labels: LabelMap, taken: Iterable[tuple[Point, float]]) -> Iterator[Point]:
    """Rows of houses wherever there is room for one, from north to south."""
    homes = {index for index, kind in enumerate(face.kinds) if kind is FeatureKind.HOUSE}
    half = 0.07 * HOUSE_SIZE
    for row in range(round(1 / _HOUSE_ROW) + 1):
        for column in range(round(1 / _HOUSE_STEP) + 2):
            x = (column + 0.5 * (row % 2)) * _HOUSE_STEP + dice.uniform(-0.015, 0.015)
            y = (row + 1) * _HOUSE_ROW + dice.uniform(-0.012, 0.012)
            if half < x < 1 - half and y < 0.985:
                corners = {labels.owner(point) for point in rectangle(x - half, y - 0.11, x + half, y + 0.015)}
                near = any(distance(at, (x, y - 0.05)) < room + half for at, room in taken)
                if len(corners) == 1 and corners <= homes and not near:
                    yield (x, y)


def _trees(dice: Random, face: Face, labels: LabelMap, taken: Iterable[tuple[Point, float]]) -> Iterator[Point]:
    """A few trees in each court, off its middle."""
    full = [(at, room + _TREE_ROOM) for at, room in taken]
    for index, segment in enumerate(face.segments):
        if segment.kind is not FeatureKind.COURT:
            continue
        area = masks.without_discs(masks.shrunk(labels.area(index), 0.075), full)
        for _ in range(len(segment.quarters) + 1):
            cells = masks.cells_of(area)
            if not cells:
                break
            at = dice.choice(cells)
            yield at
            area = masks.without_disc(area, at, 0.14)
