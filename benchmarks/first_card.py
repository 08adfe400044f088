"""Latency of the first card after a start: a player makes a move as soon as a new process of the bot is ready.

A card is the message that shows a game. The first one costs the most, because no cache is filled yet. Each start uses
the board of another game that is nearly over.
"""

from __future__ import annotations

import asyncio
from time import perf_counter

from benchmarks.bot.bench_bot import START_TIMEOUT, bench_bot
from benchmarks.bot.gauges import REFERENCE_MS, calibration_ms
from benchmarks.bot.members import ClickTimes
from benchmarks.figures import Measurement

START_COUNT = 7


async def measure(starts: int) -> tuple[list[float], list[float]]:
    """Return for each start the milliseconds from the first click, and from the confirming one, to the card."""
    times, whole_moves = ClickTimes(), []
    async with bench_bot(starts) as bot:
        for player in bot.players(times):
            await bot.process.stop()
            await bot.process.start(timeout=START_TIMEOUT)
            before = perf_counter()
            await player.move()
            whole_moves.append(1000 * (perf_counter() - before))
    return whole_moves, times.card


def figures() -> list[Measurement]:
    """Measure, and scale the times to the reference machine, as the benchmark of a move does."""
    slowdown = calibration_ms() / REFERENCE_MS
    whole_moves, last_clicks = ([value / slowdown for value in values] for values in asyncio.run(measure(START_COUNT)))
    return [
        Measurement("first card after a start", tuple(whole_moves), "ms", 1000.0),
        Measurement("first card, last click to card", tuple(last_clicks), "ms"),
    ]
