"""Delete rows whose retention has ended: a periodic job of one process at a time, in small transactions.

Small batches with pauses between them let moves be stored meanwhile.
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
from store import Store, Transaction, retention

log = logging.getLogger(__name__)

RETENTION_LEASE: Final = "thin out"
"""The name of the lease that allows only one process to run the job."""
LOBBY_RETENTION: Final = timedelta(days=30)
"""The retention of lobbies after they were closed, or after their game has ended."""
POST_RETENTION: Final = timedelta(hours=1)
"""The retention of a game's posts after its end. The newest post stays."""
ROW_BATCH_SIZE: Final = 500
"""Rows deleted in one transaction."""
GAME_BATCH_SIZE: Final = 20
"""Finished games whose posts are deleted in one transaction: a long game has some hundreds."""
GAME_PAGE_SIZE: Final = 200
"""Finished games read by one statement."""
BATCH_PAUSE: Final = 0.05
"""Seconds between two transactions, in which others can write."""
MAX_BATCHES: Final = 2000
"""Transactions in one run; the rest waits for the next run."""
DropRows = Callable[[Transaction, datetime, int], Awaitable[int]]


class RetentionJob:
    """The job that deletes rows whose retention has ended."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, processes: ProcessRegistry) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._processes = processes
        self._last_game_id = 0
        """The cursor: the id of the last finished game that was examined. It starts again after the last game."""

    async def work(self) -> dict[str, int]:
        """Delete old rows unless another process does; return the number of rows by their kind."""
        if not await self._processes.take(RETENTION_LEASE):
            return {}
        try:
            done = await self._delete_old_rows()
        finally:
            await self._processes.give_back(RETENTION_LEASE)
        if done:
            log.info("thinned out", extra={**done})
        return dict(done)

    async def _delete_old_rows(self) -> Counter[str]:
        now, done = self._clock.now(), Counter[str]()
        left = MAX_BATCHES
        for name, drop, kept in (
            ("interactions", retention.drop_interactions, self._settings.remember_interactions),
            ("lobbies", retention.drop_closed_lobbies, LOBBY_RETENTION),
            ("shares", retention.drop_quotas, timedelta(0)),
        ):
            more = True
            while more and left and self._processes.holds(RETENTION_LEASE):
                left -= 1
                count = await self._drop_batch(drop, now - kept)
                done[name] += count
                more = count >= ROW_BATCH_SIZE
        while left and self._processes.holds(RETENTION_LEASE) and await self._drop_game_batch(now, done):
            left -= 1
        return +done

    async def _drop_batch(self, drop: DropRows, before: datetime) -> int:
        async with self._store.writing() as tx:
            count = await drop(tx, before, ROW_BATCH_SIZE)
        await asyncio.sleep(BATCH_PAUSE if count else 0)
        return count

    async def _drop_game_batch(self, now: datetime, done: Counter[str]) -> bool:
        """Delete old posts and lobbies of the next finished games; return False after the last one."""
        posted, closed = now - POST_RETENTION, now - LOBBY_RETENTION
        async with self._store.reading() as tx:
            ids = await retention.finished_games(tx, self._last_game_id, GAME_PAGE_SIZE)
            old = (await retention.with_old_rows(tx, ids, posted, closed))[:GAME_BATCH_SIZE] if ids else []
        if len(old) == GAME_BATCH_SIZE:
            self._last_game_id = old[-1]
        else:
            self._last_game_id = ids[-1] if ids else 0
        if old:
            async with self._store.writing() as tx:
                done["posts"] += await retention.drop_posts(tx, old, posted)
                done["lobbies"] += await retention.drop_lobbies(tx, old, closed)
        await asyncio.sleep(BATCH_PAUSE if old else 0)
        return bool(ids)
