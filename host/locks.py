"""Concurrency within one process: a lock for each game in use, and a queue for replays that users request.

To *replay* a game is to compute its position from its log, which takes long for a long game. A single user must not be
able to keep the process busy with replays. So the work of a request is attributed to its user (:func:`requested_by`),
and attributed replays wait for their turn in a :class:`ReplayQueue`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Final

from host.errors import ErrorCode, HostError

MAX_REPLAYS: Final = 2
"""The most requested replays that run at the same time."""
MAX_WAITING_REPLAYS: Final = 8
"""The most replays of one user that run or wait."""
_REQUESTER: Final[ContextVar[int | None]] = ContextVar("_REQUESTER", default=None)
"""The id of the user to whom the current work is attributed; None if it is attributed to nobody."""


class KeyedLocks:
    """Locks by key, such as the id of a game. A lock exists only while it is held or waited for.

    The locks order the work of this process only. Conflicts with other processes are detected when a change is stored.
    """

    def __init__(self) -> None:
        self._locks: dict[int, asyncio.Lock] = {}
        self._users: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._locks)

    @asynccontextmanager
    async def hold(self, key: int) -> AsyncIterator[None]:
        """Wait for the lock of a key, and hold it for the block."""
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
        """Wait until all current holders and waiters are done."""
        for key in list(self._locks):
            async with self.hold(key):
                pass


@contextmanager
def requested_by(user_id: int) -> Iterator[None]:
    """Attribute the work of this block to a user."""
    token = _REQUESTER.set(user_id)
    try:
        yield
    finally:
        _REQUESTER.reset(token)


def attribute_to(user_id: int) -> None:
    """Attribute the rest of the current task to a user."""
    _REQUESTER.set(user_id)


class ReplayQueue:
    """A queue of replays: each user has one at a time, and all users together have ``MAX_REPLAYS``.

    Moves and cards are attributed to nobody, and do not wait.
    """

    def __init__(self) -> None:
        self._user_locks = KeyedLocks()
        self._slots = asyncio.Semaphore(MAX_REPLAYS)
        self._waiting: Counter[int] = Counter()

    @property
    def waiting(self) -> int:
        """The number of requested replays that run or wait."""
        return self._waiting.total()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until a replay may run, and count it for the block; work that is attributed to nobody does not wait.

        Raises:
            HostError: ``too_much_at_once`` if too many replays of the user run or wait already.
        """
        user_id = _REQUESTER.get()
        if user_id is None:
            yield
            return
        if self._waiting[user_id] >= MAX_WAITING_REPLAYS:
            raise HostError(ErrorCode.TOO_MUCH_AT_ONCE)
        self._waiting[user_id] += 1
        try:
            async with self._user_locks.hold(user_id), self._slots:
                yield
        finally:
            self._waiting[user_id] -= 1
            self._waiting += Counter()  # drops counts of zero
