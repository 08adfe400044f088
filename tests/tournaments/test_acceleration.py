"""Accelerated pairing of a Swiss by FIDE's Baku method (C.04.5.1): the better half has virtual points at first.

Virtual points count for pairing alone. In the first round the better half meets itself, and so does the other half.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.tournaments.dutch_rules import criteria_violations
from tournaments.duels.matches import DutchRound
from tournaments.event import EventFold, advance, standings
from tournaments.facts import Fact, LateEntry, Result, RoundDrawn, StageBegun, Withdrawal
from tournaments.points import Outcome
from tournaments.specification import Entry, Parameters, Specification
from tournaments.stages.swiss import past_rounds, virtual_points
from tournaments.trials import entries_for

HALF = Fraction(1, 2)


def begun(players: int, rounds: int, *, accelerated: bool = True, name: str = "duel-swiss") -> EventFold:
    """Return an event whose first round is drawn."""
    parameters = Parameters(rounds=rounds, accelerated=accelerated)
    event = EventFold(Specification(name, entries_for(players), "seed", parameters))
    list(advance(event))
    return event


def win_round(event: EventFold) -> None:
    """Let the better numbers win the newest round."""
    state = event.stages[-1]
    for number, table in enumerate(state.rounds[-1].tables, 1):
        event.apply(Result(1, state.rounds[-1].number, number, Outcome(tuple(999 - player for player in table.seats))))


def play_round(event: EventFold) -> list[Fact]:
    """Let the better numbers win the newest round; return what is due then."""
    win_round(event)
    return list(advance(event))


def points_at(event: EventFold, player: int) -> list[Fraction]:
    """Return the virtual points of a player in the rounds up to the next one."""
    return virtual_points(event.context(event.stages[0])).get(player, [])


def test_the_example_of_the_handbook() -> None:
    """161 players in nine rounds: 82 have one point in three rounds, and half a point in two."""
    event = EventFold(Specification("duel-swiss", entries_for(161), "seed", Parameters(rounds=9, accelerated=True)))
    event.apply(StageBegun(1, tuple(range(161))))
    assert len(virtual_points(event.context(event.stages[0]))) == 82
    event = begun(12, 9)
    for _ in range(6):
        play_round(event)
    assert points_at(event, 5) == [1, 1, 1, HALF, HALF, 0, 0, 0][: event.context(event.stages[0]).next_round]
    assert points_at(event, 6) == []


@pytest.mark.parametrize(("players", "half"), [(16, 8), (17, 10), (18, 10), (20, 10), (64, 32)])
def test_at_first_each_half_meets_itself(players: int, half: int) -> None:
    pairs = [table.seats for table in begun(players, 9).stages[0].rounds[0].tables]
    assert all((first < half) == (second < half) for first, second in pairs)
    assert sorted(abs(first - second) for first, second in pairs if first < half) == [half // 2] * (half // 2)


def test_in_the_second_round_losers_above_meet_winners_below() -> None:
    event = begun(16, 9)
    play_round(event)
    pairs = [set(table.seats) for table in event.stages[0].rounds[1].tables]
    winners_above, losers_above = {0, 1, 2, 3}, {4, 5, 6, 7}
    assert sum(pair <= winners_above for pair in pairs) == 2
    assert sum(bool(pair & losers_above) and bool(pair & {8, 9, 10, 11}) for pair in pairs) == 4


def test_standings_do_not_count_virtual_points() -> None:
    event = begun(16, 5)
    play_round(event)
    assert [dict(line.values)["points"] for line in standings(event)] == [1] * 8 + [0] * 8


def test_late_entrants_have_none_and_every_round_keeps_the_criteria() -> None:
    event = begun(21, 7)
    event.apply(LateEntry(Entry("late")))
    event.apply(Withdrawal(3))
    assert points_at(event, 21) == []
    while len(event.stages[0].rounds) < 7:
        win_round(event)
        context = event.context(event.stages[0])
        pasts, active = past_rounds(context), frozenset(context.active)
        (drawn,) = (fact for fact in advance(event) if isinstance(fact, RoundDrawn))
        pairs = tuple((table.seats[0], table.seats[1]) for table in drawn.tables)
        assert criteria_violations(DutchRound(pairs, drawn.byes[0] if drawn.byes else None), pasts, active) == []


def test_teams_are_paired_by_the_same_points() -> None:
    pairs = {frozenset(table.seats) for table in begun(8, 5, name="team-swiss").stages[0].rounds[0].tables}
    assert pairs == {frozenset(pair) for pair in ((0, 2), (1, 3), (4, 6), (5, 7))}
