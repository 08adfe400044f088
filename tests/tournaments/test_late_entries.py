"""Late entries to groups that play a round robin: who may enter, which group they join, whom they meet, how they rank.

Whole events are reckoned a second time (``slow_twin``), with players who leave, return and are disqualified, and with
corrected results.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tests.soak import first
from tests.tournaments.slow_twin import Twin
from tournaments.errors import EventRuleError
from tournaments.event import EventFold, advance, replay, stage_ranking, standings, takes_late_entries
from tournaments.facts import DISQUALIFIED, Correction, LateEntry, Penalty, Rejoined, Result, RoundUndone, Withdrawal
from tournaments.formats import FORMATS, format_named
from tournaments.points import Outcome
from tournaments.specification import Entry, Parameters, Specification
from tournaments.trials import Simulation, TrialConditions, entries_for, simulate_format


def begun_groups(players: int, parameters: Parameters | None = None, *, rules: int = 5) -> EventFold:
    """Return an event whose groups have just been drawn."""
    specification = Specification("duel-groups", entries_for(players), "late", parameters or Parameters(), rules)
    event = EventFold(specification)
    list(advance(event))
    return event


def enter(event: EventFold, name: str = "late") -> int:
    """Let somebody enter late, add what is due, and return their number."""
    event.apply(LateEntry(Entry(name)))
    list(advance(event))
    return len(event.entries) - 1


def opponents(event: EventFold, player: int) -> list[int]:
    """Return whom a player meets, by round."""
    return [
        next(seat for seat in table.seats if seat != player)
        for drawn in event.stages[0].rounds
        for table in drawn.tables
        if player in table.seats
    ]


def decide(event: EventFold, *groups: int) -> None:
    """End all games of these groups, by default of all; the better number wins."""
    pools = event.stages[0].pools()
    chosen = {player for number in groups or range(len(pools)) for player in pools[number]}
    for drawn in event.stages[0].rounds:
        for number, (table, outcome) in enumerate(zip(drawn.tables, drawn.outcomes, strict=True), 1):
            if outcome is None and chosen.issuperset(table.seats):
                scores = tuple(90 - player for player in table.seats)
                event.apply(Result(1, drawn.number, number, Outcome(scores)))


def reckoned(event: EventFold) -> Twin:
    """Reckon an event a second time."""
    twin = Twin(event.specification, event.plans)
    for fact in event.facts:
        twin.take(fact)
    assert [line.player for line in standings(event)] == twin.standings()
    return twin


# -- who may enter ----------------------------------------------------------------------------------------------------


def test_a_late_entrant_joins_the_first_of_the_smallest_groups_and_meets_everyone_in_it() -> None:
    event = begun_groups(14)
    assert [len(pool) for pool in event.stages[0].pools()] == [3, 3, 4, 4]
    newcomer = enter(event)
    assert newcomer == 14
    assert event.stages[0].pools()[0] == [0, 7, 8, 14]
    assert opponents(event, newcomer) == [0, 7, 8]
    assert [len(drawn.tables) for drawn in event.stages[0].rounds] == [6, 6, 6, 1, 1, 1]
    second = enter(event, "second")
    assert event.stages[0].pools()[1] == [1, 6, 9, second]
    assert not takes_late_entries(event)
    with pytest.raises(EventRuleError, match="sign-up-closed"):
        enter(event, "third")
    decide(event)
    list(advance(event))
    reckoned(event)


def test_full_groups_take_nobody_until_somebody_leaves() -> None:
    event = begun_groups(16)
    assert not takes_late_entries(event)
    event.apply(Withdrawal(5))
    newcomer = enter(event)
    assert event.stages[0].pools()[2] == [2, 5, 10, 13, newcomer]
    assert sorted(opponents(event, newcomer)) == [2, 10, 13]


def test_a_chosen_number_of_groups_says_how_many_places_there_are() -> None:
    event = begun_groups(11, Parameters(groups=2))
    assert sorted(len(pool) for pool in event.stages[0].pools()) == [5, 6]
    enter(event)
    assert sorted(len(pool) for pool in event.stages[0].pools()) == [6, 6]
    assert not takes_late_entries(event)


def test_a_group_is_closed_once_one_of_its_games_was_played_to_the_end() -> None:
    event = begun_groups(14)
    first_group = set(event.stages[0].pools()[0])
    number = next(
        number
        for number, table in enumerate(event.stages[0].rounds[0].tables, 1)
        if first_group.issuperset(table.seats)
    )
    event.apply(Result(1, 1, number, Outcome((60, 50))))
    newcomer = enter(event)
    assert newcomer in event.stages[0].pools()[1]
    assert not takes_late_entries(event)


def test_a_game_that_ended_because_a_player_left_closes_nothing() -> None:
    event = begun_groups(16)
    event.apply(Withdrawal(0))
    for drawn in event.stages[0].rounds:
        for number, table in enumerate(drawn.tables, 1):
            if 0 in table.seats:
                event.apply(Result(1, drawn.number, number, Outcome((10, 20), (table.seats.index(0),))))
    newcomer = enter(event)
    assert newcomer in event.stages[0].pools()[0]
    assert 0 not in opponents(event, newcomer)


@pytest.mark.parametrize(
    "parameters",
    [Parameters(group_play="knockout"), Parameters(group_play="double"), Parameters(late="closed")],
    ids=["knock-out", "double", "closed"],
)
def test_groups_by_elimination_and_closed_events_take_nobody(parameters: Parameters) -> None:
    event = begun_groups(14, parameters)
    assert not takes_late_entries(event)
    with pytest.raises(EventRuleError, match="sign-up-closed"):
        enter(event)


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"duel-groups"}))
def test_no_other_round_robin_takes_anybody(name: str) -> None:
    stages = format_named(name).stages(FORMATS[name].least + 1, Parameters())
    assert not any(stage.late for stage in stages if stage.kind == "robin")


def test_an_event_that_began_under_former_rules_takes_nobody() -> None:
    event = begun_groups(14, rules=4)
    assert not takes_late_entries(event)


# -- whom they meet ---------------------------------------------------------------------------------------------------


def test_two_late_entrants_of_one_group_meet_each_other_and_nobody_plays_twice_in_a_round() -> None:
    event = begun_groups(8, Parameters(pool=6))
    assert [len(pool) for pool in event.stages[0].pools()] == [8]
    event = begun_groups(10, Parameters(pool=7))
    assert [len(pool) for pool in event.stages[0].pools()] == [10]
    event = begun_groups(11, Parameters(pool=7))
    assert sorted(len(pool) for pool in event.stages[0].pools()) == [5, 6]
    for name in ("one", "two", "three"):
        enter(event, name)
    assert [len(pool) for pool in event.stages[0].pools()] == [7, 7]
    assert not takes_late_entries(event)
    for pool in event.stages[0].pools():
        assert all(sorted([*opponents(event, player), player]) == sorted(pool) for player in pool)
    for drawn in event.stages[0].rounds:
        seats = [seat for table in drawn.tables for seat in table.seats]
        assert len(seats) == len(set(seats))
    decide(event)
    list(advance(event))
    reckoned(event)


def test_a_late_entrant_begins_about_every_second_game() -> None:
    event = begun_groups(19, Parameters(pool=10))
    newcomer = enter(event)
    begun = sum(table.seats[0] == newcomer for drawn in event.stages[0].rounds for table in drawn.tables)
    assert abs(2 * begun - len(opponents(event, newcomer))) <= 1


def test_a_match_of_a_late_entrant_has_as_many_games_as_all_others() -> None:
    event = begun_groups(14, Parameters(best_of=3))
    newcomer = enter(event)
    assert opponents(event, newcomer) == [0, 0, 7, 7, 8, 8]


def test_whoever_enters_before_the_first_draw_is_in_the_schedule() -> None:
    event = EventFold(Specification("duel-groups", entries_for(14), "late"))
    event.apply(next(iter(advance(event.copy()))))  # the stage begins, and nothing is drawn
    newcomer = enter(event)
    assert len(event.stages[0].rounds) == 3
    assert sorted(opponents(event, newcomer)) == [0, 7, 8]


def test_whoever_has_left_is_met_only_if_they_return() -> None:
    event = begun_groups(14)
    event.apply(Withdrawal(7))
    newcomer = enter(event)
    assert newcomer in event.stages[0].pools()[0]
    assert opponents(event, newcomer) == [0, 8]
    event.apply(Rejoined(7))
    list(advance(event))
    assert opponents(event, newcomer) == [0, 8, 7]
    decide(event)
    list(advance(event))
    reckoned(event)


def test_a_round_of_a_late_entrant_can_be_drawn_again() -> None:
    event = begun_groups(14)
    newcomer = enter(event)
    event.apply(RoundUndone(1, 6))
    event.apply(RoundUndone(1, 5))
    list(advance(event))
    assert sorted(opponents(event, newcomer)) == [0, 7, 8]
    assert len(event.stages[0].rounds) == 6


def test_late_entrants_who_leave_again_at_once_leave_no_empty_rounds() -> None:
    event = begun_groups(14)
    event.apply(LateEntry(Entry("late")))
    event.apply(Withdrawal(14))
    list(advance(event))
    assert len(event.stages[0].rounds) == 3
    decide(event)
    list(advance(event))
    assert event.stages[0].ended
    assert reckoned(event).stages[0].ranked()[-1] == 14


# -- how they rank ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("late", ["zero", "average"])
def test_a_late_entrant_has_the_points_of_their_games_alone(late: Any) -> None:
    event = begun_groups(14, Parameters(late=late, tie_breaks=("points", "buchholz")))
    newcomer = enter(event)
    for drawn in event.stages[0].rounds:
        for number, table in enumerate(drawn.tables, 1):
            scores = tuple(100 if player == newcomer else 90 - player for player in table.seats)
            event.apply(Result(1, drawn.number, number, Outcome(scores)))
    lines = {line.player: line for line in stage_ranking(event, event.stages[0])}
    assert lines[newcomer].rank == 1
    assert dict(lines[newcomer].values)["points"] == 3
    # Of the opponents, with 2, 1 and 0 points, the lowest does not count.
    assert dict(lines[newcomer].values)["buchholz"] == Fraction(3)
    list(advance(event))
    assert newcomer in event.stages[1].entrants
    reckoned(event)


def test_penalties_corrections_and_disqualifications_of_late_entrants_are_reckoned_alike() -> None:
    event = begun_groups(14)
    one, two = enter(event, "one"), enter(event, "two")
    decide(event)
    event.apply(Penalty(1, one, "1/2", "talking"))
    drawn = event.stages[0].rounds[-1]
    event.apply(Correction(1, drawn.number, 1, Outcome((10, 60)), "typing"))
    event.apply(Withdrawal(two, DISQUALIFIED))
    list(advance(event))
    reckoned(event)
    assert standings(event)[-1].player == two


def test_all_of_a_small_group_advance_although_it_has_grown() -> None:
    event = begun_groups(7, Parameters(advance=4))
    assert event.plans[1].size == 7
    newcomer = enter(event)
    decide(event)
    list(advance(event))
    assert sorted(event.stages[1].entrants) == [*range(7), newcomer]


def test_the_promise_grows_by_the_time_of_a_game_once_somebody_has_entered_late() -> None:
    event = begun_groups(14)
    before = event.promised_weeks
    enter(event)
    assert event.promised_weeks == before + event.plans[0].weeks


# -- whole events -----------------------------------------------------------------------------------------------------


def simulated(players: int, seed: str, late: int, parameters: Parameters) -> Simulation:
    """Simulate an event with late entries and disturbances."""
    conditions = TrialConditions(dropouts=0.25, late=late, timeouts=0.05, correct=2)
    return simulate_format("duel-groups", players, seed, conditions, parameters)


@pytest.mark.parametrize("late", [1, 2, 5])
@pytest.mark.parametrize("best_of", [1, 3])
@pytest.mark.parametrize("players", first(4, [7, 11, 14, 22, 9, 18, 27, 33, 47, 61]))
def test_groups_with_late_entrants_are_reckoned_alike(players: int, best_of: int, late: int) -> None:
    parameters = Parameters(
        pool=4 + players % 3,
        advance=1 + players % 3,
        best_of=best_of,
        third_place=True,
        tie_breaks=("points", "buchholz"),
    )
    simulation = simulated(players, f"late {players} {best_of} {late}", late, parameters)
    event = simulation.event
    entered = len(event.entries) - players
    assert entered + len(simulation.refused) == late
    assert entered == len(event.stages[0].group_joined)
    reckoned(event)


def test_late_entrants_who_are_disqualified_are_behind_all_others() -> None:
    event = simulated(22, "out", 3, Parameters(pool=6)).event
    late = [number for number in range(22, len(event.entries)) if number not in event.gone]
    assert late
    changed = [*event.facts, Withdrawal(late[0], DISQUALIFIED)]
    replayed = replay(event.specification, changed)
    reckoned(replayed)
    assert standings(replayed)[-1].player == late[0]


def test_the_same_facts_make_the_same_event() -> None:
    event = simulated(22, "again", 3, Parameters(pool=6)).event
    assert event.stages[0].group_joined
    again = replay(replace(event.specification), event.facts)
    assert again.stages == event.stages
    assert again.copy().stages[0].pools() == event.stages[0].pools()
