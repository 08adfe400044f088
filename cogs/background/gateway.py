"""The connections to Discord's gateway, through which the bot receives all events.

A large bot has several connections, the *shards*, each for a part of the servers. After it has connected, a shard
*identifies* and thereby starts a session; Discord limits how many sessions a bot may start in a day, and how fast.

- :class:`Connections` closes the connections of this process while an elder process has the same shards.
- :class:`Reconnecting` keeps the delay between attempts to connect short. discord.py's own delay doubles up to 1,024
  seconds, and is reset only after 2,048: a five-minute outage of Discord was followed by two more minutes without the
  bot in the median, and by seven in one of ten cases. A failed attempt uses up no session.
- :class:`SessionStarts` keeps to the limits on sessions, over all processes. Long waits happen before a connection is
  opened, because Discord closes one that does not identify soon.
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
"""The seconds for closing the connections at a shutdown; slower ones are cut."""


class Connections:
    """Closes the connections of this process while another one has the same shards, and opens them again."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._closed: set[int] = set()
        """The numbers of the shards that were closed because of another process."""

    async def settle(self) -> None:
        """Close or reopen the connections, as the conflict with other processes requires."""
        shards = self._bot.shards
        if self._bot.host.processes.overlap.yields:
            for number, shard in shards.items():
                if not shard.is_closed():
                    self._closed.add(number)
                    await shard.disconnect()
        elif self._closed:
            closed, self._closed = self._closed, set()
            self._bot.run_in_background(self._reconnect(closed), name="connect again")

    async def _reconnect(self, shards: set[int]) -> None:
        """Open the connections of these shards again, one after the other."""
        for number in sorted(shards):
            if not self._bot.host.processes.overlap.yields:
                await self._bot.shards[number].connect()


async def disconnect_all(bot: BotServices) -> None:
    """Close all connections at a shutdown, so that pending interactions can be answered while no new ones arrive.

    A shard that is reconnecting at this moment may still succeed; its interactions are answered until the process ends.
    """
    closing = [asyncio.create_task(shard.disconnect()) for shard in bot.shards.values()]
    if closing:
        await asyncio.wait(closing, timeout=LEAVE_SECONDS)
        for task in closing:
            task.cancel()
        await asyncio.gather(*closing, return_exceptions=True)


def disconnected_shards(bot: BotServices) -> list[int]:
    """Return the numbers of the shards of this process that have no connection."""
    return [number for number, shard in bot.shards.items() if shard.is_closed()]


LONGEST_WAIT_SECONDS: Final = 30.0
"""The longest delay between two attempts to connect."""


class ReconnectWait(ExponentialBackoff[Literal[False]]):
    """The delays between the attempts of one shard to connect; they double up to :data:`LONGEST_WAIT_SECONDS`.

    It takes the place of discord.py's own backoff, and has the same interface.
    """

    def __init__(self) -> None:
        super().__init__()
        self.failures = 0
        """The number of failed attempts since the last connection."""
        self.seconds = 0.0
        """The delay after the last failed attempt; 0 if none has failed."""

    def delay(self) -> float:
        """Count a failed attempt, and return the seconds until the next one.

        Half of the delay is random, so that processes that lost the connection together do not all reconnect at once.
        """
        self.failures += 1
        longest = min(2.0 ** min(self.failures, 10), LONGEST_WAIT_SECONDS)
        self.seconds = uniform(longest / 2, longest)  # noqa: S311 - no secret
        return self.seconds

    def reset(self) -> None:
        """Reset the delay after a successful connection."""
        self.failures, self.seconds = 0, 0.0


class Reconnecting(commands.Cog):
    """Gives all shards of this process shorter delays between attempts to connect, and reports failures."""

    def __init__(self) -> None:
        self._waits: dict[int, ReconnectWait] = {}
        """The delays of each shard, by its number."""

    def shorten_delays(self, shard: discord.ShardInfo) -> None:
        """Replace the backoff of a launched shard by :class:`ReconnectWait`.

        The second backoff of discord.py, in ``Client.connect``, is never used, because the bot connects by shards even
        if it has only one.
        """
        wait = self._waits.setdefault(shard.id, ReconnectWait())
        shard._parent._backoff = wait  # noqa: SLF001 - discord.py has no setting for it; a test would notice a change

    def seconds(self) -> float:
        """Return the longest present delay of any shard; 0 if no attempt has failed."""
        return max((wait.seconds for wait in self._waits.values()), default=0.0)

    def problem(self) -> str:
        """Return a description of failed attempts; empty if none has failed since the last connection."""
        failures = max((wait.failures for wait in self._waits.values()), default=0)
        return f"attempt {failures} failed, the next one follows within {self.seconds():.0f} s" if failures else ""

    @commands.Cog.listener("on_shard_connect")
    @commands.Cog.listener("on_shard_resumed")
    async def connected(self, shard: int) -> None:
        """Reset the backoff when a session has started or was resumed."""
        """Reset the backoff of a shard that has connected."""
        if shard in self._waits:
            self._waits[shard].reset()


RESERVED_SESSIONS: Final = 100
"""The session starts that are kept in reserve for further failures on the same day."""
HOLD_SECONDS: Final = 40.0
"""The seconds for which an open connection may wait for its session; Discord would close it after a while."""
CACHE_SECONDS: Final = 60.0
"""The seconds for which Discord's answer about its limits is cached."""
RETRY_SECONDS: Final = 5.0
"""The seconds before asking Discord, or checking the other processes, again."""
MAX_RETRY_SECONDS: Final = 600.0
"""The longest delay, in seconds, while too few session starts are left."""


class SessionStarts:
    """Asks Discord for its limits on sessions, and makes shards wait for them."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._asked_at = -CACHE_SECONDS
        self._recommended = 0
        self._limit: SessionStartLimit | None = None
        """Discord's last answer, reduced by the sessions started since; None if it has not answered."""

    async def recommended_shards(self) -> int:
        """Return the number of shards that Discord recommends; ask until it answers."""
        while await self._limits() is None:  # noqa: ASYNC110 - Discord does not call back
            await asyncio.sleep(RETRY_SECONDS)
        return self._recommended

    async def wait_for_reserve(self) -> None:
        """Wait until more than the reserved session starts are left; if Discord does not answer, do not wait."""
        while (limit := await self._limits()) is not None and limit["remaining"] < RESERVED_SESSIONS:
            hours = limit["reset_after"] / 3_600_000
            log.error("%s session starts are left for %.1f hours: waiting for more", limit["remaining"], hours)
            await asyncio.sleep(min(max(limit["reset_after"] / 1000, RETRY_SECONDS), MAX_RETRY_SECONDS))
            self._asked_at = monotonic() - CACHE_SECONDS

    async def take_turn(self, shard: int) -> None:
        """Wait until a shard may start its session: the limits allow it, and no elder process has the same shards.

        Raises:
            TimeoutError: the wait exceeds :data:`HOLD_SECONDS`.
        """
        async with asyncio.timeout(HOLD_SECONDS):
            await self.wait_for_reserve()
            bucket = shard % (1 if self._limit is None else self._limit["max_concurrency"])
            while wait := await self._seconds_to_wait(bucket):  # noqa: ASYNC110 - other processes do not call back
                await asyncio.sleep(wait)
            if self._limit is not None:
                self._limit["remaining"] -= 1

    async def _seconds_to_wait(self, bucket: int) -> float:
        """Return the seconds until a shard of this rate limit bucket may try again; 0 if its session may start now."""
        host = self._bot.host
        if host.processes.overlap.yields:
            return RETRY_SECONDS
        return (await retry_forever(partial(host.sessions.begin, bucket))).total_seconds()

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
