"""The heart beats while the gateway is connected: what it was silent for is given back to all clocks."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from discord.ext import commands, tasks

from cogs.background.rounds import halt
from host import complain

if TYPE_CHECKING:
    from cogs.desk.interaction import Desk

log = logging.getLogger(__name__)

SECONDS: Final = 10.0
"""Between two beats: that no more is lost of a gap, and nothing is declared much later than it might be."""


class Heart(commands.Cog):
    """Beats, and knows whether the gateway is connected."""

    def __init__(self, bot: Desk) -> None:
        self._bot = bot
        self._connected = False
        self._busy = asyncio.Lock()

    def start(self) -> None:
        """Begin to beat as soon as there is a connection."""
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Nobody hears anything from now on."""
        self._connected = False
        await halt(self._busy, self._round)

    @commands.Cog.listener()
    async def on_connect(self) -> None:
        """There is a connection: at once, before anything is done that it brings."""
        await self._revive()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """There is one, and all servers are known."""
        await self._revive()

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """It was only interrupted."""
        await self._revive()

    @commands.Cog.listener()
    async def on_disconnect(self) -> None:
        """It is gone."""
        self._connected = False

    async def _revive(self) -> None:
        self._connected = True
        await self._beat()

    @tasks.loop(seconds=SECONDS)
    async def _round(self) -> None:
        await self._live()
        await self._beat()

    async def _live(self) -> None:
        """Say among other processes that this one lives, connected or not."""
        shard, of = self._bot.shard_id or 0, self._bot.shard_count or 1
        try:
            await self._bot.host.crew.beat(shard, shard, of)
        except Exception as error:  # noqa: BLE001 - the next round is soon enough: till then its leases may be others'
            log.warning("this process could not say that it lives: %r", error)

    async def _beat(self) -> None:
        if not self._connected:
            return
        try:
            async with self._busy:
                await self._bot.host.pulse.beat([self._bot.shard_id or 0], self._bot.shard_count or 1)
        except Exception as error:  # noqa: BLE001 - the next beat gives back what was lost
            complain(log, "the heart could not beat", error)
