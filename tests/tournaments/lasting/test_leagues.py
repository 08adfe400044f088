"""Leagues: pools of any size, and promotion and relegation between seasons.

In each season of a league a division plays as one pool: games of four in which every player has each seat once.
`pool_games` returns the players of each game in the order of their seats.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from tests.tournaments.invariants import seats_of
from tournaments.errors import EventRuleError
from tournaments.event import EventFold, advance, standings
from tournaments.facts import Result, Withdrawal
from tournaments.lasting.leagues import final_divisions, next_season
from tournaments.points import Outcome
from tournaments.specification import Parameters, Specification
from tournaments.stages.robin import meeting_extremes, pool_games
from tournaments.trials import TrialConditions, entries_for, simulate_format


@pytest.mark.parametrize("players", range(3, 31))
def test_in_a_pool_of_any_size_each_player_has_each_seat_once(players: int) -> None:
    games = pool_games(range(players))
    for seats in seats_of([{"tables": [{"seats": seats} for seats in games]}]).values():
        assert set(seats.values()) == {1}
        assert len(seats) == min(4, players)


@pytest.mark.parametrize(("players", "times"), [(3, 3), (4, 4), (5, 3), (7, 2), (13, 1)])
def test_some_pools_let_every_pair_meet_equally_often(players: int, times: int) -> None:
    assert meeting_extremes(pool_games(range(players))) == (times, times)


@pytest.mark.parametrize("players", [14, 40, 256])
def test_in_large_pools_no_two_players_meet_twice(players: int) -> None:
    assert meeting_extremes(pool_games(range(players))) == (0, 1)


@pytest.mark.parametrize("pool", [3, 4, 5, 13, 256])
@pytest.mark.parametrize("players", [4, 5, 7, 10, 14])
def test_every_player_plays_in_pools_of_any_size(players: int, pool: int) -> None:
    event = simulate_format("league", players, "size", TrialConditions(), Parameters(pool=pool)).event
    games = seats_of([{"tables": [{"seats": table.seats} for table in event.round(1, 1).tables]}])
    assert {player: seat_counts.total() for player, seat_counts in games.items()} == {
        player: min(4, len(division)) for division in event.stages[0].pools() for player in division
    }
    assert games.keys() == set(range(players))


@pytest.mark.parametrize("players", range(3, 14))
def test_numbers_of_meetings_in_small_pools_differ_by_at_most_two(players: int) -> None:
    smallest, largest = meeting_extremes(pool_games(range(players)))
    assert largest - smallest <= 2


@dataclass(frozen=True, slots=True)
class DivisionChange:
    """A player's change of division. Divisions are numbered from 1, and 0 means outside the league."""

    key: str
    before: int
    after: int


def division_changes(before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]) -> list[DivisionChange]:
    """Return the changes of all players, in the order of the next season, followed by those who left."""
    division_before = {key: number for number, division in enumerate(before, 1) for key in division}
    division_after = {key: number for number, division in enumerate(after, 1) for key in division}
    changes = [DivisionChange(key, division_before.get(key, 0), number) for key, number in division_after.items()]
    return changes + [
        DivisionChange(key, number, 0) for key, number in division_before.items() if key not in division_after
    ]


FINAL_DIVISIONS = [["a", "b", "c", "d"], ["e", "f", "g", "h"], ["i", "j", "k", "l"]]
"""Players of three divisions at the end of a season, best first."""
ALL_KEYS = [key for division in FINAL_DIVISIONS for key in division]


def test_the_last_are_relegated_and_the_first_promoted() -> None:
    after = next_season(FINAL_DIVISIONS, entered=ALL_KEYS, moving=1, size=4)
    assert after == [["a", "b", "c", "e"], ["d", "f", "g", "i"], ["h", "j", "k", "l"]]
    assert DivisionChange("e", 2, 1) in division_changes(FINAL_DIVISIONS, after)


def test_a_vacancy_saves_the_best_player_from_relegation() -> None:
    after = next_season(FINAL_DIVISIONS, entered=[key for key in ALL_KEYS if key != "b"], moving=1, size=4)
    assert after[0] == ["a", "c", "e", "d"]
    assert DivisionChange("b", 1, 0) in division_changes(FINAL_DIVISIONS, after)


def test_new_players_begin_at_the_bottom_and_no_player_is_lost() -> None:
    after = next_season(FINAL_DIVISIONS, entered=[*ALL_KEYS, "new"], moving=2, size=4)
    assert [key for division in after for key in division][-1] == "new"
    assert sorted(key for division in after for key in division) == sorted([*ALL_KEYS, "new"])
    assert DivisionChange("new", 0, len(after)) in division_changes(FINAL_DIVISIONS, after)


def test_one_small_division_stays_as_it_is() -> None:
    assert next_season([["a", "b", "c"]], entered="abc", moving=2, size=8) == [["a", "b", "c"]]


@pytest.mark.parametrize("name", ["league", "duel-league"])
def test_leavers_of_a_season_are_last_in_their_division(name: str) -> None:
    event = simulate_format(name, 26, "season", TrialConditions(dropouts=0.2)).event
    divisions = final_divisions(event)
    assert sorted(key for division in divisions for key in division) == sorted(entry.key for entry in event.entries)
    gone = {event.entries[player].key for player in event.gone}
    for division in divisions:
        is_leaver = [key in gone for key in division]
        assert is_leaver == sorted(is_leaver)


@pytest.mark.parametrize(("played", "left_out"), [(1, True), (2, False)])
def test_games_of_a_leaver_count_once_half_of_them_are_played(played: int, left_out: bool) -> None:
    event = EventFold(Specification("league", entries_for(5), "seed", Parameters()))
    list(advance(event))
    tables = event.round(1, 1).tables
    own = [number for number, table in enumerate(tables, 1) if 0 in table.seats]
    won = {0: Outcome((90, 3, 2, 1)), 1: Outcome((3, 90, 2, 1)), 2: Outcome((2, 3, 90, 1)), 3: Outcome((1, 2, 3, 90))}
    for number in own[:played]:
        event.apply(Result(1, 1, number, won[tables[number - 1].seats.index(0)]))
    event.apply(Withdrawal(0))
    for number, table in enumerate(tables, 1):
        if number not in own[:played]:
            out = (table.seats.index(0),) if number in own else ()
            event.apply(Result(1, 1, number, Outcome((40, 30, 20, 10), out)))
    points = {line.player: dict(line.values)["points"] for line in standings(event)}
    assert points[0] == (0 if left_out else 5 * played)
    without = [table for number, table in enumerate(tables, 1) if number not in own]
    assert (sum(points.values()) == 11 * len(without)) is left_out


def test_a_format_without_seasons_has_no_divisions() -> None:
    with pytest.raises(EventRuleError, match="no-seasons format=duel-swiss"):
        final_divisions(simulate_format("duel-swiss", 6, "cup", TrialConditions()).event)
