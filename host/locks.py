"""One lock for each game that somebody is busy with, and none for all others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class KeyedLocks:
    """Locks by key; each exists only while it is held or waited for.

    They give order within this process. The truth is the store's compare-and-set.
    """

    def __init__(self) -> None:
        self._locks: dict[int, asyncio.Lock] = {}
        self._users: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._locks)

    @asynccontextmanager
    async def hold(self, key: int) -> AsyncIterator[None]:
        """Wait for the lock of a key and keep it for the block."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._users[key] = self._users.get(key, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._locks[key]

    async def idle(self) -> None:
        """Wait until whoever holds or waits for a lock now is done."""
        for key in list(self._locks):
            async with self.hold(key):
                pass
