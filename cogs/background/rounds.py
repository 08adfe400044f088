"""Ending what is done again and again: between two rounds, so that nothing is torn off in the middle."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from discord.ext import tasks

PATIENCE: Final = 5.0
"""Seconds that a round may still take; one that lasts longer, since Discord does not answer, is torn off."""


async def halt(busy: asyncio.Lock, *loops: tasks.Loop[Any]) -> None:
    """End loops whose rounds hold the lock."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await busy.acquire()
    running = [task for loop in loops if (task := loop.get_task()) is not None]
    for loop in loops:
        loop.cancel()
    await asyncio.gather(*running, return_exceptions=True)
