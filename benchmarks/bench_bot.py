"""The bot of a measurement: in a process of its own, metered, on a Discord of loopback sockets with its limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.gauges import Reading, Requests, cpu_ms
from benchmarks.late_games import LateGame, prepare
from benchmarks.members import Player, Times
from benchmarks.metered import METER, PROFILE, STALLS, Meter
from tests.loopback import BotProcess, Limits, LoopbackDiscord

METERED = Path(__file__).with_name("metered.py")
START = 120.0
"""Seconds until the bot listens."""
IDLE_MS = 50.0
"""CPU milliseconds in a second of a bot that has nothing to do."""
PER_CARD = 3.0
"""Seconds a first card may take."""


@dataclass(slots=True)
class BenchBot:
    """A running bot whose games all wait for somebody to lay a tile."""

    server: LoopbackDiscord
    process: BotProcess
    meter: Meter
    requests: Requests
    games: list[LateGame]

    @property
    def pid(self) -> int:
        """The number of the bot's process."""
        return self.process.pid

    def read(self) -> Reading:
        """All gauges."""
        return Reading.of(self.meter, self.pid, self.requests)

    def players(self, times: Times, *, think: float = 0.0) -> list[Player]:
        """One for each game, who plays for whoever is next there."""
        return [Player(self.server, game, Random(game.code), times, think) for game in self.games]

    async def rest(self, seconds: float = 0.5) -> None:
        """Let what is under way come to its end: until no request has come for a while."""
        seen = -1
        while seen != (seen := sum(self.requests.kinds.values())):  # noqa: ASYNC110  # silence has no event
            await asyncio.sleep(seconds)

    async def idle(self) -> None:
        """Let it draw ahead what it draws ahead after a start: until it hardly uses the processor."""
        used = cpu_ms(self.pid)
        while used + IDLE_MS < (used := await self._used_later()):
            pass

    async def _used_later(self) -> float:
        await asyncio.sleep(1.0)
        return cpu_ms(self.pid)


@asynccontextmanager
async def bench_bot(games: int, *, profile: Path | None = None, stalls: bool = False) -> AsyncIterator[BenchBot]:
    """Prepare the games, start the bot, and wait until each of them has its card; ``stalls`` are watched on demand."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with LoopbackDiscord(members=(), keep_files=False) as server:
            server.limits = Limits()
            found = await prepare(server, folder / "games.sqlite3", games)
            requests = Requests()
            requests.watch(server)
            meter = Meter(folder / "meter")
            environment = {METER: str(folder / "meter"), **({PROFILE: str(profile)} if profile else {})}
            environment |= {STALLS: "1"} if stalls else {}
            process = BotProcess(
                server, METERED, database=folder / "games.sqlite3", log=folder / "bot.log", environment=environment
            )
            await process.start(timeout=START)
            bot = BenchBot(server, process, meter, requests, found)
            try:
                await server.until(
                    lambda: all(server.messages(game.thread_id) for game in found), timeout=START + PER_CARD * games
                )
                await bot.rest()
                yield bot
            finally:
                await process.stop()
