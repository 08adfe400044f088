"""Arithmetic of quiet hours in local time, and of the times at which reminders are due.

Quiet hours are a daily span in which a player is not pinged. The examples lie in 2030, at changes to and from summer
time; Lord Howe Island shifts its clocks by half an hour only.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host import clocks
from host import clocks as quiet_hours
from host.clocks import DAY, HOUR, MINUTE, Quiet, moment, outside_quiet_hours, quiet_at
from store import SeatClock

BERLIN, NEW_YORK, LORD_HOWE = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("Australia/Lord_Howe")
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Tokyo", "Australia/Lord_Howe"]
"""Zones with and without summer time, with half-hour offsets and shifts."""
NIGHT = Quiet(time(22), time(7, 30), BERLIN)
"""Quiet hours that span midnight."""


def utc(day: int, hour: int, minute: int = 0, *, month: int = 6) -> datetime:
    """Return a time of the year 2030, by default in June."""
    return datetime(2030, month, day, hour, minute, tzinfo=UTC)


def test_a_skipped_local_time_is_the_first_one_after_it() -> None:
    assert moment(date(2030, 3, 31), time(2, 30), BERLIN) == utc(31, 1, month=3)
    assert moment(date(2030, 3, 10), time(2, 30), NEW_YORK) == utc(10, 7, month=3)


def test_a_repeated_local_time_is_its_first_occurrence() -> None:
    assert moment(date(2030, 10, 27), time(2, 30), BERLIN) == utc(27, 0, 30, month=10)


def test_quiet_hours_may_span_midnight() -> None:
    span = quiet_at(utc(2, 1), NIGHT)
    assert span == (utc(1, 20), utc(2, 5, 30))
    assert quiet_at(utc(2, 12), NIGHT) is None
    assert quiet_at(utc(2, 12), None) is None
    assert quiet_at(utc(2, 5, 30), NIGHT) is None


def test_a_reminder_is_moved_behind_or_before_quiet_hours() -> None:
    assert outside_quiet_hours(utc(2, 1), utc(2, 12), NIGHT) == utc(2, 5, 30)
    assert outside_quiet_hours(utc(2, 1), utc(2, 4), NIGHT) == utc(1, 19, 50)
    almost_all_day = Quiet(time(22, 5), time(22), BERLIN)
    assert outside_quiet_hours(utc(2, 1), utc(2, 4), almost_all_day) == utc(1, 20)
    assert outside_quiet_hours(utc(2, 12), utc(2, 14), NIGHT) == utc(2, 12)


MOMENTS = st.integers(0, 11 * 366 * 86_400).map(lambda passed: utc(1, 0) + timedelta(seconds=passed))
"""Random times in the eleven years from June 2030."""
TIMES = st.times().map(lambda at: at.replace(microsecond=0))
"""Random times of day, in whole seconds."""


@given(MOMENTS, TIMES, TIMES, st.sampled_from(ZONES))
def test_quiet_hours_follow_the_local_clock(when: datetime, start: time, end: time, zone: str) -> None:
    """Compare with the local time, except near a change of the clocks, where times are skipped or repeated."""
    local_zone = ZoneInfo(zone)
    day = timedelta(days=1)
    if (
        start == end
        or (when - day).astimezone(local_zone).utcoffset() != (when + day).astimezone(local_zone).utcoffset()
    ):
        return
    local = when.astimezone(local_zone).time()
    inside = start <= local < end if start < end else local >= start or local < end
    assert (quiet_at(when, Quiet(start, end, local_zone)) is not None) == inside


@given(st.dates(date(2024, 1, 1), date(2035, 1, 1)), TIMES, st.sampled_from(ZONES))
def test_a_moment_has_that_local_time_or_the_first_after_a_change(day: date, at: time, zone: str) -> None:
    local_zone = ZoneInfo(zone)
    converted = moment(day, at, local_zone)
    local = converted.astimezone(local_zone).replace(tzinfo=None)
    wanted = datetime.combine(day, at)
    if local != wanted:
        assert wanted < local <= wanted + timedelta(hours=1)
        assert (converted - timedelta(seconds=1)).astimezone(local_zone).replace(tzinfo=None) < wanted


def turn(whole: int) -> SeatClock:
    """Return a clock that started with this bank and no free time on the first of June."""
    return clocks.start(clocks.ask(SeatClock(game_id=1, seat=0, granted=whole), 1, 0), utc(1, 0))


def test_reminders_are_due_at_half_a_quarter_and_two_hours() -> None:
    assert quiet_hours.reminder_marks(turn(80 * HOUR)) == (utc(2, 16), utc(3, 12), utc(4, 6))


@pytest.mark.parametrize(("whole", "count"), [(15 * MINUTE, 0), (2 * HOUR, 0), (3 * HOUR, 1), (8 * HOUR, 2)])
def test_reminders_too_close_to_another_are_left_out(whole: int, count: int) -> None:
    assert len(quiet_hours.reminder_marks(turn(whole))) == count


def test_only_the_last_missed_reminder_is_reported() -> None:
    clock = turn(80 * HOUR)
    assert quiet_hours.missed_mark(clock, utc(1, 12)) is None
    assert quiet_hours.missed_mark(clock, utc(3, 14)) == utc(3, 12)
    assert quiet_hours.next_reminder_time(clock, utc(3, 14)) == utc(4, 6)


@pytest.mark.parametrize(("passed", "due"), [(0, 1), (1, 3), (2, 3), (3, 7), (7, 14), (13, 14), (14, 21), (400, 406)])
def test_untimed_games_remind_after_one_three_and_seven_days_then_weekly(passed: int, due: int) -> None:
    asked_at = utc(1, 0)
    assert quiet_hours.next_untimed_reminder(asked_at, clocks.later(asked_at, passed * DAY)) == clocks.later(
        asked_at, due * DAY
    )
