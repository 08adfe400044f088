"""What takes a while is worked out before the transaction that needs it: within one only the database is awaited.

A transaction asks for it when it knows what it needs. If that is not there yet, the transaction is given up, the work
is done in a thread, and the transaction begins again. What it was worked out from is its key: if that has changed
meanwhile, it is worked out anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")


class NotYetError(Exception):
    """Something has to be worked out before the transaction can go on; it is given up for that."""

    def __init__(self, key: object, make: Callable[[], object]) -> None:
        super().__init__("not worked out yet")
        self.key = key
        self.make = make


class Ahead:
    """What has been worked out for one transaction, by what it was worked out from."""

    def __init__(self) -> None:
        self._done: list[tuple[object, Any]] = []

    def of(self, key: object, make: Callable[[], T]) -> T:
        """What is made of what ``key`` holds.

        Raises:
            NotYetError: it has not been made; whoever runs the transaction does so.
        """
        for known, value in self._done:
            if known == key:
                made: T = value
                return made
        raise NotYetError(key, make)

    async def work_out(self, missing: NotYetError) -> None:
        """Make what a transaction lacked."""
        self._done.append((missing.key, await asyncio.to_thread(missing.make)))


async def worked_out(transaction: Callable[[Ahead], Awaitable[T]]) -> T:
    """Run a transaction, again and again until all that it needs has been worked out ahead of it."""
    ahead = Ahead()
    while True:
        try:
            return await transaction(ahead)
        except NotYetError as error:
            missing = error
        await ahead.work_out(missing)
