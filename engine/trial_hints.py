"""Hints that are computed by trying every tile on a copy of the board; the base class of all games' hints.

A gap is an empty cell at which a feature is open. To find the tiles that close it, each kind is laid there in every
rotation, and the open ends of the feature are compared.
"""

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
"""A game's positions."""
K = TypeVar("K", bound=TileKind)
"""A game's kinds of tiles."""


class TrialPlacement(NamedTuple, Generic[K]):
    """A placement to try.

    ``aid`` is the action that makes the tile fit with a piece of a box, ``player`` a player who has that piece.
    """

    place: Square
    kind: K
    rotation: int
    player: Seat = NO_SEAT
    aid: Action | None = None


class TrialHints(Hints[P], Generic[P, K]):
    """Hints on the remaining tiles, the cells where they fit, and the tiles that close gaps.

    Each game implements how a tile is laid.
    """

    # -- implemented by a game ----------------------------------------------------------------------------------------

    @abstractmethod
    def kind(self, tile_id: str) -> K:
        """Return the tile with this id."""

    @abstractmethod
    def face_down(self) -> Sequence[str]:
        """Return the ids of the tiles that no player has seen."""

    def face_up_tiles(self) -> Iterable[K]:
        """Return the tiles, beside the one in hand, that lie face up and are still to be placed."""
        return ()

    @abstractmethod
    def placements(self, kind: K) -> Iterable[TrialPlacement[K]]:
        """Return the placements of a tile without aid, in rotations that look different."""

    def aided_placements(self, kind: K) -> Iterable[TrialPlacement[K]]:
        """Return the placements of a tile that need a piece which a player has left."""
        return ()

    @abstractmethod
    def board_after(self, placement: TrialPlacement[K]) -> Board:
        """Return a copy of the board with this placement made."""

    def closed_by_any_tile(self, feature: Feature) -> bool:
        """Return True if any tile that fits closes a gap of the feature."""
        return False

    # -- tiles ----------------------------------------------------------------------------------------------------

    def remaining(self) -> tuple[TileCount, ...]:
        """Return every kind of tile in the pile with the number of tiles that lie face down."""
        counts = Counter(self.face_down())
        return tuple(TileCount(self.kind(name), counts[name]) for name in sorted(set(self.position.setup.pile)))

    @lazy_property
    def tiles_to_place(self) -> Counter[K]:
        """The tiles still to be placed, sorted by id: face down, in hand, or turned up."""
        tiles = [*map(self.kind, self.face_down()), *self.face_up_tiles()]
        if self.position.hand is not None:
            tiles.append(self.kind(self.position.hand.id))
        return Counter(sorted(tiles, key=lambda kind: kind.id))

    # -- cells ----------------------------------------------------------------------------------------------------

    @lazy_property
    def _unaided_by_square(self) -> Mapping[Square, Sequence[TrialPlacement[K]]]:
        """The placements without aid of the tiles still to be placed, by square."""
        return self._by_square(placement for kind in self.tiles_to_place for placement in self.placements(kind))

    @lazy_property
    def _aided_by_square(self) -> Mapping[Square, Sequence[TrialPlacement[K]]]:
        """The placements with aid of the tiles still to be placed, by square."""
        return self._by_square(placement for kind in self.tiles_to_place for placement in self.aided_placements(kind))

    def _by_square(self, placements: Iterable[TrialPlacement[K]]) -> Mapping[Square, Sequence[TrialPlacement[K]]]:
        """Return the placements on each open cell, also on cells without any."""
        by_square: dict[Square, list[TrialPlacement[K]]] = {cell.square: [] for cell in self.position.open_cells()}
        for placement in placements:
            by_square[placement.place].append(placement)
        return by_square

    def dead_cells(self) -> DeadCells:
        """Return the open cells where no tile fits, and those where one fits only with aid; none at the end."""
        if not self.tiles_to_place:
            return DeadCells((), ())
        blank = sorted(place for place, placements in self._unaided_by_square.items() if not placements)
        aided = [place for place in blank if self._aided_by_square[place]]
        dead = [place for place in blank if place not in aided]
        return DeadCells(tuple(map(Cell.at, dead)), tuple(map(Cell.at, aided)))

    # -- features -------------------------------------------------------------------------------------------------

    def completion(self, feature: Feature) -> Missing | None:
        """Return what completes a feature; None if it is complete or never can be."""
        if feature.open_ends <= 0:
            return None
        number = self.first_segment(feature)
        ends = Counter(self.squares_beyond(feature))
        gaps = tuple(self._gap(feature, number, place, count) for place, count in sorted(ends.items()))
        min_tiles = len(gaps)
        # A single gap that no tile closes takes at least one tile that extends the feature, and another that closes it.
        if min_tiles == 1 and not gaps[0].closing:
            min_tiles = 2
        impossible = any(gap.dead for gap in gaps) or self.tiles_to_place.total() < min_tiles
        return Missing(gaps, min_tiles, impossible)

    def _gap(self, feature: Feature, number: SegmentNumber, place: Square, ends: int) -> Gap:
        """Return the gap on a square at which ``ends`` ends of a feature are open, by trying every tile there."""
        trials = [*self._unaided_by_square.get(place, ()), *self._aided_by_square.get(place, ())]
        dead = place in self._unaided_by_square and not trials
        if not self.closed_by_any_tile(feature):
            trials = [trial for trial in trials if self._open_ends_after(number, trial) == feature.open_ends - ends]
        return Gap(Cell.at(place), self._candidates(trials), dead)

    def _open_ends_after(self, number: SegmentNumber, placement: TrialPlacement[K]) -> int:
        """Return the number of open ends that a feature has after a placement."""
        board = self.board_after(placement)
        return board.ends[board.find(number)]

    def _candidates(self, placements: Iterable[TrialPlacement[K]]) -> tuple[Candidate, ...]:
        """Group the placements by kind of tile; a kind that fits without aid is not listed with aid again."""
        grouped: dict[tuple[K, bool], dict[int, None]] = {}
        for placement in placements:
            grouped.setdefault((placement.kind, placement.aid is not None), {})[placement.rotation] = None
        return tuple(
            Candidate(kind, tuple(rotations), self.tiles_to_place[kind], with_aid)
            for (kind, with_aid), rotations in grouped.items()
            if not with_aid or (kind, False) not in grouped
        )

    def first_segment(self, feature: Feature) -> SegmentNumber:
        """Return the global number of a feature's first segment."""
        board, (cell, _) = self.position.board, feature.parts[0]
        numbers = (number for number, place in zip(board.numbers, board.home, strict=True) if place == cell.square)
        return next(number for number in numbers if board.part(number) == feature.parts[0])
