"""The one place of the engine that looks at a clock: to measure how fast the rest is."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def milliseconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1000
