"""Seasons of the ladder: games that players find themselves, divisions, promotion, and the table of all time.

Every season is reckoned a second time from its facts (``season_twin``).
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.soak import first
from tests.tournaments.season_twin import SeasonTwin, all_time, next_divisions
from tournaments.errors import EventRuleError
from tournaments.event import EventFold, advance, due, replay, standings
from tournaments.facts import (
    DISQUALIFIED,
    Correction,
    LateEntry,
    Penalty,
    Rejoined,
    Result,
    RoundUndone,
    SeasonGame,
    StageEnded,
    Withdrawal,
    read_fact,
    to_json,
)
from tournaments.formats import PROFILES, format_named
from tournaments.lasting.leagues import all_time_table, final_divisions, next_season
from tournaments.points import Outcome
from tournaments.specification import Entry, Parameters, Specification
from tournaments.trials import TrialConditions, entries_for, simulate, simulate_format

CALM = TrialConditions()
ROUGH = TrialConditions(dropouts=0.25, late=3, timeouts=0.05, correct=1)


def reckon(event: EventFold) -> SeasonTwin:
    """Reckon a season a second time, and compare the standings; return the twin."""
    twin = SeasonTwin(event.specification)
    for fact in event.facts:
        twin.take(fact)
    assert [line.player for line in standings(event)] == twin.standings()
    return twin


def begun_season(players: int = 8, **parameters: int) -> EventFold:
    """Return a season that has begun."""
    event = EventFold(Specification("duel-season", entries_for(players), "seed", Parameters(**parameters)))  # type: ignore[arg-type]
    list(advance(event))
    return event


def enter(event: EventFold, *seats: int) -> None:
    """Enter a game between two players."""
    event.apply(SeasonGame(1, seats, f"game-{len(event.season_games)}"))


@pytest.mark.parametrize("conditions", [CALM, ROUGH])
@pytest.mark.parametrize("players", first(4, [4, 9, 24, 211, *range(5, 60, 3)]))
def test_seasons_are_reckoned_alike(players: int, conditions: TrialConditions) -> None:
    parameters = Parameters(pool=4 + players % 5, meetings=1 + players % 3, season_weeks=6 + players % 8)
    event = simulate_format("duel-season", players, f"season {players}", conditions, parameters).event
    twin = reckon(event)
    assert twin.over
    assert final_divisions(event) == twin.final_divisions()
    assert replay(event.specification, [read_fact(to_json(fact)) for fact in event.facts]).season_games
    if conditions is ROUGH:
        kinds = {type(fact) for fact in event.facts}
        assert {LateEntry, Withdrawal, Correction} <= kinds


@pytest.mark.parametrize("seed", first(2, range(12)))
def test_seasons_follow_each_other_as_reckoned(seed: int) -> None:
    """Play five seasons, each with newcomers, and with players who do not enter again."""
    events, twins = [], []
    entries = entries_for(19)
    for number in range(5):
        specification = Specification("duel-season", entries, f"{seed} {number}", Parameters(pool=5, season_weeks=8))
        event = simulate(specification, ROUGH if number % 2 else CALM).event
        events.append(event)
        twins.append(reckon(event))
        final = final_divisions(event)
        entered = [
            key for place, key in enumerate(key for division in final for key in division) if place % 7 != number
        ]
        entered += [f"new-{number}-{newcomer}" for newcomer in range(2)]
        divisions = next_season(final, entered=entered, moving=1 + seed % 3, size=5)
        assert divisions == next_divisions(final, entered, 1 + seed % 3, 5)
        entries = tuple(Entry(key) for division in divisions for key in division)
    lines = [(line.key, line.points, line.titles, line.games, line.seasons) for line in all_time_table(events)]
    assert lines == all_time(twins)
    assert sum(titles for _, _, titles, _, _ in lines) == 5


def test_a_game_counts_for_two_of_a_division_up_to_the_limit() -> None:
    event = begun_season(8, pool=4, meetings=2)
    enter(event, 0, 1)
    enter(event, 1, 0)
    for seats, reason in (((0, 1), "met-too-often"), ((0, 4), "other-division"), ((2, 2), "other-division")):
        with pytest.raises(EventRuleError, match=reason):
            enter(event, *seats)
    with pytest.raises(EventRuleError, match="games-already-added"):
        event.apply(SeasonGame(1, (2, 3), "game-0"))
    event.apply(Withdrawal(2))
    with pytest.raises(EventRuleError, match="other-division"):
        enter(event, 2, 3)
    event.apply(Rejoined(2))
    enter(event, 2, 3)


def test_late_entrants_play_in_the_last_division() -> None:
    event = begun_season(8, pool=4)
    enter(event, 0, 1)
    event.apply(LateEntry(Entry("late")))
    enter(event, 8, 4)
    with pytest.raises(EventRuleError, match="other-division"):
        enter(event, 8, 0)
    assert event.stages[0].pools() == [[0, 1, 2, 3], [4, 5, 6, 7, 8]]
    reckon(event)


def test_who_leaves_loses_what_is_open_and_keeps_what_was_won() -> None:
    event = begun_season(4)
    for _ in range(2):
        enter(event, 0, 1)
    event.apply(Result(1, 1, 1, Outcome((50, 40))))
    event.apply(Withdrawal(0))
    assert due(event) == Result(1, 1, 2, Outcome((0, 0), (0,), how="forfeited"))
    list(advance(event))
    assert due(event) is None
    points = {line.player: dict(line.values)["points"] for line in standings(event)}
    assert points == {0: 1, 1: 1, 2: 0, 3: 0}
    event.apply(StageEnded(1, "played"))
    assert final_divisions(event)[0][-1] == "player-0"
    reckon(event)


def test_a_season_ends_when_it_is_told_to_and_no_game_is_open() -> None:
    event = begun_season(4)
    assert due(event) is None
    enter(event, 0, 1)
    with pytest.raises(EventRuleError, match="games-running"):
        event.apply(StageEnded(1, "played"))
    with pytest.raises(EventRuleError, match="round-has-results"):
        event.apply(RoundUndone(1, 1))
    event.apply(Result(1, 1, 1, Outcome((50, 40), (), 0, "adjudicated")))
    event.apply(StageEnded(1, "played"))
    assert event.finished
    assert standings(event)[0].player == 1
    with pytest.raises(EventRuleError, match="stage-not-running"):
        enter(event, 2, 3)


def test_corrections_penalties_and_disqualifications_count() -> None:
    event = begun_season(4)
    for seats in ((0, 1), (2, 3), (1, 2)):
        enter(event, *seats)
    for number, outcome in enumerate((Outcome((9, 8)), Outcome((9, 8)), Outcome((9, 8))), 1):
        event.apply(Result(1, 1, number, outcome))
    event.apply(Correction(1, 1, 1, Outcome((8, 9))))
    event.apply(Penalty(1, 1, "1/2", "late"))
    event.apply(Withdrawal(1, DISQUALIFIED))
    twin = reckon(event)
    assert [twin.points(player) for player in range(4)] == [0, 2, 1, 0]
    assert standings(event)[-1].player == 1
    assert [line.key for line in all_time_table([event])] == ["player-2", "player-0", "player-3"]


def test_who_never_plays_is_behind_who_loses() -> None:
    event = begun_season(4)
    enter(event, 0, 1)
    event.apply(Result(1, 1, 1, Outcome((1, 2))))
    assert [line.player for line in standings(event)][:2] == [1, 0]
    reckon(event)


def test_the_usual_season_lasts_three_months_and_its_length_is_limited() -> None:
    profile = PROFILES["ladder-season"]
    simulation = simulate_format(profile.format, profile.entries, "usual", ROUGH, profile.parameters)
    assert simulation.event.promised_weeks == simulation.total_weeks == 13
    assert simulation.event.plans[0].meetings == 3
    for weeks in (3, 53):
        with pytest.raises(EventRuleError, match="season-weeks least=4 most=52"):
            format_named("duel-season").stages(8, Parameters(season_weeks=weeks))


def test_points_of_all_seasons_are_added_with_what_is_still_played() -> None:
    event = begun_season(4)
    enter(event, 0, 1)
    event.apply(Result(1, 1, 1, Outcome((1, 2))))
    over = simulate_format("duel-season", 4, "over", CALM).event
    total = {line.key: line for line in all_time_table([over, event])}
    own = {line.key: line for line in all_time_table([over])}
    assert total["player-1"].points == own["player-1"].points + Fraction(1)
    assert (total["player-1"].seasons, total["player-1"].titles) == (2, own["player-1"].titles)
