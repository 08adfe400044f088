"""What is kept up to a weight in bytes: what has not been used for longest goes first. Any thread may ask.

A store that lets something go soon after it was used is too small, and says so in the log.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Final, Generic, TypeVar

log = logging.getLogger(__name__)

V = TypeVar("V")

IN_USE: Final = 600.0
"""Seconds: what goes sooner after it was used would better have been kept."""
SILENCE: Final = 3600.0
"""Seconds until a store that is too small says so again."""


@dataclass(slots=True)
class _Kept(Generic[V]):
    """A value, and when it was used."""

    value: V
    used: float


class WeightedStore(Generic[V]):
    """Values by name, up to a weight in bytes.

    Args:
        limit: bytes of all values together.
        weigh: tells those of one value.
        name: what the log calls the store.
        in_use: seconds for which a value is expected to be used again.
    """

    def __init__(self, limit: int, weigh: Callable[[V], int], name: str, *, in_use: float = IN_USE) -> None:
        self._limit = limit
        self._weigh = weigh
        self._name = name
        self._in_use = in_use
        self._lock = Lock()
        self._values: OrderedDict[Hashable, _Kept[V]] = OrderedDict()
        self._weight = 0
        self._told = -SILENCE

    def __len__(self) -> int:
        """How many values are kept."""
        return len(self._values)

    def __contains__(self, key: Hashable) -> bool:
        """Whether a value is kept; it does not count as used."""
        return key in self._values

    @property
    def weight(self) -> int:
        """Bytes of all that is kept."""
        return self._weight

    def find(self, key: Hashable) -> V | None:
        """The value, if it is still there; it counts as used."""
        with self._lock:
            kept = self._values.get(key)
            if kept is None:
                return None
            kept.used = monotonic()
            self._values.move_to_end(key)
            return kept.value

    def keep(self, key: Hashable, value: V) -> V:
        """Keep a value, and let go what has not been used for longest; never the newest. The value."""
        now, gone = monotonic(), list[float]()
        with self._lock:
            self._take(key)
            self._values[key] = _Kept(value, now)
            self._weight += self._weigh(value)
            while self._weight > self._limit and len(self._values) > 1:
                _, oldest = self._values.popitem(last=False)
                self._weight -= self._weigh(oldest.value)
                gone.append(oldest.used)
        if gone:
            self._tell(gone[-1], now)
        return value

    def take(self, key: Hashable) -> V | None:
        """The value, if it is still there; it is not kept any longer."""
        with self._lock:
            return self._take(key)

    def clear(self) -> None:
        """Let go everything, as after a start."""
        with self._lock:
            self._values.clear()
            self._weight = 0

    def _take(self, key: Hashable) -> V | None:
        kept = self._values.pop(key, None)
        if kept is None:
            return None
        self._weight -= self._weigh(kept.value)
        return kept.value

    def _tell(self, used: float, now: float) -> None:
        """Say, not more often than once in an hour, that there is too little room for what is in use."""
        if now - used > self._in_use or now - self._told < SILENCE:
            return
        self._told = now
        about = {"store": self._name, "kept": len(self._values), "kib": self._limit // 1024}
        log.warning("too little memory for what is in use: some is made again each time", extra=about)
