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
    """The clock of the machine."""

    def now(self) -> datetime:
        """An aware datetime in UTC."""
        return datetime.now(UTC)
