"""Sources of the current time.

Services are passed a :class:`Clock` instead of asking the machine, so that tests can set the time, and so that
several processes of the bot on one database can share the time of that database.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """A source of the current time. All times are aware datetimes in UTC, to the millisecond, as they are stored."""

    def now(self) -> datetime:
        """Return the current time."""
        ...


class SharedClock:
    """The clock of the database, shared by several processes whose machines' clocks may differ.

    A heartbeat sets it from time to time. In between it advances with the machine's monotonic counter.
    """

    def __init__(self) -> None:
        self._set_to, self._set_at = SystemClock().now(), time.monotonic()

    def set(self, to: datetime, at: float) -> None:
        """Set the clock: the database's time was ``to`` when :func:`time.monotonic` returned ``at`` seconds."""
        self._set_to, self._set_at = to.astimezone(UTC), at

    def now(self) -> datetime:
        """Return the current time of the database."""
        return _to_the_millisecond(self._set_to + timedelta(seconds=time.monotonic() - self._set_at))


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """Return the current time of this machine."""
        return _to_the_millisecond(datetime.now(UTC))


def _to_the_millisecond(moment: datetime) -> datetime:
    """Cut off what is finer than a millisecond, the precision of the store, so that a stored time stays the same."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
