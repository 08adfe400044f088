"""The loop in which the host does what is due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from discord.ext import tasks

from cogs.background.rounds import halt
from host import log_failure

if TYPE_CHECKING:
    from host import Sweep

log = logging.getLogger(__name__)

SECONDS: Final = 1.0
"""How often to look; it is one statement, which an index answers."""


class Sweeper:
    """Lets the host do what is due, and whoever posts the cards know that something was."""

    def __init__(self, sweep: Sweep, wake: Callable[[], None]) -> None:
        self._sweep = sweep
        self._wake = wake
        self._busy = asyncio.Lock()

    def start(self) -> None:
        """Do at once what has become due since the last process stopped, then what comes."""
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Leave the rest for the next start."""
        await halt(self._busy, self._round)

    @tasks.loop(seconds=SECONDS)
    async def _round(self) -> None:
        try:
            async with self._busy:
                if await self._sweep.work():
                    self._wake()  # a card may be due
        except Exception as error:  # noqa: BLE001 - the next round tries again
            log_failure(log, "what is due could not be read", error)
