"""Finals at tables: four parallel games, or optionally one. Tied finalists rank as in the preliminary.

After the preliminary rounds the best four play the final. In four games each of them has each seat once, which makes
up for the advantage of moving first.
"""

from __future__ import annotations

from typing import Any

import pytest

from tournaments.event import EventFold, advance, stage_ranking, standings
from tournaments.facts import Result
from tournaments.points import SCHEMES, Outcome
from tournaments.specification import Parameters, Specification
from tournaments.trials import TrialConditions, entries_for, simulate_format


def event_in_final(**parameters: Any) -> EventFold:
    """Return an event whose preliminary of one round is over and whose final has begun."""
    event = EventFold(Specification("swiss-tables", entries_for(8), "final", Parameters(rounds=1, **parameters)))
    list(advance(event))
    for table in (1, 2):
        event.apply(Result(1, 1, table, Outcome((90, 80 + table, 70, 60))))
    list(advance(event))
    return event


def test_a_final_is_four_games_in_which_each_finalist_has_each_seat_once() -> None:
    event = event_in_final()
    tables = event.round(2, 1).tables
    assert event.stages[1].entrants == [line.player for line in standings(event)][:4]
    assert len(tables) == 4
    for seat in range(4):
        assert sorted(table.seats[seat] for table in tables) == sorted(event.stages[1].entrants)


@pytest.mark.parametrize("scores", [(70, 70, 70, 70), (90, 80, 70, 60)])
def test_tied_finalists_rank_as_in_the_preliminary(scores: tuple[int, ...]) -> None:
    """Give the same scores to the same seats in each game. All finalists tie, as each has each seat once."""
    event = event_in_final()
    for table in range(1, 5):
        event.apply(Result(2, 1, table, Outcome(scores)))
    list(advance(event))
    lines = standings(event)[:4]
    assert {dict(line.values)["points"] for line in lines} == {11}
    assert [line.player for line in lines] == event.stages[1].entrants


def test_a_one_game_final_seats_the_best_last_and_ties_go_to_the_later_seat() -> None:
    event = event_in_final(final="one-game")
    (table,) = event.round(2, 1).tables
    assert list(table.seats) == event.stages[1].entrants[::-1]
    event.apply(Result(2, 1, 1, Outcome((90, 70, 90, 60))))
    list(advance(event))
    assert [line.player for line in standings(event)[:4]] == [table.seats[seat] for seat in (2, 0, 1, 3)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["tables", "swiss-tables", "league"])
def test_points_of_every_scheme_add_up(name: str, scheme: str) -> None:
    event = simulate_format(name, 9, "scheme", TrialConditions(laggards=0), Parameters(points=scheme)).event
    assert event.finished
    first = event.stages[0]
    total_points = sum(
        sum(SCHEMES[scheme][len(table.seats)]) for drawn_round in first.rounds for table in drawn_round.tables
    )
    assert sum(dict(line.values)["points"] for line in stage_ranking(event, first)) == total_points
