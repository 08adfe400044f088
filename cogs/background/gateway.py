"""Gateway connections: handing shards over to another process, reconnecting, and starting sessions.

:class:`Reconnecting` keeps the delay between attempts short, so that the bot returns soon after Discord. discord.py's
own delay doubles up to 1,024 seconds and is reset only after 2,048: a five-minute outage of Discord was followed by two
more minutes without the bot in the median, and by seven in one of ten cases. A failed attempt costs none of the
sessions that Discord allows in a day: one counts only when the connection is open and :class:`SessionStarts` lets it
identify. A process makes one attempt at a time, whatever the number of its shards.

:class:`SessionStarts` limits new sessions across all processes: so many a day, and shards of the same rate-limit bucket
five seconds apart. Long waits happen before a connection is opened; an open one waits only briefly.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from random import uniform
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal

import discord
from discord.backoff import ExponentialBackoff
from discord.ext import commands

from cogs.services.bot import BotServices
from cogs.services.lookups import CONNECTION_BROKEN
from host.retry import retry_forever

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit


log = logging.getLogger(__name__)

LEAVE_SECONDS: Final = 5.0
"""Time limit for closing the connections; slower ones are cut."""


class Connections:
    """The gateway connections of this process: closed while another process holds the same shards, then reopened."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._left: set[int] = set()

    async def settle(self) -> None:
        """Open or close the connections as the overlap with other processes requires."""
        shards = self._bot.shards
        if self._bot.host.processes.overlap.yields:
            for number, shard in shards.items():
                if not shard.is_closed():
                    self._left.add(number)
                    await shard.disconnect()
        elif self._left:
            closed, self._left = self._left, set()
            self._bot.run_in_background(self._reconnect(closed), name="connect again")

    async def _reconnect(self, shards: set[int]) -> None:
        for number in sorted(shards):
            if not self._bot.host.processes.overlap.yields:
                await self._bot.shards[number].connect()


async def leave(bot: BotServices) -> None:
    """Close all connections, so that pending interactions can be answered while no new ones arrive.

    A shard that is reconnecting at this moment may still succeed; its interactions are answered until the process ends.
    """
    ending = [asyncio.create_task(shard.disconnect()) for shard in bot.shards.values()]
    if ending:
        await asyncio.wait(ending, timeout=LEAVE_SECONDS)
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)


def not_connected(bot: BotServices) -> list[int]:
    """Return the shards of this process that have no connection."""
    return [number for number, shard in bot.shards.items() if shard.is_closed()]


LONGEST_WAIT_SECONDS: Final = 30.0
"""Longest delay between two attempts to connect."""


class ReconnectWait(ExponentialBackoff[Literal[False]]):
    """The backoff of one shard: the delay doubles with each failed attempt up to its maximum, until :meth:`reset`."""

    def __init__(self) -> None:
        super().__init__()
        self.failures = 0
        """Failed attempts since the last connection."""
        self.seconds = 0.0
        """The delay after the last failed attempt; 0 if there is none."""

    def delay(self) -> float:
        """Count a failed attempt and return the seconds until the next one.

        Half of the delay is random, so that processes that lost Discord together do not all reconnect at once.
        """
        self.failures += 1
        longest = min(2.0 ** min(self.failures, 10), LONGEST_WAIT_SECONDS)
        self.seconds = uniform(longest / 2, longest)  # noqa: S311 - no secret
        return self.seconds

    def reset(self) -> None:
        """Reset the delay after a successful connection."""
        self.failures, self.seconds = 0, 0.0


class Reconnecting(commands.Cog):
    """The backoffs of all shards of this process."""

    def __init__(self) -> None:
        self._waits: dict[int, ReconnectWait] = {}

    def cap(self, shard: discord.ShardInfo) -> None:
        """Replace the backoff of a launched shard by :class:`ReconnectWait`.

        ``Client.connect``, which has a second backoff of discord.py's own, never runs, because the bot connects by
        shards even if it has only one.
        """
        wait = self._waits.setdefault(shard.id, ReconnectWait())
        shard._parent._backoff = wait  # noqa: SLF001 - discord.py has no setting for it; a test would notice a change

    def seconds(self) -> float:
        """Return the longest current delay of any shard; 0 if no attempt has failed."""
        return max((wait.seconds for wait in self._waits.values()), default=0.0)

    def problem(self) -> str:
        """Return which attempt failed and when the next one follows, in words; empty if none has failed."""
        failures = max((wait.failures for wait in self._waits.values()), default=0)
        return f"attempt {failures} failed, the next one follows within {self.seconds():.0f} s" if failures else ""

    @commands.Cog.listener()
    async def on_shard_connect(self, shard: int) -> None:
        """Reset the backoff when a session has started."""
        self._connected(shard)

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard: int) -> None:
        """Reset the backoff when a session was resumed."""
        self._connected(shard)

    def _connected(self, shard: int) -> None:
        if shard in self._waits:
            self._waits[shard].reset()


RESERVED_SESSIONS: Final = 100
"""Session starts kept in reserve for a day with failures."""
HOLD_SECONDS: Final = 40.0
"""Time limit for an open connection to wait for its turn; Discord would close it after a while."""
CACHE_SECONDS: Final = 60.0
"""Time for which Discord's answer about session limits is cached."""
RETRY_SECONDS: Final = 5.0
"""Delay before asking Discord, or checking the other processes, again."""
MAX_RETRY_SECONDS: Final = 600.0
"""Longest delay while too few sessions are left."""


class SessionStarts:
    """The limits on starting sessions: the recommended number of shards, and when a shard may identify."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._asked_at = -CACHE_SECONDS
        self._recommended = 0
        self._limit: SessionStartLimit | None = None

    async def recommended(self) -> int:
        """Return how many shards Discord recommends, asking until it answers."""
        while await self._limits() is None:  # noqa: ASYNC110 - Discord does not call back
            await asyncio.sleep(RETRY_SECONDS)
        return self._recommended

    async def enough_left(self) -> None:
        """Wait until enough session starts are left; if Discord does not answer, assume that they are."""
        while (limit := await self._limits()) is not None and limit["remaining"] < RESERVED_SESSIONS:
            hours = limit["reset_after"] / 3_600_000
            log.error("%s session starts are left for %.1f hours: waiting for more", limit["remaining"], hours)
            await asyncio.sleep(min(max(limit["reset_after"] / 1000, RETRY_SECONDS), MAX_RETRY_SECONDS))
            self._asked_at = monotonic() - CACHE_SECONDS

    async def take_turn(self, shard: int) -> None:
        """Wait until a shard may start its session: its turn has come and no other process holds the same servers.

        Raises:
            TimeoutError: the wait exceeds :data:`HOLD_SECONDS`.
        """
        async with asyncio.timeout(HOLD_SECONDS):
            await self.enough_left()
            turn = shard % (1 if self._limit is None else self._limit["max_concurrency"])
            while wait := await self._wait(turn):  # noqa: ASYNC110 - other processes do not call back
                await asyncio.sleep(wait)
            if self._limit is not None:
                self._limit["remaining"] -= 1

    async def _wait(self, turn: int) -> float:
        """Return the seconds until the next check; 0 if the session may start now."""
        host = self._bot.host
        if host.processes.overlap.yields:
            return RETRY_SECONDS
        return (await retry_forever(partial(host.sessions.begin, turn))).total_seconds()

    async def _limits(self) -> SessionStartLimit | None:
        """Return Discord's limits on session starts, cached; None if it does not answer."""
        if monotonic() - self._asked_at < CACHE_SECONDS:
            return self._limit
        try:
            self._recommended, _, self._limit = await self._bot.http.get_bot_gateway()
        except (discord.DiscordException, *CONNECTION_BROKEN) as error:
            log.warning("could not ask Discord how many session starts are left: %r", error)
            self._limit = None
            return None
        self._asked_at = monotonic()
        return self._limit
