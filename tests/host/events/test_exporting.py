"""Events as tables: what happened to whom in each game, and the standings with everything that decides them."""

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


async def games_of(host: Host, code: str) -> list[Row]:
    return list(csv.DictReader(io.StringIO(await host.events.exports.games_csv(code))))


async def standings_of(host: Host, code: str) -> list[Row]:
    return list(csv.DictReader(io.StringIO(await host.events.exports.standings_csv(code))))


def by_user(rows: list[Row], number: str = "1") -> dict[int, Row]:
    """The lines of a round."""
    return {int(row["user"]): row for row in rows if row["round"] == number}


async def a_round_in_which_all_happens(host: Host, clock: SettableClock) -> tuple[EventView, list[list[int]]]:
    """Four games: somebody leaves, somebody is disqualified, a result is corrected, and one is played on."""
    event, threads = await start_event(host, duel_plan(), 8), FakeThreads(host)
    await advance_event(host, clock, threads)
    games = await open_tables(host, event.code)
    ids = [[person.user_id for person in table.people if person] for table in games]
    for table in games:
        await play(host, table.game_id or 0)
    await host.events.sign_up.leave(event.code, ids[0][0], click_id())
    await host.events.organising.disqualify(event.code, AS_ORGANISER, ids[1][1], "two accounts", click_id())
    await advance_event(host, clock, threads, 10)
    for table in games[2:]:
        await end_game(host, await host.games.get(table.game_id or 0), 2)
    await host.timer_dispatcher.work()
    await host.events.organising.correct(event.code, AS_ORGANISER, (1, 1, 3), Outcome((90, 1)), "misread")
    return await host.events.reader.view(event.code), ids


async def play(host: Host, game_id: int) -> None:
    """Two moves, after which a game counts as played."""
    for _ in range(2):
        table = await host.games.table(game_id)
        person = table.game.seats[table.position.player]
        action = random_action(table.position, Random(1))
        await host.moves.act(game_id, person.user_id, table.game.revision, [action], click_id())


@pytest.mark.repeats_on_postgresql
async def test_each_line_of_a_game_says_what_happened_and_to_whom(host: Host, clock: SettableClock) -> None:
    event, ids = await a_round_in_which_all_happens(host, clock)
    rows = by_user(await games_of(host, event.code))
    assert rows.keys() == {user for table in ids for user in table}
    found = [[(rows[user]["how"], rows[user]["place"], rows[user]["points"]) for user in table] for table in ids]
    assert found[0] == [("withdrew", "2", "0"), ("played", "1", "1")]
    assert found[1] == [("played", "1", "1"), ("disqualified", "2", "0")]
    assert found[2] == [("corrected", "1", "1"), ("corrected", "2", "0")]
    assert {how for how, _, _ in found[3]} == {"adjudicated"}
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
async def test_whoever_was_disqualified_later_withdrew_from_earlier_games(host: Host, clock: SettableClock) -> None:
    """And who only resigned a game: that is no disqualification, nor are games forfeited by who is still there."""
    event, threads = await start_event(host, duel_plan(), 4), FakeThreads(host)
    await advance_event(host, clock, threads)
    games = await open_tables(host, event.code)
    resigning, passing = (games[number].people[0] for number in (0, 1))
    assert resigning is not None
    assert passing is not None
    await play(host, games[0].game_id or 0)
    await host.moves.resign(games[0].game_id or 0, resigning.user_id, click_id())
    await host.moves.resign(games[1].game_id or 0, passing.user_id, click_id())  # before the first move
    await advance_event(host, clock, threads, 10)
    await host.events.organising.disqualify(event.code, AS_ORGANISER, resigning.user_id, "two accounts", click_id())
    await advance_event(host, clock, threads, 10)
    rows = await games_of(host, event.code)
    first, second = by_user(rows), by_user(rows, "2")
    assert (first[resigning.user_id]["how"], second[resigning.user_id]["how"]) == ("withdrew", "disqualified")
    assert first[passing.user_id]["how"] == "forfeited"


@pytest.mark.sqlite
async def test_a_line_names_who_played_then_and_not_who_plays_on(host: Host, clock: SettableClock) -> None:
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


@pytest.mark.repeats_on_postgresql
async def test_the_standings_have_all_tie_breaks_ids_and_who_left(host: Host, clock: SettableClock) -> None:
    event, ids = await a_round_in_which_all_happens(host, clock)
    lines = await standings_of(host, event.code)
    assert event.event is not None
    names = ["points", "buchholz", "games", "sonneborn", "wins", "scores", "stayed"]  # the lot is told at the end
    assert list(lines[0]) == ["rank", "number", "player", "user", "stage", "status", *names]
    expected = await host.events.reader.standings(event.code)
    assert [(line["rank"], line["user"], line["player"]) for line in lines] == [
        (str(each.rank), str(each.user_id), each.name) for each in expected
    ]
    status = {int(line["user"]): line["status"] for line in lines}
    assert {user: word for user, word in status.items() if word} == {ids[0][0]: "left", ids[1][1]: "disqualified"}
    for line, each in zip(lines, expected, strict=True):
        told = {name: float(value) for name, value in each.values if name != "lot"}
        assert {name: float(line[name]) for name in names} == told
    stored = json.loads(await host.events.exports.as_json(event.code))["standings"]
    assert {line["status"] for line in stored} == {"", "left", "disqualified"}


@pytest.mark.sqlite
async def test_at_the_end_the_lot_is_told_and_each_stage_has_its_tie_breaks(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(format="duel-swiss-knockout"), 8)
    over = await play_until(host, clock, FakeThreads(host), event.code)
    lines = await standings_of(host, over.code)
    assert {line["stage"] for line in lines} == {"1", "2"}
    for line in lines:
        assert bool(line["reached"]) is (line["stage"] == "2")
        assert bool(line["buchholz"]) is bool(line["lot"]) is (line["stage"] == "1")


@pytest.mark.sqlite
async def test_no_name_is_a_formula_in_any_table(host: Host, clock: SettableClock) -> None:
    event = await announce_event(host, table_plan(), 3)
    await host.events.sign_up.join(event.code, Person(77, '=HYPERLINK("x")'), GUILD, click_id())
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, FakeThreads(host), 3)
    for rows in (await games_of(host, event.code), await standings_of(host, event.code)):
        (row,) = (row for row in rows if row["user"] == "77")
        assert row["player"] == '\'=HYPERLINK("x")'


@pytest.mark.sqlite
async def test_boards_of_teams_name_their_players_once_both_line_ups_are_in(host: Host, clock: SettableClock) -> None:
    event = await announce_teams(
        host, 2, 2, plan=replace(TEAM_PLAN, parameters=replace(TEAM_PLAN.parameters, boards=2))
    )
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, FakeThreads(host), 2)
    one, two = (player(number).user_id for number in (10, 20))
    await host.events.teams.hand_in(event.code, one, [player(11).user_id, one], click_id())
    assert {(row["member"], row["user"]) for row in await games_of(host, event.code)} == {("", "")}
    await host.events.teams.hand_in(event.code, two, [two, player(21).user_id], click_id())
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
async def test_before_the_start_tables_have_their_columns_alone(host: Host) -> None:
    event = await announce_event(host, duel_plan(), 4)
    games, lines = await host.events.exports.games_csv(event.code), await host.events.exports.standings_csv(event.code)
    assert games.splitlines() == ["stage,round,table,board,match,seat,number,player,member,user,score,place,points,how"]
    assert lines.splitlines() == ["rank,number,player,user,stage,status"]
