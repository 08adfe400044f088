"""Turns of computers in the running bot: ``python -m benchmarks.thinking [--moves N] [--level standard] [--json]``.

In games of four with Bridges, Castles & Bazaars that are nearly over, a person moves and three computers follow. It
measures the time from the card of the person's move to the one with the computers' moves, which contains the pause for
reading, and the memory of the process in which the computers think: while they do, and after its rest.
"""

from __future__ import annotations

import argparse
import asyncio
from time import monotonic

from benchmarks.bot.bench_bot import BenchBot, bench_bot
from benchmarks.bot.gauges import (
    Figures,
    calibration_ms,
    percentiles,
    print_figures,
    processes,
    rss_mib,
    with_scaled_times,
)
from benchmarks.bot.late_games import ComputerSeats
from benchmarks.bot.members import ANSWER_TIMEOUT, ClickTimes
from host import LEVELS
from host.settings import WorkerLimits

COMPUTERS = 3
"""Computers at each table of four."""
REST_MARGIN_SECONDS = 30.0
"""Seconds after the rest of a worker in which it has to end."""


def workers(bot: BenchBot) -> list[int]:
    """Return the processes in which computers think: the children of the bot."""
    return [process for process in processes(bot.pid) if process != bot.pid]


async def measure(moves: int, level: str) -> Figures:
    """Let people make this many moves, one after another, each in another game; return the figures."""
    times, memory = ClickTimes(), 0.0
    async with bench_bot(moves, computers=ComputerSeats(moves, seats=COMPUTERS, level=level)) as bot:
        bot.server.world.callback_deadline = ANSWER_TIMEOUT
        await bot.wait_until_idle()
        for player in bot.players(times):
            await player.move()
            memory = max([memory, *map(rss_mib, workers(bot))])
        end = monotonic() + WorkerLimits().rest + REST_MARGIN_SECONDS
        while (resting := workers(bot)) and monotonic() < end:  # noqa: ASYNC110 - waits for other processes
            await asyncio.sleep(1.0)
    return {
        "moves": moves,
        "followed_by_computers": len(times.computers),
        "computers_ms": percentiles(times.computers),
        "computers_max_ms": max(times.computers),
        "worker_mib": memory,
        "workers_after_rest": len(resting),
        "calibration_ms": calibration_ms(),
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thinking")
    parser.add_argument("--moves", type=int, default=20, help="moves of people, each followed by three computers")
    parser.add_argument("--level", choices=LEVELS, default="standard")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    options = parser.parse_args()
    figures = with_scaled_times(asyncio.run(measure(options.moves, options.level)))
    print_figures(figures, as_json=options.json)


if __name__ == "__main__":
    main()
