"""Which structure feeds which castle, as the arithmetic that it is: CA-28a (5), CA-47 to CA-50.

Castles are numbers from 0; a source is a structure (0 or more) or ``-1 - i``, the points of castle ``i``.
"""

from __future__ import annotations

import pytest

from engine.carcassonne.expansions.sources import Sources

ROAD, CITY = 0, 7
FIRST, SECOND, THIRD = -1, -2, -3
"""Castles as sources."""
MEETING = Sources({0: (CITY, SECOND), 1: (ROAD, FIRST)}, {ROAD: 3, CITY: 10})
"""Two castles in each other's fief, with a structure each."""


def test_what_a_source_can_bring_at_best() -> None:
    assert [MEETING.best(source, {}) for source in (ROAD, CITY, FIRST, SECOND)] == [3, 10, 10, 10]
    assert MEETING.best(FIRST, {0: SECOND, 1: ROAD}) == 3
    assert MEETING.best(SECOND, {1: ROAD}) == 3


def test_what_is_offered_closes_no_circle() -> None:
    assert MEETING.offered(0, {}) == (CITY, SECOND)
    assert MEETING.offered(1, {0: SECOND}) == (ROAD,)
    assert MEETING.forced({0: SECOND}) == {0: SECOND, 1: ROAD}
    assert MEETING.forced({}) == {}


def test_what_is_chosen_is_worth_what_it_leads_to() -> None:
    assert MEETING.points(0, {0: SECOND, 1: ROAD}) == 3
    assert MEETING.points(1, {0: CITY, 1: FIRST}) == 10


@pytest.mark.parametrize("circle", [{0: (SECOND,), 1: (FIRST,)}, {0: (SECOND,), 1: (THIRD,), 2: (FIRST,)}])
def test_a_circle_without_a_structure_brings_less_than_nothing_and_is_never_offered(
    circle: dict[int, tuple[int, ...]],
) -> None:
    """Nothing in play comes to it; what reads positions may."""
    sources = Sources(circle, {})
    assert sources.best(FIRST, {}) == -1
    assert sources.offered(0, {}) == ()
    assert sources.forced({}) == {}
