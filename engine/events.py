"""The events that every game knows: values that say what an action has done.

:meth:`engine.position.Position.apply` returns them in the order in which they happened; pictures and texts are made
from them. Seats count from 0; points are those of the score track. A game's own events are in its ``events`` module.
Codes such as BA-08 are rules of the rule digest.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Seat
from engine.geometry import Cell
from engine.tiles import Segment, TileKind


class Event:
    """Base class of all events."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PlayerEvent(Event):
    """Base class of the events of one player, whose seat is their first field."""

    player: Seat


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a score: ``count`` things called ``name`` bring ``points`` together."""

    name: str
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class TileDrawn(PlayerEvent):
    """A tile was drawn from the pile."""

    tile: TileKind


@dataclass(frozen=True, slots=True)
class TileDiscarded(PlayerEvent):
    """A tile left the game: it fits nowhere (BA-08), was declined (BR-13), or its player resigned."""

    tile: TileKind
    declined: bool
    forfeited: bool = False
    skipped: bool = False
    """True if it was bought and the turn to lay it was skipped."""


@dataclass(frozen=True, slots=True)
class TilePlaced(PlayerEvent):
    """A tile was laid."""

    cell: Cell
    tile: TileKind
    rotation: int


@dataclass(frozen=True, slots=True)
class Deployed(PlayerEvent):
    """A figure was deployed on a segment (board oriented)."""

    cell: Cell
    segment: Segment
    figure: str


@dataclass(frozen=True, slots=True)
class Completed(Event):
    """A structure was completed, with or without figures on it; ``points`` is its whole value (CA-31)."""

    kind: str
    cells: tuple[Cell, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Scored(PlayerEvent):
    """A player got points for a structure; ``final`` is true in the final scoring."""

    points: int
    kind: str
    terms: tuple[Term, ...]
    cells: tuple[Cell, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class Returned(PlayerEvent):
    """A figure returned to its owner's supply (BA-22)."""

    cell: Cell
    figure: str


@dataclass(frozen=True, slots=True)
class Resigned(PlayerEvent):
    """A player resigned."""


@dataclass(frozen=True, slots=True)
class TurnSkipped(PlayerEvent):
    """A player did not lay their tile in time: the next player draws it; a bought tile leaves the game."""


@dataclass(frozen=True, slots=True)
class Adjudicated(Event):
    """The game was ended as it stands because its time was over; ``ranked_last`` ranks last, if anyone."""

    ranked_last: Seat | None


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The game ended with these final scores by seat."""

    scores: tuple[int, ...]
