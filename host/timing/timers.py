"""Dispatch due timers to the handler registered for each kind.

A handler does its work in one transaction of its own, which begins with :func:`store.timers.claim`. So each timer takes
effect exactly once, whichever process finds it and whatever crashes.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from host import observability
from host.clock import Clock
from host.observability import log_failure
from store import Game, Lobby, Store, Timer, TimerKind, UnavailableError, lobbies, timers

log = logging.getLogger(__name__)

Handler = Callable[[Timer], Awaitable[None]]

TIMER_BATCH_SIZE: Final = 100
"""Maximum number of timers read from the store at once."""
FAILED_TIMER_DELAY: Final = timedelta(minutes=1)
"""Delay before a timer is tried again whose handler has failed."""


class TimerDispatcher:
    """The dispatcher of the host's own timers; a background task calls :meth:`work` about once a second."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._handlers: dict[TimerKind, Handler] = {}
        self._pollers: list[Callable[[], Awaitable[int]]] = []

    def handle(self, kind: TimerKind, handler: Handler) -> None:
        """Register the handler of a timer kind."""
        self._handlers[kind] = handler

    @property
    def kinds(self) -> tuple[TimerKind, ...]:
        """The timer kinds that have a handler."""
        return tuple(self._handlers)

    def poll(self, work: Callable[[], Awaitable[int]]) -> None:
        """Register a job that finds its own due work, and returns the number of items it has done.

        It is only called if :func:`store.timers.anything_due` reports work, which therefore has to know about it.
        """
        self._pollers.append(work)

    async def work(self) -> int:
        """Do everything that is due now, and return the number of items done.

        A timer whose handler fails is postponed, and does not hold up the others.

        Raises:
            UnavailableError: the store cannot be reached, so no timer can be postponed either.
        """
        async with self._store.reading() as tx:  # usually nothing is due, so that one statement asks for all
            if not await timers.anything_due(tx, self._handlers, self._clock.now()):
                return 0
        count = 0
        while found := await self._due():
            for timer in found:
                with observability.log_context():
                    await self._dispatch(timer)
            count += len(found)
        for work in self._pollers:
            with observability.log_context():
                count += await work()
        return count

    async def _due(self) -> list[Timer]:
        async with self._store.reading() as tx:
            return await timers.due(tx, self._handlers, self._clock.now(), TIMER_BATCH_SIZE)

    async def _dispatch(self, timer: Timer) -> None:
        try:
            await self._handlers[timer.kind](timer)
        except UnavailableError:
            raise  # the store cannot postpone the timer either
        except Exception as error:  # noqa: BLE001 - one game must not hold up the others
            about: dict[str, object] = {"timer": timer.kind.value}
            try:
                async with self._store.writing() as tx:
                    await timers.lease(tx, timer, self._clock.now() + FAILED_TIMER_DELAY)
                    about |= await timers.log_fields(tx, timer)
            finally:
                log_failure(log, "what was due has failed", error, about)


AFTER_GAME_KINDS: Final = frozenset({TimerKind.RESULT, TimerKind.PUT_AWAY})
"""The timer kinds of finished games, which the archival task handles instead of the dispatcher."""
FIRST_RETRY_DELAY: Final = timedelta(minutes=10)
"""The wait after the first failure; it doubles with each further one."""
MAX_ATTEMPTS: Final = 8
"""Attempts after which a timer is dropped."""


@dataclass(eq=False)
class Timers:
    """Timers that a background task outside the host takes and completes one by one."""

    _store: Store
    _clock: Clock

    async def due(self, kinds: Collection[TimerKind] = AFTER_GAME_KINDS, limit: int = 20) -> list[Timer]:
        """Return the due timers of these kinds, at most ``limit``."""
        async with self._store.reading() as tx:
            return await timers.due(tx, kinds, self._clock.now(), limit)

    async def take(self, timer: Timer) -> bool:
        """Take a timer, and schedule its retry; return False if another process has it, or it has failed too often."""
        async with self._store.writing() as tx:
            if timer.attempts >= MAX_ATTEMPTS:
                await timers.remove(tx, timer)
                return False
            return await timers.lease(tx, timer, self._clock.now() + FIRST_RETRY_DELAY * 2**timer.attempts)

    async def done(self, timer: Timer) -> None:
        """Delete a timer that is completed or pointless."""
        async with self._store.writing() as tx:
            await timers.remove(tx, timer)

    async def put_away_at(self, game: Game) -> datetime | None:
        """Return the time at which the thread of a finished game is archived; None if it will not be."""
        async with self._store.reading() as tx:
            return await timers.due_at(tx, game.id, TimerKind.PUT_AWAY)

    async def lobby_of(self, game_id: int) -> Lobby | None:
        """Return the lobby in which a game was created."""
        async with self._store.reading() as tx:
            return await lobbies.of_game(tx, game_id)
