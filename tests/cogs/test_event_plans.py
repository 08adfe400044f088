"""Choosing what an event is like: what may be typed."""

import pytest

from cogs.desk.refused import RefusedError
from cogs.words.event_plans import STARTS, chosen
from host.events import EventPlan
from host.events.known import check_in_at


@pytest.mark.parametrize("typed", ["tomorrow", "2030-02-30 12:00", "0001-01-01 00:00", "1999-12-31 23:59"])
def test_a_date_that_nobody_means_is_refused(typed: str) -> None:
    with pytest.raises(RefusedError) as caught:
        chosen(EventPlan(format="tables"), STARTS, typed)
    assert caught.value.key == "bad_event_date"


@pytest.mark.parametrize("typed", ["2000-01-01 00:00", "9999-12-31 23:59", "never", ""])
def test_check_in_can_be_told_of_every_other_date(typed: str) -> None:
    plan = chosen(EventPlan(format="tables", check_in_hours=72), STARTS, typed)
    assert (check_in_at(plan) is None) == (typed in {"never", ""})
