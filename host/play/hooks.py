"""What others tell of games, or are told: the event of which one is part, and its clocks, in the same transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from engine import Position
from host.play.moves import Move
from host.rights import Asker
from store import Game, Transaction

Extending = Callable[[Asker, datetime | None, str, int], Awaitable[None]]
"""Moves the end of a game, as its organiser (first) says, for a reason (third), by an interaction (last)."""


@dataclass(frozen=True, slots=True)
class EventGame:
    """A game that is part of an event: whether that is rated, who organises it, and how its end is moved there.

    ``extends`` is None where its end is moved like that of any other game; ``code`` is the event's.
    """

    rated: bool
    organises: Callable[[Asker], bool]
    extends: Extending | None = None
    code: str = ""


EventOf = Callable[[Game], Awaitable[EventGame | None]]
"""The event of which a game is part; None for all others."""


async def no_event(_game: Game) -> EventGame | None:
    """No game is part of an event: whoever runs events takes its place (``Host.event_of``)."""
    return None


class Timekeeping:
    """Nothing is done here: whoever keeps time at the tables takes its place (``Host.timekeeping``)."""

    async def decided(self, tx: Transaction, game: Game, seat: int, interaction_id: int, now: datetime) -> None:
        """A player has confirmed a move that waits to be published: the clock stops at the interaction's time."""

    async def thinks_again(self, tx: Transaction, game: Game, seat: int, now: datetime) -> None:
        """The player has taken a move back before it was published: the clock goes on from now."""

    async def published(self, tx: Transaction, move: Move, interaction_id: int, now: datetime) -> None:
        """A move is in the log, be it after a window or at once."""

    async def ended(self, tx: Transaction, game: Game, at: datetime) -> None:
        """The game has ended at a time, whatever was asked."""

    async def replaced(self, tx: Transaction, game: Game, position: Position, seat: int, now: datetime) -> None:
        """Somebody else has taken over a seat; the game is as it stands now."""

    async def undone(self, tx: Transaction, game: Game, asker: int, now: datetime) -> None:
        """What was published since the last decision of the asker (a seat) is undone; the game is as it stands now."""
