"""Doing what is due: timers, found by index, each by whoever has said that a kind is his.

A handler does its timer in one transaction of its own, which begins with :func:`store.timers.claim`: so what is due
happens exactly once, in whichever process, whatever crashes.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime, timedelta
from typing import Final

from host import observability
from host.clock import Clock
from host.observability import log_failure
from store import Game, Lobby, Store, Timer, TimerKind, UnavailableError, lobbies, timers

log = logging.getLogger(__name__)

Handler = Callable[[Timer], Awaitable[None]]

AT_ONCE: Final = 100
"""Timers that one look into the store brings."""
LATER: Final = timedelta(minutes=1)
"""When something comes up again that has failed."""


class Sweep:
    """The timers that the host itself looks after; somebody lets it work every second or so."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._handlers: dict[TimerKind, Handler] = {}
        self._others: list[Callable[[], Awaitable[int]]] = []

    def handle(self, kind: TimerKind, handler: Handler) -> None:
        """Say who does what is due of a kind."""
        self._handlers[kind] = handler

    @property
    def kinds(self) -> tuple[TimerKind, ...]:
        """What is looked after."""
        return tuple(self._handlers)

    def also(self, work: Callable[[], Awaitable[int]]) -> None:
        """Have something else done, which finds out itself what is due, and says how much that was.

        What it looks for has to be known to :func:`store.timers.anything_due`.
        """
        self._others.append(work)

    async def work(self) -> int:
        """Do all that is due now; how much that was. What fails comes up again later, and holds nothing up."""
        if not await self._anything():
            return 0
        count = 0
        while found := await self._due():
            for timer in found:
                with observability.log_context():
                    await self._do(timer)
            count += len(found)
        for work in self._others:
            with observability.log_context():
                count += await work()
        return count

    async def _anything(self) -> bool:
        """Most of the time nothing is: that is asked at once, for whoever has something else done, too."""
        async with self._store.reading() as tx:
            return await timers.anything_due(tx, self._handlers, self._clock.now())

    async def _due(self) -> list[Timer]:
        async with self._store.reading() as tx:
            return await timers.due(tx, self._handlers, self._clock.now(), AT_ONCE)

    async def _do(self, timer: Timer) -> None:
        try:
            await self._handlers[timer.kind](timer)
        except UnavailableError:
            raise  # nothing could be put off either
        except Exception as error:  # noqa: BLE001 - one game must not hold up the others
            about: dict[str, object] = {"timer": timer.kind.value}
            try:
                async with self._store.writing() as tx:
                    await timers.take(tx, timer, self._clock.now() + LATER)
                    about |= await timers.about(tx, timer)
            finally:
                log_failure(log, "what was due has failed", error, about)


AFTERLIFE: Final = frozenset({TimerKind.RESULT, TimerKind.PUT_AWAY})
"""What is done for a game that is over."""
AGAIN_AFTER: Final = timedelta(minutes=10)
"""The wait after the first failure; it doubles with each further one."""
MOST_ATTEMPTS: Final = 8
"""Attempts after which it is given up."""


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
