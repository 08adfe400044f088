"""Many games at once: ``python -m benchmarks.load --games 200 --rate 3 --seconds 60 [--json] [--profile]``.

The real bot in its own process, on the project's own Discord on loopback sockets, which enforces Discord's limits.
Moves begin at random moments, so many a second on average; players think between their clicks.
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

from benchmarks.bench_bot import BenchBot, bench_bot
from benchmarks.gauges import Figures, calibration_ms, in_json, percentiles, rss_mib
from benchmarks.members import Player, SilenceError, Times

THINK = 1.0
"""Mean seconds that a player thinks before a click."""
DRAIN = 180.0
"""Seconds that are waited for the last cards."""
SHOWN = 40
"""Functions of a profile that are printed."""


@dataclass
class Load:
    """Moves that begin at random moments, each in a game in which nobody is busy."""

    bot: BenchBot
    rate: float
    seconds: float
    times: Times = field(default_factory=Times)
    silent: list[str] = field(default_factory=list)
    """What did not come."""

    async def run(self) -> None:
        """Let moves begin for the stated time, then wait for all of them."""
        random, idle = Random(1), self.bot.players(self.times, think=THINK)
        running: set[asyncio.Task[None]] = set()
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

    async def _move(self, player: Player, idle: list[Player]) -> None:
        try:
            await player.move()
        except SilenceError as error:
            self.silent.append(str(error))
            return
        if not player.over:
            idle.append(player)


async def measure(games: int, rate: float, seconds: float, profile: Path | None = None) -> Figures:
    """The figures of so many games, moves a second, seconds."""
    async with bench_bot(games, profile=profile, stalls=True) as bot:
        await bot.idle()
        load = Load(bot, rate, seconds)
        bot.meter.forget_stalls()
        before, refused = bot.read(), bot.server.limits.refused if bot.server.limits else 0
        kinds = bot.requests.kinds.copy()
        await load.run()
        await bot.rest()
        times, after = load.times, bot.read()
        moved = after.per_move(before, times.confirmed)
        for line in load.silent:
            print(line, file=sys.stderr)
        _show_kinds(bot, kinds, times.confirmed)
        return {
            "games": games,
            "confirmed": times.confirmed,
            "posted": times.posted,
            "ack_ms": percentiles(times.ack),
            "panel_ms": percentiles(times.panel),
            "card_ms": percentiles(times.card),
            "requests": moved["requests"],
            "too_many_requests": (bot.server.limits.refused if bot.server.limits else 0) - refused,
            "statements": moved["statements"],
            "write_transactions": moved["write_transactions"],
            "cpu_ms": moved["cpu_ms"],
            "rss_mib": rss_mib(bot.pid),
            "stall_ms": bot.meter.read()[3] / 1000,
            "calibration_ms": calibration_ms(),
        }


def _show_kinds(bot: BenchBot, before: dict[str, int], moves: int) -> None:
    for kind, count in bot.requests.kinds.most_common():
        print(f"{(count - before.get(kind, 0)) / max(1, moves):6.2f} a move  {kind}", file=sys.stderr)


def main() -> None:
    """Measure, print; the last line is JSON where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rate", type=float, default=3.0, help="moves that begin in a second")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")
    parser.add_argument("--profile", action="store_true", help="say where the time of the event loop's thread went")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        profile = Path(folder) / "profile" if options.profile else None
        figures = asyncio.run(measure(options.games, options.rate, options.seconds, profile))
        if profile is not None:
            pstats.Stats(str(profile), stream=sys.stderr).sort_stats("tottime").print_stats(SHOWN)
    if options.json:
        print(in_json(figures))
        return
    for name, value in figures.items():
        print(in_json({name: value})[1:-1])


if __name__ == "__main__":
    main()
