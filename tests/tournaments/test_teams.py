"""Matches of teams on several boards: sealed line-ups, missing players, substitutes and ratings.

Four teams, a to d, have rosters of four (a0 to a3) and meet on three boards, one player on each. A line-up stays
sealed, that is secret, until both captains have set theirs.
"""

from collections.abc import Iterator

import pytest

from tests.tournaments.rating_history import rated_games
from tournaments.errors import EventRuleError
from tournaments.event import EventFold, advance, standings
from tournaments.facts import Result
from tournaments.points import Outcome
from tournaments.specification import Entry, Parameters, Specification
from tournaments.teams import line_up, with_substitute

NAMES = "abcd"
"""Names of the teams."""


@pytest.fixture
def event() -> EventFold:
    """An event of four teams whose first round is drawn."""
    entries = tuple(Entry(name, roster=tuple(f"{name}{number}" for number in range(4))) for name in NAMES)
    fold = EventFold(Specification("team-round-robin", entries, "seed", Parameters(boards=3)))
    list(advance(fold))
    return fold


def first_match_teams(event: EventFold) -> tuple[int, int]:
    """Return the numbers of the teams of the first match."""
    first_team, second_team = event.round(1, 1).tables[0].seats
    return first_team, second_team


def board_players(event: EventFold, team: int, *missing: int) -> tuple[str, ...]:
    """Return the first players of a roster in order, with empty boards where they are missing."""
    return tuple("" if board in missing else event.entries[team].roster[board - 1] for board in (1, 2, 3))


def forfeits(event: EventFold, stage: int, number: int) -> Iterator[Result]:
    """Yield forfeited results for the undecided boards that lack a player, when line-ups are locked."""
    drawn = event.round(stage, number)
    for place, table in enumerate(drawn.tables, 1):
        out = tuple(seat for seat, team in enumerate(table.seats) if not event.member(stage, number, team, table.board))
        if out and drawn.outcomes[place - 1] is None:
            yield Result(stage, number, place, Outcome((0, 0), out, how="forfeited"))


def test_boards_are_played_in_parallel_with_alternating_seats(event: EventFold) -> None:
    first_team, second_team = first_match_teams(event)
    tables = [table for table in event.round(1, 1).tables if table.match == 1]
    assert [(table.board, table.seats) for table in tables] == [
        (1, (first_team, second_team)),
        (2, (second_team, first_team)),
        (3, (first_team, second_team)),
    ]


def test_a_missing_board_forfeits_its_games_and_the_rest_is_played(event: EventFold) -> None:
    first_team, second_team = first_match_teams(event)
    event.apply(line_up(event, 1, 1, first_team, board_players(event, first_team, 2)))
    event.apply(line_up(event, 1, 1, second_team, board_players(event, second_team)))
    team_forfeits = [
        fact for fact in forfeits(event, 1, 1) if first_team in event.round(1, 1).tables[fact.table - 1].seats
    ]
    (forfeit,) = team_forfeits
    table = event.round(1, 1).tables[forfeit.table - 1]
    assert table.board == 2
    assert [table.seats[seat] for seat in forfeit.outcome.out] == [first_team]


def test_without_line_ups_both_teams_forfeit_all_boards(event: EventFold) -> None:
    results = list(forfeits(event, 1, 1))
    assert len(results) == len(event.round(1, 1).tables)
    assert all(fact.outcome.out == (0, 1) for fact in results)
    for fact in results:
        event.apply(fact)
    assert dict(standings(event)[0].values)["points"] == 0


def test_a_substitute_from_the_roster_takes_a_board_before_it_is_decided(event: EventFold) -> None:
    team, _ = first_match_teams(event)
    event.apply(line_up(event, 1, 1, team, board_players(event, team)))
    spare = event.entries[team].roster[3]
    event.apply(with_substitute(event, 1, 1, team, 2, spare))
    assert event.line_ups[1, 1, team][1] == spare
    event.apply(Result(1, 1, 1, Outcome((9, 1))))
    with pytest.raises(EventRuleError, match="board-decided"):
        with_substitute(event, 1, 1, team, 1, event.entries[team].roster[1])


@pytest.mark.parametrize(
    ("line_up_template", "code"),
    [
        (("a0", "a1"), "line-up-length"),
        (("{0}0", "{0}0", "{0}1"), "line-up-twice"),
        (("{0}0", "{0}1", "stranger"), "not-in-roster"),
    ],
)
def test_an_invalid_line_up_is_refused(event: EventFold, line_up_template: tuple[str, ...], code: str) -> None:
    team, _ = first_match_teams(event)
    with pytest.raises(EventRuleError, match=code):
        line_up(event, 1, 1, team, tuple(name.format(NAMES[team]) for name in line_up_template))


def test_a_team_that_rests_has_no_line_up(event: EventFold) -> None:
    entries = tuple(Entry(name, roster=(f"{name}0",)) for name in "abc")
    odd = EventFold(Specification("team-round-robin", entries, "seed", Parameters(boards=1)))
    list(advance(odd))
    (resting,) = odd.round(1, 1).resting
    with pytest.raises(EventRuleError, match="team-not-paired"):
        line_up(odd, 1, 1, resting, odd.entries[resting].roster)


def test_a_decided_board_keeps_its_player(event: EventFold) -> None:
    first_team, second_team = first_match_teams(event)
    event.apply(line_up(event, 1, 1, first_team, board_players(event, first_team)))
    event.apply(Result(1, 1, 1, Outcome((9, 1))))
    with pytest.raises(EventRuleError, match="no-such-board"):
        with_substitute(event, 1, 1, second_team, 1, "x")
    with pytest.raises(EventRuleError, match="board-decided"):
        event.apply(
            line_up(
                event, 1, 1, first_team, (event.entries[first_team].roster[3], *board_players(event, first_team)[1:])
            )
        )


def test_boards_are_rated_for_the_players_who_sat_there(event: EventFold) -> None:
    first_team, second_team = first_match_teams(event)
    event.apply(line_up(event, 1, 1, first_team, board_players(event, first_team, 2)))
    event.apply(line_up(event, 1, 1, second_team, board_players(event, second_team)))
    event.apply(with_substitute(event, 1, 1, first_team, 3, event.entries[first_team].roster[3]))
    for fact in forfeits(event, 1, 1):
        event.apply(fact)
    for number, table in enumerate(event.round(1, 1).tables, 1):
        if first_team in table.seats and table.board != 2:
            event.apply(Result(1, 1, number, Outcome((71, 64))))
    first_roster, second_roster = event.entries[first_team].roster, event.entries[second_team].roster
    assert [(game.players, game.places) for game in rated_games(event)] == [
        ((first_roster[0], second_roster[0]), (1, 2)),
        ((first_roster[3], second_roster[2]), (1, 2)),
    ]
