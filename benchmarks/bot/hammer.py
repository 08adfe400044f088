"""A member who asks for much, and for what takes long, while others play: how long those wait is what is measured."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter

from benchmarks.bot.bench_bot import BenchBot
from benchmarks.bot.gauges import Figures, percentiles
from tests.loopback import MemberInteraction

HEAVY = ("board", "hints", "replay", "export")
"""Commands that draw, or replay a game."""
LATEST = 120.0
"""Seconds after which an answer is given up."""


@dataclass
class Hammer:
    """Somebody with no seat anywhere who asks for one game after the other, so many a second."""

    bot: BenchBot
    rate: float
    answered: list[float] = field(default_factory=list)
    """Milliseconds until each answer was there, be it to ask again later."""
    asked: int = 0

    async def run(self, seconds: float) -> None:
        """Go on for so long, and wait for the last answers."""
        if not self.rate:
            return
        server = self.bot.server
        user = server.world.make_user("Hammer")
        for guild_id in {server.world.channels[game.thread_id].guild_id for game in self.bot.games}:
            server.world.add_member(guild_id or 0, user.id, announce=True)
        end, asking = perf_counter() + seconds, set[asyncio.Task[None]]()
        for number in count():
            if perf_counter() > end:
                break
            game, command = self.bot.games[number % len(self.bot.games)], HEAVY[number % len(HEAVY)]
            thread = server.world.channels[game.thread_id]
            done = await server.slash(user, thread, "carc", sub=command, options={"game": game.code})
            self.asked += 1
            asking.add(asyncio.create_task(self._answer(done)))
            await asyncio.sleep(1 / self.rate)
        await asyncio.gather(*asking, return_exceptions=True)

    async def _answer(self, done: MemberInteraction) -> None:
        began = perf_counter()
        await self.bot.server.finished(done, timeout=LATEST)
        if not done.error:
            self.answered.append(1000 * (perf_counter() - began))

    def figures(self) -> Figures:
        """Return the result."""
        times = percentiles(self.answered or [0.0])
        return {"hammered": self.asked, "hammer_answered": len(self.answered), "hammer_ms": times}
