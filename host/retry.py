"""Retry database work that failed or timed out, until the caller's deadline.

Retries are idempotent: each looks first for its interaction, since an answer to COMMIT may have been lost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import wraps
from random import uniform
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from store import RETRY_BUDGET, CollisionError, RetryBudget, UnavailableError

log = logging.getLogger(__name__)

Params = ParamSpec("Params")
T = TypeVar("T")

_RETRY_INTERVAL: Final = 0.5
"""Seconds between attempts while the database does not answer."""
_COLLISION_JITTER: Final = 0.01
"""Longest pause, in seconds, after two transactions collided."""
_LOG_INTERVAL: Final = 60.0
"""Seconds between two log lines about a database that does not answer."""


class HasPatience(Protocol):
    """A service with methods decorated by :func:`retried`."""

    patience: timedelta
    """Time for which callers wait for an outcome."""


Service = TypeVar("Service", bound=HasPatience)


@contextmanager
def waiting(seconds: float) -> Iterator[None]:
    """Limit the time, in seconds, that the work of this block waits for a database that does not answer."""
    token = RETRY_BUDGET.set(RetryBudget(seconds))
    try:
        yield
    finally:
        RETRY_BUDGET.reset(token)


def wait_less(seconds: float) -> None:
    """Shorten the deadline of the current work, since its acknowledgement is more urgent than its outcome."""
    if RETRY_BUDGET.get() is not None:
        RETRY_BUDGET.set(RetryBudget(seconds))


def retried(
    method: Callable[Concatenate[Service, Params], Awaitable[T]],
) -> Callable[Concatenate[Service, Params], Awaitable[T]]:
    """Decorate an idempotent method of a service, to be retried until the service's ``patience`` is over."""

    @wraps(method)
    async def tried(self: Service, /, *args: Params.args, **kwargs: Params.kwargs) -> T:
        return await retry_until(lambda: method(self, *args, **kwargs), self.patience)

    return tried


async def retry_until(work: Callable[[], Awaitable[T]], patience: timedelta) -> T:
    """Retry work until it succeeds or ``patience`` is over.

    Raises:
        UnavailableError: the database did not answer in time; whether it has stored anything is not known.
        CollisionError: concurrent transactions won every time.
    """
    loop = asyncio.get_running_loop()
    budget = RETRY_BUDGET.get()
    end = loop.time() + min(patience.total_seconds(), patience.total_seconds() if budget is None else budget.left)
    while True:
        limit = asyncio.timeout_at(end)
        try:
            async with limit:
                return await work()
        except (CollisionError, UnavailableError) as error:
            pause = uniform(0, _COLLISION_JITTER) if isinstance(error, CollisionError) else _RETRY_INTERVAL  # noqa: S311 - no secret
            if loop.time() + pause >= end:
                raise
            await asyncio.sleep(pause)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise UnavailableError("the database did not answer in time") from error


async def retry_forever(work: Callable[[], Awaitable[T]]) -> T:
    """Retry work until the database answers, however long that takes; log the wait once a minute."""
    loop = asyncio.get_running_loop()
    last_logged = loop.time() - _LOG_INTERVAL
    while True:
        try:
            return await work()
        except (CollisionError, UnavailableError) as error:
            if loop.time() - last_logged >= _LOG_INTERVAL:
                last_logged = loop.time()
                log.warning("waiting for the database: %r", error)
            await asyncio.sleep(_RETRY_INTERVAL)


class NotYetError(Exception):
    """Raised in a transaction that needs a value computed outside of it; it is rolled back and run again."""

    def __init__(self, key: object, make: Callable[[], object]) -> None:
        super().__init__("not computed yet")
        self.key = key
        self.make = make


class Precomputed:
    """Values computed for one transaction, by their inputs.

    Slow computations must not hold a transaction open, so they run before it, in a thread; see
    :func:`run_with_precomputed`.
    """

    def __init__(self) -> None:
        self._values: list[tuple[object, Any]] = []

    def of(self, key: object, make: Callable[[], T]) -> T:
        """Return the value of ``make()`` for the inputs ``key``.

        Raises:
            NotYetError: it has not been computed; :func:`run_with_precomputed` computes it and tries again.
        """
        for stored_key, value in self._values:
            if stored_key == key:
                result: T = value
                return result
        raise NotYetError(key, make)

    async def compute(self, missing: NotYetError) -> None:
        """Compute the value that a transaction lacked, in a thread."""
        self._values.append((missing.key, await asyncio.to_thread(missing.make)))


async def run_with_precomputed(transaction: Callable[[Precomputed], Awaitable[T]]) -> T:
    """Run a transaction; each time it lacks a value, roll it back, compute the value and run it again."""
    precomputed = Precomputed()
    while True:
        try:
            return await transaction(precomputed)
        except NotYetError as error:
            missing = error
        await precomputed.compute(missing)
