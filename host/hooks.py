"""What the clocks of a game are told, each time in the transaction in which it happens."""

from __future__ import annotations

from datetime import datetime

from engine import Position
from host.moves import Move
from store import Game, Transaction


class Timekeeping:
    """Nothing is done here: whoever keeps time at the tables takes its place (``Host.timekeeping``)."""

    async def decided(self, tx: Transaction, game: Game, seat: int, interaction_id: int, now: datetime) -> None:
        """A player has confirmed a move that waits to be published: the clock stops at the interaction's time."""

    async def thinks_again(self, tx: Transaction, game: Game, seat: int, now: datetime) -> None:
        """The player has taken a move back before it was published: the clock goes on from now."""

    async def published(self, tx: Transaction, move: Move, interaction_id: int, now: datetime) -> None:
        """A move is in the log, be it after a window or at once."""

    async def replaced(self, tx: Transaction, game: Game, position: Position, seat: int, now: datetime) -> None:
        """Somebody else has taken over a seat; the game is as it stands now."""

    async def undone(self, tx: Transaction, game: Game, asker: int, now: datetime) -> None:
        """What was published since the last decision of the asker (a seat) is undone; the game is as it stands now."""
