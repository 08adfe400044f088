"""The first card after a start: each time a fresh process and another late board, clicks as soon as the bot listens."""

from __future__ import annotations

import asyncio
from time import perf_counter

from benchmarks.bot.bench_bot import START, bench_bot
from benchmarks.bot.gauges import REFERENCE_MS, calibration_ms
from benchmarks.bot.members import ClickTimes
from benchmarks.figures import Measurement

STARTS = 7


async def measure(starts: int) -> tuple[list[float], list[float]]:
    """Milliseconds from the first click to the card, and from the one that confirms; of so many starts."""
    times, whole = ClickTimes(), []
    async with bench_bot(starts) as bot:
        for player in bot.players(times):
            await bot.process.stop()
            await bot.process.start(timeout=START)
            before = perf_counter()
            await player.move()
            whole.append(1000 * (perf_counter() - before))
    return whole, times.card


def figures() -> list[Measurement]:
    """For `make bench`, scaled like the figures of a move."""
    slower = calibration_ms() / REFERENCE_MS
    whole, last = ([value / slower for value in values] for values in asyncio.run(measure(STARTS)))
    return [
        Measurement("first card after a start", tuple(whole), "ms", 1000.0),
        Measurement("first card, last click to card", tuple(last), "ms"),
    ]
