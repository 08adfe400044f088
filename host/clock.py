"""The time, which is handed in so that a test can set it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Somebody who knows what time it is."""

    def now(self) -> datetime:
        """An aware datetime in UTC."""
        ...


class SharedClock:
    """The clock of the database that several processes share: whatever the clocks of their machines say.

    It goes on by what a machine counts evenly since it was last set.
    """

    def __init__(self) -> None:
        self._set_to, self._set_at = SystemClock().now(), time.monotonic()

    def set(self, to: datetime, at: float) -> None:
        """It was so late when the machine had counted so many seconds."""
        self._set_to, self._set_at = to.astimezone(UTC), at

    def now(self) -> datetime:
        """To the millisecond."""
        return _to_the_millisecond(self._set_to + timedelta(seconds=time.monotonic() - self._set_at))


class SystemClock:
    """The clock of the machine, to the millisecond: as exact as the store, so that a time comes back as it was."""

    def now(self) -> datetime:
        """An aware datetime in UTC."""
        return _to_the_millisecond(datetime.now(UTC))


def _to_the_millisecond(moment: datetime) -> datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
