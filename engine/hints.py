"""What a player could work out with patience: what games offer as hints, each of which a table may do without.

Hints know what everybody may know: what lies face down is counted, and its order never looked at.
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
    """The kinds of hints; the value is what a table's settings call it."""

    TILES = "tiles"
    CELLS = "cells"
    COMPLETION = "completion"
    PROJECTION = "projection"
    FIELDS = "fields"


class TileCount(NamedTuple):
    """How many tiles of a kind nobody has seen yet."""

    kind: TileKind
    left: int


class DeadCells(NamedTuple):
    """Open cells, in reading order, in which no tile that is still to be placed can be laid now.

    On those in ``aided`` one can, together with a piece of a box that somebody has left. A cell may come to life
    again when its neighbours change, as by such a piece on one of them. Once no tile is to be placed, none is dead.
    """

    dead: tuple[Cell, ...]
    aided: tuple[Cell, ...]


class Candidate(NamedTuple):
    """A kind of tile that would do: in these rotations; ``left`` of it are still to be placed.

    ``aided``: only together with a piece of a box.
    """

    kind: TileKind
    rotations: tuple[int, ...]
    left: int
    aided: bool


class Gap(NamedTuple):
    """An empty cell at which a feature is open.

    ``closing`` are the tiles after which it is open neither here nor anywhere else than before; ``dead``: nothing that
    is still to be placed can be laid here now.
    """

    cell: Cell
    closing: tuple[Candidate, ...]
    dead: bool


class Missing(NamedTuple):
    """What an open feature lacks to be complete.

    ``least`` is a lower bound of the tiles that it takes, and exact when it is 1; ``impossible``: no order of tiles
    completes the feature as the table lies, because a gap is dead or too few tiles are left.
    """

    gaps: tuple[Gap, ...]
    least: int
    impossible: bool

    @property
    def at_once(self) -> tuple[Candidate, ...]:
        """The tiles each of which completes the feature by itself."""
        return self.gaps[0].closing if len(self.gaps) == 1 else ()


class Projection(NamedTuple):
    """A player's points if the game ended now: those on the track, and what the end brings by kind of structure."""

    now: int
    gains: Mapping[str, int]

    @property
    def total(self) -> int:
        """The final score."""
        return self.now + sum(self.gains.values())


class Holding(NamedTuple):
    """A field with figures on it: what counts there, and what each seat would get if the game ended now."""

    field: Feature
    terms: tuple[Term, ...]
    points: Mapping[Seat, int]


class Hints(ABC, Generic[P]):
    """The hints on one position, which must not change as long as they are asked for."""

    offers: ClassVar[frozenset[Hint]] = frozenset(Hint)
    """What the game knows hints about; the others are empty."""

    def __init__(self, position: P) -> None:
        self.position = position

    @abstractmethod
    def remaining(self) -> tuple[TileCount, ...]:
        """Every kind of tile in the pile, with how many of it have not come up yet."""

    @abstractmethod
    def dead_cells(self) -> DeadCells:
        """Where nothing fits any more."""

    @abstractmethod
    def completion(self, feature: Feature) -> Missing | None:
        """What completes a feature; None for one that is complete, or never can be."""

    @abstractmethod
    def beyond(self, feature: Feature) -> Iterator[Square]:
        """The position of the empty cell at each open end of a feature."""

    def open_features(self) -> tuple[Feature, ...]:
        """The features that figures hold and that can still be completed."""
        return tuple(feature for feature in self.position.features() if feature.followers and feature.open_ends > 0)

    def projection(self) -> tuple[Projection, ...]:
        """The final scores by seat if the game ended now."""
        gains: list[dict[str, int]] = [{} for _ in self.position.scores]
        _, events = self.position.concluded()
        for event in events:
            if isinstance(event, Scored) and event.points:
                seat = gains[event.player]
                seat[event.kind] = seat.get(event.kind, 0) + event.points
        return tuple(map(Projection, self.position.scores, gains))

    def holdings(self) -> tuple[Holding, ...]:
        """The fields that somebody holds, the most valuable first."""
        return ()
