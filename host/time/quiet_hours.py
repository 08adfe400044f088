"""Quiet hours, as spans of real time, and the marks at which the player of a running clock is reminded.

A player is reminded at half and a quarter of what remained, and when the last two hours begin; marks within quiet hours
move to their end, or to shortly before them if the time would run out meanwhile.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from host.time.clocks import DAY, HOUR, later, zero_at
from store import Preferences, SeatClock

AHEAD: Final = timedelta(minutes=10)
"""So long before quiet hours somebody is reminded whose time runs out in them."""
_DAY: Final = timedelta(days=1)
_SECOND: Final = timedelta(seconds=1)


class Quiet(NamedTuple):
    """From one local time of the day to another, be it over midnight."""

    start: time
    end: time
    zone: ZoneInfo


def quiet_of(wishes: Preferences) -> Quiet | None:
    """The quiet hours of somebody who has chosen any."""
    hours = wishes.quiet_hours
    return None if hours is None else Quiet(hours.start, hours.end, wishes.zone)


class Interval(NamedTuple):
    """From a time on, up to another that is no longer in it."""

    start: datetime
    end: datetime


def moment(day: date, at: time, zone: ZoneInfo) -> datetime:
    """When it is this time somewhere: of one that comes twice the first, for one that does not exist the next one."""
    local = datetime.combine(day, at)
    found = local.replace(tzinfo=zone).astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) == local:
        return found
    before = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return _change(before, found, zone)


def _change(early: datetime, late: datetime, zone: ZoneInfo) -> datetime:
    """When the clocks are put forward between two times: the first second after it."""
    old = early.astimezone(zone).utcoffset()
    while late - early > _SECOND:
        middle = early + (late - early) // (2 * _SECOND) * _SECOND
        if middle.astimezone(zone).utcoffset() == old:
            early = middle
        else:
            late = middle
    return late


def quiet_at(at: datetime, quiet: Quiet | None) -> Interval | None:
    """The quiet hours in which a time lies, if it lies in any."""
    if quiet is None:
        return None
    today = at.astimezone(quiet.zone).date()
    for day in (today - _DAY, today):
        last = day if quiet.start < quiet.end else day + _DAY
        found = Interval(moment(day, quiet.start, quiet.zone), moment(last, quiet.end, quiet.zone))
        if found.start <= at < found.end:
            return found
    return None


def kindly(at: datetime, deadline: datetime, quiet: Quiet | None) -> datetime:
    """When somebody is reminded who asked for quiet: at the end of it, or before it where the deadline falls inside.

    So long before it that the message is there in time, with its ping; if that is quiet, too, between the two.
    """
    span = quiet_at(at, quiet)
    if span is None:
        return at
    if span.end < deadline:
        return span.end
    earlier = quiet_at(span.start - AHEAD, quiet)
    return span.start - AHEAD if earlier is None else earlier.end


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
