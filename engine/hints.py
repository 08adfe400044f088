"""Hints: facts about a position that a player could work out with patience.

For example, how many tiles of a kind are left, on which cells nothing fits any more, or which tiles would complete a
city. A table can switch each kind off. Hints use public knowledge only: tiles that lie face down are counted, but their
order is never read.

They are computed by trying every tile on a copy of the board. A gap is an empty cell at which a feature is open. To
find the tiles that close it, each kind is laid there in every rotation, and the open ends of the feature are compared.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import ClassVar, Generic, NamedTuple, TypeVar

from engine.actions import NO_SEAT, Action, Seat
from engine.board import Board, SegmentNumber
from engine.caching import lazy_property
from engine.events import Scored, Term
from engine.geometry import Cell, Square
from engine.position import Position
from engine.tiles import TileKind
from engine.views import Feature

P = TypeVar("P", bound=Position)
"""The position of a game."""
K = TypeVar("K", bound=TileKind)
"""A game's kinds of tiles."""


class Hint(StrEnum):
    """The kinds of hints; the values are their names in a table's settings."""

    TILES = "tiles"
    CELLS = "cells"
    COMPLETION = "completion"
    PROJECTION = "projection"
    FIELDS = "fields"


class TileCount(NamedTuple):
    """The number of tiles of a kind that no player has seen yet."""

    kind: TileKind
    left: int


class DeadCells(NamedTuple):
    """Open cells, in reading order, where none of the tiles still to be placed fits now.

    On the cells in ``aided`` a tile fits together with a piece of a box that a player has left. A dead cell
    can become usable again when its neighbours change. No cell is dead once all tiles are placed.
    """

    dead: tuple[Cell, ...]
    aided: tuple[Cell, ...]


class Candidate(NamedTuple):
    """A kind of tile that closes a gap in these rotations (degrees); ``left`` copies of it are still to be placed.

    ``aided`` is true if it fits only together with a piece of a box.
    """

    kind: TileKind
    rotations: tuple[int, ...]
    left: int
    aided: bool


class Gap(NamedTuple):
    """An empty cell at which a feature is open.

    ``closing`` are the tiles that close this end and open no other one. ``dead`` is true if none of the tiles still to
    be placed fits here now.
    """

    cell: Cell
    closing: tuple[Candidate, ...]
    dead: bool


class Missing(NamedTuple):
    """The gaps that keep an open feature from being complete.

    ``min_tiles`` is a lower bound of the number of tiles needed, exact when it is 1. ``impossible`` is true if the
    feature cannot be completed as the table lies, because a gap is dead or too few tiles are left.
    """

    gaps: tuple[Gap, ...]
    min_tiles: int
    impossible: bool

    @property
    def completing_tiles(self) -> tuple[Candidate, ...]:
        """The tiles that complete the feature on their own."""
        return self.gaps[0].closing if len(self.gaps) == 1 else ()


class Projection(NamedTuple):
    """A player's points if the game ended now: the current score, and the final scoring by kind of structure."""

    now: int
    gains: Mapping[str, int]

    @property
    def total(self) -> int:
        """The final score."""
        return self.now + sum(self.gains.values())


class Holding(NamedTuple):
    """A field with figures on it: the terms of its value, and each seat's points if the game ended now."""

    field: Feature
    terms: tuple[Term, ...]
    points: Mapping[Seat, int]


class TrialPlacement(NamedTuple, Generic[K]):
    """A placement to try.

    ``aid`` is the action that makes the tile fit with a piece of a box, ``player`` a player who has that piece.
    """

    place: Square
    kind: K
    rotation: int
    player: Seat = NO_SEAT
    aid: Action | None = None


class Hints(ABC, Generic[P, K]):
    """The hints on one position, which must not change while they are in use.

    Each game implements how a tile is laid.
    """

    offers: ClassVar[frozenset[Hint]] = frozenset(Hint)
    """The kinds of hints that the game supports; the others are empty."""

    def __init__(self, position: P) -> None:
        self.position = position

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

    @abstractmethod
    def squares_beyond(self, feature: Feature) -> Iterator[Square]:
        """Yield the square of the empty cell at each open end of a feature."""

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

    def open_features(self) -> tuple[Feature, ...]:
        """Return the features with figures that are not complete yet."""
        return tuple(feature for feature in self.position.features() if feature.followers and feature.open_ends > 0)

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

    # -- scores ---------------------------------------------------------------------------------------------------

    def projection(self) -> tuple[Projection, ...]:
        """Return the final scores by seat if the game ended now."""
        gains: list[dict[str, int]] = [{} for _ in self.position.scores]
        _, events = self.position.concluded()
        for event in events:
            if isinstance(event, Scored) and event.points:
                gains_of_seat = gains[event.player]
                gains_of_seat[event.kind] = gains_of_seat.get(event.kind, 0) + event.points
        return tuple(map(Projection, self.position.scores, gains))

    def holdings(self) -> tuple[Holding, ...]:
        """Return the fields with figures on them, the most valuable first."""
        return ()
