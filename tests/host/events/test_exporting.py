"""Exports of events: games with each player's outcome, and standings with all tie-breaks, as CSV and JSON.

Each row of the CSV file of games is one player of one game; `how` is the way in which the game ended for them. The
lot is the random order that decides ties that no tie-break decides.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from random import Random

import pytest

from engine.selfplay import random_action
from host import Host, Person
from host.events import EventView
from tests.host.events.driver import (
    AS_ORGANISER,
    FakeThreads,
    advance_event,
    announce_event,
    duel_plan,
    end_game,
    open_tables,
    play_round,
    play_until,
    player,
    start_event,
    table_plan,
)
from tests.host.events.test_teams import TEAM_PLAN, announce_teams
from tests.host.people import GUILD, SettableClock, click_id
from tournaments.points import Outcome

Row = dict[str, str]
"""A row of a CSV file, by column."""


async def games_of(host: Host, code: str) -> list[Row]:
    """Return the rows of the exported games."""
    return list(csv.DictReader(io.StringIO(await host.events.exports.games_csv(code))))


async def standings_of(host: Host, code: str) -> list[Row]:
    """Return the rows of the exported standings."""
    return list(csv.DictReader(io.StringIO(await host.events.exports.standings_csv(code))))


def by_user(rows: list[Row], number: str = "1") -> dict[int, Row]:
    """Return the rows of a round by user id."""
    return {int(row["user"]): row for row in rows if row["round"] == number}


async def play_round_with_all_outcomes(host: Host, clock: SettableClock) -> tuple[EventView, list[list[int]]]:
    """Play a round of four games: one is left, one disqualified, one corrected, one ends normally.

    Return the event and the user ids of each game.
    """
    event, threads = await start_event(host, duel_plan(), 8), FakeThreads(host)
    await advance_event(host, clock, threads)
    games = await open_tables(host, event.code)
    ids = [[person.user_id for person in table.people if person] for table in games]
    for table in games:
        await play_two_moves(host, table.game_id or 0)
    await host.events.sign_up.leave(event.code, ids[0][0], click_id())
    await host.events.organising.disqualify(event.code, AS_ORGANISER, ids[1][1], "two accounts", click_id())
    await advance_event(host, clock, threads, 10)
    for table in games[2:]:
        await end_game(host, await host.games.get(table.game_id or 0), 2)
    await host.timer_dispatcher.work()
    await host.events.organising.correct(event.code, AS_ORGANISER, (1, 1, 3), Outcome((90, 1)), "misread")
    return await host.events.reader.view(event.code), ids


async def play_two_moves(host: Host, game_id: int) -> None:
    """Apply two random actions, after which a game counts as played."""
    for _ in range(2):
        table = await host.games.table(game_id)
        person = table.game.seats[table.position.player]
        action = random_action(table.position, Random(1))
        await host.moves.act(game_id, person.user_id, table.game.revision, [action], click_id())


async def test_each_row_of_a_game_has_a_players_outcome(host: Host, clock: SettableClock) -> None:
    event, ids = await play_round_with_all_outcomes(host, clock)
    rows = by_user(await games_of(host, event.code))
    assert rows.keys() == {user for table in ids for user in table}
    outcomes = [[(rows[user]["how"], rows[user]["place"], rows[user]["points"]) for user in table] for table in ids]
    assert outcomes[0] == [("withdrew", "2", "0"), ("played", "1", "1")]
    assert outcomes[1] == [("played", "1", "1"), ("disqualified", "2", "0")]
    assert outcomes[2] == [("corrected", "1", "1"), ("corrected", "2", "0")]
    assert {how for how, _, _ in outcomes[3]} == {"adjudicated"}
    assert [rows[user]["score"] for user in ids[2]] == ["90", "1"]
    assert all(event.name_of(int(row["number"])) == row["player"] for row in rows.values())
    games = json.loads(await host.events.exports.as_json(event.code))["games"][:4]
    assert [game["happened"] for game in games[:3]] == [
        ["withdrew", "played"],
        ["played", "disqualified"],
        ["corrected", "corrected"],
    ]
    assert [game["users"] for game in games] == ids
    assert [game["places"] for game in games[:2]] == [[2, 1], [1, 2]]


@pytest.mark.sqlite
async def test_a_resigned_game_is_not_exported_as_a_disqualification(host: Host, clock: SettableClock) -> None:
    """Export earlier resignations of a player disqualified later as withdrawals, and forfeits as forfeits."""
    event, threads = await start_event(host, duel_plan(), 4), FakeThreads(host)
    await advance_event(host, clock, threads)
    games = await open_tables(host, event.code)
    resigning, forfeiting = (games[number].people[0] for number in (0, 1))
    assert resigning is not None
    assert forfeiting is not None
    await play_two_moves(host, games[0].game_id or 0)
    await host.moves.resign(games[0].game_id or 0, resigning.user_id, click_id())
    await host.moves.resign(games[1].game_id or 0, forfeiting.user_id, click_id())  # before the first move
    await advance_event(host, clock, threads, 10)
    await host.events.organising.disqualify(event.code, AS_ORGANISER, resigning.user_id, "two accounts", click_id())
    await advance_event(host, clock, threads, 10)
    rows = await games_of(host, event.code)
    first, second = by_user(rows), by_user(rows, "2")
    assert (first[resigning.user_id]["how"], second[resigning.user_id]["how"]) == ("withdrew", "disqualified")
    assert first[forfeiting.user_id]["how"] == "forfeited"


@pytest.mark.sqlite
async def test_a_row_names_the_player_of_that_time_not_the_substitute(host: Host, clock: SettableClock) -> None:
    event, threads = await start_event(host, duel_plan(), 4), FakeThreads(host)
    await play_round(host, clock, threads, event.code)
    await host.events.organising.replace(
        event.code, AS_ORGANISER, player(0).user_id, Person(78, "Zoe"), GUILD, click_id()
    )
    await advance_event(host, clock, threads)
    rows = await games_of(host, event.code)
    first, second = by_user(rows), by_user(rows, "2")
    assert first[1000]["player"] == "P0"
    assert second[78]["player"] == "Zoe"
    assert first[1000]["number"] == second[78]["number"]
    assert 1000 not in second
    (line,) = (line for line in await standings_of(host, event.code) if line["number"] == second[78]["number"])
    assert (line["player"], line["user"]) == ("Zoe", "78")


async def test_the_standings_have_all_tie_breaks_ids_and_departures(host: Host, clock: SettableClock) -> None:
    event, ids = await play_round_with_all_outcomes(host, clock)
    lines = await standings_of(host, event.code)
    assert event.event is not None
    names = ["points", "buchholz", "games", "sonneborn", "wins", "scores", "stayed"]  # the lot is secret until the end
    assert list(lines[0]) == ["rank", "number", "player", "user", "stage", "status", *names]
    expected = await host.events.reader.standings(event.code)
    assert [(line["rank"], line["user"], line["player"]) for line in lines] == [
        (str(entry.rank), str(entry.user_id), entry.name) for entry in expected
    ]
    status = {int(line["user"]): line["status"] for line in lines}
    assert {user: word for user, word in status.items() if word} == {ids[0][0]: "left", ids[1][1]: "disqualified"}
    for line, entry in zip(lines, expected, strict=True):
        values = {name: float(value) for name, value in entry.values if name != "lot"}
        assert {name: float(line[name]) for name in names} == values
    stored = json.loads(await host.events.exports.as_json(event.code))["standings"]
    assert {line["status"] for line in stored} == {"", "left", "disqualified"}


@pytest.mark.sqlite
async def test_after_the_end_the_lot_is_exported_and_each_stage_has_its_tie_breaks(
    host: Host, clock: SettableClock
) -> None:
    event = await start_event(host, duel_plan(format="duel-swiss-knockout"), 8)
    finished = await play_until(host, clock, FakeThreads(host), event.code)
    lines = await standings_of(host, finished.code)
    assert {line["stage"] for line in lines} == {"1", "2"}
    for line in lines:
        assert bool(line["reached"]) is (line["stage"] == "2")
        assert bool(line["buchholz"]) is bool(line["lot"]) is (line["stage"] == "1")


@pytest.mark.sqlite
async def test_names_are_never_exported_as_formulas(host: Host, clock: SettableClock) -> None:
    event = await announce_event(host, table_plan(), 3)
    await host.events.sign_up.join(event.code, Person(77, '=HYPERLINK("x")'), GUILD, click_id())
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, FakeThreads(host), 3)
    for rows in (await games_of(host, event.code), await standings_of(host, event.code)):
        (row,) = (row for row in rows if row["user"] == "77")
        assert row["player"] == '\'=HYPERLINK("x")'


@pytest.mark.sqlite
async def test_boards_name_their_players_once_both_line_ups_are_in(host: Host, clock: SettableClock) -> None:
    event = await announce_teams(
        host, 2, 2, plan=replace(TEAM_PLAN, parameters=replace(TEAM_PLAN.parameters, boards=2))
    )
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, FakeThreads(host), 2)
    first_captain, second_captain = (player(number).user_id for number in (10, 20))
    await host.events.teams.hand_in(event.code, first_captain, [player(11).user_id, first_captain], click_id())
    assert {(row["member"], row["user"]) for row in await games_of(host, event.code)} == {("", "")}
    await host.events.teams.hand_in(event.code, second_captain, [second_captain, player(21).user_id], click_id())
    rows = await games_of(host, event.code)
    assert {(row["board"], row["player"], row["member"], row["user"]) for row in rows} == {
        ("1", "Team 1", "P11", "1011"),
        ("1", "Team 2", "P20", "1020"),
        ("2", "Team 1", "P10", "1010"),
        ("2", "Team 2", "P21", "1021"),
    }
    assert [(line["player"], line["user"]) for line in await standings_of(host, event.code)] in (
        [("Team 1", ""), ("Team 2", "")],
        [("Team 2", ""), ("Team 1", "")],
    )


@pytest.mark.sqlite
async def test_exports_before_the_start_have_headers_only(host: Host) -> None:
    event = await announce_event(host, duel_plan(), 4)
    games, lines = await host.events.exports.games_csv(event.code), await host.events.exports.standings_csv(event.code)
    assert games.splitlines() == ["stage,round,table,board,match,seat,number,player,member,user,score,place,points,how"]
    assert lines.splitlines() == ["rank,number,player,user,stage,status"]
