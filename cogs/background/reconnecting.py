"""Waiting between attempts to connect to the gateway: never for long, so that the bot is back soon after Discord.

discord.py's own wait doubles up to 1,024 seconds and forgets failures only after 2,048: five minutes without Discord
were followed by two more without the bot in the median, and by seven in one of ten cases.

An attempt costs none of the sessions that Discord allows in a day before its connection is open and
:mod:`cogs.background.identifying` lets it begin one, and a process makes one attempt at a time, whatever its shards.
"""

from __future__ import annotations

from random import uniform
from typing import TYPE_CHECKING, Final, Literal

from discord.backoff import ExponentialBackoff
from discord.ext import commands

if TYPE_CHECKING:
    import discord

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
