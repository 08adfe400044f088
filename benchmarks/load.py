"""Many games at once: ``python -m benchmarks.load --games 200 --rate 3 --seconds 60 [--json] [--profile]``.

The real bot in its own process, on the project's own Discord on loopback sockets, which enforces Discord's limits.
Moves begin at random moments, so many a second on average; players think between their clicks. With ``--processes 2
--database postgresql`` two processes share Discord's shards and a server that is started for it, ``--away`` as many
milliseconds away; one of them, in turn, is killed every ``--kill`` seconds, and the server restarted once
(``--restart``). With ``--hammer`` so many heavy commands a second come from one member who plays nowhere.
"""

from __future__ import annotations

import argparse
import asyncio
import pstats
import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from sqlalchemy import select

from benchmarks.bot.bench_bot import START, BenchBot, bench_bot
from benchmarks.bot.databases import KINDS
from benchmarks.bot.gauges import Figures, calibration_ms, in_json, percentiles, scaled
from benchmarks.bot.hammer import Hammer
from benchmarks.bot.members import PATIENCE, ClickTimes, LoadMember, SilenceError
from store import Store, games
from store.connection.dialect import SQLITE
from store.schema.play import outbox
from tests.e2e.player import LostError
from tests.loopback import BotExitedError

PRESSES = "CASTELLAN_PRESSES_PER_SECOND"
"""Setting of the rate limit: the usual one if a single member hammers, else one high enough for the load."""
THINK = 1.0
"""Mean seconds that a player thinks before a click."""
LOST_AFTER = 20.0
"""Seconds after which a member gives up a panel where processes are killed."""
DRAIN = 180.0
"""Seconds that are waited for the last cards."""
WEIGHED = 100
"""Moves after which the memory is looked at again."""
SHOWN = 40
"""Functions of a profile that are printed."""


@dataclass
class Load:
    """Moves that begin at random moments, each in a game in which nobody is busy."""

    bot: BenchBot
    rate: float
    seconds: float
    times: ClickTimes = field(default_factory=ClickTimes)
    goes_on: bool = False
    """True if a user whose click was lost clicks again later."""
    silent: list[str] = field(default_factory=list)
    """The posts that did not arrive."""
    memory: dict[str, float] = field(default_factory=dict)
    """MiB of the largest process, by how many moves had been confirmed."""

    async def run(self) -> None:
        """Let moves begin for the stated time, then wait for all of them."""
        random, idle = (
            Random(1),
            self.bot.players(self.times, think=THINK, patience=LOST_AFTER if self.goes_on else PATIENCE),
        )
        running: set[asyncio.Task[None]] = set()
        self._weigh()
        loop = asyncio.get_running_loop()
        end = loop.time() + self.seconds
        due = loop.time()
        while (due := due + random.expovariate(self.rate)) < end:
            await asyncio.sleep(max(0.0, due - loop.time()))
            if not idle:
                continue  # more was asked for than there are games
            player = idle.pop(random.randrange(len(idle)))
            task = asyncio.create_task(self._move(player, idle), name=player.game.code)
            running.add(task)
            task.add_done_callback(running.discard)
        if running:
            _, late = await asyncio.wait(running, timeout=DRAIN)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _move(self, player: LoadMember, idle: list[LoadMember]) -> None:
        try:
            await player.move()
        except (SilenceError, LostError, BotExitedError) as error:
            self.silent.append(f"{type(error).__name__}: {error}")
            if not self.goes_on:
                return
        self._weigh()
        if not player.over:
            idle.append(player)

    def _weigh(self) -> None:
        if self.times.confirmed >= WEIGHED * len(self.memory):
            self.memory[str(self.times.confirmed)] = self.bot.rss_mib()


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbances:
    """The disturbances of a run: processes are killed one after the other, the database server is restarted once."""

    kill: float = 0.0
    """Seconds between two kills; 0 for none."""
    restart: bool = False

    async def happen(self, bot: BenchBot, seconds: float) -> int:
        """Let it happen until nothing is asked any more; how many were killed."""
        killed, loop = 0, asyncio.get_running_loop()
        end, restart = loop.time() + seconds, loop.time() + seconds / 2 if self.restart else float("inf")
        while self.kill and loop.time() + self.kill < end:
            await asyncio.sleep(self.kill)
            process = bot.processes[killed % len(bot.processes)]
            await process.kill()
            await process.start(timeout=START)
            killed += 1
            if loop.time() > restart:
                restart = float("inf")
                await asyncio.to_thread(bot.database.restart)
        return killed


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The parameters of a measurement."""

    games: int
    rate: float
    seconds: float
    processes: int = 1
    database: str = SQLITE
    away: float = 0.0
    trouble: Disturbances = Disturbances()
    hammer: float = 0.0
    """Heavy commands a second of one member beside those who play."""


async def measure(asked: Asked, profile: Path | None = None) -> Figures:
    """The figures of so many games, moves a second, seconds."""
    on = {"processes": asked.processes, "database": asked.database, "away": asked.away / 1000}
    limits = {PRESSES: ""} if asked.hammer else {}
    async with bench_bot(asked.games, profile=profile, stalls=True, settings=limits, **on) as bot:
        await bot.idle()
        load = Load(bot, asked.rate, asked.seconds, goes_on=asked.trouble.kill > 0)
        for meter in bot.meters:
            meter.forget_stalls()
        before, refused = bot.read(), bot.server.limits.refused if bot.server.limits else 0
        kinds = bot.requests.kinds.copy()
        troubles = asyncio.create_task(asked.trouble.happen(bot, asked.seconds))
        hammering = asyncio.create_task((hammer := Hammer(bot, asked.hammer)).run(asked.seconds))
        await load.run()
        killed = await troubles
        await hammering
        await bot.rest()
        times, after = load.times, bot.read()
        moved = after.per_move(before, times.confirmed)
        for line in load.silent:
            print(line, file=sys.stderr)
        _show_kinds(bot, kinds, times.confirmed)
        return {
            "games": asked.games,
            "processes": asked.processes,
            "away_ms": asked.away,
            "killed": killed,
            "confirmed": times.confirmed,
            "posted": times.posted,
            "unanswered": len(load.silent),
            **await amiss(bot),
            "ack_ms": percentiles(times.ack),
            "panel_ms": percentiles(times.panel),
            "card_ms": percentiles(times.card),
            "requests": moved["requests"],
            "too_many_requests": (bot.server.limits.refused if bot.server.limits else 0) - refused,
            "statements": moved["statements"],
            "write_transactions": moved["write_transactions"],
            "cpu_ms": moved["cpu_ms"] if not killed else 0.0,
            "rss_mib": bot.rss_mib(),
            "rss_mib_after": load.memory,
            "stall_ms": bot.longest_stall_ms(),
            **(hammer.figures() if asked.hammer else {}),
            "calibration_ms": calibration_ms(),
        }


async def amiss(bot: BenchBot) -> Figures:
    """Return the numbers of duplicate cards, missing cards and moves without a card; all should be zero.

    Of a game that is over only what is still stored is compared: what was posted before goes with its last card.
    """
    twice = missing = untold = 0
    store = await Store.open(bot.database.near, migrate=False)
    for game in bot.games:
        async with store.reading() as tx:
            stored = await games.by_code(tx, game.code)
            its = outbox.c.game_id == (0 if stored is None else stored.id)
            posts = (await tx.execute(select(outbox.c.ply, outbox.c.message_id).where(its))).all()
        told = {post.message_id for post in posts}
        first = min(filter(None, told), default=0)
        shown = [message.id for message in bot.server.messages(game.thread_id) if message.id >= first]
        twice += len([number for number in shown if number not in told])
        missing += len([post for post in posts if post.message_id not in shown])
        untold += 0 if stored is None or max(post.ply for post in posts) == stored.ply else 1
    await store.close()
    return {"cards_twice": twice, "cards_missing": missing, "moves_without_card": untold}


def _show_kinds(bot: BenchBot, before: dict[str, int], moves: int) -> None:
    for kind, count in bot.requests.kinds.most_common():
        print(f"{(count - before.get(kind, 0)) / max(1, moves):6.2f} a move  {kind}", file=sys.stderr)


def main() -> None:
    """Measure, print; the last line is JSON where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rate", type=float, default=3.0, help="moves that begin in a second")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--processes", type=int, default=1, help="of the bot; several need postgresql")
    parser.add_argument("--database", choices=KINDS, default=SQLITE)
    parser.add_argument("--away", type=float, default=0.0, help="milliseconds to the database and back")
    parser.add_argument("--kill", type=float, default=0.0, help="seconds between two kills of a process")
    parser.add_argument("--restart", action="store_true", help="restart the database once, between two kills")
    parser.add_argument("--hammer", type=float, default=0.0, help="heavy commands a second of one who plays nowhere")
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")
    parser.add_argument("--profile", action="store_true", help="say where the time of the event loop's thread went")
    options = parser.parse_args()
    asked = Asked(
        games=options.games,
        rate=options.rate,
        seconds=options.seconds,
        processes=options.processes,
        database=options.database,
        away=options.away,
        hammer=options.hammer,
        trouble=Disturbances(kill=options.kill, restart=options.restart),
    )
    with TemporaryDirectory() as folder:
        profile = Path(folder) / "profile" if options.profile else None
        figures = scaled(asyncio.run(measure(asked, profile)))
        if profile is not None:
            pstats.Stats(str(profile), stream=sys.stderr).sort_stats("tottime").print_stats(SHOWN)
    if options.json:
        print(in_json(figures))
        return
    for name, value in figures.items():
        print(in_json({name: value})[1:-1])


if __name__ == "__main__":
    main()
