"""Operators' commands, on a database of an older version whose games wait for every kind of decision.

`main(arguments)` is `python -m operations`: it works on the file that the settings name, prints its findings, and
returns the exit status. A test may change the file by SQL first, to give a command something to find.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engine import DIGEST_FORM
from operations import database
from operations.__main__ import main
from operations.settings import Settings, SettingsError
from store import Heartbeat, Store, processes
from store.connection.migrating import known_revisions
from tests.store.next_migration import next_migration

GAME_COUNT, RUNNING_COUNT = 23, 21
"""Numbers of games in that database: all, and those that are not finished."""


def query_all(file: Path, query: str) -> list[Any]:
    """Return the rows of a query."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def execute(file: Path, statement: str) -> None:
    """Execute and commit a statement."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement)


def rows_of(file: Path) -> dict[str, list[Any]]:
    """Return the rows of all tables except `marks`, in a stable order."""
    names = [name for (name,) in query_all(file, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: sorted(query_all(file, f"SELECT * FROM {name}"), key=repr) for name in names if name != "marks"}


def query_value(file: Path, query: str) -> Any:
    """Return the single value of a query."""
    ((value,),) = query_all(file, query)
    return value


def error_of(*arguments: str) -> str:
    """Run a command that must be refused, and return its error message."""
    with pytest.raises(SettingsError) as caught:
        main(arguments)
    return "\n".join(caught.value.lines)


# -- check ------------------------------------------------------------------------------------------------------------


def test_a_sound_database_has_no_findings(games_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = rows_of(games_file)
    main(["check"])
    output = capsys.readouterr().out
    assert "replay" not in output
    assert output.splitlines()[-1].startswith(f"{GAME_COUNT} games, 997 actions, 554 posts: ")
    assert rows_of(games_file) == before


def test_check_finds_every_kind_of_fault(games_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ply_off, damaged = (
        code for (code,) in query_all(games_file, "SELECT code FROM games WHERE status = 'running' LIMIT 2")
    )
    execute(games_file, f"UPDATE games SET ply = ply + 1 WHERE code = '{ply_off}'")
    execute(games_file, f"UPDATE games SET setup = 'nothing' WHERE code = '{damaged}'")
    other = query_value(
        games_file,
        f"SELECT code FROM games WHERE status = 'running' AND code NOT IN ('{ply_off}', '{damaged}') LIMIT 1",
    )
    execute(games_file, f"UPDATE games SET digest = '{DIGEST_FORM}{'0' * 62}' WHERE code = '{other}'")
    execute(games_file, "UPDATE outbox SET sent_at = NULL, created_at = 0 WHERE id = 1")
    execute(games_file, "UPDATE seats SET name = 'A' || char(0) || 'na' WHERE game_id = 1 AND seat = 0")
    execute(games_file, "INSERT INTO notes VALUES (99999, 5, 'nothing', 0)")
    assert main(["check"]) == 1
    output = capsys.readouterr().out
    assert f"does not replay: {ply_off}: " in output
    assert f"does not replay: {damaged}: " in output
    assert f"does not replay: {other}: " in output
    assert "stuck post: " in output
    assert "misfit: seats 1/0, name: holds the character NUL" in output
    assert "orphan: notes 99999/5, game_id: there is no games 99999" in output


def test_a_database_of_another_version_is_refused(games_file: Path, tmp_path: Path) -> None:
    newest = known_revisions()[-1]
    with next_migration(tmp_path):
        older = f"is of an older version ({newest}); bring it up to date: python -m operations upgrade"
        assert older in error_of("check")
    execute(games_file, "UPDATE alembic_version SET version_num = '0006'")
    for command in ("check", "upgrade"):
        assert "is of a version before 1.0.0: run commit 828ad3be of Castellan with it once" in error_of(command)
    execute(games_file, "UPDATE alembic_version SET version_num = '9999'")
    assert "is of a newer version (9999); use the version that wrote it" in error_of("check")


# -- copy -------------------------------------------------------------------------------------------------------------


def test_copy_moves_everything_and_disables_the_source(games_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, target = rows_of(games_file), games_file.with_name("new.sqlite3")
    assert main(["copy", str(games_file), str(target)]) == 0
    assert f"{target}: {GAME_COUNT} games, from {games_file}, where no bot starts any more" in capsys.readouterr().out
    assert rows_of(target) == before == rows_of(games_file)
    assert f"its games have moved to {target}" in error_of("upgrade")
    again = games_file.with_name("third.sqlite3")
    assert "have moved" in error_of("copy", str(games_file), str(again))
    assert not again.exists()


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (
            "UPDATE games SET ply = ply + 1 WHERE id = (SELECT min(id) FROM games WHERE status = 'running')",
            "does not replay",
        ),
        (f"UPDATE seats SET name = '{'x' * 101}' WHERE game_id = 1 AND seat = 0", "has 101 characters of at most 100"),
        ("UPDATE lobbies SET options = '{' WHERE id = 1", "is no JSON"),
        ("UPDATE outbox SET attempts = 3000000000 WHERE id = 1", "is too large"),
    ],
)
def test_unusable_values_are_reported_before_anything_is_written(games_file: Path, damage: str, error: str) -> None:
    execute(games_file, damage)
    before, target = rows_of(games_file), games_file.with_name("new.sqlite3")
    assert error in error_of("copy", str(games_file), str(target))
    assert rows_of(games_file) == before
    assert query_all(games_file, "SELECT * FROM marks") == []
    assert not target.exists()


def test_existing_files_are_not_overwritten(games_file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite3"
    main(["backup", str(other)])
    before = other.read_bytes()
    assert "exists already; nothing was written" in error_of("copy", str(games_file), str(other))
    assert "exists already; nothing was written" in error_of("backup", str(other))
    assert other.read_bytes() == before


async def beat(file: Path) -> None:
    """Store a heartbeat, as a bot connected to Discord would."""
    store = await Store.open(file)
    async with store.writing() as tx:
        await processes.save_heartbeat(tx, Heartbeat(0, 1, datetime.now(UTC)))
    await store.close()


async def test_copying_is_refused_while_a_bot_is_connected(games_file: Path) -> None:
    await beat(games_file)
    store = await database.open_existing(Settings(database=str(games_file)))
    with pytest.raises(SettingsError, match=r"a bot was connected \d+ seconds ago; stop it"):
        await database.check_no_bot_connected(store, Settings())
    await store.close()


# -- restore ----------------------------------------------------------------------------------------------------------


def test_restore_puts_a_backup_back_and_every_game_announces_it(
    games_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = games_file.with_name("copy.sqlite3")
    main(["backup", str(copy)])
    execute(games_file, "UPDATE games SET name = 'Something Else'")
    before = rows_of(games_file)
    assert main(["restore", str(copy)]) == 0
    assert f"{RUNNING_COUNT} unfinished games restored from {copy}" in capsys.readouterr().out
    (replaced,) = games_file.parent.glob("games.sqlite3.before-restore-*")
    assert rows_of(replaced) == before
    assert query_value(games_file, "SELECT count(*) FROM games WHERE name = 'Something Else'") == 0
    assert query_value(games_file, "SELECT count(*) FROM games WHERE epoch > 0") == RUNNING_COUNT
    assert (
        query_value(games_file, "SELECT count(*) FROM outbox WHERE kind = 'went_back' AND sent_at IS NULL")
        == RUNNING_COUNT
    )
    main(["check"])
    assert "replay" not in capsys.readouterr().out


def test_an_erased_user_stays_erased_after_a_restore(games_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = games_file.with_name("copy.sqlite3")
    main(["backup", str(copy)])
    user_id = query_value(games_file, "SELECT user_id FROM playing LIMIT 1")
    assert main(["forget", str(user_id), "--yes"]) == 0
    main(["restore", str(copy)])
    capsys.readouterr()
    main(["data", str(user_id)])
    assert json.loads(capsys.readouterr().out) == {"games": []}
    assert str(user_id) not in json.dumps(rows_of(games_file), default=str)
    running = "JOIN games ON games.id = game_id WHERE games.status = 'running' AND user_id < 0 AND NOT withdrawn"
    assert query_value(games_file, f"SELECT count(*) FROM seats {running}") == 0, (
        "no game may wait for an erased player"
    )
    main(["check"])
    assert "replay" not in capsys.readouterr().out


def test_a_ban_survives_a_restore(games_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["ban", "user", "5", "--reason", "spam"])
    copy = games_file.with_name("copy.sqlite3")
    main(["backup", str(copy)])
    main(["ban", "server", "7", "--reason", "more spam"])
    main(["restore", str(copy)])
    capsys.readouterr()
    main(["ban"])
    output = capsys.readouterr().out
    assert all(line in output for line in ("user 5, since", "server 7, since", "2 kept out"))


def test_an_unusable_backup_changes_nothing(games_file: Path, tmp_path: Path) -> None:
    before = rows_of(games_file)
    for name, contents in {"empty": b"", "text": b"Milk, eggs"}.items():
        (tmp_path / name).write_bytes(contents)
        assert "nothing was changed" in error_of("restore", str(tmp_path / name))
    assert "nothing was changed" in error_of("restore", str(tmp_path / "missing"))
    assert rows_of(games_file) == before


# -- interventions ----------------------------------------------------------------------------------------------------


def test_interventions_take_effect_and_are_logged(games_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = query_value(games_file, "SELECT code FROM games WHERE status = 'running' LIMIT 1")
    assert main(["freeze", code, "--reason", "looked at"]) == 0
    main(["stuck"])
    assert f"frozen by hand: {code}: looked at" in capsys.readouterr().out
    assert main(["thaw", code.lower()]) == 0
    assert main(["close", code]) == 0
    assert main(["export", code]) == 0
    assert '[Castellan "record' in capsys.readouterr().out
    assert main(["ban", "server", "7", "--reason", "spam"]) == 0
    assert main(["limit", "7", "--games", "3"]) == 0
    assert main(["limit", "7", "--channels", "71", "72", "--opener", "8"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "server 7: channels: 71, 72; who opens: 8"
    assert main(["limit", "7", "--channels", "--opener", "0"]) == 0
    assert capsys.readouterr().out == "server 7: channels: all; who opens: everybody\n"
    assert main(["unban", "server", "7"]) == 0
    capsys.readouterr()
    assert main(["deeds"]) == 0
    actions = [line.split(": ", 1)[1] for line in capsys.readouterr().out.splitlines()]
    assert actions == [
        f"freeze game={code} reason=looked at",
        "list ",
        f"thaw game={code}",
        f"close game={code}",
        f"export game={code}",
        "ban kind=server subject=7 reason=spam",
        "limit server=7 games=3",
        "limit server=7 channels=71,72 opener=8",
        "limit server=7 channels=all opener=everybody",
        "unban kind=server subject=7",
    ]


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("freeze NOPE", "refused: unknown_game"),
        ("ban user", "say which user"),
        ("unban user 5", "is not kept out"),
        ("limit 7 --games -1", "less than nothing"),
        ("forget 12345", "nothing is known of 12345"),
    ],
)
def test_a_refused_command_prints_one_line(games_file: Path, command: str, error: str) -> None:
    assert error in error_of(*command.split())


def test_erasure_has_to_be_confirmed(games_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, user_id = rows_of(games_file), query_value(games_file, "SELECT user_id FROM playing LIMIT 1")
    assert main(["forget", str(user_id)]) == 1
    assert "nothing was changed; add --yes to do it" in capsys.readouterr().out
    assert rows_of(games_file) == before
