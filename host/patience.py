"""Trying again what the database has given up or not answered, as long as somebody waits for it.

Whoever is tried again looks first whether it was done: an answer to COMMIT that got lost is found by its interaction.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import wraps
from random import uniform
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar

from host.settings import HostSettings
from store import WAITS, CollisionError, Patience, UnavailableError

log = logging.getLogger(__name__)

Params = ParamSpec("Params")
T = TypeVar("T")

_PAUSE: Final = 0.5
"""Seconds for which a database that does not answer is left alone."""
_SHORTEST: Final = 0.01
"""The same where two were in each other's way."""
_SAID_EVERY: Final = 60.0
"""Seconds between two lines about a database that is waited for."""


class Patient(Protocol):
    """What has settings, among them how long somebody waits."""

    _settings: HostSettings


Waiter = TypeVar("Waiter", bound=Patient)


@contextmanager
def waiting(seconds: float) -> Iterator[None]:
    """Somebody waits for what is done here: for a database that does not answer so many seconds, all in all."""
    before = WAITS.set(Patience(seconds))
    try:
        yield
    finally:
        WAITS.reset(before)


def wait_less(seconds: float) -> None:
    """Who waits for what is done here waits only so long: what he asked for has to be answered first of all."""
    if WAITS.get() is not None:
        WAITS.set(Patience(seconds))


def patient(
    method: Callable[Concatenate[Waiter, Params], Awaitable[T]],
) -> Callable[Concatenate[Waiter, Params], Awaitable[T]]:
    """A method that is tried again as long as somebody waits, and recognises what it has done by its interaction."""

    @wraps(method)
    async def tried(self: Waiter, /, *args: Params.args, **kwargs: Params.kwargs) -> T:
        return await patiently(lambda: method(self, *args, **kwargs), self._settings.patience)

    return tried


async def patiently(work: Callable[[], Awaitable[T]], patience: timedelta) -> T:
    """What it comes to in the end.

    Raises:
        UnavailableError: the database did not answer in time; whether it has stored anything is not known.
        CollisionError: others were quicker again and again.
    """
    loop = asyncio.get_running_loop()
    waits = WAITS.get()
    end = loop.time() + min(patience.total_seconds(), patience.total_seconds() if waits is None else waits.left)
    while True:
        limit = asyncio.timeout_at(end)
        try:
            async with limit:
                return await work()
        except (CollisionError, UnavailableError) as error:
            pause = uniform(0, _SHORTEST) if isinstance(error, CollisionError) else _PAUSE  # noqa: S311 - no secret
            if loop.time() + pause >= end:
                raise
            await asyncio.sleep(pause)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise UnavailableError("the database did not answer in time") from error


async def answered(work: Callable[[], Awaitable[T]]) -> T:
    """What it comes to once the database answers, however long that takes; a line a minute says so."""
    loop = asyncio.get_running_loop()
    said = loop.time() - _SAID_EVERY
    while True:
        try:
            return await work()
        except (CollisionError, UnavailableError) as error:
            if loop.time() - said >= _SAID_EVERY:
                said = loop.time()
                log.warning("waiting for the database: %r", error)
            await asyncio.sleep(_PAUSE)
