"""Clocks after an undo: the other players get their time back, the player who asked for it loses increments.

That player loses the increments of the undone turns. A ply is the number of actions before a decision. The tests run a
clock over random decisions, each interrupted by downtime and perhaps by a pause, and followed by a gift of time. An
undo leaves gifts as they are.
"""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from host import clocks
from host.clocks import HOUR, PACES
from store import SeatClock

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
"""The time of the first decision."""
STANDARD = PACES["standard"]
"""The pace: a bank of 72 hours, 8 free hours before each turn uses it, an increment of 18 hours."""
SPANS = st.integers(0, 100 * HOUR)
"""Random lengths of time, in milliseconds."""


def decide(clock: SeatClock, ply: int, start: datetime, spans: tuple[int, int, int], *, pauses: bool) -> SeatClock:
    """Return the clock after a decision at this ply that was interrupted by downtime and, on request, by a pause."""
    first, gap, second = spans
    clock = clocks.start(clocks.ask(clock, ply, STANDARD.grace), start)
    at = clocks.later(start, first)
    if pauses:
        clock = clocks.resume(clocks.hold(clock, at), clocks.later(at, HOUR))
        at = clocks.later(at, HOUR)
    end = clocks.later(at, gap)
    clock = clocks.give_back(clock, at, end)
    at = clocks.later(end, second)
    if (zero := clocks.zero_at(clock)) is not None and zero <= at:
        clock = clocks.time_out(clock, at, STANDARD)
        chance = STANDARD.chance
    else:
        clock, chance = clocks.stop(clock, at), 0
    granted = clock.granted
    clock = clocks.earn(clocks.answer(clock), STANDARD)
    return clocks.remember(clock, ply, earned=clock.granted - granted, chance=chance)


DECISIONS = st.lists(st.tuples(st.tuples(SPANS, SPANS, SPANS), st.booleans(), st.integers(0, 24 * HOUR)), max_size=6)
"""Random decisions: three lengths of time, a flag, and a gift in milliseconds."""


def clock_after(clock: SeatClock, decisions: list[tuple[tuple[int, int, int], bool, int]], ply: int) -> SeatClock:
    """Return the clock after these decisions, each followed by a gift of time; the first is at this ply."""
    for offset, (spans, pauses, gift) in enumerate(decisions):
        start = clocks.later(NOW, (ply + offset) * 1000 * HOUR)
        clock = clocks.grant(decide(clock, ply + offset, start, spans, pauses=pauses), gift)
    return clock


@given(before=DECISIONS, since=DECISIONS, open_for=st.none() | SPANS)
def test_the_others_get_their_time_back_and_keep_gifts(
    before: list[tuple[tuple[int, int, int], bool, int]],
    since: list[tuple[tuple[int, int, int], bool, int]],
    open_for: int | None,
) -> None:
    then = clock_after(clocks.new_clock(1, 0, STANDARD), before, 0)
    clock = clock_after(then, since, len(before))
    if open_for is not None:
        clock = clocks.start(clocks.ask(clock, 99, 0), NOW)
        clock = clocks.answer(clocks.stop(clock, clocks.later(NOW, open_for)))
    back = clocks.undo(clock, len(before), is_requester=False)
    assert back.left == then.left + sum(gift for _, _, gift in since)
    assert (back.used, back.timeouts, back.decisions) == (clock.used, then.timeouts, then.decisions)
    assert back.given_back >= clock.given_back
    assert clocks.undo(back, len(before), is_requester=False) == back, "nothing is given back twice"
    assert clocks.undo(back, 0, is_requester=False).left == STANDARD.bank + sum(
        gift for _, _, gift in [*before, *since]
    )


@given(before=DECISIONS, since=DECISIONS)
def test_the_asker_loses_the_increments_and_gets_no_time_back(
    before: list[tuple[tuple[int, int, int], bool, int]], since: list[tuple[tuple[int, int, int], bool, int]]
) -> None:
    clock = clock_after(clock_after(clocks.new_clock(1, 0, STANDARD), before, 0), since, len(before))
    earned = sum(spent.earned for spent in clock.decisions if spent.ply >= len(before))
    back = clocks.undo(clock, len(before), is_requester=True)
    assert back.left == max(0, clock.left - earned) >= 0
    assert (back.used, back.given_back, back.timeouts) == (clock.used, clock.given_back, clock.timeouts)
    assert clocks.undo(back, len(before), is_requester=False).left == back.left, (
        "time the asker used is never given back later"
    )
