"""The one place of the engine that looks at a clock: to measure how fast the rest is."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def milliseconds(work: Callable[[], object], times: int = 1) -> float:
    """How long a piece of work takes, on average if it is done so many times in a row."""
    start = perf_counter()
    for _ in range(times):
        work()
    return (perf_counter() - start) * 1000 / times
