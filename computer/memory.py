"""A small cache that a computer player keeps between decisions."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

MAX_RESULTS: Final = 256
"""The most results that a memory keeps: enough for the bazaars of one turn."""


class Memory:
    """A cache of numbers; the key contains everything on which a number depends. The oldest entries are dropped."""

    def __init__(self) -> None:
        self._results: OrderedDict[Hashable, float] = OrderedDict()

    def recall(self, key: Hashable, compute: Callable[[], float]) -> float:
        """Return the result for a key; call ``compute`` if it is not in the cache."""
        result = self._results.get(key)
        if result is None:
            result = self._results[key] = compute()
            if len(self._results) > MAX_RESULTS:
                self._results.popitem(last=False)
        return result
