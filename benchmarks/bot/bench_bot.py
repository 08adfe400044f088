"""The bot of a measurement: in a process of its own, metered, on a Discord of loopback sockets with its limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import MappingProxyType

from benchmarks.bot.databases import DatabasePlace, place
from benchmarks.bot.gauges import GaugeReading, RequestCounter, cpu_ms, rss_mib
from benchmarks.bot.late_games import LateGame, prepare
from benchmarks.bot.members import PATIENCE, ClickTimes, LoadMember
from benchmarks.bot.metered import METER, PROFILE, STALLS, Meter
from store.connection.dialect import SQLITE
from tests.loopback import BotProcess, Limits, LoopbackDiscord

METERED = Path(__file__).with_name("metered.py")
SHARDS = "CASTELLAN_SHARDS"
START = 120.0
"""Seconds until the bot listens."""
IDLE_MS = 50.0
"""CPU milliseconds in a second of a bot that has nothing to do."""
PER_CARD = 3.0
"""Seconds a first card may take."""


@dataclass(slots=True)
class BenchBot:
    """A running bot, of one process or several, whose games all wait for somebody to lay a tile."""

    server: LoopbackDiscord
    processes: list[BotProcess]
    meters: list[Meter]
    requests: RequestCounter
    games: list[LateGame]
    database: DatabasePlace

    @property
    def process(self) -> BotProcess:
        """The only process, or the first."""
        return self.processes[0]

    @property
    def pid(self) -> int:
        """The number of that process."""
        return self.process.pid

    def cpu_ms(self) -> float:
        """CPU of all processes."""
        return sum(cpu_ms(process.pid) for process in self.processes)

    def rss_mib(self) -> float:
        """Memory of the largest of them."""
        return max(rss_mib(process.pid) for process in self.processes)

    def read(self) -> GaugeReading:
        """All gauges."""
        statements, transactions, writes, _ = map(sum, zip(*(meter.read() for meter in self.meters), strict=True))
        cpu, requests = self.cpu_ms(), self.requests
        return GaugeReading(statements, transactions, writes, cpu, requests.beyond_answers, requests.pictures)

    def longest_stall_ms(self) -> float:
        """For how long the loop of a process was held up at most."""
        return max(meter.read()[3] for meter in self.meters) / 1000

    def players(self, times: ClickTimes, *, think: float = 0.0, patience: float = PATIENCE) -> list[LoadMember]:
        """One for each game, who plays for whoever is next there."""
        return [LoadMember(self.server, game, Random(game.code), times, think, patience) for game in self.games]

    async def rest(self, seconds: float = 0.5) -> None:
        """Let what is under way come to its end: until no request has come for a while."""
        seen = -1
        while seen != (seen := sum(self.requests.kinds.values())):  # noqa: ASYNC110  # silence has no event
            await asyncio.sleep(seconds)

    async def idle(self) -> None:
        """Let it draw ahead what it draws ahead after a start: until it hardly uses the processor."""
        used = self.cpu_ms()
        while used + IDLE_MS * len(self.processes) < (used := await self._used_later()):
            pass

    async def _used_later(self) -> float:
        await asyncio.sleep(1.0)
        return self.cpu_ms()


@asynccontextmanager
async def bench_bot(
    games: int,
    *,
    processes: int = 1,
    database: str = SQLITE,
    away: float = 0.0,
    profile: Path | None = None,
    stalls: bool = False,
    settings: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[BenchBot]:
    """Prepare the games, start the bot, and wait until each of them has its card; ``stalls`` are watched on demand.

    Several processes share Discord's shards; each has a server of its own, with its part of the games.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with (
            LoopbackDiscord(members=(), keep_files=False) as server,
            place(database, folder, away=away) as games_at,
        ):
            server.limits = Limits()
            found = await prepare(server, games_at.near, games, shards=processes)
            requests = RequestCounter()
            requests.watch(server)
            environment = {**({PROFILE: str(profile)} if profile else {}), **({STALLS: "1"} if stalls else {})}
            meters = [folder / f"meter-{number}" for number in range(processes)]
            started = [
                BotProcess(
                    server,
                    METERED,
                    database=games_at.address,
                    log=folder / f"bot-{number}.log",
                    environment=environment
                    | dict(settings)
                    | {METER: str(meter)}
                    | ({SHARDS: f"{number}/{processes}"} if processes > 1 else {}),
                )
                for number, meter in enumerate(meters)
            ]
            bot = BenchBot(server, started, [Meter(meter) for meter in meters], requests, found, games_at)
            try:
                for process in started:
                    await process.start(timeout=START)
                await server.until(
                    lambda: all(server.messages(game.thread_id) for game in found), timeout=START + PER_CARD * games
                )
                await bot.rest()
                yield bot
            finally:
                for process in started:
                    if process.alive:
                        await process.stop()
