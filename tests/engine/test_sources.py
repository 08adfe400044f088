"""The arithmetic of castles that feed castles (CA-28a (5), CA-47 to CA-50).

A castle scores the points of one source in its fief: a structure, or another castle. Castles are numbered from 0. A
source is the number of a structure, 0 or more, or ``-1 - i`` for the points of castle ``i``. Codes such as CA-28a are
rules of the rule digest.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.carcassonne.expansions.bridges_castles_bazaars import ChooseCastleSource
from engine.carcassonne.expansions.bridges_castles_bazaars.sources import Sources
from gallery.built_positions import arrange
from tests.scenarios.vocabulary import play_turn

ROAD, CITY = 0, 7
"""The numbers of the two structures that may feed the castles."""
FIRST, SECOND, THIRD = -1, -2, -3
"""The first castles as sources."""
MUTUAL = Sources({0: (CITY, SECOND), 1: (ROAD, FIRST)}, {ROAD: 3, CITY: 10})
"""Two castles in each other's fief, with a structure each."""


def test_best_gives_the_maximum_of_a_source() -> None:
    assert [MUTUAL.best(source, {}) for source in (ROAD, CITY, FIRST, SECOND)] == [3, 10, 10, 10]
    assert MUTUAL.best(FIRST, {0: SECOND, 1: ROAD}) == 3
    assert MUTUAL.best(SECOND, {1: ROAD}) == 3


def test_offered_sources_close_no_circle() -> None:
    assert MUTUAL.offered(0, {}) == (CITY, SECOND)
    assert MUTUAL.offered(1, {0: SECOND}) == (ROAD,)
    assert MUTUAL.forced({0: SECOND}) == {0: SECOND, 1: ROAD}
    assert MUTUAL.forced({}) == {}


def test_a_chosen_castle_is_worth_its_own_source() -> None:
    assert MUTUAL.points(0, {0: SECOND, 1: ROAD}) == 3
    assert MUTUAL.points(1, {0: CITY, 1: FIRST}) == 10


@pytest.mark.parametrize("circle", [{0: (SECOND,), 1: (FIRST,)}, {0: (SECOND,), 1: (THIRD,), 2: (FIRST,)}])
def test_a_circle_without_a_structure_is_never_offered(circle: dict[int, tuple[int, ...]]) -> None:
    """No game reaches such a circle, but a position read from text may."""
    sources = Sources(circle, {})
    assert sources.best(FIRST, {}) == -1
    assert sources.offered(0, {}) == ()
    assert sources.forced({}) == {}


# -- many castles ----------------------------------------------------------------------------------------------------


def best_by_enumeration(
    sources: Sources, source: int, chosen: Mapping[int, int], seen: frozenset[int] = frozenset()
) -> int:
    """Compute ``Sources.best`` naively, by following every path without a circle."""
    if source >= 0:
        return sources.values[source]
    castle = -1 - source
    if castle in seen:
        return -1
    following = (chosen[castle],) if castle in chosen else sources.options[castle]
    return max(best_by_enumeration(sources, other, chosen, seen | {castle}) for other in following)


@st.composite
def clusters(draw: st.DrawFn) -> tuple[Sources, dict[int, int]]:
    """Draw castles with any sources in their fiefs, and the choices that some of them have made."""
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
def test_best_equals_the_maximum_over_all_paths(cluster: tuple[Sources, dict[int, int]]) -> None:
    sources, chosen = cluster
    for castle, offered in sources.options.items():
        for source in offered:
            with_source = {**chosen, castle: source}
            assert sources.best(source, with_source) == best_by_enumeration(sources, source, with_source)
            assert sources.best(-1 - castle, chosen) == best_by_enumeration(sources, -1 - castle, chosen)


def test_thirty_castles_in_each_others_fiefs_take_no_time() -> None:
    """The paths through the sources are too many to enumerate."""
    castles = range(30)
    options = {castle: (castle, *(-1 - other for other in castles if other != castle)) for castle in castles}
    sources = Sources(options, {castle: castle for castle in castles})
    assert {sources.best(source, {0: source}) for source in options[0] if source < 0} == {29}
    assert sources.forced({}) == {}


def test_decisions_of_twelve_neighbouring_castles_are_quick() -> None:
    """The event loop has to wait for them. Following every path takes 67 ms, the search 2 ms."""
    column = [("E", 180), ("H", 0), ("H", 0), ("H", 0), ("E", 0)]
    position = arrange(
        players=6,
        tiles=[
            *(f"base/{tile} {x},{y} {rotation}" for x in range(3) for y, (tile, rotation) in enumerate(column)),
            *("base/A 3,1 0", "base/A -1,3 180", "base/V -1,2 0"),
        ],
        castles=[f"{(4 * x + y) % 6} {x},{y} {x},{y + 1}" for x in range(3) for y in range(4)],
        hand="base/A",
        supply={"castle": [9] * 6},
    )
    started = time.process_time()  # CPU time, because other processes may be busy
    play_turn(position, "3,2", 180)
    decisions = 0
    while isinstance(position.step, ChooseCastleSource):
        texts = list(map(str, position.legal_actions))
        assert len(set(texts)) == len(texts)
        position.apply(position.legal_actions[0])
        decisions += 1
    assert decisions > 5
    assert time.process_time() - started < 1.0, "all of them together, on a slow machine"
