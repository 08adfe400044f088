"""Arithmetic of a player's clock: time is never negative and never created, and downtime is given back exactly.

The first part has examples, most at the standard pace; the second applies random changes in random order.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host import clocks
from host.clocks import DUEL_SEATS, HOUR, MINUTE, PACES, is_out, pace_of
from store import SeatClock

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
"""The time at which each example starts."""
STANDARD = PACES["standard"]
"""The pace: a bank of 72 hours, 8 free hours before each turn uses it, an increment of 18 hours."""

Change = Callable[[SeatClock, datetime], SeatClock]
"""Changes a clock at a time, and returns the new clock."""


def running(*, free: int = 0, granted: int = 10 * HOUR) -> SeatClock:
    """Return a clock that started at NOW with this free time and this bank."""
    clock = SeatClock(game_id=1, seat=0, granted=granted)
    return clocks.start(clocks.ask(clock, 7, free), NOW)


def after(milliseconds: int) -> datetime:
    """Return the time this many milliseconds after NOW."""
    return clocks.later(NOW, milliseconds)


def test_a_clock_waits_for_its_card() -> None:
    clock = clocks.ask(clocks.new_clock(1, 0, STANDARD), 3, STANDARD.grace)
    assert clocks.zero_at(clock) is None
    assert clocks.charge(clock, after(1000 * HOUR)) == 0


def test_free_time_is_used_before_the_bank() -> None:
    clock = running(free=8 * HOUR)
    assert clocks.left_at(clock, after(8 * HOUR)) == 10 * HOUR
    assert clocks.left_at(clock, after(9 * HOUR)) == 9 * HOUR
    assert clocks.zero_at(clock) == after(18 * HOUR)


def test_a_move_within_the_free_time_costs_nothing_and_earns_the_increment() -> None:
    clock = clocks.earn(clocks.answer(clocks.stop(running(free=8 * HOUR), after(HOUR))), STANDARD)
    assert (clock.used, clock.left) == (0, 28 * HOUR)


def test_the_increment_stops_at_the_cap_but_takes_nothing_away() -> None:
    assert clocks.earn(SeatClock(game_id=1, seat=0, granted=110 * HOUR), STANDARD).left == 120 * HOUR
    assert clocks.earn(SeatClock(game_id=1, seat=0, granted=130 * HOUR), STANDARD).left == 130 * HOUR


def test_a_timed_out_turn_earns_nothing_and_the_next_one_does() -> None:
    clock = clocks.time_out(running(), after(11 * HOUR), STANDARD)
    assert (clock.timeouts, clock.left) == (1, 12 * HOUR)
    clock = clocks.earn(clock, STANDARD)
    assert clock.left == 12 * HOUR
    assert clocks.earn(clock, STANDARD).left == 30 * HOUR


def test_a_held_clock_costs_nothing_and_keeps_its_free_time() -> None:
    clock = clocks.hold(running(free=8 * HOUR), after(3 * HOUR))
    clock = clocks.resume(clock, after(100 * HOUR))
    assert clocks.zero_at(clock) == after(115 * HOUR)


def test_a_card_does_not_start_a_held_clock() -> None:
    clock = clocks.hold(clocks.ask(clocks.new_clock(1, 0, STANDARD), 3, 0), NOW)
    assert clocks.start(clock, NOW).since is None
    assert clocks.resume(clock, NOW).since == NOW


@pytest.mark.parametrize(("start", "end"), [(-5, -1), (-5, 2), (1, 3), (7, 9), (9, 30), (2, 30)])
def test_after_downtime_the_clock_stands_where_it_stood(start: int, end: int) -> None:
    clock = running(free=8 * HOUR)
    gap = after(start * HOUR), after(end * HOUR)
    back = clocks.give_back(clock, *gap)
    assert clocks.left_at(back, gap[1]) == clocks.left_at(clock, max(gap[0], NOW))
    zero = clocks.zero_at(clock)
    assert zero is not None
    assert clocks.zero_at(back) == zero + max(timedelta(0), gap[1] - max(gap[0], NOW))


def test_a_duel_is_lost_at_the_first_timeout_and_a_larger_game_at_the_third() -> None:
    assert is_out(1, DUEL_SEATS)
    assert [is_out(count, 4) for count in (1, 2, 3)] == [False, False, True]


def test_pace_names_select_a_preset_or_none() -> None:
    assert pace_of("none") is None
    assert pace_of("of a newer version") is None
    live = PACES["live"]
    assert (live.live, live.grace, live.chance, live.allowance) == (True, 0, MINUTE, 45_000)
    assert [pace.grace for pace in PACES.values() if not pace.live] == [8 * HOUR, 8 * HOUR, 8 * HOUR, 0]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("live", (15 * MINUTE, 30_000, 15 * MINUTE, 45_000, 0, MINUTE)),
        ("fast", (72 * HOUR, 12 * HOUR, 120 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR)),
        ("standard", (72 * HOUR, 18 * HOUR, 120 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR)),
        ("slow", (72 * HOUR, 36 * HOUR, 240 * HOUR, 12 * HOUR, 8 * HOUR, 12 * HOUR)),
        ("fixed", (84 * HOUR, 0, 84 * HOUR, 4 * HOUR, 0, 12 * HOUR)),
    ],
)
def test_each_preset_has_its_times(name: str, expected: tuple[int, ...]) -> None:
    """Compare bank, increment, cap, allowance of a bazaar decision, free time, and the time after a timeout."""
    pace = PACES[name]
    assert (pace.bank, pace.increment, pace.cap, pace.allowance, pace.grace, pace.chance) == expected
    assert clocks.time_out(running(), after(11 * HOUR), pace).left == pace.chance


# -- random changes ---------------------------------------------------------------------------------------------------

SPANS = st.integers(0, 40 * HOUR)
"""Lengths of time, in milliseconds."""


def _ask(card: int, free: int) -> Change:
    """Return a change that asks a stopped clock's player to move."""
    return lambda clock, _: clocks.ask(clocks.answer(clock), card, free) if clock.since is None else clock


def _gap(milliseconds: int) -> Change:
    """Return a change that gives back the downtime just before it."""
    return lambda clock, at: clocks.give_back(clock, clocks.later(at, -milliseconds), at)


CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(_ask, st.integers(0, 9), st.sampled_from([0, 6 * HOUR, 8 * HOUR])),
    st.just(clocks.start),
    st.just(clocks.stop),
    st.just(clocks.hold),
    st.just(clocks.resume),
    st.just(lambda clock, at: clocks.earn(clocks.answer(clocks.stop(clock, at)), STANDARD)),
    st.just(lambda clock, at: clocks.time_out(clock, at, STANDARD)),
    st.builds(lambda span: lambda clock, _: clocks.grant(clock, span), SPANS),
    st.builds(_gap, SPANS),
)
"""Any change: asking, starting, stopping, giving time and so on."""


@given(st.lists(st.tuples(SPANS, CHANGES), max_size=40))
def test_time_is_never_negative_and_only_granted_time_is_spent(history: list[tuple[int, Change]]) -> None:
    clock, at = clocks.new_clock(1, 0, STANDARD), NOW
    for wait, change in history:
        at = clocks.later(at, wait)
        before, clock = clock, change(clock, at)
        assert clock.granted >= before.granted
        assert clock.granted + clock.given_back - clock.used == clock.left >= clocks.left_at(clock, at) >= 0
        assert clock.free >= 0
        assert 0 <= clock.given_back <= clock.used


@given(SPANS, st.lists(st.tuples(SPANS, SPANS), max_size=6), SPANS, st.sampled_from([0, 8 * HOUR]))
def test_downtime_costs_nothing_wherever_it_lies(first: int, gaps: list[tuple[int, int]], last: int, free: int) -> None:
    """Compare time interrupted by gaps, each given back, with the same time without them."""
    clock, at, played = running(free=free, granted=400 * HOUR), after(first), first
    for gap, wait in gaps:
        clock = clocks.give_back(clock, at, clocks.later(at, gap))
        at = clocks.later(at, gap + wait)
        played += wait
    played += last
    spent = clocks.stop(clock, clocks.later(at, last))
    assert spent.used - spent.given_back == max(0, played - free)


@given(SPANS, SPANS, st.sampled_from([0, 8 * HOUR]))
def test_giving_back_two_halves_of_a_gap_equals_the_whole(first_half: int, second_half: int, free: int) -> None:
    clock = running(free=free)
    begin, middle, end = after(4 * HOUR), after(4 * HOUR + first_half), after(4 * HOUR + first_half + second_half)
    halves = clocks.give_back(clocks.give_back(clock, begin, middle), middle, end)
    assert halves.since == clocks.give_back(clock, begin, end).since
    assert halves.left == clocks.give_back(clock, begin, end).left
