"""What is to be done at a time, as rows with a due time, so that it happens whatever crashes.

When a game is over: its result on the lobby's card, and its thread put away. Both are stored with the last move, and
each can be done twice without harm.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from store import Game, Lobby, PostKind, Store, Timer, TimerKind, Transaction, events, ladder, lobbies, outbox, timers

AFTERLIFE: Final = frozenset({TimerKind.RESULT, TimerKind.PUT_AWAY})
"""What is done for a game that is over."""
PUT_AWAY_AFTER: Final = timedelta(days=3)
"""How long the thread of a game stays open when the game is over."""
AGAIN_AFTER: Final = timedelta(minutes=10)
"""The wait after the first failure; it doubles with each further one."""
MOST_ATTEMPTS: Final = 8
"""Attempts after which it is given up."""


async def after_the_end(tx: Transaction, game: Game, now: datetime) -> None:
    """Note what is to be done for a game that has just ended.

    Only a thread of its own is put away: one that was opened under the lobby's card, or a table's, whose id it has.
    """
    if await events.table_of_game(tx, game.id) is not None or await ladder.of_game(tx, game.id) is not None:
        await timers.put(tx, Timer(game.id, TimerKind.EVENT, now))
        if game.thread_id is not None and game.thread_id == await outbox.last_notice(tx, game.id, PostKind.OPENING):
            await timers.put(tx, Timer(game.id, TimerKind.PUT_AWAY, now + PUT_AWAY_AFTER))
    card = await lobbies.card_of(tx, game.id)
    if card is None:
        return
    await timers.put(tx, Timer(game.id, TimerKind.RESULT, now))
    if game.thread_id == card:
        await timers.put(tx, Timer(game.id, TimerKind.PUT_AWAY, now + PUT_AWAY_AFTER))


class Timers:
    """What is to be done, one after the other."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def due(self, kinds: Collection[TimerKind] = AFTERLIFE, limit: int = 20) -> list[Timer]:
        """What of these kinds is to be done now."""
        async with self._store.reading() as tx:
            return await timers.due(tx, kinds, self._clock.now(), limit)

    async def take(self, timer: Timer) -> bool:
        """Begin; False when somebody else has, or when it has failed so often that it is given up."""
        async with self._store.writing() as tx:
            if timer.attempts >= MOST_ATTEMPTS:
                await timers.done(tx, timer)
                return False
            return await timers.take(tx, timer, self._clock.now() + AGAIN_AFTER * 2**timer.attempts)

    async def done(self, timer: Timer) -> None:
        """It is done, or never will be."""
        async with self._store.writing() as tx:
            await timers.done(tx, timer)

    async def put_away_at(self, game: Game) -> datetime | None:
        """When the thread of a game that is over will be put away; None if it will not."""
        async with self._store.reading() as tx:
            return await timers.due_at(tx, game.id, TimerKind.PUT_AWAY)

    async def lobby_of(self, game_id: int) -> Lobby | None:
        """The lobby in which a game was founded."""
        async with self._store.reading() as tx:
            return await lobbies.of_game(tx, game_id)
