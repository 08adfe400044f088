"""Progress and results of long commands; a command that fails leaves no new files."""

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
from tests.operations.test_commands import (
    GAME_COUNT,
    RUNNING_COUNT,
    error_of,
    execute,
    games_file,
    query_all,
    query_value,
    rows_of,
)

__all__ = ["games_file"]


@pytest.fixture
def _tells_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PROGRESS_INTERVAL_SECONDS", -1.0)


@pytest.mark.usefixtures("_tells_all")
def test_each_tells_how_far_it_is_and_how_it_ends(capsys: pytest.CaptureFixture[str], games_file: Path) -> None:
    done, told = capsys.readouterr()
    assert "Running upgrade 0023 -> 0024" in told
    assert "Context impl" not in told
    assert done.startswith("the tables are of revision ")
    copy, moved = games_file.with_name("copy.sqlite3"), games_file.with_name("moved.sqlite3")
    for typed, far, end in (
        (("backup", str(copy)), "pages copied: ", f"{copy}: "),
        (
            ("restore", str(copy)),
            f"games looked through: {RUNNING_COUNT} of {RUNNING_COUNT} …",
            f"{games_file}: {RUNNING_COUNT} unfinished",
        ),
        (("copy", str(games_file), str(moved)), "actions: ", f"{moved}: {GAME_COUNT} games"),
    ):
        assert main(typed) == 0
        done, told = capsys.readouterr()
        assert far in told
        assert done.startswith(end)
    assert main(["check"]) in (0, 1)
    assert f"games looked through: {RUNNING_COUNT} of {RUNNING_COUNT} …" in capsys.readouterr().err


def test_a_file_is_copied_as_it_is_at_one_moment_whoever_writes(
    games_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "BACKUP_BATCH_PAGES", 10)
    before, far = rows_of(games_file), list[int]()

    def told(done: int, _: int) -> None:
        far.append(done)
        execute(games_file, f"INSERT INTO command_copies VALUES ({len(far)})")  # noqa: S608 - a number

    copy = games_file.with_name("copy.sqlite3")
    assert back_up(str(games_file), copy, told).games == GAME_COUNT
    assert rows_of(copy) == before
    assert len(far) > 2
    assert far == sorted(far), "it never begins anew"
    assert query_value(games_file, "SELECT count(*) FROM command_copies") == len(far)


async def _cannot_open(*_: object) -> str:
    raise LookupError("no game can be opened")


@pytest.mark.parametrize("wrong", ["lost", "unusable"])
def test_what_goes_wrong_on_the_way_leaves_both_as_they_were(
    games_file: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    copy_rows, before, target = whole_database.copy_rows, rows_of(games_file), games_file.with_name("new.sqlite3")

    async def loses_one(old: Transaction, new: Transaction, *about: Any) -> None:
        await copy_rows(old, new, *about)
        await new.exec_driver_sql("DELETE FROM preferences WHERE user_id = (SELECT min(user_id) FROM preferences)")

    if wrong == "lost":
        execute(games_file, "INSERT INTO preferences VALUES (5, true, '{}')")
        before = rows_of(games_file)
        monkeypatch.setattr(whole_database, "copy_rows", loses_one)
        assert "rows of" in error_of("copy", str(games_file), str(target))
    else:
        monkeypatch.setattr(databases, "try_to_open", _cannot_open)
        with pytest.raises(LookupError):
            main(["copy", str(games_file), str(target)])
    assert rows_of(games_file) == before
    assert query_all(games_file, "SELECT * FROM marks WHERE name = 'moved'") == []
    assert not target.exists()


def test_a_database_that_cannot_be_written_is_a_line(games_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialect, "BUSY_TIMEOUT_MILLISECONDS", 50)
    before, copy = rows_of(games_file), games_file.with_name("copy.sqlite3")
    code = query_value(games_file, "SELECT code FROM games WHERE status = 'running' LIMIT 1")
    assert main(["backup", str(copy)]) == 0
    with closing(sqlite3.connect(games_file, isolation_level=None)) as another:
        another.execute("BEGIN IMMEDIATE")
        for typed, named in (
            (("freeze", code), "the database cannot be used: "),
            (("ban", "user", "5"), "the database cannot be used: "),
            (("restore", str(copy)), f"CASTELLAN_DATABASE: {games_file}: does not answer: "),
        ):
            said = error_of(*typed)
            assert said.startswith(f"{named}another program holds the file")
            assert "\n" not in said
    assert rows_of(games_file) == before


def test_a_restore_that_fails_leaves_what_was_there(games_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = games_file.with_name("copy.sqlite3")
    assert main(["backup", str(copy)]) == 0
    execute(games_file, "UPDATE games SET name = 'Something Else'")
    before = rows_of(games_file)
    monkeypatch.setattr(databases, "try_to_open", _cannot_open)
    with pytest.raises(LookupError):
        main(["restore", str(copy)])
    assert rows_of(games_file) == before
