"""Finals at tables: four games side by side, or one; who is level there ranks as before."""

from __future__ import annotations

from typing import Any

import pytest

from tournaments.event import EventFold, advance, stage_ranking, standings
from tournaments.facts import Result
from tournaments.points import SCHEMES, Outcome
from tournaments.specification import Parameters, Specification
from tournaments.trials import TrialConditions, entries_for, simulated


def final(**parameters: Any) -> EventFold:
    """A preliminary of one round is over, and the games of the final are open."""
    event = EventFold(Specification("swiss-tables", entries_for(8), "final", Parameters(rounds=1, **parameters)))
    list(advance(event))
    for table in (1, 2):
        event.apply(Result(1, 1, table, Outcome((90, 80 + table, 70, 60))))
    list(advance(event))
    return event


def test_a_final_is_four_games_side_by_side_with_each_of_the_best_four_once_in_each_seat() -> None:
    event = final()
    tables = event.round(2, 1).tables
    assert event.stages[1].entrants == [line.player for line in standings(event)][:4]
    assert len(tables) == 4
    for seat in range(4):
        assert sorted(table.seats[seat] for table in tables) == sorted(event.stages[1].entrants)


@pytest.mark.parametrize("scores", [(70, 70, 70, 70), (90, 80, 70, 60)])
def test_who_is_level_after_the_final_ranks_as_in_the_preliminary(scores: tuple[int, ...]) -> None:
    """Each seat is worth the same to everybody: with the same result by seats all have as many points."""
    event = final()
    for table in range(1, 5):
        event.apply(Result(2, 1, table, Outcome(scores)))
    list(advance(event))
    lines = standings(event)[:4]
    assert {dict(line.values)["points"] for line in lines} == {11}
    assert [line.player for line in lines] == event.stages[1].entrants


def test_only_by_choice_it_is_one_game_in_which_the_best_sit_last_and_the_later_seat_wins_a_tie() -> None:
    event = final(final="one-game")
    (table,) = event.round(2, 1).tables
    assert list(table.seats) == event.stages[1].entrants[::-1]
    event.apply(Result(2, 1, 1, Outcome((90, 70, 90, 60))))
    list(advance(event))
    assert [line.player for line in standings(event)[:4]] == [table.seats[seat] for seat in (2, 0, 1, 3)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["tables", "swiss-tables", "league"])
def test_tables_are_played_for_points_of_every_scheme(name: str, scheme: str) -> None:
    event = simulated(name, 9, "scheme", TrialConditions(laggards=0), Parameters(points=scheme)).event
    assert event.finished
    first = event.stages[0]
    worth = sum(sum(SCHEMES[scheme][len(table.seats)]) for each in first.rounds for table in each.tables)
    assert sum(dict(line.values)["points"] for line in stage_ranking(event, first)) == worth
