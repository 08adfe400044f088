"""An event loop in which nobody waits: where nothing happens before a timer, time skips to it."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

QUIET_SECONDS = 0.02
"""Seconds to wait for sockets and threads before time skips; nearly all answers come sooner.

Where a busy machine takes longer, time skips to the next timer in between. That fails a timeout only if it is the next
one, so nothing is skipped while a database is opened or closed.
"""
EPOCH = datetime(2026, 11, 24, tzinfo=UTC)


class SkippingSelector(selectors.DefaultSelector):  # type: ignore[misc,valid-type] # one of several, by the system
    """Waits for sockets for a moment at most, and counts what is left of each wait as if it had passed."""

    def __init__(self) -> None:
        super().__init__()
        self.skips = False
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if not self.skips or timeout is None or timeout <= QUIET_SECONDS:
            return super().select(timeout)
        found = super().select(QUIET_SECONDS)
        if not found:
            self.skipped += timeout - QUIET_SECONDS
        return found


class SkippingLoop(asyncio.SelectorEventLoop):
    """Sockets are real, five minutes are over in seconds: for both ends of a connection in one process."""

    def __init__(self) -> None:
        self._skipping = SkippingSelector()
        super().__init__(self._skipping)

    def time(self) -> float:
        return super().time() + self._skipping.skipped

    @contextmanager
    def skipping(self) -> Iterator[None]:
        """Skip in this block."""
        self._skipping.skips = True
        try:
            yield
        finally:
            self._skipping.skips = False


class LoopClock:
    """The time by the running loop."""

    def now(self) -> datetime:
        seconds = asyncio.get_running_loop().time()
        return EPOCH + timedelta(milliseconds=int(seconds * 1000))
