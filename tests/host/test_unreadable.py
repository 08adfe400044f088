"""Rows that this version cannot read: each is reported alone, and nothing else is held up by it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from host import ErrorCode, Game, GameStatus, Host, Preferences
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CHANNEL, SettableClock, expect_error, open_lobby, play_random_action, start_game

pytestmark = pytest.mark.sqlite

SPOILT = {
    "its row is gone": "DELETE FROM games WHERE id = :id",
    "its settings are no JSON": "UPDATE games SET settings = '{\"hints' WHERE id = :id",
    "its settings are none": "UPDATE games SET settings = '[1, 2]' WHERE id = :id",
    "its settings are of another kind": "UPDATE games SET settings = '{\"hints_off\": 5}' WHERE id = :id",
    "a newer version gave it a status": "UPDATE games SET status = 'abandoned' WHERE id = :id",
}


def change(tmp_path: Path, statement: str, game: Game) -> None:
    """Change the file behind the store's back, as a damage or a newer version does."""
    with closing(sqlite3.connect(tmp_path / "games.db")) as file, file:
        file.execute(statement, {"id": game.id})


def unsent(tmp_path: Path, game: Game) -> list[tuple[str, int]]:
    """Kind of each post of a game that is not sent, and whether it is parked."""
    with closing(sqlite3.connect(tmp_path / "games.db")) as file:
        rows = file.execute(
            "SELECT kind, parked FROM outbox WHERE sent_at IS NULL AND game_id = ? ORDER BY id", [game.id]
        )
        return list(rows)


@pytest.mark.parametrize("spoilt", SPOILT)
async def test_other_games_go_on(
    host: Host, new_host: NewHost, tmp_path: Path, caplog: pytest.LogCaptureFixture, spoilt: str
) -> None:
    bad, good = await start_game(host), await start_game(host)
    change(tmp_path, SPOILT[spoilt], bad)
    restarted = await new_host()
    for _ in range(3):
        assert [post.game_id for post in await restarted.outbox.due()] == [good.id]
    assert unsent(tmp_path, bad) == [("start", 1)]
    for _ in range(2):
        assert [line.game_id for line in await restarted.game_lists.of_user(ADA.user_id) if line.game_id != bad.id] == [
            good.id
        ]
    await restarted.start()
    report = await restarted.game_checks.check_all()
    assert (report.verified, report.frozen) == ((good.code,), ())
    found = await restarted.game_lists.in_channel(CHANNEL)
    assert found is not None
    assert found.id == good.id
    await play_random_action(restarted, good.id, Random(1))
    assert 1 <= caplog.text.count("cannot be read") <= 2, "said once of each row"


@pytest.mark.parametrize("spoilt", list(SPOILT)[1:])
async def test_a_game_that_cannot_be_read_answers_politely(
    host: Host, new_host: NewHost, tmp_path: Path, spoilt: str
) -> None:
    game = await start_game(host)
    change(tmp_path, SPOILT[spoilt], game)
    restarted = await new_host()
    for ref in (game.id, game.code):
        with expect_error(ErrorCode.UNREADABLE, code=ref):
            await restarted.games.table(ref)


async def test_what_could_not_be_read_is_tried_again_at_a_start(host: Host, new_host: NewHost, tmp_path: Path) -> None:
    game = await start_game(host)
    change(tmp_path, "UPDATE games SET settings = '' WHERE id = :id", game)
    assert await host.outbox.due() == []
    change(tmp_path, "UPDATE games SET settings = '{}' WHERE id = :id", game)
    assert await host.outbox.due() == []
    restarted = await new_host()
    await restarted.start()
    assert [post.game_id for post in await restarted.outbox.due()] == [game.id]


async def test_a_kind_of_a_newer_version_is_left_for_it(
    host: Host, new_host: NewHost, tmp_path: Path, clock: SettableClock
) -> None:
    newer, good = await start_game(host), await start_game(host)
    change(tmp_path, "UPDATE outbox SET kind = 'rematch' WHERE game_id = :id", newer)
    await play_random_action(host, newer.id, Random(1))
    restarted = await new_host()
    await restarted.start()
    assert [post.game_id for post in await restarted.outbox.due()] == [good.id]
    assert unsent(tmp_path, newer) == [("rematch", 0), ("card", 0)], "neither sent nor parked"
    clock.advance(600)
    due = await restarted.outbox.due()
    assert [(post.game_id, post.ply) for post in due] == [(good.id, 0), (newer.id, 1)], "its game goes on in the end"
    assert unsent(tmp_path, newer) == [("rematch", 0), ("card", 0)]
    change(tmp_path, "UPDATE outbox SET kind = 'start' WHERE kind = 'rematch' AND game_id = :id", newer)
    assert [post.ply for post in await restarted.outbox.due() if post.game_id == newer.id] == [0]


async def test_more_of_them_than_are_looked_at_at_once(host: Host, tmp_path: Path) -> None:
    bad = [await start_game(host, ADA, BEN) for _ in range(4)]
    good = await start_game(host, ADA, BEN)
    for game in bad:
        change(tmp_path, "UPDATE games SET settings = 'x' WHERE id = :id", game)
    assert [post.game_id for post in await host.outbox.due(limit=2)] == [good.id]


async def test_lobbies_and_preferences(host: Host, tmp_path: Path) -> None:
    game, lobby, sound = await start_game(host), await open_lobby(host), await open_lobby(host)
    await host.preferences.set(ADA.user_id, Preferences(confirm=False, choices={"theme": "night"}))
    for statement in (
        "UPDATE lobbies SET options = '{' WHERE id = (SELECT min(id) FROM lobbies WHERE state = 'open')",
        "UPDATE preferences SET choices = 'x'",
    ):
        change(tmp_path, statement, game)
    with expect_error(ErrorCode.UNKNOWN_LOBBY):
        await host.lobbies.get(lobby.id)
    assert (await host.lobbies.get(sound.id)).id == sound.id
    assert await host.preferences.get(ADA.user_id) == Preferences(confirm=False)
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING
