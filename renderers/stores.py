"""What is kept up to a weight in bytes: what has not been used for longest goes first. Any thread may ask."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class WeightedStore(Generic[V]):
    """Values by name, up to a weight in bytes; ``weigh`` tells that of one value."""

    def __init__(self, limit: int, weigh: Callable[[V], int]) -> None:
        self._limit = limit
        self._weigh = weigh
        self._lock = Lock()
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._weight = 0

    @property
    def weight(self) -> int:
        """Bytes of all that is kept."""
        return self._weight

    def find(self, key: Hashable) -> V | None:
        """The value, if it is still there; it counts as used."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def keep(self, key: Hashable, value: V) -> None:
        """Keep a value, and let go what has not been used for longest; never the newest."""
        with self._lock:
            replaced = self._values.pop(key, None)
            self._values[key] = value
            self._weight += self._weigh(value) - (0 if replaced is None else self._weigh(replaced))
            while self._weight > self._limit and len(self._values) > 1:
                _, oldest = self._values.popitem(last=False)
                self._weight -= self._weigh(oldest)

    def clear(self) -> None:
        """Let go everything, as after a start."""
        with self._lock:
            self._values.clear()
            self._weight = 0
