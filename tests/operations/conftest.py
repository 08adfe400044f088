"""Fixtures of the operators' tests: a database of an older version, with a game waiting at every kind of step.

The older version is that of 22 November 2026. A *step* is the kind of decision that a game waits for, such as placing
a tile or a bid.
"""

from __future__ import annotations

import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from operations.__main__ import main

STORED = Path(__file__).parents[1] / "stored" / "every-step-2026-11-22.sql.xz"
"""The packed database; `tests/stored/README.md` lists its games."""


def write_old_file(file: Path) -> None:
    """Write the database as the older version left it."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(lzma.decompress(STORED.read_bytes()).decode())


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The contents of the database, migrated to the current version once."""
    file = tmp_path_factory.mktemp("stored") / "games.sqlite3"
    write_old_file(file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CASTELLAN_DATABASE", str(file))
        assert main(["upgrade"]) == 0
    assert not file.with_name(f"{file.name}-wal").exists(), "all is in one file"
    return file.read_bytes()


@pytest.fixture
def games_file(migrated_file: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database, migrated to the current version; the settings name it."""
    file = tmp_path / "games.sqlite3"
    file.write_bytes(migrated_file)
    monkeypatch.setenv("CASTELLAN_DATABASE", str(file))
    return file
