"""Moving games from SQLite to PostgreSQL and back, and restoring backups there.

The games are those of an older version's database, at every kind of step. `contents` reads a whole database, so that
source and copy can be compared.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from host.admin.checks import Finding
from operations.__main__ import main
from operations.commands import databases
from operations.progress import Progress
from store import Process, Store, Transaction, processes, whole_database
from store.connection import postgres
from tests.cluster import Cluster
from tests.operations.test_commands import GAME_COUNT, RUNNING_COUNT, error_of, execute, query_value, rows_of

pytestmark = pytest.mark.long


def contents(location: str) -> dict[str, list[Any]]:
    """Return all rows of a database as the bot reads them, except `marks`."""

    async def read() -> dict[str, list[Any]]:
        """Read all tables."""
        store = await Store.open(location, migrate=False)
        rows_by_table = {}
        async with store.reading() as tx:
            for table in whole_database.tables():
                rows = [row async for chunk in whole_database.chunks(tx, table) for row in chunk]
                rows_by_table[table.name] = sorted(rows, key=repr)
        await store.close()
        return {name: rows for name, rows in rows_by_table.items() if name != "marks"}

    return asyncio.run(read())


@pytest.fixture
def server(games_file: Path, new_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a PostgreSQL database with the games, which the settings name."""
    monkeypatch.chdir(tmp_path)
    assert main(["copy", str(games_file), new_database]) == 0
    monkeypatch.setenv("CASTELLAN_DATABASE", new_database)
    return new_database


def name_of(location: str) -> str:
    """Return the name of the database in an address."""
    return location.partition("?")[0].rpartition("/")[2]


def test_games_are_moved_to_postgresql_and_back(
    games_file: Path, server: str, capsys: pytest.CaptureFixture[str], postgresql: Cluster
) -> None:
    before = rows_of(games_file)
    assert contents(server) == contents(str(games_file))
    main(["check"])
    assert "replay" not in capsys.readouterr().out
    largest = int(postgresql.sql("SELECT max(id) FROM outbox", database=name_of(server)))
    following = postgresql.sql("SELECT nextval(pg_get_serial_sequence('outbox', 'id'))", database=name_of(server))
    assert int(following) > largest
    back = games_file.with_name("back.sqlite3")
    assert main(["copy", server, str(back)]) == 0
    assert rows_of(back) == before
    assert "have moved" in error_of("upgrade")
    assert "holds games already; nothing was written" in error_of("copy", str(back), server)


def test_a_backup_is_restored_on_an_empty_server(
    games_file: Path,
    empty_database: str,
    postgresql: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Restore on a new server without any tables, after the old one was lost."""
    copy = games_file.with_name("copy.sqlite3")
    assert main(["backup", str(copy)]) == 0
    before = rows_of(copy)
    monkeypatch.chdir(games_file.parent)
    monkeypatch.setenv("CASTELLAN_DATABASE", empty_database)
    assert "holds nothing" in error_of("check")
    assert main(["restore", str(copy)]) == 0
    output = capsys.readouterr().out
    assert f"{RUNNING_COUNT} unfinished games restored from {copy}" in output
    assert "what was there before: nothing" in output
    assert rows_of(copy) == before, "the backup is unchanged and can be restored again"
    assert len(contents(empty_database)["games"]) == GAME_COUNT
    announcements = "SELECT count(*) FROM outbox WHERE kind = 'went_back' AND sent_at IS NULL"
    assert int(postgresql.sql(announcements, database=name_of(empty_database))) == RUNNING_COUNT, (
        "every game announces that it went back"
    )
    main(["check"])
    assert "replay" not in capsys.readouterr().out
    assert main(["restore", str(copy)]) == 0
    assert "before-restore-" in capsys.readouterr().out


def test_a_backup_of_postgresql_is_restored(games_file: Path, server: str, capsys: pytest.CaptureFixture[str]) -> None:
    copy = games_file.with_name("copy.sqlite3")
    assert main(["backup", str(copy)]) == 0
    assert rows_of(copy) == rows_of(games_file)
    user_id = query_value(copy, "SELECT user_id FROM playing LIMIT 1")
    assert main(["forget", str(user_id), "--yes"]) == 0
    before = contents(server)
    assert main(["restore", str(copy)]) == 0
    assert f"{RUNNING_COUNT} unfinished games restored from {copy}" in capsys.readouterr().out
    main(["data", str(user_id)])
    assert json.loads(capsys.readouterr().out) == {"games": []}
    main(["check"])
    assert f"{GAME_COUNT} games" in capsys.readouterr().out
    now = contents(server)
    assert sum(game["epoch"] > 0 for game in now["games"]) == RUNNING_COUNT
    assert sum(post["kind"] == "went_back" for post in now["outbox"]) == RUNNING_COUNT
    (replaced,) = Path.cwd().glob("castellan.sqlite3.before-restore-*")
    assert contents(str(replaced)) == before
    asyncio.run(beat(server))
    now = contents(server)
    for command in (("restore", str(copy)), ("copy", server, str(games_file.with_name("back.sqlite3")))):
        assert "a bot was connected" in error_of(*command)
    assert contents(server) == now
    assert not games_file.with_name("back.sqlite3").exists()


async def beat(location: str) -> None:
    """Register a live process that is not connected to Discord yet."""
    store, now = await Store.open(location), datetime.now(UTC)
    async with store.writing() as tx:
        await processes.save_process(tx, Process(id="one", release="1", started_at=now, seen_at=now))
    await store.close()


def test_values_unusable_in_postgresql_are_reported_before_writing(
    games_file: Path, new_database: str, postgresql: Cluster
) -> None:
    execute(games_file, "UPDATE seats SET name = 'A' || char(0) || 'na' WHERE game_id = 1 AND seat = 0")
    assert "seats 1/0, name: holds the character NUL" in error_of("copy", str(games_file), new_database)
    assert postgresql.sql("SELECT count(*) FROM games", database=name_of(new_database)) == "0"


def test_copying_may_exceed_the_idle_timeout_of_the_bot(
    games_file: Path, new_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leave each database idle for longer than a bot may, while the other is read or games are replayed."""
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", replace(postgres.DEFAULT_LIMITS, idle=0.1))
    fits, replays, back = databases.check_fits, databases.check_replays, games_file.with_name("back.sqlite3")

    async def check_fits_slowly(tx: Transaction) -> None:
        """Check the versions after a pause in which other processes may write."""
        await asyncio.sleep(0.3)
        await fits(tx)

    async def check_replays_slowly(tx: Transaction, progress: Progress) -> list[Finding]:
        """Replay all games after a pause in which other processes may write."""
        await asyncio.sleep(0.3)
        return await replays(tx, progress)

    monkeypatch.setattr(databases, "check_fits", check_fits_slowly)
    monkeypatch.setattr(databases, "check_replays", check_replays_slowly)
    assert main(["copy", str(games_file), new_database]) == 0
    assert main(["copy", new_database, str(back)]) == 0
    assert rows_of(back) == rows_of(games_file)
