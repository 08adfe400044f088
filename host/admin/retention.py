"""What nobody needs any more is taken out now and then, by one process at a time, a little in each transaction."""

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

THINNING: Final = "thin out"
"""What one process does at a time."""
KEPT: Final = timedelta(days=30)
"""How long tables that gathered players are kept when they are closed, or their game is over."""
POSTS_KEPT: Final = timedelta(hours=1)
"""How long what was posted of a game is kept when that is over, but for the newest: nothing comes after it."""
AT_ONCE: Final = 500
"""Rows that are taken out in a transaction."""
GAMES_AT_ONCE: Final = 20
"""Games that are over whose posts are: a long one has some hundreds."""
LOOKED_AT: Final = 200
"""Games that are over which one look finds."""
PAUSE: Final = 0.05
"""Seconds between two transactions, in which others write."""
MOST: Final = 2000
"""Transactions in a row; the rest has time until the next time."""
Dropping = Callable[[Transaction, datetime, int], Awaitable[int]]


class RetentionJob:
    """Takes out what is old."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, crew: ProcessRegistry) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._crew = crew
        self._beyond = 0
        """The number of the last game that was looked at; all of them are by and by."""

    async def work(self) -> dict[str, int]:
        """Take out all that is old, as far as nobody else does; how many rows of what."""
        if not await self._crew.take(THINNING):
            return {}
        try:
            done = await self._thinned()
        finally:
            await self._crew.give_back(THINNING)
        if done:
            log.info("thinned out", extra={**done})
        return dict(done)

    async def _thinned(self) -> Counter[str]:
        now, done = self._clock.now(), Counter[str]()
        left = MOST
        for name, drop, kept in (
            ("interactions", retention.drop_interactions, self._settings.remember_interactions),
            ("lobbies", retention.drop_closed_lobbies, KEPT),
            ("shares", retention.drop_quotas, timedelta(0)),
        ):
            more = True
            while more and left and self._crew.holds(THINNING):
                left -= 1
                count = await self._some(drop, now - kept)
                done[name] += count
                more = count >= AT_ONCE
        while left and self._crew.holds(THINNING) and await self._of_games(now, done):
            left -= 1
        return +done

    async def _some(self, drop: Dropping, before: datetime) -> int:
        async with self._store.writing() as tx:
            count = await drop(tx, before, AT_ONCE)
        await asyncio.sleep(PAUSE if count else 0)
        return count

    async def _of_games(self, now: datetime, done: Counter[str]) -> bool:
        """The same for the next games that are over; False after the last one, when it begins anew."""
        posted, closed = now - POSTS_KEPT, now - KEPT
        async with self._store.reading() as tx:
            ids = await retention.finished_games(tx, self._beyond, LOOKED_AT)
            old = (await retention.with_old_rows(tx, ids, posted, closed))[:GAMES_AT_ONCE] if ids else []
        if len(old) == GAMES_AT_ONCE:
            self._beyond = old[-1]
        else:
            self._beyond = ids[-1] if ids else 0
        if old:
            async with self._store.writing() as tx:
                done["posts"] += await retention.drop_posts(tx, old, posted)
                done["lobbies"] += await retention.drop_lobbies(tx, old, closed)
        await asyncio.sleep(PAUSE if old else 0)
        return bool(ids)
