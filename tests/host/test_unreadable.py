"""Rows that this version cannot read: each is reported once, and other rows are processed as usual.

A row is damaged, or written by a newer version, by changing the database file behind the host's back. A post of an
unreadable game is *parked*: it stays in the outbox without being tried again.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from host import ErrorCode, Game, GameStatus, Host, Preferences, TableRef
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CHANNEL,
    SettableClock,
    click_id,
    expect_error,
    open_lobby,
    play_random_action,
    start_game,
)

pytestmark = pytest.mark.sqlite

DAMAGES = {
    "its row is gone": "DELETE FROM games WHERE id = :id",
    "its settings are no JSON": "UPDATE games SET settings = '{\"hints' WHERE id = :id",
    "its settings are a list": "UPDATE games SET settings = '[1, 2]' WHERE id = :id",
    "a setting has the wrong type": "UPDATE games SET settings = '{\"hints_off\": 5}' WHERE id = :id",
    "its status is of a newer version": "UPDATE games SET status = 'abandoned' WHERE id = :id",
}
"""Statements that make a game unreadable, by a description of the damage."""


def execute(tmp_path: Path, statement: str, game: Game) -> None:
    """Change the database file behind the store's back, as damage or a newer version would."""
    with closing(sqlite3.connect(tmp_path / "games.db")) as file, file:
        file.execute(statement, {"id": game.id})


def unsent(tmp_path: Path, game: Game) -> list[tuple[str, int]]:
    """Return the kind of each unsent post of a game, and whether it is parked."""
    with closing(sqlite3.connect(tmp_path / "games.db")) as file:
        rows = file.execute(
            "SELECT kind, parked FROM outbox WHERE sent_at IS NULL AND game_id = ? ORDER BY id", [game.id]
        )
        return list(rows)


@pytest.mark.parametrize("damage", DAMAGES)
async def test_other_games_are_not_affected(
    host: Host, new_host: NewHost, tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    damaged, intact = await start_game(host), await start_game(host)
    execute(tmp_path, DAMAGES[damage], damaged)
    restarted = await new_host()
    for _ in range(3):
        assert [post.game_id for post in await restarted.outbox.due()] == [intact.id]
    assert unsent(tmp_path, damaged) == [("start", 1)]
    for _ in range(2):
        assert [line.id for line in await restarted.game_lists.of_user(ADA.user_id) if line.id != damaged.id] == [
            intact.id
        ]
    await restarted.start()
    report = await restarted.game_checks.check_all()
    assert (report.verified, report.frozen) == ((intact.code,), ())
    listed = await restarted.game_lists.in_channel(CHANNEL)
    assert listed is not None
    assert listed.id == intact.id
    await play_random_action(restarted, intact.id, Random(1))
    assert 1 <= caplog.text.count("cannot be read") <= 2, "logged once for each row"


@pytest.mark.parametrize("damage", list(DAMAGES)[1:])
async def test_an_unreadable_game_is_refused_with_an_error_of_its_own(
    host: Host, new_host: NewHost, tmp_path: Path, damage: str
) -> None:
    game = await start_game(host)
    execute(tmp_path, DAMAGES[damage], game)
    restarted = await new_host()
    for ref in (game.id, game.code):
        with expect_error(ErrorCode.UNREADABLE, code=ref):
            await restarted.games.table(ref)


async def test_an_unreadable_row_is_read_again_after_a_restart(host: Host, new_host: NewHost, tmp_path: Path) -> None:
    game = await start_game(host)
    execute(tmp_path, "UPDATE games SET settings = '' WHERE id = :id", game)
    assert await host.outbox.due() == []
    execute(tmp_path, "UPDATE games SET settings = '{}' WHERE id = :id", game)
    assert await host.outbox.due() == []
    restarted = await new_host()
    await restarted.start()
    assert [post.game_id for post in await restarted.outbox.due()] == [game.id]


async def test_a_post_kind_of_a_newer_version_is_left_for_it(
    host: Host, new_host: NewHost, tmp_path: Path, clock: SettableClock
) -> None:
    newer, good = await start_game(host), await start_game(host)
    execute(tmp_path, "UPDATE outbox SET kind = 'rematch' WHERE game_id = :id", newer)
    await play_random_action(host, newer.id, Random(1))
    restarted = await new_host()
    await restarted.start()
    assert [post.game_id for post in await restarted.outbox.due()] == [good.id]
    assert unsent(tmp_path, newer) == [("rematch", 0), ("card", 0)], "neither post is sent or parked"
    clock.advance(600)
    due = await restarted.outbox.due()
    assert [(post.game_id, post.ply) for post in due] == [(good.id, 0), (newer.id, 1)], (
        "its game's later cards are sent after a while"
    )
    assert unsent(tmp_path, newer) == [("rematch", 0), ("card", 0)]
    execute(tmp_path, "UPDATE outbox SET kind = 'start' WHERE kind = 'rematch' AND game_id = :id", newer)
    assert [post.ply for post in await restarted.outbox.due() if post.game_id == newer.id] == [0]


async def test_more_unreadable_rows_than_a_batch_do_not_hide_the_next(host: Host, tmp_path: Path) -> None:
    damaged = [await start_game(host, ADA, BEN) for _ in range(4)]
    good = await start_game(host, ADA, BEN)
    for game in damaged:
        execute(tmp_path, "UPDATE games SET settings = 'x' WHERE id = :id", game)
    assert [post.game_id for post in await host.outbox.due(limit=2)] == [good.id]


async def test_an_appointment_of_an_unreadable_game_hides_no_other(
    host: Host, clock: SettableClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.appointments.BATCH_SIZE", 2)
    at, ids = clock.now() + timedelta(hours=1), list[int]()
    games = [await start_game(host, ADA, BEN) for _ in range(4)]
    for game in games:
        meeting, _ = await host.appointments.propose(TableRef(game_id=game.id), ADA.user_id, at, click_id())
        await host.appointments.answer(meeting.appointment.id, BEN.user_id, click_id(), accepts=True)
        ids.append(meeting.appointment.id)
    for game in games[:3]:
        execute(tmp_path, "UPDATE games SET settings = 'x' WHERE id = :id", game)
    clock.advance(3600)
    assert [meeting.appointment.id for meeting in await host.appointments.due()] == ids[3:]
    await host.moves.resign(games[3].id, ADA.user_id, click_id())
    found = [[meeting.appointment.id for meeting in await host.appointments.obsolete()] for _ in range(2)]
    assert found == [[], ids[3:]]


async def test_unreadable_lobbies_and_preferences_affect_nothing_else(host: Host, tmp_path: Path) -> None:
    game, lobby, sound = await start_game(host), await open_lobby(host), await open_lobby(host)
    await host.preferences.set(ADA.user_id, Preferences(confirm=False, choices={"theme": "night"}))
    for statement in (
        "UPDATE lobbies SET options = '{' WHERE id = (SELECT min(id) FROM lobbies WHERE state = 'open')",
        "UPDATE preferences SET choices = 'x'",
    ):
        execute(tmp_path, statement, game)
    with expect_error(ErrorCode.UNKNOWN_LOBBY):
        await host.lobbies.get(lobby.id)
    assert (await host.lobbies.get(sound.id)).id == sound.id
    assert await host.preferences.get(ADA.user_id) == Preferences(confirm=False)
    assert (await host.games.get(game.id)).status is GameStatus.RUNNING
