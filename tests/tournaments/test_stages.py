"""Stages that are combined: groups by round robin or elimination, then an elimination, for players and for teams.

Every event is reckoned a second time from its facts (``slow_twin``): who advances, who meets, how all rank. Players
leave, come back, run out of time and are disqualified, and results are corrected.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tests.soak import first
from tests.tournaments.invariants import check_match_lengths
from tests.tournaments.slow_twin import Twin
from tournaments.event import EventFold, advance, replay, standings
from tournaments.facts import DISQUALIFIED, Correction, Penalty, Rejoined, Result, Warned, Withdrawal
from tournaments.formats import FORMATS, PROFILES, format_named
from tournaments.points import Outcome
from tournaments.specification import Parameters, Specification
from tournaments.trials import TrialConditions, entries_for, simulate, simulate_format

CONDITIONS = {"calm": TrialConditions(), "rough": TrialConditions(dropouts=0.25, late=2, timeouts=0.05, correct=2)}
"""The disturbances of events, by name."""


def reckon(name: str, players: int, seed: str, conditions: TrialConditions, parameters: Parameters) -> Twin:
    """Simulate an event, and reckon it a second time; return the twin."""
    event = simulate_format(name, players, seed, conditions, parameters).event
    twin = Twin(event.specification, event.plans)
    for fact in event.facts:
        twin.take(fact)
    assert [line.player for line in standings(event)] == twin.standings()
    return twin


@pytest.mark.parametrize("conditions", first(1, ["rough", "calm"]))
@pytest.mark.parametrize("play", ["robin", "knockout", "double"])
@pytest.mark.parametrize("playoff", ["knockout", "double"])
@pytest.mark.parametrize("name", ["duel-groups", "team-groups"])
@pytest.mark.parametrize("advancing", [1, 2, 3])
@pytest.mark.parametrize("players", first(2, [12, 23, 7, 18, 33]))
def test_groups_and_playoffs_are_reckoned_alike(
    name: str, play: Any, playoff: Any, conditions: str, players: int, advancing: int
) -> None:
    parameters = Parameters(
        group_play=play,
        playoff=playoff,
        pool=4 + advancing % 2,
        groups=3 if players == 12 else 0,
        advance=advancing,
        first_byes=advancing > 1,
        third_place=players > 12,
        best_of=3 if players == 12 else 1,
        last_best_of=3,
        last_from=4,
        boards=2 + advancing % 2,
    )
    reckon(name, players, f"{play} {playoff} {players}", CONDITIONS[conditions], parameters)


@pytest.mark.parametrize("conditions", CONDITIONS)
@pytest.mark.parametrize(
    "name", ["duel-knockout", "duel-double-elimination", "team-knockout", "team-double-elimination"]
)
@pytest.mark.parametrize("players", first(4, [4, 7, 13, 18, *range(19, 34)]))
def test_eliminations_are_reckoned_alike(name: str, conditions: str, players: int) -> None:
    parameters = Parameters(third_place=True, last_best_of=5, last_from=8, boards=3, best_of=1 + 2 * (players % 2))
    reckon(name, players, f"{name} {players}", CONDITIONS[conditions], parameters)


@pytest.mark.parametrize("seed", first(2, range(12)))
@pytest.mark.parametrize(
    ("name", "players"), [("duel-round-robin", 9), ("duel-round-robin", 16), ("team-round-robin", 7)]
)
def test_round_robins_that_many_leave_are_reckoned_alike(name: str, players: int, seed: int) -> None:
    conditions = TrialConditions(dropouts=0.4, timeouts=0.05, correct=2)
    reckon(name, players, f"{name} {seed}", conditions, Parameters(boards=3, best_of=1 + 2 * (seed % 2)))


@pytest.mark.parametrize("conditions", CONDITIONS)
@pytest.mark.parametrize("name", ["duel-double-elimination", "team-double-elimination", "duel-groups", "team-groups"])
@pytest.mark.parametrize("last_from", [2, 8])
@pytest.mark.parametrize("players", first(2, [9, 16, 7, 13, 23, 40]))
def test_a_double_elimination_has_longer_matches_once_few_are_left(
    name: str, conditions: str, last_from: int, players: int
) -> None:
    """In all rounds until then a match has one game, and then best of five."""
    parameters = Parameters(playoff="double", advance=3, last_best_of=5, last_from=last_from, boards=3)
    simulation = simulate_format(name, players, f"{last_from}", CONDITIONS[conditions], parameters)
    stage = simulation.event.stages[-1]
    assert stage.plan.kind == "double"
    assert (stage.plan.last_best_of, stage.plan.last_from) == (5, last_from)
    check_match_lengths(simulation.event)
    last = Counter((table.match, table.board) for drawn in stage.rounds[-2:] for table in drawn.tables)
    assert max(last.values()) >= 3
    assert simulation.total_weeks <= simulation.event.promised_weeks
    twin = Twin(simulation.event.specification, simulation.event.plans)
    for fact in simulation.event.facts:
        twin.take(fact)
    assert [line.player for line in standings(simulation.event)] == twin.standings()


def test_the_grand_final_alone_can_be_longer() -> None:
    parameters = Parameters(last_best_of=3, last_from=2)
    event = simulate_format("duel-double-elimination", 16, "grand", TrialConditions(), parameters).event
    lengths = [max(Counter(table.match for table in drawn.tables).values()) for drawn in event.stages[0].rounds]
    of_two = [
        len({seat for table in drawn.tables for seat in table.seats} | {*drawn.byes}) == 2
        for drawn in event.stages[0].rounds
    ]
    assert any(of_two)
    assert [length > 1 for length in lengths] == of_two


def test_a_leaver_loses_a_long_match_that_is_undecided() -> None:
    """A best of three between the last two is level when the one who has won the first game leaves."""
    parameters = Parameters(last_best_of=3, last_from=2)
    event = EventFold(Specification("duel-double-elimination", entries_for(4), "seed", parameters))
    list(advance(event))
    while (
        len({seat for table in event.stages[0].rounds[-1].tables for seat in table.seats}) > 2
        or event.stages[0].rounds[-1].byes
    ):
        drawn = event.stages[0].rounds[-1]
        for number, table in enumerate(drawn.tables, 1):
            event.apply(Result(1, drawn.number, number, Outcome(tuple(90 - player for player in table.seats))))
        list(advance(event))
    drawn = event.stages[0].rounds[-1]
    assert len(drawn.tables) == 2
    first_player, second_player = drawn.tables[0].seats
    event.apply(Result(1, drawn.number, 1, Outcome((60, 50))))
    event.apply(Withdrawal(first_player))
    event.apply(Result(1, drawn.number, 2, Outcome((50, 40))))
    list(advance(event))
    assert event.finished
    assert standings(event)[0].player == second_player


def test_matches_of_a_double_elimination_stayed_as_long_under_former_rules() -> None:
    parameters = Parameters(last_best_of=3, last_from=4)
    specification = Specification("duel-double-elimination", entries_for(8), "seed", parameters, rules=4)
    event = simulate(specification, TrialConditions()).event
    assert {table.match for drawn in event.stages[0].rounds for table in drawn.tables}
    assert all(len(drawn.tables) == len({table.match for table in drawn.tables}) for drawn in event.stages[0].rounds)


@pytest.mark.parametrize("name", ["national-teams", "group-league", "world-cup"])
def test_the_events_of_federations_are_reckoned_alike_if_they_are_disturbed(name: str) -> None:
    profile = PROFILES[name]
    reckon(profile.format, profile.entries, name, CONDITIONS["rough"], profile.parameters)


@pytest.mark.parametrize("play", ["robin", "knockout", "double"])
@pytest.mark.parametrize("name", ["duel-groups", "team-groups", "duel-knockout", "duel-double-elimination"])
def test_disqualified_players_are_behind_all_others(name: str, play: Any) -> None:
    """Disqualify half of those who leave a simulated event and do not come back."""
    parameters = Parameters(group_play=play, boards=3, third_place=True)
    event = simulate_format(name, 21, play, CONDITIONS["rough"], parameters).event
    returned = {fact.player for fact in event.facts if isinstance(fact, Rejoined)}
    out = [fact.player for fact in event.facts if isinstance(fact, Withdrawal) and fact.player not in returned][::2]
    assert out
    twin = Twin(event.specification, event.plans)
    facts = [
        replace(fact, reason=DISQUALIFIED) if isinstance(fact, Withdrawal) and fact.player in out else fact
        for fact in event.facts
    ]
    for fact in facts:
        twin.take(fact)
    order = [line.player for line in standings(replay(event.specification, facts))]
    assert order == twin.standings()
    assert set(order[-len(out) :]) == set(out)


def test_the_national_teams_cup_has_four_groups_and_quarter_finals() -> None:
    profile = PROFILES["national-teams"]
    twin = reckon(profile.format, 24, "teams", CONDITIONS["calm"], profile.parameters)
    groups, knockout = twin.stages
    assert [len(group) for group in groups.groups()] == [6, 6, 6, 6]
    assert [len(drawn.slots) for drawn in knockout.rounds] == [8, 4, 2]
    assert {game.board for drawn in knockout.rounds for game in drawn.games} == {1, 2, 3, 4, 5}


def test_in_the_league_firsts_rest_and_matches_grow_from_the_quarter_finals_on() -> None:
    profile = PROFILES["group-league"]
    twin = reckon(profile.format, 48, "league", CONDITIONS["calm"], profile.parameters)
    groups, knockout = twin.stages
    assert [len(group) for group in groups.groups()] == [6] * 8
    assert sorted(knockout.rounds[0].byes) == sorted(knockout.entrants[:8])
    assert [len(drawn.slots) for drawn in knockout.rounds] == [32, 16, 8, 4, 2]
    longest = [max(Counter(game.match for game in drawn.games).values()) for drawn in knockout.rounds]
    assert [knockout.best_of(drawn) for drawn in knockout.rounds] == [3, 3, 5, 5, 5]
    assert all(games <= knockout.best_of(drawn) for games, drawn in zip(longest, knockout.rounds, strict=True))
    assert longest[2] > 3


def test_the_world_cup_has_32_groups_of_one_who_advances() -> None:
    profile = PROFILES["world-cup"]
    twin = reckon(profile.format, 211, "world", CONDITIONS["calm"], profile.parameters)
    groups, knockout = twin.stages
    assert Counter(len(group) for group in groups.groups()) == {7: 19, 6: 13}
    assert len(knockout.entrants) == 32
    assert all(len(set(group) & set(knockout.entrants)) == 1 for group in groups.groups())
    assert len(knockout.rounds[-1].matches()) == 2


def begun_playoff(*leavers: int, reason: str = "left") -> EventFold:
    """Return an event of three groups of four whose best numbers win; some leave after the last game of the groups."""
    event = EventFold(Specification("duel-groups", entries_for(12), "seed", Parameters(third_place=True)))
    list(advance(event))
    games = [
        Result(1, drawn.number, number, Outcome(tuple(90 - player for player in table.seats)))
        for drawn in event.stages[0].rounds
        for number, table in enumerate(drawn.tables, 1)
    ]
    for result in games:
        event.apply(result)
    for player in leavers:
        event.apply(Withdrawal(player, reason))
    list(advance(event))
    return event


@pytest.mark.parametrize("reason", ["left", DISQUALIFIED])
def test_the_next_of_the_group_moves_up_for_a_player_who_left(reason: str) -> None:
    assert event_groups(begun_playoff()) == [[0, 5, 6, 11], [1, 4, 7, 10], [2, 3, 8, 9]]
    assert begun_playoff().stages[1].entrants == [0, 1, 2, 3, 4, 5]
    assert begun_playoff(0, reason=reason).stages[1].entrants == [1, 2, 5, 3, 4, 6]
    assert begun_playoff(3, reason=reason).stages[1].entrants == [0, 1, 2, 4, 5, 8]


@pytest.mark.parametrize("player", range(12))
def test_a_penalty_in_the_groups_is_reckoned_alike(player: int) -> None:
    """Take a point and a half from one of twelve players, which costs the better ones their place."""
    event = EventFold(Specification("duel-groups", entries_for(12), "seed", Parameters()))
    list(advance(event))
    for drawn in event.stages[0].rounds:
        for number, table in enumerate(drawn.tables, 1):
            event.apply(Result(1, drawn.number, number, Outcome(tuple(90 - player for player in table.seats))))
    event.apply(Penalty(1, player, "3/2", "talking"))
    event.apply(Warned(player, "again"))
    list(advance(event))
    twin = Twin(event.specification, event.plans)
    for fact in event.facts:
        twin.take(fact)
    assert event.stages[1].entrants == twin.stages[1].entrants
    assert (player in event.stages[1].entrants) is (player < 3)


def event_groups(event: EventFold) -> list[list[int]]:
    """Return the groups of an event."""
    return event.stages[0].pools()


def test_a_correction_of_a_group_changes_the_table_and_not_who_advanced() -> None:
    event = begun_playoff()
    entrants = list(event.stages[1].entrants)
    drawn = event.stages[0].rounds[0]
    for number, table in enumerate(drawn.tables, 1):
        event.apply(Correction(1, 1, number, Outcome(tuple(10 + player for player in table.seats))))
    assert event.stages[1].entrants == entrants


def test_a_semi_finalist_who_left_leaves_the_third_place_to_the_other() -> None:
    event = begun_playoff()
    while len(event.stages[1].rounds[-1].slots) > 2:
        drawn = event.stages[1].rounds[-1]
        for number, table in enumerate(drawn.tables, 1):
            event.apply(Result(2, drawn.number, number, Outcome(tuple(90 - player for player in table.seats))))
        if len(drawn.slots) == 4:
            event.apply(Withdrawal(2))
        list(advance(event))
    (final,) = event.stages[1].rounds[-1].tables
    event.apply(Result(2, 3, 1, Outcome((50, 40))))
    list(advance(event))
    assert event.finished
    third, fourth = standings(event)[2:4]
    assert (third.player, fourth.player) == (3, 2)
    assert not {2, 3} & set(final.seats)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_new_options_leave_an_event_as_it_was_where_they_are_not_chosen(name: str) -> None:
    players = FORMATS[name].least + 5
    specification = Specification(name, entries_for(players), "usual", Parameters())
    older = replace(specification, rules=3)
    calm = TrialConditions()
    assert simulate(specification, calm).event.facts == simulate(older, calm).event.facts


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        (Parameters(playoff_best_of=2), "best-of"),
        (Parameters(last_best_of=7), "best-of"),
        (Parameters(last_from=3), "last-from"),
        (Parameters(groups=-1), "negative-parameter"),
    ],
)
def test_invalid_combinations_are_refused(parameters: Parameters, code: str) -> None:
    with pytest.raises(Exception, match=code):
        format_named("duel-groups").stages(12, parameters)
