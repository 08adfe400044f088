"""The heart beats while the gateway is connected: what it was silent for is given back to all clocks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from discord.ext import commands, tasks

from cogs.background.connections import Connections
from cogs.background.rounds import halt
from host import log_failure

if TYPE_CHECKING:
    from cogs.services.bot import BotServices

log = logging.getLogger(__name__)

SECONDS: Final = 10.0
"""Between two beats: that no more is lost of a gap, and nothing is declared much later than it might be."""


class Heart(commands.Cog):
    """Beats, and knows which shards are connected."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._connections = Connections(bot)
        self._connected: set[int] = set()
        self._busy = asyncio.Lock()
        self._then: Callable[[], None] | None = None

    def start(self, then: Callable[[], None] | None = None) -> None:
        """Begin to beat as soon as there is a connection; ``then`` is done after the first beat."""
        self._then = then
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Nobody hears anything from now on."""
        self._then = None
        self._connected = set()
        await halt(self._busy, self._round)

    @commands.Cog.listener()
    async def on_shard_connect(self, shard: int) -> None:
        """There is a connection: at once, before anything is done that it brings."""
        await self._revive(shard)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """There is one, and all its servers are known."""
        await self._revive(shard)

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard: int) -> None:
        """It was only interrupted."""
        await self._revive(shard)

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard: int) -> None:
        """It is gone."""
        self._connected.discard(shard)

    async def _revive(self, shard: int) -> None:
        self._connected.add(shard)
        await self._beat()

    @tasks.loop(seconds=SECONDS)
    async def _round(self) -> None:
        await self._live()
        await self._settle()
        await self._beat()

    async def _live(self) -> None:
        """Say among other processes that this one lives, connected or not."""
        try:
            await self._bot.host.crew.beat()
        except Exception as error:  # noqa: BLE001 - the next round is soon enough: till then its leases may be others'
            log.warning("this process could not say that it lives: %r", error)

    async def _settle(self) -> None:
        """Be connected, or not, as other processes let this one."""
        try:
            await self._connections.settle()
        except Exception as error:  # noqa: BLE001 - the next round is soon enough, and what raises ends all rounds
            log_failure(log, "the connections could not be left or taken up", error)

    async def _beat(self) -> None:
        if not self._connected:
            return
        try:
            async with self._busy:
                await self._bot.host.pulse.beat(sorted(self._connected), self._bot.shard_count or 1)
            then, self._then = self._then, None
            if then is not None:
                then()
        except Exception as error:  # noqa: BLE001 - the next beat gives back what was lost
            log_failure(log, "the heart could not beat", error)
