"""The one place of the engine that looks at a clock: to measure how fast the rest is."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time


def milliseconds(work: Callable[[], object], times: int = 1) -> float:
    """How long a piece of work takes, on average if it is done so many times in a row.

    It is the time that the process was at work: what else goes on in the machine does not count.
    """
    start = process_time()
    for _ in range(times):
        work()
    return (process_time() - start) * 1000 / times
