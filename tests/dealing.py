"""The order of the tests in a run of several workers (pytest-xdist, ``--dist=worksteal``).

Each worker begins with a block of consecutive tests, and steals from the end of another's block when it has finished
its own. So most tests of a module run in one process, which fills its caches once: sprites of tiles, texts, servers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def dealt(items: Iterable[Item], workers: int, is_long: Callable[[Item], bool]) -> list[Item]:
    """Order items so that the block of each worker begins with its share of the long ones."""
    long: list[Item] = []
    short: list[Item] = []
    for item in items:
        (long if is_long(item) else short).append(item)
    result: list[Item] = []
    for remaining in range(workers, 0, -1):  # blocks have the sizes that xdist gives them
        size, begin = (len(long) + len(short)) // remaining, len(long) // remaining
        result += long[:begin] + short[: size - begin]
        del long[:begin], short[: size - begin]
    return result
