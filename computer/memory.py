"""A player's memory between decisions: results that would come out the same again, so that they cost nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

MAX_REMEMBERED: Final = 256
"""The most results that are kept: enough for the bazaars of one turn."""


class Memory:
    """Results by all that they depend on; the oldest are dropped."""

    def __init__(self) -> None:
        self._results: OrderedDict[Hashable, float] = OrderedDict()

    def recall(self, key: Hashable, work_out: Callable[[], float]) -> float:
        """Return the result for a key, worked out if it is not remembered."""
        found = self._results.get(key)
        if found is None:
            found = self._results[key] = work_out()
            if len(self._results) > MAX_REMEMBERED:
                self._results.popitem(last=False)
        return found
