"""Timers: work that is due at a stored time, such as a timeout or a reminder.

A timer is a row of a game, with a kind and a time. :class:`TimerDispatcher` finds due timers, and calls the handler
that a service has registered for their kind. A handler does its work in one transaction, which begins with
:func:`store.timers.claim`. So each timer takes effect exactly once, whichever process finds it first, and also if a
process crashes in between.

Work at Discord cannot be part of a transaction. Its timers are handled by a background task of the bot instead, which
takes and deletes them with :class:`Timers`.
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
"""Does what a timer is for; it claims the timer first."""

TIMER_BATCH_SIZE: Final = 100
"""The most timers that are read from the store at once."""
FAILED_TIMER_DELAY: Final = timedelta(minutes=1)
"""The time after which a timer whose handler has failed is tried again."""


class TimerDispatcher:
    """Calls the handlers of due timers; a background task calls :meth:`work` about once a second."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._handlers: dict[TimerKind, Handler] = {}
        self._pollers: list[Callable[[], Awaitable[int]]] = []

    def handle(self, kind: TimerKind, handler: Handler) -> None:
        """Register the handler for a kind of timers."""
        self._handlers[kind] = handler

    @property
    def kinds(self) -> tuple[TimerKind, ...]:
        """The kinds of timers that have a handler."""
        return tuple(self._handlers)

    def poll(self, work: Callable[[], Awaitable[int]]) -> None:
        """Register a job that finds its due work itself and returns the number of items done.

        Jobs are only called when :func:`store.timers.anything_due` reports work, so that query has to cover theirs.
        """
        self._pollers.append(work)

    async def work(self) -> int:
        """Do everything that is due now, and return the number of items done.

        A timer whose handler fails is postponed and does not hold up the others.

        Raises:
            UnavailableError: the store cannot be reached, so no timer can be postponed either.
        """
        # Usually nothing is due: one statement asks for all kinds of work.
        if not await self._store.read(timers.anything_due, self._handlers, self._clock.now()):
            return 0
        count = 0
        while due_timers := await self._due():
            for timer in due_timers:
                with observability.log_context():
                    await self._dispatch(timer)
            count += len(due_timers)
        for work in self._pollers:
            with observability.log_context():
                count += await work()
        return count

    async def _due(self) -> list[Timer]:
        """Return the next due timers that have a handler."""
        return await self._store.read(timers.due, self._handlers, self._clock.now(), TIMER_BATCH_SIZE)

    async def _dispatch(self, timer: Timer) -> None:
        """Call the handler of a timer; if it fails, log that and postpone the timer."""
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
                log_failure(log, "a timer has failed", error, about)


AFTER_GAME_KINDS: Final = frozenset({TimerKind.RESULT, TimerKind.PUT_AWAY})
"""The kinds of timers of finished games, which a background task of the bot handles instead of the dispatcher."""
FIRST_RETRY_DELAY: Final = timedelta(minutes=10)
"""The delay before the second attempt; it doubles with each further one."""
MAX_ATTEMPTS: Final = 8
"""The attempts after which a timer is dropped; the last of them comes after about a day."""


@dataclass(eq=False)
class Timers:
    """Lets a background task outside the host take timers, and delete those that it has completed."""

    _store: Store
    _clock: Clock

    async def due(self, kinds: Collection[TimerKind] = AFTER_GAME_KINDS, limit: int = 20) -> list[Timer]:
        """Return the due timers of these kinds, at most ``limit``, the earliest first."""
        return await self._store.read(timers.due, kinds, self._clock.now(), limit)

    async def take(self, timer: Timer) -> bool:
        """Take a timer for one attempt, and postpone it in case that fails.

        Return False if another process has taken it. A timer that has failed too often is deleted, which returns False
        as well.
        """
        async with self._store.writing() as tx:
            if timer.attempts >= MAX_ATTEMPTS:
                await timers.remove(tx, timer)
                return False
            return await timers.lease(tx, timer, self._clock.now() + FIRST_RETRY_DELAY * 2**timer.attempts)

    async def done(self, timer: Timer) -> None:
        """Delete a timer that is completed, or that has nothing to do any more."""
        await self._store.write(timers.remove, timer)

    async def put_away_at(self, game: Game) -> datetime | None:
        """Return the time at which the thread of a finished game is archived; None if it will not be."""
        return await self._store.read(timers.due_at, game.id, TimerKind.PUT_AWAY)

    async def lobby_of(self, game_id: int) -> Lobby | None:
        """Return the lobby in which a game was created."""
        return await self._store.read(lobbies.of_game, game_id)
