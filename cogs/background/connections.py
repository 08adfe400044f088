"""The connections to the gateway: which shards they are, and leaving them to another process that has the same ones."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cogs.services.bot import BotServices

log = logging.getLogger(__name__)

LEAVE_SECONDS: Final = 5.0
"""How long a connection may take to end; what takes longer is cut."""


class Connections:
    """Ends them when another process has shards of the same servers for too long, and takes them up again."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._left: set[int] = set()

    async def settle(self) -> None:
        """Be connected, or not, as :attr:`host.crew.Crew.overlap` says."""
        shards = self._bot.shards
        if self._bot.host.crew.overlap.aside:
            for number, shard in shards.items():
                if not shard.is_closed():
                    self._left.add(number)
                    await shard.disconnect()
        elif self._left:
            left, self._left = self._left, set()
            self._bot.beside(self._come_back(left), name="connect again")

    async def _come_back(self, left: set[int]) -> None:
        for number in sorted(left):
            if not self._bot.host.crew.overlap.aside:
                await self._bot.shards[number].connect()


async def leave(bot: BotServices) -> None:
    """End all connections for good, so that what has come can be answered while nothing more comes in.

    A shard that is connecting again at this very moment may come through all the same; what it brings then is answered
    as long as the process is there.
    """
    ending = [asyncio.create_task(shard.disconnect()) for shard in bot.shards.values()]
    if ending:
        await asyncio.wait(ending, timeout=LEAVE_SECONDS)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)


def not_connected(bot: BotServices) -> list[int]:
    """The shards of this process that have no connection."""
    return [number for number, shard in bot.shards.items() if shard.is_closed()]
