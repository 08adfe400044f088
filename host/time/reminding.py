"""When somebody is reminded: at half and a quarter of what remained, and when the last two hours begin."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from host.time.clocks import later, zero_at
from host.time.paces import DAY, HOUR
from host.time.zones import Quiet, kindly
from store import SeatClock

LAST: Final = 2 * HOUR
"""What counts as the last hours, of which everybody is told."""
APART: Final = timedelta(hours=1)
"""The least time between two reminders of one turn."""
WITHOUT_PACE: Final = (DAY, 3 * DAY, 7 * DAY)
"""When somebody is reminded where no clock runs; after that weekly."""
WEEK: Final = 7 * DAY


def marks(clock: SeatClock) -> tuple[datetime, ...]:
    """When the player of a running clock is reminded, in order; of a turn of minutes nobody is."""
    zero = zero_at(clock)
    if zero is None or clock.since is None:
        return ()
    whole = clock.free + clock.left
    if whole <= LAST:
        return ()
    last = later(zero, -LAST)
    shares = [mark for share in (2, 4) if last - (mark := later(zero, -(whole // share))) >= APART]
    return (*shares, last)


def is_last(clock: SeatClock, at: datetime) -> bool:
    """Whether the last hours have begun."""
    zero = zero_at(clock)
    return zero is not None and at >= later(zero, -LAST)


def missed(clock: SeatClock, at: datetime, quiet: Quiet | None = None) -> datetime | None:
    """The newest mark of which somebody is to be told by now, and was not: however many were missed, one is told of."""
    passed = [mark for mark, kind in _untold(clock, quiet) if kind <= at]
    return passed[-1] if passed else None


def coming(clock: SeatClock, at: datetime, quiet: Quiet | None = None) -> datetime | None:
    """When somebody is told of a mark next, after a time."""
    return min((kind for _, kind in _untold(clock, quiet) if kind > at), default=None)


def _untold(clock: SeatClock, quiet: Quiet | None) -> list[tuple[datetime, datetime]]:
    """The marks of which nobody was told, each with when that is kind."""
    told, zero = clock.reminded_at or clock.since, zero_at(clock)
    if told is None or zero is None:
        return []
    return [(mark, kindly(mark, zero, quiet)) for mark in marks(clock) if mark > told]


def without_pace(asked: datetime, at: datetime) -> datetime:
    """The next reminder of a turn that began then, where no clock runs: always after ``at``."""
    for wait in WITHOUT_PACE:
        if later(asked, wait) > at:
            return later(asked, wait)
    weeks = (at - later(asked, WITHOUT_PACE[-1])) // timedelta(days=7) + 1
    return later(asked, WITHOUT_PACE[-1] + weeks * WEEK)
