"""Beginning sessions at Discord: so many a day, those that take turns five seconds apart, over all processes.

Who waits for long does so before a connection is opened; one that is open is kept waiting for a short while only.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

import discord

from cogs.services.lookups import CONNECTION_BROKEN
from host.retry import retry_forever

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit

    from cogs.services.bot import BotServices

log = logging.getLogger(__name__)

FEWEST: Final = 100
"""Sessions that are left for a day on which something goes wrong."""
HOLD_SECONDS: Final = 40.0
"""How long a connection that is open waits for its turn; Discord closes it after a while."""
KNOWN_SECONDS: Final = 60.0
"""How long what Discord says of sessions counts."""
AGAIN_SECONDS: Final = 5.0
LONGEST_SECONDS: Final = 600.0


class Identifying:
    """Knows how many shards Discord recommends, and when one may begin a session."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._asked_at = -KNOWN_SECONDS
        self._recommended = 0
        self._limit: SessionStartLimit | None = None

    async def recommended(self) -> int:
        """How many shards Discord recommends, as soon as it says so."""
        while await self._asked() is None:  # noqa: ASYNC110 - Discord does not call back
            await asyncio.sleep(AGAIN_SECONDS)
        return self._recommended

    async def enough_left(self) -> None:
        """Wait until there are sessions enough; where Discord does not say, there are."""
        while (limit := await self._asked()) is not None and limit["remaining"] < FEWEST:
            hours = limit["reset_after"] / 3_600_000
            log.error("%s sessions are left, for %.1f hours: waiting for more", limit["remaining"], hours)
            await asyncio.sleep(min(max(limit["reset_after"] / 1000, AGAIN_SECONDS), LONGEST_SECONDS))
            self._asked_at = monotonic() - KNOWN_SECONDS

    async def take_turn(self, shard: int) -> None:
        """Wait until a shard may begin its session, the database answers, and no other process has these servers.

        Raises:
            TimeoutError: that is not soon.
        """
        async with asyncio.timeout(HOLD_SECONDS):
            await self.enough_left()
            turn = shard % (1 if self._limit is None else self._limit["max_concurrency"])
            while wait := await self._wait(turn):  # noqa: ASYNC110 - nor does another process
                await asyncio.sleep(wait)
            if self._limit is not None:
                self._limit["remaining"] -= 1

    async def _wait(self, turn: int) -> float:
        """Seconds until it is worth looking again; 0 when the session begins now."""
        host = self._bot.host
        if host.crew.overlap.aside:
            return AGAIN_SECONDS
        return (await retry_forever(partial(host.sessions.begin, turn))).total_seconds()

    async def _asked(self) -> SessionStartLimit | None:
        if monotonic() - self._asked_at < KNOWN_SECONDS:
            return self._limit
        try:
            self._recommended, _, self._limit = await self._bot.http.get_bot_gateway()
        except (discord.DiscordException, *CONNECTION_BROKEN) as error:
            log.warning("Discord does not say how many sessions are left: %r", error)
            self._limit = None
            return None
        self._asked_at = monotonic()
        return self._limit
