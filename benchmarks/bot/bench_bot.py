"""The bot of a benchmark: real processes of the bot, with meters, on a loopback Discord that enforces rate limits.

A *loopback Discord* is a server on this machine that speaks Discord's protocols. The bot finds a database with games
that are nearly over, whose pictures are the most expensive, and posts the card of each game before measuring begins.

>>> async with bench_bot(40) as bot:
...     before = bot.read()
...     await bot.players(times)[0].move()
...     costs = bot.read().per_move(before, 1)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import MappingProxyType

from benchmarks.bot.databases import DatabasePlace, open_database
from benchmarks.bot.gauges import GaugeReading, RequestCounter, cpu_ms, rss_mib
from benchmarks.bot.late_games import NO_COMPUTERS, ComputerSeats, LateGame, prepare
from benchmarks.bot.members import ANSWER_TIMEOUT, ClickTimes, LoadMember
from benchmarks.bot.metered import METER_VARIABLE, PROFILE_VARIABLE, STALLS_VARIABLE, Meter
from store.connection.dialect import SQLITE
from tests.loopback import BotProcess, Limits, LoopbackDiscord

METERED_BOT = Path(__file__).with_name("metered.py")
"""The script that runs the bot with a meter."""
SHARDS_VARIABLE = "CASTELLAN_SHARDS"
"""The environment variable that sets the process's part of the shards, which are connections to Discord."""
START_TIMEOUT = 120.0
"""Seconds within which the bot has to be ready."""
IDLE_CPU_MS = 50.0
"""CPU milliseconds per second below which a process counts as idle."""
FIRST_CARD_TIMEOUT = 3.0
"""Seconds that each game's first card may take."""


@dataclass(slots=True)
class BenchBot:
    """A running bot, of one process or several; each of its games waits for a player to place a tile."""

    server: LoopbackDiscord
    processes: list[BotProcess]
    meters: list[Meter]
    requests: RequestCounter
    games: list[LateGame]
    database: DatabasePlace

    @property
    def process(self) -> BotProcess:
        """The first process."""
        return self.processes[0]

    @property
    def pid(self) -> int:
        """The id of the first process."""
        return self.process.pid

    def cpu_ms(self) -> float:
        """Return the CPU milliseconds of all processes so far."""
        return sum(cpu_ms(process.pid) for process in self.processes)

    def rss_mib(self) -> float:
        """Return the memory of the largest process, in MiB."""
        return max(rss_mib(process.pid) for process in self.processes)

    def read(self) -> GaugeReading:
        """Read all gauges."""
        statements, transactions, writes, _ = map(sum, zip(*(meter.read() for meter in self.meters), strict=True))
        cpu, requests = self.cpu_ms(), self.requests
        return GaugeReading(statements, transactions, writes, cpu, requests.beyond_answers, requests.pictures)

    def longest_stall_ms(self) -> float:
        """Return the longest stall of the event loop of any process."""
        return max(meter.read()[3] for meter in self.meters) / 1000

    def players(self, times: ClickTimes, *, think: float = 0.0, timeout: float = ANSWER_TIMEOUT) -> list[LoadMember]:
        """Return a simulated member for each game, who acts for all of its players."""
        return [LoadMember(self.server, game, Random(game.code), times, think, timeout) for game in self.games]

    async def wait_until_quiet(self, seconds: float = 0.5) -> None:
        """Wait until the bot has sent no request for this time."""
        seen = -1
        while seen != (seen := sum(self.requests.kinds.values())):  # noqa: ASYNC110  # the absence of requests has no event
            await asyncio.sleep(seconds)

    async def wait_until_idle(self) -> None:
        """Wait until the bot hardly uses any CPU: after a start it draws sprites in advance."""
        used = self.cpu_ms()
        while used + IDLE_CPU_MS * len(self.processes) < (used := await self._cpu_ms_after_a_second()):
            pass

    async def _cpu_ms_after_a_second(self) -> float:
        """Wait a second, and return the CPU milliseconds so far."""
        await asyncio.sleep(1.0)
        return self.cpu_ms()


@asynccontextmanager
async def bench_bot(
    games: int,
    *,
    processes: int = 1,
    database: str = SQLITE,
    round_trip: float = 0.0,
    profile: Path | None = None,
    stalls: bool = False,
    settings: Mapping[str, str] = MappingProxyType({}),
    computers: ComputerSeats = NO_COMPUTERS,
) -> AsyncIterator[BenchBot]:
    """Prepare the games, start the bot, and wait until each game has its first card.

    Several processes share Discord's shards; each serves one Discord server with its part of the games. ``stalls``
    watches the event loops, and ``round_trip`` is the latency of the database in seconds.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with (
            LoopbackDiscord(members=(), keep_files=False) as server,
            open_database(database, folder, round_trip=round_trip) as where,
        ):
            server.limits = Limits()
            late_games = await prepare(server, where.direct_address, games, shards=processes, computers=computers)
            requests = RequestCounter()
            requests.watch(server)
            environment = {
                **({PROFILE_VARIABLE: str(profile)} if profile else {}),
                **({STALLS_VARIABLE: "1"} if stalls else {}),
            }
            meters = [folder / f"meter-{number}" for number in range(processes)]
            bot_processes = [
                BotProcess(
                    server,
                    METERED_BOT,
                    database=where.address,
                    log=folder / f"bot-{number}.log",
                    environment=environment
                    | dict(settings)
                    | {METER_VARIABLE: str(meter)}
                    | ({SHARDS_VARIABLE: f"{number}/{processes}"} if processes > 1 else {}),
                )
                for number, meter in enumerate(meters)
            ]
            bot = BenchBot(server, bot_processes, [Meter(meter) for meter in meters], requests, late_games, where)
            try:
                for process in bot_processes:
                    await process.start(timeout=START_TIMEOUT)
                await server.until(
                    lambda: all(server.messages(game.thread_id) for game in late_games),
                    timeout=START_TIMEOUT + FIRST_CARD_TIMEOUT * games,
                )
                await bot.wait_until_quiet()
                yield bot
            finally:
                for process in bot_processes:
                    if process.alive:
                        await process.stop()
