"""What is still to be done for a game when it is over: its result on the lobby's card, and its thread put away.

It is stored with the last move, so it happens whatever crashes; each can be done twice without harm.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from host.values import Game
from store import Chore, ChoreKind, Lobby, Store, Transaction, chores, lobbies

PUT_AWAY_AFTER: Final = timedelta(days=3)
"""How long the thread of a game stays open when the game is over."""
AGAIN_AFTER: Final = timedelta(minutes=10)
"""The wait after the first failure; it doubles with each further one."""
MOST_ATTEMPTS: Final = 8
"""Attempts after which it is given up."""


async def after_the_end(tx: Transaction, game: Game, now: datetime) -> None:
    """Note what is to be done for a game that has just ended.

    Only a thread of its own is put away: one that was opened under the lobby's card, whose id it has.
    """
    card = await lobbies.card_of(tx, game.id)
    if card is None:
        return
    await chores.add(tx, game.id, ChoreKind.RESULT, now)
    if game.thread_id == card:
        await chores.add(tx, game.id, ChoreKind.PUT_AWAY, now + PUT_AWAY_AFTER)


class Chores:
    """What is to be done, one after the other."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def due(self, limit: int = 20) -> list[Chore]:
        """What is to be done now."""
        async with self._store.reading() as tx:
            return await chores.due(tx, self._clock.now(), limit)

    async def take(self, chore: Chore) -> bool:
        """Begin; False when somebody else has, or when it has failed so often that it is given up."""
        async with self._store.writing() as tx:
            if chore.attempts >= MOST_ATTEMPTS:
                await chores.done(tx, chore)
                return False
            return await chores.take(tx, chore, self._clock.now() + AGAIN_AFTER * 2**chore.attempts)

    async def done(self, chore: Chore) -> None:
        """It is done, or never will be."""
        async with self._store.writing() as tx:
            await chores.done(tx, chore)

    async def put_away_at(self, game: Game) -> datetime | None:
        """When the thread of a game that is over will be put away; None if it will not."""
        async with self._store.reading() as tx:
            return await chores.due_at(tx, game.id, ChoreKind.PUT_AWAY)

    async def lobby_of(self, game_id: int) -> Lobby | None:
        """The lobby in which a game was founded."""
        async with self._store.reading() as tx:
            return await lobbies.of_game(tx, game_id)
