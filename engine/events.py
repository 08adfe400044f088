"""What happened in any game, in the order in which it happened: the answer of :meth:`engine.position.Position.apply`.

Seats count from 0; points are those of the score track. What only one game knows stands in that game's own ``events``.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Seat
from engine.geometry import Cell
from engine.tiles import Segment, TileKind


class Event:
    """Anything that can happen."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a score: so many things, so many points."""

    name: str
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class TileDrawn(Event):
    """A tile came up from the pile."""

    player: Seat
    tile: TileKind


@dataclass(frozen=True, slots=True)
class TileDiscarded(Event):
    """A tile went out of the game: it fits nowhere (BA-08), was declined (BR-13) or forfeited by who has resigned."""

    player: Seat
    tile: TileKind
    declined: bool
    forfeited: bool = False
    skipped: bool = False
    """It was bought, and the turn in which it was to be laid is skipped."""


@dataclass(frozen=True, slots=True)
class TilePlaced(Event):
    """A tile was laid."""

    player: Seat
    cell: Cell
    tile: TileKind
    rotation: int


@dataclass(frozen=True, slots=True)
class Deployed(Event):
    """A figure was put on a segment (board oriented)."""

    player: Seat
    cell: Cell
    segment: Segment
    figure: str


@dataclass(frozen=True, slots=True)
class Completed(Event):
    """A structure was completed, held or not; ``points`` is its whole value (CA-31)."""

    kind: str
    cells: tuple[Cell, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """A player got points for a structure; ``final`` at the end of the game."""

    player: Seat
    points: int
    kind: str
    terms: tuple[Term, ...]
    cells: tuple[Cell, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """A figure went home to its supply (BA-22)."""

    player: Seat
    cell: Cell
    figure: str


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """A player left the game."""

    player: Seat


@dataclass(frozen=True, slots=True)
class TurnSkipped(Event):
    """A player did not lay his tile in time: it passes to who draws next, or goes out of the game if he bought it."""

    player: Seat


@dataclass(frozen=True, slots=True)
class Adjudicated(Event):
    """The time of the game is over: it ends with the final scoring of what lies there; ``last`` ranks last, if any."""

    ranked_last: Seat | None


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The final scores by seat."""

    scores: tuple[int, ...]
