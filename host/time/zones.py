"""Quiet hours: local times of the day in somebody's zone, as spans of real time."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from store import Preferences

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
