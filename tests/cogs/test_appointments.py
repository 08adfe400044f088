"""Times that people type for an appointment, in their own time zone."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from cogs.commands.appointments import typed_time
from cogs.words.refusals import RefusedError

PRAGUE = ZoneInfo("Europe/Prague")
NOW = datetime(2026, 10, 24, 20, 30, tzinfo=UTC)
"""Half past ten in the evening in Prague, on the day before the clocks there go back."""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("2026-12-31 20:00", datetime(2026, 12, 31, 19, tzinfo=UTC)),
        ("  2026-07-01   20:00 ", datetime(2026, 7, 1, 18, tzinfo=UTC)),
        ("31.12.2026 20.15", datetime(2026, 12, 31, 19, 15, tzinfo=UTC)),
        ("23:00", datetime(2026, 10, 24, 21, tzinfo=UTC)),
        ("22:30", datetime(2026, 10, 25, 21, 30, tzinfo=UTC)),
        ("8.05", datetime(2026, 10, 25, 7, 5, tzinfo=UTC)),
    ],
)
def test_a_time_is_read_in_the_own_time_zone(typed: str, expected: datetime) -> None:
    assert typed_time(typed, PRAGUE, NOW) == expected


@pytest.mark.parametrize("typed", ["0001-01-01 00:00", "9999-12-31 23:59"])
def test_times_at_the_ends_of_the_calendar_are_compared(typed: str) -> None:
    assert (typed_time(typed, PRAGUE, NOW) > NOW) is typed.startswith("9999")


@pytest.mark.parametrize("typed", ["", "Friday", "25:00", "2026-02-30 20:00", "20", "2026-12-31", "0000-01-01 20:00"])
def test_anything_else_is_refused(typed: str) -> None:
    with pytest.raises(RefusedError) as caught:
        typed_time(typed, PRAGUE, NOW)
    assert caught.value.key == "bad_time"
