"""The tiles on the table and the features that they join into.

Segments have global numbers in the order of placing; features are sets of them, kept by union-find: the lists
``parent``, ``kind``, ``ends``, ``tiles``, ``pennants`` and ``holders`` have one entry a segment, and the entry of a
root speaks for its whole feature. Everything in them is immutable, so a copy of the lists is a copy of the landscape.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.geometry import AROUND, STEP, Axis, Cell
from engine.tiles import FIELD_EDGE, ROAD_EDGE, Face, FeatureKind, Segment, TileKind, lip


class Follower(NamedTuple):
    """A figure on a segment (global number) of the landscape."""

    player: int
    figure: str
    segment: int


class PlacedTile(NamedTuple):
    """A tile on the table.

    ``edges`` and ``sides`` (the segment at each side, -1 at a field) are those of the face, changed by a bridge;
    ``base`` is the global number of its first segment; ``span`` that of its bridge, -1 without one.
    """

    position: int
    face: Face
    player: int
    number: int
    base: int
    edges: int
    sides: tuple[int, ...]
    bridge: Axis | None = None
    span: int = -1

    @property
    def cell(self) -> Cell:
        """Where it lies."""
        return Cell.at(self.position)

    @property
    def tile(self) -> TileKind:
        """What is printed on it."""
        return self.face.tile

    @property
    def rotation(self) -> int:
        """Degrees clockwise."""
        return self.face.rotation


class Landscape:
    """Tiles and features; knows joining and completing, but no players' turns and no points."""

    __slots__ = (
        "ends",
        "frontier",
        "holders",
        "home",
        "kind",
        "order",
        "parent",
        "pennants",
        "placed",
        "tiles",
        "touched",
        "waiting",
    )

    def __init__(self) -> None:
        self.placed: dict[int, PlacedTile] = {}
        """Tiles by position, in the order of placing."""
        self.order: list[int] = []
        """Positions by tile number."""
        self.frontier: dict[int, int] = {}
        """Empty cells beside a tile: a mask of the edge bits that are fixed, and 16 bits above it their values."""
        self.home: list[int] = []
        """The position of each segment's tile."""
        self.parent: list[int] = []
        self.kind: list[str] = []
        self.ends: list[int] = []
        """Open ends: sides without a neighbour (city, road) or missing neighbours (monastery); 0 is complete."""
        self.tiles: list[int] = []
        """Bit set of tile numbers."""
        self.pennants: list[int] = []
        self.holders: list[tuple[Follower, ...]] = []
        self.waiting: dict[int, int] = {}
        """Unfinished monasteries: position to segment."""
        self.touched: list[int] = []
        """Segments that the current placement laid or finished, whose features may be complete now."""

    def copy(self) -> Landscape:
        """An independent landscape in the same state."""
        other = Landscape.__new__(Landscape)
        other.placed = self.placed.copy()
        other.order = self.order.copy()
        other.frontier = self.frontier.copy()
        other.home = self.home.copy()
        other.parent = self.parent.copy()
        other.kind = self.kind.copy()
        other.ends = self.ends.copy()
        other.tiles = self.tiles.copy()
        other.pennants = self.pennants.copy()
        other.holders = self.holders.copy()
        other.waiting = self.waiting.copy()
        other.touched = self.touched.copy()
        return other

    # -- laying ---------------------------------------------------------------------------------------------------

    def place(self, position: int, face: Face, player: int) -> PlacedTile:
        """Lay a tile without checking its edges, and join its segments to those of its neighbours."""
        number, base = len(self.order), len(self.parent)
        count = len(face.kinds)
        self.home.extend([position] * count)
        self.parent.extend(range(base, base + count))
        self.kind.extend(face.kinds)
        self.ends.extend(face.ends)
        self.tiles.extend([1 << number] * count)
        self.pennants.extend(face.pennants)
        self.holders.extend([()] * count)
        self.touched.extend(range(base, base + count))
        sides = tuple([base + index if index >= 0 else -1 for index in face.side_segments])
        tile = PlacedTile(position, face, player, number, base, face.edges, sides)
        self.order.append(position)
        self.placed[position] = tile
        self.frontier.pop(position, None)
        for side in (0, 1, 2, 3):
            beyond = position + STEP[side]
            neighbour = self.placed.get(beyond)
            if neighbour is None:
                self.frontier[beyond] = self.frontier.get(beyond, 0) | face.lips[side]
            else:
                self._join_sides(tile, side, neighbour)
        self._count_monasteries(tile)
        return tile

    def build_bridge(self, position: int, axis: Axis) -> int:
        """Carry a road over a tile (BR-20); the fields below stay whole (BR-24). Returns the new segment."""
        tile = self.placed[position]
        span = len(self.parent)
        self.home.append(position)
        self.parent.append(span)
        self.kind.append(FeatureKind.ROAD)
        self.ends.append(2)
        self.tiles.append(1 << tile.number)
        self.pennants.append(0)
        self.holders.append(())
        self.touched.append(span)
        sides, edges = list(tile.sides), tile.edges
        for side in axis.sides:
            sides[side] = span
            edges ^= (FIELD_EDGE ^ ROAD_EDGE) << (4 * side)
        tile = tile._replace(sides=tuple(sides), edges=edges, bridge=axis, span=span)
        self.placed[position] = tile
        for side in axis.sides:
            beyond = position + STEP[side]
            neighbour = self.placed.get(beyond)
            if neighbour is None:
                self.frontier[beyond] ^= lip(side, FIELD_EDGE ^ ROAD_EDGE) & ~0xFFFF
            elif neighbour.sides[side - 2] >= 0:
                self._join_across(span, neighbour.sides[side - 2])
        return span

    def _join_sides(self, tile: PlacedTile, side: int, neighbour: PlacedTile) -> None:
        opposite = side - 2
        mine, theirs = tile.sides[side], neighbour.sides[opposite]
        if mine >= 0 and theirs >= 0:
            self._join_across(mine, theirs)
        halves, other_halves = tile.face.half_segments, neighbour.face.half_segments
        left, right = halves[2 * side], halves[2 * side + 1]
        if left >= 0 and other_halves[2 * opposite + 1] >= 0:
            self._join(tile.base + left, neighbour.base + other_halves[2 * opposite + 1])
        if right >= 0 and other_halves[2 * opposite] >= 0:
            self._join(tile.base + right, neighbour.base + other_halves[2 * opposite])

    def _join_across(self, one: int, other: int) -> None:
        """Join two city or road segments across a side, which closes one end of each."""
        self.ends[self._join(one, other)] -= 2

    def _join(self, one: int, other: int) -> int:
        a, b = self.find(one), self.find(other)
        if a == b:
            return a
        if self.tiles[a].bit_count() < self.tiles[b].bit_count():
            a, b = b, a
        self.parent[b] = a
        self.ends[a] += self.ends[b]
        self.tiles[a] |= self.tiles[b]
        self.pennants[a] += self.pennants[b]
        if self.holders[b]:
            self.holders[a] += self.holders[b]
            self.holders[b] = ()
        return a

    def _count_monasteries(self, tile: PlacedTile) -> None:
        """Tell the monasteries around of their new neighbour, and a new one of those it has (BA-19)."""
        if self.waiting:
            for step in AROUND:
                segment = self.waiting.get(tile.position + step)
                if segment is not None:
                    self.ends[segment] -= 1
                    if not self.ends[segment]:
                        del self.waiting[tile.position + step]
                        self.touched.append(segment)
        if tile.face.monastery >= 0:
            segment = tile.base + tile.face.monastery
            self.ends[segment] -= sum(tile.position + step in self.placed for step in AROUND)
            if self.ends[segment]:
                self.waiting[tile.position] = segment

    # -- asking ---------------------------------------------------------------------------------------------------

    def find(self, segment: int) -> int:
        """The root of the segment's feature."""
        parent = self.parent
        while parent[segment] != segment:
            segment = parent[segment]
        return segment

    def take_completed(self) -> tuple[int, ...]:
        """The roots of the features that the placement completed, each once; asks anew from here on."""
        roots = {self.find(segment): None for segment in self.touched}
        self.touched.clear()
        return tuple(root for root in roots if not self.ends[root])

    def segment_of(self, number: int) -> tuple[PlacedTile, Segment]:
        """The tile and the board oriented segment with this global number."""
        tile = self.placed[self.home[number]]
        if number == tile.span and tile.bridge is not None:
            return tile, bridge_segment(tile.bridge)
        return tile, tile.face.segments[number - tile.base]

    def segments(self, tile: PlacedTile) -> Iterator[tuple[int, Segment]]:
        """The segments of a tile with their global numbers, its bridge last."""
        yield from enumerate(tile.face.segments, tile.base)
        if tile.bridge is not None:
            yield tile.span, bridge_segment(tile.bridge)

    def cells(self, root: int) -> tuple[Cell, ...]:
        """The cells of a feature, in order of placing."""
        return tuple(Cell.at(self.order[number]) for number in bits(self.tiles[root]))


def bits(value: int) -> Iterator[int]:
    """The numbers in a bit set, smallest first."""
    while value:
        low = value & -value
        yield low.bit_length() - 1
        value ^= low


def bridge_segment(axis: Axis) -> Segment:
    """The road that a bridge carries."""
    return Segment(FeatureKind.ROAD, tuple(sorted(axis.sides)))
