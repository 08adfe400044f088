"""Who asks, and his turn: of one person one game is replayed at a time, and of all who ask only a few.

Whatever somebody asks for, however often, he takes one place of these. Moves and cards take none: they go first.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Final

from host.errors import ErrorCode, HostError
from host.locks import KeyedLocks

PLACES: Final = 2
"""Games that are replayed at a time for people who ask."""
MOST_WAITING: Final = 8
"""So many replays a person may have asked for that have not begun."""
_ASKS: Final[ContextVar[int | None]] = ContextVar("_ASKS", default=None)


@contextmanager
def asking(user_id: int) -> Iterator[None]:
    """What is done here is done for somebody who asks."""
    before = _ASKS.set(user_id)
    try:
        yield
    finally:
        _ASKS.reset(before)


def asks(user_id: int) -> None:
    """The same for all that the present task still does."""
    _ASKS.set(user_id)


class Turns:
    """The turns of those who ask."""

    def __init__(self) -> None:
        self._people = KeyedLocks()
        self._places = asyncio.Semaphore(PLACES)
        self._waiting: Counter[int] = Counter()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """The turn of who asks; nobody waits who does something that nobody has asked for.

        Raises:
            HostError: ``too_much_at_once``.
        """
        person = _ASKS.get()
        if person is None:
            yield
            return
        if self._waiting[person] >= MOST_WAITING:
            raise HostError(ErrorCode.TOO_MUCH_AT_ONCE)
        self._waiting[person] += 1
        try:
            async with self._people.hold(person), self._places:
                yield
        finally:
            self._waiting[person] -= 1
            self._waiting += Counter()  # forgets who waits for nothing
