"""Hints that are found by trying out every tile: what games share that lay tiles beside each other."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from engine.actions import NO_SEAT, Action, Seat
from engine.board import Board, SegmentNumber
from engine.caching import lazy_property
from engine.geometry import Cell, Square
from engine.hints import Candidate, DeadCells, Gap, Hints, Missing, TileCount
from engine.position import Position
from engine.tiles import TileKind
from engine.views import Feature

P = TypeVar("P", bound=Position)
K = TypeVar("K", bound=TileKind)


class Way(NamedTuple, Generic[K]):
    """One way to lay a tile: ``aid`` is what makes it fit, and ``player`` somebody who has the piece for it."""

    place: Square
    kind: K
    rotation: int
    player: Seat = NO_SEAT
    aid: Action | None = None


class TriedHints(Hints[P], Generic[P, K]):
    """What is left, what fits where, and what closes a gap; each game says how a tile is laid."""

    # -- what a game says -----------------------------------------------------------------------------------------

    @abstractmethod
    def kind(self, tile_id: str) -> K:
        """The tile with this id."""

    @abstractmethod
    def face_down(self) -> Sequence[str]:
        """The ids of the tiles that nobody has seen."""

    def turned_up(self) -> Iterable[K]:
        """Tiles beside the one in hand that everybody sees and that are still to be placed."""
        return ()

    @abstractmethod
    def ways(self, kind: K) -> Iterable[Way[K]]:
        """The ways to lay a tile without aid, in rotations that look different."""

    def aided_ways(self, kind: K) -> Iterable[Way[K]]:
        """The ways that need a piece which somebody has left."""
        return ()

    @abstractmethod
    def after(self, way: Way[K]) -> Board:
        """A copy of the board on which a tile has been laid so."""

    def fills(self, feature: Feature) -> bool:
        """Whether a gap of the feature only has to be filled, with whatever fits there."""
        return False

    # -- tiles ----------------------------------------------------------------------------------------------------

    def remaining(self) -> tuple[TileCount, ...]:
        """Every kind of tile in the pile, with how many of it lie face down."""
        left = Counter(self.face_down())
        return tuple(TileCount(self.kind(tile_id), left[tile_id]) for tile_id in sorted(set(self.position.setup.pile)))

    @lazy_property
    def ahead(self) -> Counter[K]:
        """What is still to be placed, by id: face down, in hand, or turned up."""
        tiles = [*map(self.kind, self.face_down()), *self.turned_up()]
        if self.position.hand is not None:
            tiles.append(self.kind(self.position.hand.id))
        return Counter(sorted(tiles, key=lambda kind: kind.id))

    # -- cells ----------------------------------------------------------------------------------------------------

    @lazy_property
    def _plain(self) -> Mapping[Square, Sequence[Way[K]]]:
        """The ways to lay what is ahead without aid, by place."""
        return self._by_place(way for kind in self.ahead for way in self.ways(kind))

    @lazy_property
    def _aided(self) -> Mapping[Square, Sequence[Way[K]]]:
        """The same with aid."""
        return self._by_place(way for kind in self.ahead for way in self.aided_ways(kind))

    def _by_place(self, ways: Iterable[Way[K]]) -> Mapping[Square, Sequence[Way[K]]]:
        found: dict[Square, list[Way[K]]] = {cell.square: [] for cell in self.position.open_cells()}
        for way in ways:
            found[way.place].append(way)
        return found

    def dead_cells(self) -> DeadCells:
        """The open cells into which no tile fits, and those where one fits only with aid; none at the end."""
        if not self.ahead:
            return DeadCells((), ())
        blank = sorted(place for place, ways in self._plain.items() if not ways)
        aided = [place for place in blank if self._aided[place]]
        dead = [place for place in blank if place not in aided]
        return DeadCells(tuple(map(Cell.at, dead)), tuple(map(Cell.at, aided)))

    # -- features -------------------------------------------------------------------------------------------------

    def completion(self, feature: Feature) -> Missing | None:
        """What completes a feature; None for what is complete, or never can be."""
        if feature.open_ends <= 0:
            return None
        number = self.number(feature)
        ends = Counter(self.beyond(feature))
        gaps = tuple(self._gap(feature, number, place, count) for place, count in sorted(ends.items()))
        least = len(gaps)
        if least == 1 and not gaps[0].closing:
            least = 2
        impossible = any(gap.dead for gap in gaps) or self.ahead.total() < least
        return Missing(gaps, least, impossible)

    def _gap(self, feature: Feature, number: SegmentNumber, place: Square, ends: int) -> Gap:
        """The gap at a place where so many ends of a feature are open, found by trying every tile there."""
        ways = [*self._plain.get(place, ()), *self._aided.get(place, ())]
        dead = place in self._plain and not ways
        if not self.fills(feature):
            ways = [way for way in ways if self._ends_after(number, way) == feature.open_ends - ends]
        return Gap(Cell.at(place), self._candidates(ways), dead)

    def _ends_after(self, number: SegmentNumber, way: Way[K]) -> int:
        board = self.after(way)
        return board.ends[board.find(number)]

    def _candidates(self, ways: Iterable[Way[K]]) -> tuple[Candidate, ...]:
        """The ways by kind of tile; a kind that needs no aid is not named with it."""
        turns: dict[tuple[K, bool], dict[int, None]] = {}
        for way in ways:
            turns.setdefault((way.kind, way.aid is not None), {})[way.rotation] = None
        return tuple(
            Candidate(kind, tuple(rotations), self.ahead[kind], with_aid)
            for (kind, with_aid), rotations in turns.items()
            if not with_aid or (kind, False) not in turns
        )

    def number(self, feature: Feature) -> SegmentNumber:
        """The global number of a feature's first segment."""
        board, (cell, _) = self.position.board, feature.parts[0]
        numbers = (number for number, place in zip(board.numbers, board.home, strict=True) if place == cell.square)
        return next(number for number in numbers if board.part(number) == feature.parts[0])
