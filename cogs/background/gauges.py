"""How the bot is: looked at now and then, for meters and for whoever asks whether it lives."""

from __future__ import annotations

import asyncio
import logging
from time import perf_counter
from typing import TYPE_CHECKING, Final

from discord.ext import tasks

from cogs.background.connections import not_connected
from cogs.background.rounds import halt
from host.observability import GATEWAY_WAIT, LOOP_LAG

if TYPE_CHECKING:
    from cogs.background.reconnecting import Reconnecting
    from cogs.background.requests import Requests
    from cogs.services.bot import BotServices
    from host.operating.operators import Health

log = logging.getLogger(__name__)

SECONDS: Final = 0.5
"""Between two looks at the event loop."""
EVERY: Final = 20
"""After so many of them it is looked what waits."""


class Gauges:
    """Sets the meters of what stands still until somebody looks."""

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

    @tasks.loop(seconds=SECONDS)
    async def _round(self) -> None:
        now = perf_counter()
        LOOP_LAG.observe(max(0.0, now - self._woke - SECONDS))
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
