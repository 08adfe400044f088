"""The formats of events and the parameters that an organiser may choose.

A format is the system of an event: round robin, knock-out, Swiss, groups. Players are numbered from 0, the best
first; a bye is a round without an opponent.
"""

from itertools import combinations, pairwise

import pytest

from tournaments.errors import EventRuleError
from tournaments.event import EventFold, due, standings
from tournaments.facts import EMPTY_SLOT, RoundDrawn
from tournaments.formats import FORMATS, format_named, swiss_cut, swiss_rounds
from tournaments.specification import Parameters, Specification
from tournaments.stages.knockout import first_slots
from tournaments.stages.robin import berger, robin_rounds
from tournaments.trials import TrialConditions, entries_for, simulate_format
from tournaments.weeks import promised_weeks


@pytest.mark.parametrize("players", range(2, 21))
def test_in_a_round_robin_all_meet_once_and_begin_half_the_time(players: int) -> None:
    met, first_seat_balance = [], [0] * players
    for number in range(1, robin_rounds(players) + 1):
        pairs, resting = berger(range(players), number)
        assert (resting is None) == (players % 2 == 0)
        met += [frozenset(two) for two in pairs]
        for first_player, second_player in pairs:
            first_seat_balance[first_player] += 1
            first_seat_balance[second_player] -= 1
    assert sorted(map(sorted, met)) == [list(two) for two in combinations(range(players), 2)]
    assert all(abs(balance) <= players % 2 + 1 for balance in first_seat_balance)


def test_the_best_two_are_in_different_halves_and_the_best_have_the_byes() -> None:
    assert first_slots([0, 1, 2, 3, 4, 5]) == [0, EMPTY_SLOT, 3, 4, 1, EMPTY_SLOT, 2, 5]


def test_the_opponent_of_a_withdrawn_player_advances() -> None:
    simulation = simulate_format("duel-knockout", 32, "walkover", TrialConditions(dropouts=0.4))
    rounds = simulation.event.stages[0].rounds
    assert any(drawn_round.byes for drawn_round in rounds[1:])
    for before, after in pairwise(rounds):
        assert len(after.slots) * 2 == len(before.slots)
        assert set(after.slots) <= set(before.slots)


def test_sizes_of_the_knock_out_by_field() -> None:
    sizes = [swiss_cut(players) for players in (6, 8, 16, 32, 50, 100, 256)]
    assert sizes == [(0, 0), (3, 4), (4, 4), (5, 8), (6, 8), (7, 16), (8, 16)]
    assert [swiss_rounds(players) for players in (4, 5, 8, 64)] == [2, 4, 4, 7]


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        (Parameters(points="9"), "unknown-points"),
        (Parameters(best_of=4), "best-of"),
        (Parameters(rounds=-1), "negative-parameter"),
        (Parameters(pool=2), "pool-too-small"),
        (Parameters(tie_breaks=("luck",)), "unknown-tie-break"),
    ],
)
def test_invalid_parameters_are_refused(parameters: Parameters, code: str) -> None:
    with pytest.raises(EventRuleError, match=code):
        format_named("league").stages(12, parameters)


@pytest.mark.parametrize("name", FORMATS)
def test_a_usual_number_of_entries_shows_what_a_format_is_like(name: str) -> None:
    format_ = FORMATS[name]
    players = format_.usual_entries(Parameters())
    assert format_.least < players <= format_.most
    stages = [plan.name for plan in format_.stages(players, Parameters())]
    fields = (format_.least, 12, min(17, format_.most))
    assert len(stages) == max(len(format_.stages(field, Parameters())) for field in fields)


@pytest.mark.parametrize(
    ("name", "parameters", "players"),
    [
        ("team-groups", Parameters(pool=6), 24),
        ("duel-groups", Parameters(groups=32, group_play="knockout"), 128),
        ("duel-groups", Parameters(groups=32, pool=12), 256),
        ("league", Parameters(), 26),
    ],
)
def test_groups_and_divisions_are_complete_in_a_usual_number(name: str, parameters: Parameters, players: int) -> None:
    assert FORMATS[name].usual_entries(parameters) == players


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(EventRuleError, match="unknown-format name=chess"):
        format_named("chess")


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "duel-season"])
def test_a_longer_pace_promises_more_weeks(name: str) -> None:
    weeks = [
        promised_weeks(FORMATS[name].stages(8, Parameters(pace=pace)), 8)
        for pace in ("live", "fast", "standard", "slow")
    ]  # type: ignore[arg-type]
    assert weeks == sorted(set(weeks))


@pytest.mark.parametrize("final", ["one-game", "none"])
def test_a_final_of_one_game_or_none(final: str) -> None:
    event = simulate_format("tables", 12, "final", TrialConditions(), Parameters(final=final)).event  # type: ignore[arg-type]
    games = [len(state.rounds[0].tables) for state in event.stages[1:]]
    assert games == ([1] if final == "one-game" else [])


def test_a_double_elimination_leaves_one_player_with_fewer_than_two_losses() -> None:
    event = simulate_format("duel-double-elimination", 13, "double", TrialConditions(laggards=0)).event
    values = [dict(line.values) for line in standings(event)]
    assert [value["losses"] for value in values[1:]] == [-2] * 12
    assert values[0]["losses"] >= -1


def test_a_swiss_without_a_legal_round_ends_and_says_so() -> None:
    event = simulate_format("duel-swiss", 4, "short", TrialConditions(), Parameters(rounds=6)).event
    assert event.stages[0].ended == "no-legal-round"
    assert len(event.stages[0].rounds) <= 3


def test_a_round_that_was_not_stored_is_due_again() -> None:
    event = EventFold(Specification("duel-swiss", entries_for(6), "seed"))
    first = due(event)
    assert first is not None
    event.apply(first)
    assert isinstance(due(event), RoundDrawn)
    assert due(event) == due(event)
