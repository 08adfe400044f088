"""Hints: facts about a position that a player could work out with patience.

For example, how many tiles of a kind are left, on which cells nothing fits any more, or which tiles would complete a
city. A table can switch each kind off. Hints use public knowledge only: tiles that lie face down are counted, but their
order is never read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import ClassVar, Generic, NamedTuple, TypeVar

from engine.actions import Seat
from engine.events import Scored, Term
from engine.geometry import Cell, Square
from engine.position import Position
from engine.tiles import TileKind
from engine.views import Feature

P = TypeVar("P", bound=Position)
"""The position of a game."""


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


class Hints(ABC, Generic[P]):
    """The hints on one position, which must not change while they are in use."""

    offers: ClassVar[frozenset[Hint]] = frozenset(Hint)
    """The kinds of hints that the game supports; the others are empty."""

    def __init__(self, position: P) -> None:
        self.position = position

    @abstractmethod
    def remaining(self) -> tuple[TileCount, ...]:
        """Return every kind of tile in the pile with the number of tiles not drawn yet."""

    @abstractmethod
    def dead_cells(self) -> DeadCells:
        """Return the open cells where no tile fits any more."""

    @abstractmethod
    def completion(self, feature: Feature) -> Missing | None:
        """Return what completes a feature; None if it is complete or never can be."""

    @abstractmethod
    def squares_beyond(self, feature: Feature) -> Iterator[Square]:
        """Yield the square of the empty cell at each open end of a feature."""

    def open_features(self) -> tuple[Feature, ...]:
        """Return the features with figures that are not complete yet."""
        return tuple(feature for feature in self.position.features() if feature.followers and feature.open_ends > 0)

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
