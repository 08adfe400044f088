"""Fixtures of the store's tests: an open store on each database, and a file that an older version wrote.

A store is one connection pool and the SQL statements on it. A test with the fixture `store` runs on SQLite and on
PostgreSQL.
"""

from __future__ import annotations

import lzma
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from store import Store


@pytest.fixture
async def store(location: str) -> AsyncIterator[Store]:
    """An open store on the test's database."""
    opened = await Store.open(location)
    yield opened
    await opened.close()


@pytest.fixture
def older_file(tmp_path: Path) -> Path:
    """Unpack a file with 121 running games that the version of 21 November 2026 wrote, at the baseline."""
    packed = Path(__file__).parents[1] / "stored" / "games-2026-11-22.sqlite3.xz"
    path = tmp_path / "games.db"
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    return path
