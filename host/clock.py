"""Sources of the current time, passed to the services so that tests can set it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """A source of the current time."""

    def now(self) -> datetime:
        """Return the current time as an aware datetime in UTC."""
        ...


class SharedClock:
    """The time of the database, which several processes share, independent of their machines' clocks.

    Between two calls of :meth:`set` it advances by the machine's monotonic counter.
    """

    def __init__(self) -> None:
        self._set_to, self._set_at = SystemClock().now(), time.monotonic()

    def set(self, to: datetime, at: float) -> None:
        """Set the clock: it was ``to`` when :func:`time.monotonic` returned ``at`` seconds."""
        self._set_to, self._set_at = to.astimezone(UTC), at

    def now(self) -> datetime:
        """Return the current time in UTC, to the millisecond."""
        return _to_the_millisecond(self._set_to + timedelta(seconds=time.monotonic() - self._set_at))


class SystemClock:
    """The machine's clock, to the millisecond: the store's precision, so a stored time is read back unchanged."""

    def now(self) -> datetime:
        """Return the current time as an aware datetime in UTC."""
        return _to_the_millisecond(datetime.now(UTC))


def _to_the_millisecond(moment: datetime) -> datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
