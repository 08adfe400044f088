"""When a shard may begin a session at Discord: one of those that take turns every five seconds, of all processes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from store import Store, processes

SPACING: Final = timedelta(seconds=5)
"""Between two sessions of shards that are the same modulo Discord's ``max_concurrency``."""


class Sessions:
    """Rations them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._begun: dict[int, datetime] = {}
        """By their turns, where this process is alone."""

    async def begin(self, turn: int) -> timedelta:
        """How long a shard of this turn has to wait; if it has not, its session begins now."""
        now = self._clock.now()
        if self._store.is_shared:
            async with self._store.writing() as tx:
                last = await processes.begin_session(tx, turn, now, SPACING)
        else:
            last = self._begun.get(turn)
            if last is None or now - last >= SPACING:
                self._begun[turn], last = now, None
        return timedelta(0) if last is None else max(last + SPACING - now, timedelta(milliseconds=1))
