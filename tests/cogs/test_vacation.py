"""The typed first day of a vacation: a date within two years of the command, which is used on 23 November 2026.

Discord sends the time of the command with it (`created_at`), so no clock is needed.
"""

from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cogs.commands.settings import typed_date
from cogs.words.refusals import RefusedError

INTERACTION: Any = cast("Any", SimpleNamespace(created_at=datetime(2026, 11, 23, tzinfo=UTC)))
"""The command, of which only the time matters."""


@pytest.mark.parametrize("typed", ["", "soon", "2026-02-30", "0001-01-01", "2024-11-01", "2028-11-30", "9999-12-31"])
def test_an_implausible_day_is_refused(typed: str) -> None:
    """0001-01-01 must not raise an OverflowError: in time zones east of Greenwich it begins in the year 0."""
    with pytest.raises(RefusedError, match="bad_date"):
        typed_date(INTERACTION, typed)


@pytest.mark.parametrize("typed", ["2026-11-23", " 2026-11-01", "2028-11-22"])
def test_plausible_days_are_recognised(typed: str) -> None:
    assert typed_date(INTERACTION, typed) == date.fromisoformat(typed.strip())
