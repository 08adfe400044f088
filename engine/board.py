"""The board of every game: segments of tiles that join into features.

A segment is the part of a road, city or other feature on one tile. Segments have global numbers in the order of
placing; features are sets of them, kept by union-find: the lists ``parent``, ``kind``, ``ends``, ``tiles``, ``marks``
and ``holders`` have one entry a segment. The root of a feature is the segment that represents it: its entries hold for
the whole feature. All entries are immutable, so a copy of the lists is a copy of the board. Codes such as BA-20 are
rules of the rule digest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, NewType, Self

from engine.actions import Seat
from engine.geometry import Cell, Square
from engine.tiles import Segment

SegmentNumber = NewType("SegmentNumber", int)
"""The number of a segment on the whole board, in the order of placing; a root stands for its feature."""
NEVER_COMPLETE: Final = 1 << 30
"""The open ends of a feature that can never be complete, such as a field or court: no game can close so many."""


class Follower(NamedTuple):
    """A figure on a segment (global number)."""

    player: Seat
    figure: str
    segment: SegmentNumber


def counts_once(_board: Board, _follower: Follower) -> int:
    """The weight of an ordinary figure."""
    return 1


def counts_nothing(_board: Board, _follower: Follower) -> int:
    """The weight of a figure that does not count for the majority."""
    return 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A kind of figure.

    ``count`` is the number that each player has. ``is_follower`` is true if the rules about followers apply to it.
    ``weight`` returns how much one of them counts for the majority, which may depend on the feature where it stands.
    """

    name: str
    count: int
    is_follower: bool = True
    weight: Callable[[Board, Follower], int] = counts_once


class Board(ABC):
    """Segments joined into features; turns and points are kept elsewhere."""

    __slots__ = ("ends", "figures", "holders", "home", "kind", "marks", "order", "parent", "tiles", "touched")

    def __init__(self, figures: Mapping[str, Figure]) -> None:
        self.figures = figures
        """The kinds of figures in the game, by name."""
        self.order: list[Square] = []
        """Squares by tile number."""
        self.home: list[Square] = []
        """The square of each segment's tile."""
        self.parent: list[SegmentNumber] = []
        self.kind: list[str] = []
        self.ends: list[int] = []
        """Open ends of each feature; 0 means complete."""
        self.tiles: list[int] = []
        """The tiles of each feature, as a bit set of tile numbers."""
        self.marks: list[int] = []
        """The pennants, wells or markets of each feature."""
        self.holders: list[tuple[Follower, ...]] = []
        """The figures of each feature; only roots have any."""
        self.touched: list[SegmentNumber] = []
        """Segments that the current placement laid or closed; their features may be complete now."""

    def copy(self) -> Self:
        """Return an independent board in the same state."""
        duplicate = type(self).__new__(type(self))
        duplicate.figures = self.figures
        duplicate.order = self.order.copy()
        duplicate.home = self.home.copy()
        duplicate.parent = self.parent.copy()
        duplicate.kind = self.kind.copy()
        duplicate.ends = self.ends.copy()
        duplicate.tiles = self.tiles.copy()
        duplicate.marks = self.marks.copy()
        duplicate.holders = self.holders.copy()
        duplicate.touched = self.touched.copy()
        return duplicate

    def add_segments(
        self, square: Square, kinds: Sequence[str], ends: Sequence[int], marks: Sequence[int]
    ) -> SegmentNumber:
        """Add the segments of the next tile, each a feature of its own; return the number of the first."""
        base, count = SegmentNumber(len(self.parent)), len(kinds)
        numbers: Sequence[SegmentNumber] = range(base, base + count)  # type: ignore[assignment]  # a cast is a call
        self.home.extend([square] * count)
        self.parent.extend(numbers)
        self.kind.extend(kinds)
        self.ends.extend(ends)
        self.tiles.extend([1 << len(self.order)] * count)
        self.marks.extend(marks)
        self.holders.extend([()] * count)
        self.touched.extend(numbers)
        self.order.append(square)
        return base

    def join(self, first: SegmentNumber, second: SegmentNumber) -> SegmentNumber:
        """Join the features of two segments and return the root."""
        a, b = self.find(first), self.find(second)
        if a == b:
            return a
        # The larger feature keeps its root, which keeps the trees shallow; see ``find``.
        if self.tiles[a].bit_count() < self.tiles[b].bit_count():
            a, b = b, a
        self.parent[b] = a
        self.ends[a] += self.ends[b]
        self.tiles[a] |= self.tiles[b]
        self.marks[a] += self.marks[b]
        if self.holders[b]:
            self.holders[a] += self.holders[b]
            self.holders[b] = ()
        return a

    def join_across(self, first: SegmentNumber, second: SegmentNumber) -> None:
        """Join two segments across a side, which closes an end of each."""
        self.ends[self.join(first, second)] -= 2

    def find(self, segment: SegmentNumber) -> SegmentNumber:
        """Return the root of the segment's feature."""
        # No path compression: a copy of the lists has to stay independent, and trees by size are shallow.
        parent = self.parent
        while parent[segment] != segment:
            segment = parent[segment]
        return segment

    def take_completed(self) -> tuple[SegmentNumber, ...]:
        """Return the roots of the features that the placement completed, and forget the placement."""
        roots = {self.find(segment): None for segment in self.touched}
        self.touched.clear()
        return tuple(root for root in roots if not self.ends[root])

    def never_complete(self, root: SegmentNumber) -> bool:
        """Return True if a feature can never be complete."""
        return self.ends[root] > NEVER_COMPLETE // 2

    def is_follower(self, figure: Follower) -> bool:
        """Return True if a figure on the board is one that the rules call a follower."""
        return self.figures[figure.figure].is_follower

    def owners(self, root: SegmentNumber) -> tuple[Seat, ...]:
        """Return the seats with the majority in a feature."""
        return self.majority(self.holders[root])

    def majority(self, followers: Iterable[Follower]) -> tuple[Seat, ...]:
        """Return the seats with the greatest weight of figures, in seat order; several on a tie (BA-20, TC-41)."""
        weights: dict[Seat, int] = {}
        for follower in followers:
            weight = self.figures[follower.figure].weight(self, follower)
            if weight:
                weights[follower.player] = weights.get(follower.player, 0) + weight
        if len(weights) < 2:
            return tuple(weights)
        highest = max(weights.values())
        return tuple(sorted(player for player, weight in weights.items() if weight == highest))

    @property
    def numbers(self) -> Sequence[SegmentNumber]:
        """The numbers of all segments, in the order of placing."""
        return range(len(self.parent))  # type: ignore[return-value]  # a cast would be a call

    @abstractmethod
    def part(self, number: SegmentNumber) -> tuple[Cell, Segment]:
        """Return the cell and the board oriented segment with this global number."""

    @abstractmethod
    def numbers_at(self, square: Square) -> Iterable[SegmentNumber]:
        """Return the global numbers of the segments on a square; none if no tile lies there."""

    def number_of(self, cell: Cell, name: str) -> SegmentNumber:
        """Return the global number of a segment; any of its places may name it.

        Raises:
            KeyError: there is no such segment.
        """
        for number in self.numbers_at(cell.square):
            if self.part(number)[1].is_named(name):
                return number
        raise KeyError(f"no segment {name!r} on {cell.label}")

    def cells(self, root: SegmentNumber) -> tuple[Cell, ...]:
        """Return the cells of a feature, in the order of placing."""
        return tuple(Cell.at(self.order[number]) for number in bits(self.tiles[root]))


def bits(value: int) -> Iterator[int]:
    """Yield the numbers in a bit set, smallest first."""
    while value:
        low = value & -value
        yield low.bit_length() - 1
        value ^= low
