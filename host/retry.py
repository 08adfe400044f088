"""Retry database work that has failed, until a deadline, and keep slow computations out of transactions.

Work that is retried must be *idempotent*: carried out twice, it has the effect of once. The answer to a COMMIT may be
lost although the commit took place, so the host's changes first look whether their interaction was carried out before.

A transaction must not wait for a slow computation, because it may hold up others. :func:`run_with_precomputed` runs
such computations before the transaction, in a thread.
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
"""The longest pause, in seconds, after two transactions have collided; it is random, so that they do not meet again."""
_LOG_INTERVAL: Final = 60.0
"""Seconds between two log lines about a database that does not answer."""


class HasPatience(Protocol):
    """A service that has methods with the decorator :func:`retried`."""

    patience: timedelta
    """The time for which callers of its methods wait for an outcome."""


Service = TypeVar("Service", bound=HasPatience)


@contextmanager
def waiting(seconds: float) -> Iterator[None]:
    """Limit the time, in seconds, for which the work of this block waits for a database that does not answer."""
    token = RETRY_BUDGET.set(RetryBudget(seconds))
    try:
        yield
    finally:
        RETRY_BUDGET.reset(token)


def wait_less(seconds: float) -> None:
    """Set a new limit, in seconds, on the time for which the current work waits; ignored outside :func:`waiting`."""
    if RETRY_BUDGET.get() is not None:
        RETRY_BUDGET.set(RetryBudget(seconds))


def retried(
    method: Callable[Concatenate[Service, Params], Awaitable[T]],
) -> Callable[Concatenate[Service, Params], Awaitable[T]]:
    """Decorate an idempotent method of a service: it is retried for as long as the service's ``patience``."""

    @wraps(method)
    async def retry_method(self: Service, /, *args: Params.args, **kwargs: Params.kwargs) -> T:
        return await retry_until(lambda: method(self, *args, **kwargs), self.patience)

    return retry_method


async def retry_until(work: Callable[[], Awaitable[T]], patience: timedelta) -> T:
    """Retry work until it succeeds or ``patience`` is over, or the limit of :func:`waiting` if that is less.

    Raises:
        UnavailableError: the database did not answer in time; nobody knows whether it has stored anything.
        CollisionError: another transaction was quicker every time.
    """
    loop = asyncio.get_running_loop()
    budget = RETRY_BUDGET.get()
    end = loop.time() + min(patience.total_seconds(), patience.total_seconds() if budget is None else budget.remaining)
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
    """A transaction needs a value that has not been computed; it has to be rolled back and run again with it."""

    def __init__(self, key: object, make: Callable[[], object]) -> None:
        super().__init__("not computed yet")
        self.key = key
        self.make = make


class Precomputed:
    """The values that were computed for one transaction, by their inputs; see :func:`run_with_precomputed`."""

    def __init__(self) -> None:
        self._values: list[tuple[object, Any]] = []

    def of(self, key: object, make: Callable[[], T]) -> T:
        """Return the value of ``make()`` for the inputs ``key``, if it has been computed.

        Raises:
            NotYetError: it has not been; :func:`run_with_precomputed` computes it and runs the transaction again.
        """
        for stored_key, value in self._values:
            if stored_key == key:
                result: T = value
                return result
        raise NotYetError(key, make)

    async def compute(self, missing: NotYetError) -> None:
        """Compute in a thread the value that a transaction lacked."""
        self._values.append((missing.key, await asyncio.to_thread(missing.make)))


async def run_with_precomputed(transaction: Callable[[Precomputed], Awaitable[T]]) -> T:
    """Run a transaction; each time it lacks a value, roll it back, compute the value, and run it again.

    For example, a transaction that starts a game gets the shuffled setup from ``precomputed.of(lobby, shuffle)``. If
    the lobby has changed by the second run, the inputs differ, and the setup is computed once more.
    """
    precomputed = Precomputed()
    while True:
        try:
            return await transaction(precomputed)
        except NotYetError as error:
            missing = error
        await precomputed.compute(missing)
