"""The landscape: the tiles on the table, the cells where further tiles fit, and how segments join into features.

A segment is the part of a feature (road, city, field, monastery) on one tile; segments that meet at a side become one
feature, see :mod:`engine.board`. Fields meet at half-sides, since a road in the middle of a side separates two of them.
Codes such as BA-19 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple, Self, cast

from engine.actions import Seat
from engine.board import Board, Figure, SegmentNumber
from engine.carcassonne.tiles import EDGE_OF, Face, FeatureKind, Segment, TileKind, edge_constraint
from engine.geometry import AROUND, STEP, Cell, Square


class PlacedTile(NamedTuple):
    """A tile on the table.

    ``edges`` and ``sides`` (the segment at each side, -1 at a field) are those of the tile, with any added segments.
    ``base`` is the global number of the first segment. ``added`` are the segments put on the tile after it was laid,
    with their numbers.
    """

    square: Square
    face: Face
    player: Seat
    number: int
    base: SegmentNumber
    edges: int
    sides: tuple[SegmentNumber, ...]
    added: tuple[tuple[SegmentNumber, Segment], ...] = ()

    @property
    def cell(self) -> Cell:
        """The cell on which it lies."""
        return Cell.at(self.square)

    @property
    def tile(self) -> TileKind:
        """The kind of tile."""
        return self.face.tile

    @property
    def rotation(self) -> int:
        """The rotation in degrees clockwise."""
        return self.face.rotation


Veto = Callable[["Landscape", TileKind, Square, int], bool]
"""A function that returns True if a box forbids a placement whose edges fit.

It gets the board, the tile, the square and the rotation in degrees."""


class Landscape(Board):
    """The tiles of Carcassonne and the features that they form; turns and points are kept elsewhere.

    The open ends of a city or road are its sides without a neighbouring tile, those of a monastery its missing
    neighbours. Marks are pennants. A kind that only a box has is complete as a monastery is if it is in ``surrounded``.
    """

    __slots__ = ("frontier", "placed", "surrounded", "unsurrounded", "vetoes")

    def __init__(
        self,
        figures: Mapping[str, Figure],
        vetoes: Mapping[TileKind, Sequence[Veto]] = MappingProxyType({}),
        surrounded: frozenset[str] = frozenset({FeatureKind.MONASTERY}),
    ) -> None:
        super().__init__(figures)
        self.surrounded = surrounded
        """The kinds of features in play that are complete when the cells around them are filled."""
        self.vetoes = vetoes
        """The vetoes of boxes on placements, by kind of tile; most kinds have none."""
        self.placed: dict[int, PlacedTile] = {}
        """Tiles by square, in the order of placing."""
        self.frontier: dict[Square, int] = {}
        """The empty cells beside a tile, each with its constraint on edges.

        The lower 16 bits are a mask of the fixed edge bits, the upper 16 bits are their values.
        """
        self.unsurrounded: dict[int, SegmentNumber] = {}
        """Unfinished monasteries and other unfinished features in ``surrounded``: their segments by square."""

    def copy(self) -> Self:
        """Return an independent landscape in the same state."""
        duplicate = super().copy()
        duplicate.vetoes = self.vetoes
        duplicate.placed = self.placed.copy()
        duplicate.frontier = self.frontier.copy()
        duplicate.surrounded = self.surrounded
        duplicate.unsurrounded = self.unsurrounded.copy()
        return duplicate

    # -- laying ---------------------------------------------------------------------------------------------------

    def place(self, square: Square, face: Face, player: Seat) -> PlacedTile:
        """Lay a tile without checking its edges, and join its segments to those of its neighbours."""
        number = len(self.order)
        base = self.add_segments(square, face.kinds, face.ends, face.marks)
        sides = cast("tuple[SegmentNumber, ...]", tuple([base + at if at >= 0 else -1 for at in face.side_segments]))
        tile = PlacedTile(square, face, player, number, base, face.edges, sides)
        self.placed[square] = tile
        self.frontier.pop(square, None)
        for side in (0, 1, 2, 3):
            neighbour = self.placed.get(square + STEP[side])
            if neighbour is None:
                beyond = Square(square + STEP[side])
                self.frontier[beyond] = self.frontier.get(beyond, 0) | face.edge_constraints[side]
            else:
                self._join_sides(tile, side, neighbour)
        self._count_surroundings(tile)
        return tile

    def add_segment(self, square: Square, segment: Segment) -> SegmentNumber:
        """Put a city or road on a tile that lies already; it replaces the edges at its sides, but fields stay whole.

        Returns the number of the new segment.
        """
        tile, number = self.placed[square], SegmentNumber(len(self.parent))
        self.home.append(square)
        self.parent.append(number)
        self.kind.append(segment.kind)
        self.ends.append(len(segment.places))
        self.tiles.append(1 << tile.number)
        self.marks.append(segment.pennants)
        self.holders.append(())
        self.touched.append(number)
        sides, edges = list(tile.sides), tile.edges
        for side in segment.places:
            change = (edges >> (4 * side) & 15) ^ EDGE_OF[segment.kind]
            sides[side] = number
            edges ^= change << (4 * side)
            self._join_added(number, Square(square + STEP[side]), side, change)
        added = (*tile.added, (number, segment))
        self.placed[square] = tile._replace(sides=tuple(sides), edges=edges, added=added)
        return number

    def _join_added(self, number: SegmentNumber, beyond: Square, side: int, change: int) -> None:
        """Join an added segment to the neighbour at a side, or change the constraint of the empty cell there."""
        neighbour = self.placed.get(beyond)
        if neighbour is None:
            self.frontier[beyond] ^= edge_constraint(side, change) & ~0xFFFF
        elif neighbour.sides[side - 2] >= 0:  # the opposite side: a tuple accepts -1 and -2
            self.join_across(number, neighbour.sides[side - 2])
        elif neighbour.face.closes:
            self._close(number)

    def _join_sides(self, tile: PlacedTile, side: int, neighbour: PlacedTile) -> None:
        """Join the segments of two neighbours at their common side, and the fields at both halves of it."""
        opposite = side - 2  # the same as (side + 2) % 4, since a tuple accepts -1 and -2
        own, other = tile.sides[side], neighbour.sides[opposite]
        if own >= 0 and other >= 0:
            self.join_across(own, other)
        elif own != other and (tile.face.closes or neighbour.face.closes):
            self._close(max(own, other))
        halves, other_halves = tile.face.half_segments, neighbour.face.half_segments
        left, right = halves[2 * side], halves[2 * side + 1]
        if left >= 0 and other_halves[2 * opposite + 1] >= 0:
            other = SegmentNumber(neighbour.base + other_halves[2 * opposite + 1])
            self.join(SegmentNumber(tile.base + left), other)
        if right >= 0 and other_halves[2 * opposite] >= 0:
            other = SegmentNumber(neighbour.base + other_halves[2 * opposite])
            self.join(SegmentNumber(tile.base + right), other)

    def _close(self, number: SegmentNumber) -> None:
        """Close one end of a feature at a side that does not join it."""
        self.ends[self.find(number)] -= 1
        self.touched.append(number)

    def _count_surroundings(self, tile: PlacedTile) -> None:
        """Count the new tile as a neighbour of monasteries, and the neighbours of a new monastery (BA-19)."""
        if self.unsurrounded:
            for step in AROUND:
                segment = self.unsurrounded.get(tile.square + step)
                if segment is not None:
                    self.ends[segment] -= 1
                    if not self.ends[segment]:
                        del self.unsurrounded[tile.square + step]
                        self.touched.append(segment)
        index = tile.face.surrounded
        if index >= 0 and tile.face.kinds[index] in self.surrounded:
            segment = SegmentNumber(tile.base + index)
            self.ends[segment] = 8 - sum(tile.square + step in self.placed for step in AROUND)
            if self.ends[segment]:
                self.unsurrounded[tile.square] = segment

    # -- queries ------------------------------------------------------------------------------------------------------

    def segment_of(self, number: SegmentNumber) -> tuple[PlacedTile, Segment]:
        """Return the tile and the board oriented segment with this global number."""
        tile = self.placed[self.home[number]]
        index, printed = number - tile.base, tile.face.segments
        if index < len(printed):
            return tile, printed[index]
        return tile, dict(tile.added)[number]

    def part(self, number: SegmentNumber) -> tuple[Cell, Segment]:
        """Return the cell and the board oriented segment with this global number."""
        tile, segment = self.segment_of(number)
        return tile.cell, segment

    def numbers_at(self, square: Square) -> Iterator[SegmentNumber]:
        """Return the global numbers of the segments on a square, added ones last; none if no tile lies there."""
        tile = self.placed.get(square)
        return (number for number, _ in self.segments(tile)) if tile else iter(())

    def segments(self, tile: PlacedTile) -> Iterator[tuple[SegmentNumber, Segment]]:
        """Yield the segments of a tile with their global numbers, added ones last."""
        printed: Iterator[tuple[SegmentNumber, Segment]]
        printed = enumerate(tile.face.segments, tile.base)  # type: ignore[assignment]  # a cast is a call
        return chain(printed, tile.added) if tile.added else printed
