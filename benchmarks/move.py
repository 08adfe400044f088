"""Costs of one careful tile move: ``python -m benchmarks.move [--boards N] [--database postgresql] [--json]``.

[Play], spot, figure, [Confirm], card posted, old buttons gone, one move after another, each on another late board of a
four-player game. CPU is that of all the bot's processes until the old buttons are gone; `BEGIN` and `COMMIT` are no
statements; requests are those that answer no interaction.
"""

from __future__ import annotations

import argparse
import asyncio
from statistics import fmean, median

from benchmarks.bot.bench_bot import bench_bot
from benchmarks.bot.databases import KINDS
from benchmarks.bot.gauges import REFERENCE_MS, calibration_ms, cpu_ms, in_json
from benchmarks.bot.members import PATIENCE, ClickTimes
from benchmarks.figures import Measurement
from store.connection.dialect import SQLITE

Moves = dict[str, float]
"""Figures of one move, by name."""
WARM_UP = 10
"""Moves that do not count: afterwards the tiles have been drawn that most boards show."""
BENCH_BOARDS = 40
"""Boards of `make bench`."""
SETTLED = 0.3
"""Seconds without a request after which a move is over."""
CALIBRATED_EVERY = 5
"""Moves after which the loop is run by which machines are compared: a machine is not as quick all the time."""
AIMS = {
    "statements": 15.0,
    "write_transactions": 2.0,
    "requests": 2.0,
    "cpu_ms": 60.0,
    "confirm_cpu_ms": 25.0,
    "card_kib": 400.0,
}


async def measure(boards: int, *, warm_up: int = WARM_UP, database: str = SQLITE) -> Moves:
    """The figures of so many moves."""
    times = ClickTimes()
    async with bench_bot(boards + warm_up, database=database) as bot:
        bot.server.world.callback_deadline = PATIENCE  # what is measured is CPU, on however busy a machine
        players = bot.players(times)
        for player in players[:warm_up]:
            await player.move()
        await bot.rest(SETTLED)
        await bot.idle()
        whole, confirming, machine = list[float](), list[float](), list[float]()
        before, moves = bot.read(), len(players) - warm_up
        for number, player in enumerate(players[warm_up:]):
            at_confirm: list[float] = []
            player.confirming = lambda at_confirm=at_confirm: at_confirm.append(cpu_ms(bot.pid))
            at_play = cpu_ms(bot.pid)
            await player.move()
            over = cpu_ms(bot.pid)
            whole.append(over - at_play)
            confirming.append(over - at_confirm[-1])
            await bot.rest(SETTLED)
            if number % CALIBRATED_EVERY == 0:
                machine.append(calibration_ms(1))
        found = bot.read().per_move(before, moves)
        found["cpu_ms"], found["confirm_cpu_ms"] = fmean(whole), fmean(confirming)
        found["card_kib"] = sum(bot.requests.bytes_sent[-moves:]) / max(1, moves) / 1024
    return {**found, "calibration_ms": median(machine)}


def figures() -> list[Measurement]:
    """The counts and times of a move, for `make bench`."""
    found = asyncio.run(measure(BENCH_BOARDS))
    slower = found.pop("calibration_ms") / REFERENCE_MS
    units = {"cpu_ms": "ms", "confirm_cpu_ms": "ms", "card_kib": "KiB"}
    return [
        Measurement(
            f"a move: {name}",
            (value / slower if units.get(name) == "ms" else value,),
            units.get(name, ""),
            AIMS.get(name),
        )
        for name, value in found.items()
    ]


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.move")
    parser.add_argument("--boards", type=int, default=200, help="late boards, one move on each")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--database", choices=KINDS, default=SQLITE)
    options = parser.parse_args()
    found = asyncio.run(measure(options.boards, database=options.database))
    if not options.json:
        show(found)
        return
    print(in_json({**found}))


def show(figures: Moves) -> None:
    """A line a figure; times are scaled to the reference machine beside the measured ones."""
    slower = figures["calibration_ms"] / REFERENCE_MS
    for name, value in figures.items():
        aim = AIMS.get(name)
        scaled = value / slower if name.endswith("cpu_ms") else value
        ratio = f"  {scaled / aim:.2f} x the aim of {aim}" if aim else ""
        print(f"{name:<20} {value:9.2f}  scaled {scaled:9.2f}{ratio}")


if __name__ == "__main__":
    main()
