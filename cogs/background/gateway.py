"""Gateway connections: leaving them to another process with the same shards, reconnecting, and beginning sessions.

:class:`Reconnecting` keeps the wait between attempts short, so that the bot is back soon after Discord: discord.py's
own wait doubles up to 1,024 seconds and forgets failures only after 2,048: five minutes without Discord were followed
by two more without the bot in the median, and by seven in one of ten cases. An attempt costs none of the sessions that
Discord allows in a day before its connection is open and :class:`Identifying` lets it begin one, and a process makes
one attempt at a time, whatever its shards.

:class:`Identifying` begins sessions: so many a day, those that take turns five seconds apart, over all processes. Who
waits for long does so before a connection is opened; one that is open is kept waiting for a short while only.
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

from cogs.services.lookups import CONNECTION_BROKEN
from host.retry import retry_forever

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit

    from cogs.services.bot import BotServices


log = logging.getLogger(__name__)

LEAVE_SECONDS: Final = 5.0
"""How long a connection may take to end; what takes longer is cut."""


class Connections:
    """The connections of this process: ended while another one has the same shards for too long, then resumed."""

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


LONGEST_WAIT_SECONDS: Final = 30.0


class ReconnectWait(ExponentialBackoff[Literal[False]]):
    """The wait of one shard: it doubles with each failed attempt up to its longest, until :meth:`reset`."""

    def __init__(self) -> None:
        super().__init__()
        self.failures = 0
        """Attempts that have failed since the last connection."""
        self.seconds = 0.0
        """The wait after the last of them; 0 while there are none."""

    def delay(self) -> float:
        """Count a failed attempt and return the seconds until the next one.

        Half of the wait is chance: many processes that have lost Discord together do not come back all at once.
        """
        self.failures += 1
        longest = min(2.0 ** min(self.failures, 10), LONGEST_WAIT_SECONDS)
        self.seconds = uniform(longest / 2, longest)  # noqa: S311 - no secret
        return self.seconds

    def reset(self) -> None:
        """Begin anew: there is a connection."""
        self.failures, self.seconds = 0, 0.0


class Reconnecting(commands.Cog):
    """The waits of all shards of this process."""

    def __init__(self) -> None:
        self._waits: dict[int, ReconnectWait] = {}

    def cap(self, shard: discord.ShardInfo) -> None:
        """Let a shard that was launched wait as this module says.

        The bot connects by shards even where it has a single one. So ``Client.connect``, where discord.py's own wait
        is used a second time, never runs.
        """
        wait = self._waits.setdefault(shard.id, ReconnectWait())
        shard._parent._backoff = wait  # noqa: SLF001 - discord.py has no setting for it; a test notices a change

    def seconds(self) -> float:
        """Return the longest wait of any shard after its last failed attempt; 0 while none has failed."""
        return max((wait.seconds for wait in self._waits.values()), default=0.0)

    def trouble(self) -> str:
        """Return which attempt has failed and when the next one follows, in words; empty while none has failed."""
        failures = max((wait.failures for wait in self._waits.values()), default=0)
        return f"attempt {failures} failed, the next one follows within {self.seconds():.0f} s" if failures else ""

    @commands.Cog.listener()
    async def on_shard_connect(self, shard: int) -> None:
        """Note a session that has begun."""
        self._connected(shard)

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard: int) -> None:
        """Note a session that goes on."""
        self._connected(shard)

    def _connected(self, shard: int) -> None:
        if shard in self._waits:
            self._waits[shard].reset()


FEWEST: Final = 100
"""Sessions that are left for a day on which something goes wrong."""
HOLD_SECONDS: Final = 40.0
"""How long a connection that is open waits for its turn; Discord closes it after a while."""
KNOWN_SECONDS: Final = 60.0
"""How long what Discord says of sessions counts."""
AGAIN_SECONDS: Final = 5.0
LONGEST_SECONDS: Final = 600.0


class Identifying:
    """The turns of sessions: how many shards Discord recommends, and when one may begin a session."""

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
