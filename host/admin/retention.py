"""Retention: delete rows that are no longer needed, such as the sent posts of finished games.

One process at a time runs the job, which holds a *lease* for it. Rows are deleted in small batches with pauses between
them, so that moves can be stored meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

from host.admin.processes import ProcessRegistry
from host.clock import Clock
from host.settings import HostSettings
from store import Store, Transaction, appointments, retention, thinking

log = logging.getLogger(__name__)

RETENTION_LEASE: Final = "thin out"
"""The name of the lease that lets only one process run the job."""
LOBBY_RETENTION: Final = timedelta(days=30)
"""The time for which a lobby is kept after it was closed, or after its game has ended."""
APPOINTMENT_RETENTION: Final = timedelta(days=7)
"""The time for which an appointment is kept after its time."""
POST_RETENTION: Final = timedelta(hours=1)
"""The time for which the posts of a game are kept after its end. The newest post stays."""
ROW_BATCH_SIZE: Final = 500
"""The most rows that are deleted in one transaction."""
GAME_BATCH_SIZE: Final = 20
"""The most finished games whose posts are deleted in one transaction; a long game has some hundreds of posts."""
GAME_PAGE_SIZE: Final = 200
"""The most finished games that are read by one statement."""
BATCH_PAUSE: Final = 0.05
"""Seconds between two transactions, in which others can write."""
MAX_BATCHES: Final = 2000
"""The most transactions in one run; the rest waits for the next run."""
DropRows = Callable[[Transaction, datetime, int], Awaitable[int]]
"""Deletes rows from before a time, up to a limit; returns their number."""


class RetentionJob:
    """The job that deletes rows whose retention has ended."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, processes: ProcessRegistry) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._processes = processes
        self._last_game_id = 0
        """The cursor: the id of the finished game that was examined last; 0 to start from the first again."""

    async def work(self) -> dict[str, int]:
        """Run the job, unless another process runs it; return the number of deleted rows by their kind."""
        if not await self._processes.take(RETENTION_LEASE):
            return {}
        try:
            deleted = await self._delete_old_rows()
        finally:
            await self._processes.give_back(RETENTION_LEASE)
        if deleted:
            log.info("old rows deleted", extra={**deleted})
        return dict(deleted)

    async def _delete_old_rows(self) -> Counter[str]:
        """Delete rows of all kinds, as long as this process holds the lease; count them by kind."""
        now, deleted = self._clock.now(), Counter[str]()
        remaining_batches = MAX_BATCHES
        for kind, drop, age in (
            ("interactions", retention.drop_interactions, self._settings.remember_interactions),
            ("lobbies", retention.drop_closed_lobbies, LOBBY_RETENTION),
            ("shares", retention.drop_quotas, timedelta(0)),
            ("thinking", thinking.drop_days, timedelta(days=1)),
            ("appointments", appointments.drop_old, APPOINTMENT_RETENTION),
        ):
            has_more = True
            while has_more and remaining_batches and self._processes.holds(RETENTION_LEASE):
                remaining_batches -= 1
                count = await self._drop_batch(drop, now - age)
                deleted[kind] += count
                has_more = count >= ROW_BATCH_SIZE
        while (
            remaining_batches and self._processes.holds(RETENTION_LEASE) and await self._drop_game_batch(now, deleted)
        ):
            remaining_batches -= 1
        return +deleted  # without counts of zero

    async def _drop_batch(self, drop: DropRows, before: datetime) -> int:
        """Delete one batch of rows from before a time, then pause; return their number."""
        count = await self._store.write(drop, before, ROW_BATCH_SIZE)
        await asyncio.sleep(BATCH_PAUSE if count else 0)
        return count

    async def _drop_game_batch(self, now: datetime, deleted: Counter[str]) -> bool:
        """Delete old posts and lobbies of the next finished games, and count them; return False after the last game."""
        posted, closed = now - POST_RETENTION, now - LOBBY_RETENTION
        async with self._store.reading() as tx:
            page = await retention.finished_games(tx, self._last_game_id, GAME_PAGE_SIZE)
            batch = (await retention.with_old_rows(tx, page, posted, closed))[:GAME_BATCH_SIZE] if page else []
        if len(batch) == GAME_BATCH_SIZE:  # the page may contain further games with old rows
            self._last_game_id = batch[-1]
        else:
            self._last_game_id = page[-1] if page else 0
        if batch:
            async with self._store.writing() as tx:
                deleted["posts"] += await retention.drop_posts(tx, batch, posted)
                deleted["lobbies"] += await retention.drop_lobbies(tx, batch, closed)
        await asyncio.sleep(BATCH_PAUSE if batch else 0)
        return bool(page)
