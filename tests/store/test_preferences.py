"""Preferences of players: parsing, defaults, quiet hours and time zones.

A preference is chosen by a typed text, such as "22-7.30" for quiet hours, which is parsed and normalised.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.clocks import Quiet, quiet_at, quiet_of
from store import PictureSize, Preferences, Reminders, WholeDayError
from store.preferences import (
    DIRECT_MESSAGES,
    PICTURE_SIZE,
    PUBLISH_WINDOW,
    QUIET_HOURS,
    REMINDERS,
    TIME_ZONE,
    QuietHours,
    zone_name,
)

MINUTES = st.times().map(lambda at: at.replace(second=0, microsecond=0))
"""Times of day in whole minutes."""


def is_quiet(hours: QuietHours, at: time) -> bool:
    """Return whether quiet hours cover a time of a day."""
    moment = datetime.combine(date(2026, 11, 22), at, tzinfo=UTC)
    return quiet_at(moment, Quiet(hours.start, hours.end, ZoneInfo("UTC"))) is not None


def test_empty_preferences_have_the_defaults() -> None:
    defaults = Preferences()
    assert defaults.publish_window == timedelta(seconds=60)
    assert defaults.reminders is Reminders.ALL
    assert defaults.quiet_hours is None
    assert defaults.zone.key == "UTC"
    assert not defaults.direct_messages
    assert defaults.picture_size is PictureSize.LARGE


def test_each_choice_is_parsed_and_normalised() -> None:
    chosen = Preferences()
    for name, value in {
        PUBLISH_WINDOW: "0",
        REMINDERS: "last",
        QUIET_HOURS: "22-7.30",
        TIME_ZONE: "america/new york",
        DIRECT_MESSAGES: "on",
        PICTURE_SIZE: "small",
    }.items():
        chosen = chosen.with_choice(name, value)
    assert chosen.publish_window == timedelta()
    assert chosen.reminders is Reminders.LAST
    assert chosen.quiet_hours == QuietHours(time(22), time(7, 30))
    assert chosen.zone.key == "America/New_York"
    assert chosen.direct_messages
    assert chosen.picture_size is PictureSize.SMALL
    assert chosen.choices[QUIET_HOURS] == "22:00-07:30"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (PUBLISH_WINDOW, "-1"),
        (PUBLISH_WINDOW, "121"),
        (PUBLISH_WINDOW, "soon"),
        (REMINDERS, "never"),
        (QUIET_HOURS, "22"),
        (QUIET_HOURS, "9-9"),
        (QUIET_HOURS, "0-24"),
        (QUIET_HOURS, "22:60-7"),
        (QUIET_HOURS, "\u0662\u0662-7"),
        (TIME_ZONE, "Mars/Olympus"),
        (TIME_ZONE, "../etc/passwd"),
        (TIME_ZONE, "/etc/localtime"),
        (DIRECT_MESSAGES, "maybe"),
        (PICTURE_SIZE, "huge"),
    ],
)
def test_invalid_choices_are_refused_and_ignored_if_stored(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Preferences().with_choice(name, value)
    stored, defaults = Preferences(choices={name: value}), Preferences()
    for read in ("publish_window", "reminders", "quiet_hours", "zone", "direct_messages", "picture_size"):
        assert getattr(stored, read) == getattr(defaults, read)


def test_an_empty_choice_resets_one_preference_to_its_default() -> None:
    chosen = Preferences(confirm=False, choices={"theme": "night", PUBLISH_WINDOW: "30"})
    assert chosen.with_choice(PUBLISH_WINDOW, "") == Preferences(confirm=False, choices={"theme": "night"})
    assert chosen.with_choice("theme", "day").choices == {"theme": "day", PUBLISH_WINDOW: "30"}


@given(MINUTES, MINUTES)
def test_quiet_hours_survive_a_round_trip_through_text(start: time, end: time) -> None:
    if start == end:
        with pytest.raises(WholeDayError):
            QuietHours(start, end)
        return
    hours = QuietHours(start, end)
    assert QuietHours.parse(str(hours)) == hours
    assert is_quiet(hours, start)
    assert not is_quiet(hours, end)


@given(MINUTES, MINUTES, MINUTES)
def test_every_time_is_in_the_quiet_hours_or_in_their_complement(start: time, end: time, at: time) -> None:
    if start != end:
        assert is_quiet(QuietHours(start, end), at) is not is_quiet(QuietHours(end, start), at)


@pytest.mark.parametrize("typed", ["9-9", "0-24", "24:00-0", "00:00 - 24:00"])
def test_quiet_hours_of_a_whole_day_have_their_own_error(typed: str) -> None:
    with pytest.raises(WholeDayError):
        Preferences().with_choice(QUIET_HOURS, typed)
    assert str(QuietHours.parse("20-24")) == "20:00-00:00"


def test_quiet_hours_are_in_the_players_time_zone() -> None:
    chosen = Preferences().with_choice(QUIET_HOURS, "22-7").with_choice(TIME_ZONE, "Asia/Kolkata")
    assert quiet_at(datetime(2026, 11, 22, 16, 30, tzinfo=UTC), quiet_of(chosen))
    assert not quiet_at(datetime(2026, 11, 22, 16, 29, tzinfo=UTC), quiet_of(chosen))
    assert not quiet_at(datetime(2026, 11, 22, 3, tzinfo=UTC), quiet_of(Preferences()))


def test_zones_are_found_in_any_case_and_with_spaces() -> None:
    assert zone_name(" europe/prague ") == "Europe/Prague"
    assert zone_name("America/Argentina/buenos aires") == "America/Argentina/Buenos_Aires"
