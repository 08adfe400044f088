"""The time, which is handed in so that a test can set it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Somebody who knows what time it is."""

    def now(self) -> datetime:
        """An aware datetime in UTC."""
        ...


class SystemClock:
    """The clock of the machine, to the millisecond: as exact as the store, so that a time comes back as it was."""

    def now(self) -> datetime:
        """An aware datetime in UTC."""
        time = datetime.now(UTC)
        return time.replace(microsecond=time.microsecond // 1000 * 1000)
