"""Costs of a single move: ``python -m benchmarks.move [--boards N] [--database postgresql] [--json]``.

A simulated player clicks [Play], a spot on the board, a figure and [Confirm]. The move ends when the card with the new
position is posted and the old card has lost its buttons. The moves are made one after another, each in another game of
four players that is nearly over. CPU times are those of all processes of the bot. ``BEGIN`` and ``COMMIT`` do not count
as statements, and answers to interactions do not count as requests.
"""

from __future__ import annotations

import argparse
import asyncio
from statistics import fmean, median

from benchmarks.bot.bench_bot import bench_bot
from benchmarks.bot.databases import KINDS
from benchmarks.bot.gauges import REFERENCE_MS, calibration_ms, cpu_ms, format_json
from benchmarks.bot.members import ANSWER_TIMEOUT, ClickTimes
from benchmarks.figures import Measurement
from store.connection.dialect import SQLITE

MoveFigures = dict[str, float]
"""Average figures of a move, by name."""
WARM_UP_MOVES = 10
"""The number of moves before the measured ones; after them most tiles are in the cache of sprites."""
BENCH_BOARDS = 40
"""Number of boards in `make bench`."""
QUIET_SECONDS = 0.3
"""Seconds without a request after which a move is over."""
MOVES_PER_CALIBRATION = 5
"""The number of moves between two runs of the calibration loop, since a machine's speed varies over time."""
TARGETS = {
    "statements": 15.0,
    "write_transactions": 2.0,
    "requests": 2.0,
    "cpu_ms": 60.0,
    "confirm_cpu_ms": 25.0,
    "card_kib": 400.0,
}


async def measure(boards: int, *, warm_up: int = WARM_UP_MOVES, database: str = SQLITE) -> MoveFigures:
    """Make one move on each board, and return the average figures."""
    times = ClickTimes()
    async with bench_bot(boards + warm_up, database=database) as bot:
        bot.server.world.callback_deadline = ANSWER_TIMEOUT  # a busy machine may miss Discord's deadline; CPU counts
        players = bot.players(times)
        for player in players[:warm_up]:
            await player.move()
        await bot.wait_until_quiet(QUIET_SECONDS)
        await bot.wait_until_idle()
        whole_cpu, confirm_cpu, calibrations = list[float](), list[float](), list[float]()
        before, moves = bot.read(), len(players) - warm_up
        for number, player in enumerate(players[warm_up:]):
            at_confirm: list[float] = []
            player.before_confirm = lambda at_confirm=at_confirm: at_confirm.append(cpu_ms(bot.pid))
            at_start = cpu_ms(bot.pid)
            await player.move()
            at_end = cpu_ms(bot.pid)
            whole_cpu.append(at_end - at_start)
            confirm_cpu.append(at_end - at_confirm[-1])
            await bot.wait_until_quiet(QUIET_SECONDS)
            if number % MOVES_PER_CALIBRATION == 0:
                calibrations.append(calibration_ms(1))
        averages = bot.read().per_move(before, moves)
        averages["cpu_ms"], averages["confirm_cpu_ms"] = fmean(whole_cpu), fmean(confirm_cpu)
        averages["card_kib"] = sum(bot.requests.bytes_sent[-moves:]) / max(1, moves) / 1024
    return {**averages, "calibration_ms": median(calibrations)}


def figures() -> list[Measurement]:
    """Measure, and scale the times to the reference machine."""
    averages = asyncio.run(measure(BENCH_BOARDS))
    slowdown = averages.pop("calibration_ms") / REFERENCE_MS
    units = {"cpu_ms": "ms", "confirm_cpu_ms": "ms", "card_kib": "KiB"}
    return [
        Measurement(
            f"a move: {name}",
            (value / slowdown if units.get(name) == "ms" else value,),
            units.get(name, ""),
            TARGETS.get(name),
        )
        for name, value in averages.items()
    ]


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.move")
    parser.add_argument("--boards", type=int, default=200, help="number of boards, with one move on each")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--database", choices=KINDS, default=SQLITE)
    options = parser.parse_args()
    averages = asyncio.run(measure(options.boards, database=options.database))
    if not options.json:
        show(averages)
        return
    print(format_json({**averages}))


def show(figures: MoveFigures) -> None:
    """Print a line for each figure, with the value scaled to the reference machine beside the measured one."""
    slowdown = figures["calibration_ms"] / REFERENCE_MS
    for name, value in figures.items():
        target = TARGETS.get(name)
        scaled = value / slowdown if name.endswith("cpu_ms") else value
        ratio = f"  {scaled / target:.2f} x the aim of {target}" if target else ""
        print(f"{name:<20} {value:9.2f}  scaled {scaled:9.2f}{ratio}")


if __name__ == "__main__":
    main()
