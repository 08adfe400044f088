"""The day on which a vacation begins, as it is typed."""

from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cogs.commands.vacations import typed_date
from cogs.words.refusals import RefusedError

NOW: Any = cast("Any", SimpleNamespace(created_at=datetime(2026, 11, 23, tzinfo=UTC)))


@pytest.mark.parametrize("typed", ["", "soon", "2026-02-30", "0001-01-01", "2024-11-01", "2028-11-30", "9999-12-31"])
def test_a_day_that_nobody_means_is_refused(typed: str) -> None:
    """The first one of the calendar begins before it in half of the world."""
    with pytest.raises(RefusedError, match="bad_date"):
        typed_date(NOW, typed)


@pytest.mark.parametrize("typed", ["2026-11-23", " 2026-11-01", "2028-11-22"])
def test_days_of_these_years_are_read(typed: str) -> None:
    assert typed_date(NOW, typed) == date.fromisoformat(typed.strip())
