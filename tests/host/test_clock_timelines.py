"""Clocks over random timelines of vacations in local days, pauses, downtime and undos that overlap.

The time used is compared with a plain count of the milliseconds that lie in none of the interruptions.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from host import clocks
from host.clocks import HOUR, PACES, QUIET_REMINDER_LEAD, Quiet, moment, outside_quiet_hours, quiet_at
from store import SeatClock

STANDARD = PACES["standard"]
"""The pace: a bank of 72 hours, 8 free hours before each turn uses it, an increment of 18 hours."""
ZONES = ("Europe/Prague", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kolkata", "UTC")
"""Time zones with daylight saving time of an hour, of half an hour, or from midnight on; and two without."""
DATES_BEFORE_CHANGES = (
    date(2029, 3, 9),
    date(2029, 3, 23),
    date(2029, 4, 5),
    date(2029, 9, 6),
    date(2029, 10, 26),
    date(2029, 11, 2),
)
"""Dates a few days before some of these clock changes."""
SPANS = st.integers(0, 60 * HOUR)
"""Lengths of time, in milliseconds."""
Span = tuple[datetime, datetime]
"""Begin and end of an interruption."""


def merged(spans: list[Span]) -> list[Span]:
    """Return the same time as sorted spans that do not overlap."""
    disjoint: list[Span] = []
    for start, end in sorted(spans):
        if disjoint and start <= disjoint[-1][1]:
            disjoint[-1] = (disjoint[-1][0], max(end, disjoint[-1][1]))
        elif start < end:
            disjoint.append((start, end))
    return disjoint


def time_outside(start: datetime, end: datetime, lost: list[Span]) -> int:
    """Return the milliseconds between two times that lie in none of the spans."""
    gone = sum((max(timedelta(0), min(end, b) - max(start, a)) for a, b in merged(lost)), timedelta(0))
    return (end - start - gone) // timedelta(milliseconds=1)


@given(
    zone=st.sampled_from(ZONES),
    first=st.sampled_from(DATES_BEFORE_CHANGES),
    offset=st.integers(0, 5),
    days=st.integers(1, 6),
    gaps=st.lists(st.tuples(SPANS, SPANS), max_size=4),
    length=st.integers(0, 14 * 24 * HOUR),
    free=st.sampled_from([0, 6 * HOUR, 8 * HOUR]),
)
def test_vacations_and_downtime_cost_nothing_wherever_they_lie(
    zone: str, first: date, offset: int, days: int, gaps: list[tuple[int, int]], length: int, free: int
) -> None:
    """Use exactly the real time outside both, less the free time."""
    local_zone = ZoneInfo(zone)
    begin = datetime.combine(first, time(), UTC)
    day = first + timedelta(days=offset)
    away = moment(day, time(0), local_zone), moment(day + timedelta(days=days), time(0), local_zone)
    assert abs(away[1] - away[0] - timedelta(days=days)) <= timedelta(hours=1)
    down, at = list[Span](), begin
    for wait, gap in gaps:
        start = clocks.later(at, wait)
        down.append((start, clocks.later(start, gap)))
        at = down[-1][1]
    end = clocks.later(begin, length)
    clock = clocks.start(clocks.ask(SeatClock(game_id=1, seat=0, granted=9999 * HOUR), 1, free), begin)
    clock = clock_after(clock, end, away, down)
    real = time_outside(begin, end, [away, *down])
    assert clock.used - clock.given_back == max(0, real - free)
    assert clock.spent == real
    assert clock.left == clock.granted - max(0, real - free) >= 0


def clock_after(clock: SeatClock, end: datetime, away: Span, down: list[Span]) -> SeatClock:
    """Return the clock at the end as the bot keeps it: changes due during downtime are made when that is over."""
    outages = merged(down)
    changes: list[tuple[datetime, int, Callable[[SeatClock, datetime], SeatClock]]] = []
    for start, stop in outages:
        changes.append((stop, 0, lambda seat_clock, at, start=start: clocks.give_back(seat_clock, start, at)))
    for when, change in zip(away, (clocks.hold, clocks.resume), strict=True):
        late = next((stop for start, stop in outages if start <= when < stop), when)
        changes.append((late, 1 if change is clocks.hold else 2, change))
    for when, _, change in sorted(changes, key=lambda entry: entry[:2]):
        if when <= end:
            clock = change(clock, when)
    ongoing = next((start for start, stop in outages if start < end < stop), None)
    if ongoing is not None:
        clock = clocks.give_back(clock, ongoing, end)
    return clocks.stop(clock, end)


HISTORY = st.lists(st.tuples(SPANS, SPANS, st.sampled_from(["turn", "gap", "pause", "gift", "zero", "undo", "own"])))
"""Random histories: two lengths of time and what happens then."""


@given(HISTORY)
def test_with_undos_time_is_never_negative_and_never_created(history: list[tuple[int, int, str]]) -> None:
    clock, at, ply, time_given = clocks.new_clock(1, 0, STANDARD), datetime(2029, 10, 27, tzinfo=UTC), 0, 0
    for wait, span, change in history:
        before, ply = clock, ply + 1
        clock = clocks.start(clocks.ask(clocks.answer(clock), ply, STANDARD.grace), at)
        at = clocks.later(at, wait)
        end = clocks.later(at, span)
        match change:
            case "gap":
                clock = clocks.give_back(clock, at, end)
            case "pause":
                clock = clocks.resume(clocks.hold(clock, at), end)
            case "gift":
                clock, time_given = clocks.grant(clock, span), time_given + span
            case "zero":
                clock = clocks.time_out(clock, at, STANDARD)
            case "undo" | "own":
                stopped = clocks.answer(clocks.stop(clock, at))
                clock = clocks.undo(stopped, max(0, ply - 3), is_requester=change == "own")
                assert clock.granted <= stopped.granted, "an undo grants nothing"
                assert change == "own" or clock.left <= before.granted + before.given_back
        clock = clocks.stop(clock, end)
        granted = clock.granted
        clock = clocks.earn(clocks.answer(clock), STANDARD)
        clock = clocks.remember(clock, ply, earned=clock.granted - granted)
        assert clock.granted + clock.given_back - clock.used == clock.left >= 0
        assert 0 <= clock.given_back <= clock.used
        assert clock.spent >= before.spent
        at = end
    chances = sum(change == "zero" for *_, change in history) * STANDARD.chance
    assert clock.granted <= STANDARD.bank + len(history) * STANDARD.increment + time_given + chances


@given(
    zone=st.sampled_from(ZONES),
    first=st.sampled_from(DATES_BEFORE_CHANGES),
    passed=st.integers(0, 8 * 24 * 60),
    start=st.times(),
    end=st.times(),
    left=st.integers(1, 72 * 60),
)
def test_a_reminder_is_never_in_quiet_hours_nor_after_the_deadline(
    zone: str, first: date, passed: int, start: time, end: time, left: int
) -> None:
    """Move the reminder behind or before quiet hours, on days when the local clocks change, too."""
    start, end = start.replace(microsecond=0), end.replace(microsecond=0)
    if start == end:
        return
    quiet = Quiet(start, end, ZoneInfo(zone))
    at = datetime.combine(first, time(), UTC) + timedelta(minutes=passed)
    deadline = at + timedelta(minutes=left)
    moved, span = outside_quiet_hours(at, deadline, quiet), quiet_at(at, quiet)
    assert moved < deadline
    if span is None:
        assert moved == at
        return
    assert span.start <= at < span.end
    assert (moved == span.end) == (span.end < deadline)
    if moved < span.start:
        assert moved >= span.start - QUIET_REMINDER_LEAD
        assert quiet_at(moved, quiet) is None, "the reminder may ping"
    elif moved == span.start:
        assert quiet_at(moved - timedelta(seconds=1), quiet) is not None, (
            "the local clocks changed, so that no time is left before"
        )
