"""The arithmetic of castles' sources: CA-28a (5), CA-47 to CA-50.

Castles are numbers from 0; a source is a structure (0 or more) or ``-1 - i``, the points of castle ``i``.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.carcassonne.built_positions import arrange
from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseCastleSource
from engine.carcassonne.expansions.bridges_castles_bazaars.sources import Sources
from tests.scenarios.vocabulary import play_turn

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


# -- many castles ----------------------------------------------------------------------------------------------------


def walked(sources: Sources, source: int, chosen: Mapping[int, int], seen: frozenset[int] = frozenset()) -> int:
    """The slow twin of ``best``: every way that goes in no circle, one after another."""
    if source >= 0:
        return sources.values[source]
    castle = -1 - source
    if castle in seen:
        return -1
    following = (chosen[castle],) if castle in chosen else sources.options[castle]
    return max(walked(sources, other, chosen, seen | {castle}) for other in following)


@st.composite
def clusters(draw: st.DrawFn) -> tuple[Sources, dict[int, int]]:
    """Some castles with anything in their fiefs, and what some of them have chosen."""
    castles = range(draw(st.integers(1, 6)))
    structures = range(draw(st.integers(1, 4)))
    options = {
        castle: tuple(
            draw(
                st.lists(
                    st.sampled_from([*structures, *(-1 - other for other in castles if other != castle)]),
                    min_size=1,
                    unique=True,
                )
            )
        )
        for castle in castles
    }
    chosen = {castle: draw(st.sampled_from(options[castle])) for castle in castles if draw(st.booleans())}
    return Sources(options, {structure: draw(st.integers(0, 9)) for structure in structures}), chosen


@given(clusters())
def test_what_is_found_by_searching_is_what_is_found_by_walking(cluster: tuple[Sources, dict[int, int]]) -> None:
    sources, chosen = cluster
    for castle, offered in sources.options.items():
        for source in offered:
            taken = {**chosen, castle: source}
            assert sources.best(source, taken) == walked(sources, source, taken)
            assert sources.best(-1 - castle, chosen) == walked(sources, -1 - castle, chosen)


def test_thirty_castles_in_each_others_fiefs_are_weighed_at_once() -> None:
    """The paths through the sources are too many to enumerate."""
    castles = range(30)
    options = {castle: (castle, *(-1 - other for other in castles if other != castle)) for castle in castles}
    sources = Sources(options, {castle: castle for castle in castles})
    assert {sources.best(source, {0: source}) for source in options[0] if source < 0} == {29}
    assert sources.forced({}) == {}


def test_twelve_castles_in_a_cluster_are_asked_about_without_delay() -> None:
    """On the event loop, where a card is built: 67 ms when every way was walked, 2 ms by searching."""
    column = [("E", 180), ("H", 0), ("H", 0), ("H", 0), ("E", 0)]
    position = arrange(
        players=6,
        tiles=[
            *(f"base/{tile} {x},{y} {turn}" for x in range(3) for y, (tile, turn) in enumerate(column)),
            *("base/A 3,1 0", "base/A -1,3 180", "base/V -1,2 0"),
        ],
        castles=[f"{(4 * x + y) % 6} {x},{y} {x},{y + 1}" for x in range(3) for y in range(4)],
        hand="base/A",
        supply={"castle": [9] * 6},
    )
    begun = time.perf_counter()
    play_turn(position, "3,2", 180)
    asked = 0
    while isinstance(position.step, ChooseCastleSource):
        texts = list(map(str, position.legal_actions))
        assert len(set(texts)) == len(texts)
        position.apply(position.legal_actions[0])
        asked += 1
    assert asked > 5
    assert time.perf_counter() - begun < 1.0, "all of them together, on a slow machine"
