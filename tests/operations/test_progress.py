"""Progress and results of long commands, and commands that fail half-way, which leave no new files.

The commands work on a migrated database of an older version. Progress goes to standard error, the result to standard
output.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from operations import progress
from operations.__main__ import main
from operations.commands import databases
from store import Transaction, whole_database
from store.connection import dialect, files
from store.connection.files import back_up
from store.connection.migrating import known_revisions
from tests.operations.test_commands import GAME_COUNT, RUNNING_COUNT, error_of, execute, query_all, query_value, rows_of
from tests.store.next_migration import next_migration


@pytest.fixture
def _every_step_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Report every step, not just one every few seconds."""
    monkeypatch.setattr(progress, "PROGRESS_INTERVAL_SECONDS", -1.0)


@pytest.mark.usefixtures("_every_step_reported")
def test_an_upgrade_reports_each_migration(
    capsys: pytest.CaptureFixture[str], games_file: Path, tmp_path: Path
) -> None:
    newest = known_revisions()[-1]
    with next_migration(tmp_path) as revision:
        assert main(["upgrade"]) == 0
    output, progress_output = capsys.readouterr()
    assert f"Running upgrade {newest} -> {revision}" in progress_output
    assert "Context impl" not in progress_output
    assert output.startswith(f"the tables are of revision {revision}")
    assert query_value(games_file, "SELECT count(*) FROM games WHERE weather IS NULL") == GAME_COUNT


@pytest.mark.usefixtures("_every_step_reported")
def test_long_commands_report_progress_and_result(capsys: pytest.CaptureFixture[str], games_file: Path) -> None:
    copy, moved = games_file.with_name("copy.sqlite3"), games_file.with_name("moved.sqlite3")
    for command, step, result in (
        (("backup", str(copy)), "pages copied: ", f"{copy}: "),
        (
            ("restore", str(copy)),
            f"games looked through: {RUNNING_COUNT} of {RUNNING_COUNT} …",
            f"{games_file}: {RUNNING_COUNT} unfinished",
        ),
        (("copy", str(games_file), str(moved)), "actions: ", f"{moved}: {GAME_COUNT} games"),
    ):
        assert main(command) == 0
        output, progress_output = capsys.readouterr()
        assert step in progress_output
        assert output.startswith(result)
    assert main(["check"]) in (0, 1)
    assert f"games looked through: {RUNNING_COUNT} of {RUNNING_COUNT} …" in capsys.readouterr().err


def test_a_backup_is_a_snapshot_although_others_write(games_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BACKUP_BATCH_PAGES", 10)
    before, steps = rows_of(games_file), list[int]()

    def write_meanwhile(pages_copied: int, _: int) -> None:
        """Write into the database while it is being copied."""
        steps.append(pages_copied)
        execute(games_file, f"INSERT INTO command_copies VALUES ({len(steps)})")  # noqa: S608 - a number

    copy = games_file.with_name("copy.sqlite3")
    assert back_up(str(games_file), copy, write_meanwhile).games == GAME_COUNT
    assert rows_of(copy) == before
    assert len(steps) > 2
    assert steps == sorted(steps), "the copy never restarts"
    assert query_value(games_file, "SELECT count(*) FROM command_copies") == len(steps)


async def _fail_to_open(*_: object) -> str:
    """Fail instead of checking that games can be opened."""
    raise LookupError("no game can be opened")


@pytest.mark.parametrize("fault", ["lost", "unusable"])
def test_a_failed_copy_leaves_the_source_unchanged_and_no_target(
    games_file: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    copy_rows, before, target = whole_database.copy_rows, rows_of(games_file), games_file.with_name("new.sqlite3")

    async def copy_and_lose_a_row(old: Transaction, new: Transaction, *about: Any) -> None:
        """Copy all rows and delete one of the copies."""
        await copy_rows(old, new, *about)
        await new.exec_driver_sql("DELETE FROM preferences WHERE user_id = (SELECT min(user_id) FROM preferences)")

    if fault == "lost":
        execute(games_file, "INSERT INTO preferences VALUES (5, true, '{}')")
        before = rows_of(games_file)
        monkeypatch.setattr(whole_database, "copy_rows", copy_and_lose_a_row)
        assert "rows of" in error_of("copy", str(games_file), str(target))
    else:
        monkeypatch.setattr(databases, "try_to_open", _fail_to_open)
        with pytest.raises(LookupError):
            main(["copy", str(games_file), str(target)])
    assert rows_of(games_file) == before
    assert query_all(games_file, "SELECT * FROM marks WHERE name = 'moved'") == []
    assert not target.exists()


def test_a_locked_database_is_explained_in_one_line(games_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialect, "BUSY_TIMEOUT_MILLISECONDS", 50)
    before, copy = rows_of(games_file), games_file.with_name("copy.sqlite3")
    code = query_value(games_file, "SELECT code FROM games WHERE status = 'running' LIMIT 1")
    assert main(["backup", str(copy)]) == 0
    with closing(sqlite3.connect(games_file, isolation_level=None)) as another:
        another.execute("BEGIN IMMEDIATE")
        for command, prefix in (
            (("freeze", code), "the database cannot be used: "),
            (("ban", "user", "5"), "the database cannot be used: "),
            (("restore", str(copy)), f"CASTELLAN_DATABASE: {games_file}: does not answer: "),
        ):
            error = error_of(*command)
            assert error.startswith(f"{prefix}another program holds the file")
            assert "\n" not in error
    assert rows_of(games_file) == before


def test_a_failed_restore_changes_nothing(games_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = games_file.with_name("copy.sqlite3")
    assert main(["backup", str(copy)]) == 0
    execute(games_file, "UPDATE games SET name = 'Something Else'")
    before = rows_of(games_file)
    monkeypatch.setattr(databases, "try_to_open", _fail_to_open)
    with pytest.raises(LookupError):
        main(["restore", str(copy)])
    assert rows_of(games_file) == before
