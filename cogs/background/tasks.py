"""Tasks that repeat: the heartbeat, the sweep of due timers, and the gauges of health; each ends between two rounds.

The heart beats while the gateway is connected: what it was silent for is given back to all clocks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from discord.ext import commands, tasks

from cogs.background.gateway import Connections, not_connected
from host import log_failure
from host.observability import GATEWAY_WAIT, LOOP_LAG

if TYPE_CHECKING:
    from cogs.background.gateway import Reconnecting
    from cogs.background.requests import Requests
    from cogs.services.bot import BotServices
    from host import Sweep
    from host.operating.operators import Health

log = logging.getLogger(__name__)


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


HEARTBEAT_SECONDS: Final = 10.0
"""Between two beats: that no more is lost of a gap, and nothing is declared much later than it might be."""


class HeartbeatTask(commands.Cog):
    """The heartbeat: says that this process lives, and which of its shards are connected."""

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

    @tasks.loop(seconds=HEARTBEAT_SECONDS)
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


SWEEP_SECONDS: Final = 1.0
"""How often to look; it is one statement, which an index answers."""


class Sweeper:
    """The loop in which the host does what is due; the publisher is woken when something was."""

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

    @tasks.loop(seconds=SWEEP_SECONDS)
    async def _round(self) -> None:
        try:
            async with self._busy:
                if await self._sweep.work():
                    self._wake()  # a card may be due
        except Exception as error:  # noqa: BLE001 - the next round tries again
            log_failure(log, "what is due could not be read", error)


GAUGE_SECONDS: Final = 0.5
"""Between two looks at the event loop."""
EVERY: Final = 20
"""After so many looks at the event loop it is checked what waits."""


class Gauges:
    """The loop that sets the meters of what stands still until somebody looks."""

    def __init__(self, bot: BotServices, health: Health, requests: Requests, reconnecting: Reconnecting) -> None:
        self._bot = bot
        self._requests = requests
        self._reconnecting = reconnecting
        self._health = health
        self._busy = asyncio.Lock()
        self._count = 0
        self._woke = perf_counter()

    def start(self) -> None:
        """Look from now on: only where somebody watches."""
        self._woke = perf_counter()
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Look no more."""
        await halt(self._busy, self._round)

    @tasks.loop(seconds=GAUGE_SECONDS)
    async def _round(self) -> None:
        now = perf_counter()
        LOOP_LAG.observe(max(0.0, now - self._woke - GAUGE_SECONDS))
        self._woke = now
        self._health.note(self._health.troubles)
        self._count += 1
        if self._count % EVERY == 1:
            async with self._busy:
                self._health.note(await self.troubles())

    async def troubles(self) -> dict[str, str]:
        """What is stuck, and why."""
        found = await self._bot.host.looking.look()
        GATEWAY_WAIT.set(self._reconnecting.seconds())
        if missing := self._not_connected():
            found["gateway"] = ": ".join(filter(None, [missing, self._reconnecting.trouble()]))
        if resting := self._requests.trouble():
            found["requests"] = resting
        if aside := self._bot.host.crew.overlap.trouble():
            found["shards"] = aside
        elif "database" not in found:
            found |= await self._unheld()
        return found

    async def _unheld(self) -> dict[str, str]:
        """Return which shards nobody has, or that the database does not say; an error here would end all rounds."""
        try:
            unheld = await self._bot.host.crew.unheld()
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the database is what is looked for
            return {"database": type(error).__name__}
        return {"shards": f"nobody has {unheld}"} if unheld else {}

    def _not_connected(self) -> str:
        """Return what has no connection to Discord, in words; empty for nothing."""
        if self._bot.is_closed() or not self._bot.is_ready():
            return "not connected to Discord"
        missing = not_connected(self._bot)
        return f"shards {', '.join(map(str, missing))} are not connected to Discord" if missing else ""
