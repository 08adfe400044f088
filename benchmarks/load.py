"""Load test with many games at once: ``python -m benchmarks.load --games 200 --rate 3 --seconds 60 [--json]``.

The real bot runs in its own process, on a loopback Discord that enforces Discord's rate limits. Moves begin at random
moments, ``--rate`` a second on average; players think between their clicks.

- ``--processes 2 --database postgresql``: two processes share Discord's shards and a PostgreSQL server that is started
  for the test, with a round trip of ``--away`` milliseconds;
- ``--kill``: seconds between two kills of a process, the processes in turn; ``--restart`` restarts the server once;
- ``--computers 20``: measure once more with two computers in so many of the games, which think while people play, and
  print the people's figures with and without them;
- ``--hammer``: heavy commands a second, sent by one member who plays in no game;
- ``--profile``: print a profile of the event loop's thread.
"""

from __future__ import annotations

import argparse
import asyncio
import pstats
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from sqlalchemy import select

from benchmarks.bot.bench_bot import START_TIMEOUT, BenchBot, bench_bot
from benchmarks.bot.databases import KINDS
from benchmarks.bot.gauges import Figures, calibration_ms, percentiles, print_figures, with_scaled_times
from benchmarks.bot.hammer import Hammer
from benchmarks.bot.late_games import NO_COMPUTERS, ComputerSeats
from benchmarks.bot.members import ANSWER_TIMEOUT, ClickTimes, LoadMember, NoAnswerError
from host import LEVELS
from store import Store, games
from store.connection.dialect import SQLITE
from store.schema.play import outbox
from tests.e2e.player import LostError
from tests.loopback import BotExitedError

RATE_LIMIT_VARIABLE = "CASTELLAN_PRESSES_PER_SECOND"
"""Environment variable of the bot's own limit: the default if one member hammers, otherwise none."""
MEAN_THINK_SECONDS = 1.0
"""Mean time that a player thinks before a click."""
ANSWER_TIMEOUT_WITH_KILLS = 20.0
"""Seconds after which a member gives up a panel when processes are killed."""
DRAIN_SECONDS = 180.0
"""Time limit for the last cards after the last move has begun."""
MOVES_PER_MEMORY_SAMPLE = 100
PROFILE_LINES = 40
"""Number of functions in a printed profile."""


@dataclass
class Load:
    """A run of moves that begin at random moments, each in a game without another move under way."""

    bot: BenchBot
    rate: float
    seconds: float
    times: ClickTimes = field(default_factory=ClickTimes)
    retries: bool = False
    """True if a member whose click was lost moves again later."""
    failures: list[str] = field(default_factory=list)
    """The moves that were not answered or not posted in time."""
    memory: dict[str, float] = field(default_factory=dict)
    """MiB of the largest process, by the number of confirmed moves."""

    async def run(self) -> None:
        """Begin moves for the given time, then wait for all of them."""
        random, timeout = Random(1), ANSWER_TIMEOUT_WITH_KILLS if self.retries else ANSWER_TIMEOUT
        idle = self.bot.players(self.times, think=MEAN_THINK_SECONDS, timeout=timeout)
        running: set[asyncio.Task[None]] = set()
        self._sample_memory()
        loop = asyncio.get_running_loop()
        end = loop.time() + self.seconds
        due = loop.time()
        while (due := due + random.expovariate(self.rate)) < end:
            await asyncio.sleep(max(0.0, due - loop.time()))
            if not idle:
                continue  # the rate is too high for this number of games
            player = idle.pop(random.randrange(len(idle)))
            task = asyncio.create_task(self._move(player, idle), name=player.game.code)
            running.add(task)
            task.add_done_callback(running.discard)
        if running:
            _, late = await asyncio.wait(running, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _move(self, player: LoadMember, idle: list[LoadMember]) -> None:
        """Let a player make a move, after which they are idle again unless the game is over."""
        try:
            await player.move()
        except (NoAnswerError, LostError, BotExitedError) as error:
            self.failures.append(f"{type(error).__name__}: {error}")
            if not self.retries:
                return
        self._sample_memory()
        if not player.over:
            idle.append(player)

    def _sample_memory(self) -> None:
        """Record the memory once in :data:`MOVES_PER_MEMORY_SAMPLE` moves."""
        if self.times.confirmed >= MOVES_PER_MEMORY_SAMPLE * len(self.memory):
            self.memory[str(self.times.confirmed)] = self.bot.rss_mib()


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbances:
    """The disturbances of a run: kills of the processes in turn, and one restart of the database server."""

    kill: float = 0.0
    """Seconds between two kills; 0 for none."""
    restart: bool = False

    async def run(self, bot: BenchBot, seconds: float) -> int:
        """Disturb the bot for this time; return the number of kills."""
        killed, loop = 0, asyncio.get_running_loop()
        end, restart = loop.time() + seconds, loop.time() + seconds / 2 if self.restart else float("inf")
        while self.kill and loop.time() + self.kill < end:
            await asyncio.sleep(self.kill)
            process = bot.processes[killed % len(bot.processes)]
            await process.kill()
            await process.start(timeout=START_TIMEOUT)
            killed += 1
            if loop.time() > restart:
                restart = float("inf")
                await asyncio.to_thread(bot.database.restart)
        return killed


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadParameters:
    """The parameters of a run."""

    games: int
    rate: float
    seconds: float
    processes: int = 1
    database: str = SQLITE
    away: float = 0.0
    """Milliseconds of a round trip to the database."""
    disturbances: Disturbances = Disturbances()
    hammer: float = 0.0
    """Heavy commands a second of a member who does not play."""
    computers: ComputerSeats = NO_COMPUTERS


async def measure(parameters: LoadParameters, profile: Path | None = None) -> Figures:
    """Run the load and return its figures."""
    place = {"processes": parameters.processes, "database": parameters.database, "round_trip": parameters.away / 1000}
    limits = {RATE_LIMIT_VARIABLE: ""} if parameters.hammer else {}
    where = {"settings": limits, "computers": parameters.computers}
    async with bench_bot(parameters.games, profile=profile, stalls=True, **where, **place) as bot:
        await bot.wait_until_idle()
        load = Load(bot, parameters.rate, parameters.seconds, retries=parameters.disturbances.kill > 0)
        for meter in bot.meters:
            meter.reset_longest_stall()
        before, refused = bot.read(), bot.server.limits.refused if bot.server.limits else 0
        kinds = bot.requests.kinds.copy()
        disturbing = asyncio.create_task(parameters.disturbances.run(bot, parameters.seconds))
        hammering = asyncio.create_task((hammer := Hammer(bot, parameters.hammer)).run(parameters.seconds))
        await load.run()
        killed = await disturbing
        await hammering
        await bot.wait_until_quiet()
        times, after = load.times, bot.read()
        costs = after.per_move(before, times.confirmed)
        for failure in load.failures:
            print(failure, file=sys.stderr)
        _print_requests(bot, kinds, times.confirmed)
        return {
            "games": parameters.games,
            "processes": parameters.processes,
            "away_ms": parameters.away,
            "killed": killed,
            "confirmed": times.confirmed,
            "posted": times.posted,
            "unanswered": len(load.failures),
            **await count_errors(bot),
            "ack_ms": percentiles(times.ack),
            "panel_ms": percentiles(times.panel),
            "card_ms": percentiles(times.card),
            **({"computers_ms": percentiles(times.computers)} if parameters.computers.games else {}),
            "requests": costs["requests"],
            "too_many_requests": (bot.server.limits.refused if bot.server.limits else 0) - refused,
            "statements": costs["statements"],
            "write_transactions": costs["write_transactions"],
            "cpu_ms": costs["cpu_ms"] if not killed else 0.0,
            "rss_mib": bot.rss_mib(),
            "rss_mib_after": load.memory,
            "stall_ms": bot.longest_stall_ms(),
            **(hammer.figures() if parameters.hammer else {}),
            "calibration_ms": calibration_ms(),
        }


COMPARED = ("ack_ms", "panel_ms", "card_ms")
"""The waiting times of people that computers must not make longer."""


async def compare(parameters: LoadParameters) -> Figures:
    """Run the load without computers, then with them; return the figures of the second run beside the first's times."""
    without = await measure(replace(parameters, computers=NO_COMPUTERS))
    figures = await measure(parameters)
    for name in COMPARED:
        before, after = without[name], figures[name]
        if isinstance(before, dict) and isinstance(after, dict):
            figures[f"without_{name}"] = before
            figures[f"{name.removesuffix('_ms')}_ratio"] = {part: after[part] / before[part] for part in before}
    return figures


async def count_errors(bot: BenchBot) -> Figures:
    """Count duplicate cards, missing cards and moves without a card; all counts should be zero.

    The final card of a game deletes its older posts from the database, so only cards since the oldest stored post are
    compared.
    """
    duplicates = missing = without_card = 0
    store = await Store.open(bot.database.direct_address, migrate=False)
    for game in bot.games:
        async with store.reading() as tx:
            stored = await games.by_code(tx, game.code)
            of_game = outbox.c.game_id == (0 if stored is None else stored.id)
            posts = (await tx.execute(select(outbox.c.ply, outbox.c.message_id).where(of_game))).all()
        recorded = {post.message_id for post in posts}
        first = min(filter(None, recorded), default=0)
        visible = [message.id for message in bot.server.messages(game.thread_id) if message.id >= first]
        duplicates += len([message_id for message_id in visible if message_id not in recorded])
        missing += len([post for post in posts if post.message_id not in visible])
        without_card += 0 if stored is None or max(post.ply for post in posts) == stored.ply else 1
    await store.close()
    return {"cards_twice": duplicates, "cards_missing": missing, "moves_without_card": without_card}


def _print_requests(bot: BenchBot, before: dict[str, int], moves: int) -> None:
    for kind, count in bot.requests.kinds.most_common():
        print(f"{(count - before.get(kind, 0)) / max(1, moves):6.2f} a move  {kind}", file=sys.stderr)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rate", type=float, default=3.0, help="moves that begin per second")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--processes", type=int, default=1, help="number of bot processes; several need postgresql")
    parser.add_argument("--database", choices=KINDS, default=SQLITE)
    parser.add_argument("--away", type=float, default=0.0, help="milliseconds of a round trip to the database")
    parser.add_argument("--kill", type=float, default=0.0, help="seconds between two kills of a process")
    parser.add_argument("--restart", action="store_true", help="restart the database once, between two kills")
    parser.add_argument("--computers", type=int, default=0, help="games with two computers; measures without them, too")
    parser.add_argument("--level", choices=LEVELS, default="standard", help="the level of the computers")
    parser.add_argument("--hammer", type=float, default=0.0, help="heavy commands a second of a member without a game")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--profile", action="store_true", help="print a profile of the event loop's thread")
    options = parser.parse_args()
    parameters = LoadParameters(
        games=options.games,
        rate=options.rate,
        seconds=options.seconds,
        processes=options.processes,
        database=options.database,
        away=options.away,
        hammer=options.hammer,
        computers=ComputerSeats(options.computers, level=options.level),
        disturbances=Disturbances(kill=options.kill, restart=options.restart),
    )
    with TemporaryDirectory() as folder:
        profile = Path(folder) / "profile" if options.profile else None
        run = compare(parameters) if options.computers else measure(parameters, profile)
        figures = with_scaled_times(asyncio.run(run))
        if profile is not None:
            pstats.Stats(str(profile), stream=sys.stderr).sort_stats("tottime").print_stats(PROFILE_LINES)
    print_figures(figures, as_json=options.json)


if __name__ == "__main__":
    main()
