"""A simulated member who sends many expensive commands while others play.

The load benchmark measures whether the players' clicks are still answered in time, and how many of the commands the
bot refuses because of its rate limit.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter

from benchmarks.bot.bench_bot import BenchBot
from benchmarks.bot.gauges import Figures, percentiles
from tests.loopback import MemberInteraction

HEAVY_COMMANDS = ("board", "hints", "replay", "export")
"""Commands that draw a picture or replay a game."""
ANSWER_TIMEOUT = 120.0


@dataclass
class Hammer:
    """A member who plays in no game and sends ``rate`` heavy commands a second, about one game after another."""

    bot: BenchBot
    rate: float
    answered: list[float] = field(default_factory=list)
    """Milliseconds until each answer, including answers that refuse because of the rate limit."""
    asked: int = 0

    async def run(self, seconds: float) -> None:
        """Send commands for this time, and wait for the last answers."""
        if not self.rate:
            return
        server = self.bot.server
        user = server.world.make_user("Hammer")
        for guild_id in {server.world.channels[game.thread_id].guild_id for game in self.bot.games}:
            server.world.add_member(guild_id or 0, user.id, announce=True)
        end, waiting = perf_counter() + seconds, set[asyncio.Task[None]]()
        for number in count():
            if perf_counter() > end:
                break
            game, command = self.bot.games[number % len(self.bot.games)], HEAVY_COMMANDS[number % len(HEAVY_COMMANDS)]
            thread = server.world.channels[game.thread_id]
            done = await server.slash(user, thread, "carc", sub=command, options={"game": game.code})
            self.asked += 1
            waiting.add(asyncio.create_task(self._time_answer(done)))
            await asyncio.sleep(1 / self.rate)
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _time_answer(self, done: MemberInteraction) -> None:
        """Measure how long an answer takes; a lost one does not count."""
        began = perf_counter()
        await self.bot.server.finished(done, timeout=ANSWER_TIMEOUT)
        if not done.error:
            self.answered.append(1000 * (perf_counter() - began))

    def figures(self) -> Figures:
        """Return the counts and the waiting times."""
        times = percentiles(self.answered or [0.0])
        return {"hammered": self.asked, "hammer_answered": len(self.answered), "hammer_ms": times}
