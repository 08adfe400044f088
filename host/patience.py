"""Trying again what the database has given up or not answered, as long as somebody waits for it.

Whoever is tried again looks first whether it was done: an answer to COMMIT that got lost is found by its interaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from random import uniform
from typing import Final, TypeVar

from store import CollisionError, UnavailableError

T = TypeVar("T")

_PAUSE: Final = 0.5
"""Seconds for which a database that does not answer is left alone."""
_SHORTEST: Final = 0.01
"""The same where two were in each other's way."""


async def patiently(work: Callable[[], Awaitable[T]], patience: timedelta) -> T:
    """What it comes to in the end.

    Raises:
        UnavailableError: the database did not answer in time; whether it has stored anything is not known.
        CollisionError: others were quicker again and again.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + patience.total_seconds()
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
