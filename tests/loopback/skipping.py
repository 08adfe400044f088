"""An event loop that skips idle time: if nothing happens, its clock jumps to the next timer.

A test of a long outage then takes seconds instead of minutes, although its sockets are real.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

QUIET_SECONDS = 0.02
"""Seconds to wait for sockets and threads before time skips; nearly all answers arrive sooner.

On a busy machine an answer may take longer, and time then skips to the next timer first. A timeout can only expire
wrongly if it is that next timer, so no time is skipped while a database is opened or closed.
"""
EPOCH = datetime(2026, 11, 24, tzinfo=UTC)
"""The time of day when the clock of the loop shows 0."""


class SkippingSelector(selectors.DefaultSelector):  # type: ignore[misc,valid-type] # its class depends on the system
    """A selector that waits only briefly, and adds the rest of each wait to the skipped time."""

    def __init__(self) -> None:
        super().__init__()
        self.skips = False
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if not self.skips or timeout is None or timeout <= QUIET_SECONDS:
            return super().select(timeout)
        ready = super().select(QUIET_SECONDS)
        if not ready:
            self.skipped += timeout - QUIET_SECONDS
        return ready


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop with a `SkippingSelector`; both ends of a connection have to run in it, to share its time."""

    def __init__(self) -> None:
        self._skipping = SkippingSelector()
        super().__init__(self._skipping)

    def time(self) -> float:
        """Return the real time plus all skipped time."""
        return super().time() + self._skipping.skipped

    @contextmanager
    def skipping(self) -> Iterator[None]:
        """Skip idle time within the block."""
        self._skipping.skips = True
        try:
            yield
        finally:
            self._skipping.skips = False


class LoopClock:
    """A clock that follows the time of the running loop."""

    def now(self) -> datetime:
        """Return the time of day that fits the clock of the loop."""
        seconds = asyncio.get_running_loop().time()
        return EPOCH + timedelta(milliseconds=int(seconds * 1000))
