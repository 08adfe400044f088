"""The size of a finished game of four in the database stays within its limit, on SQLite and on PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.storage_per_game import file_size, measure, server_size
from tests.cluster import Cluster

MAX_BYTES_PER_GAME = 40 * 1024


@pytest.mark.soak
async def test_a_finished_game_stays_small_on_sqlite(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    stored = await measure(str(file), 2, lambda: file_size(file))
    assert stored.after_hours <= MAX_BYTES_PER_GAME
    assert stored.after_month <= stored.after_hours <= stored.finished <= MAX_BYTES_PER_GAME


@pytest.mark.soak
async def test_a_finished_game_stays_small_on_postgresql(postgresql: Cluster, new_database: str) -> None:
    stored = await measure(new_database, 2, lambda: server_size(postgresql, "games"))
    assert 0 < stored.after_month <= stored.after_hours <= stored.finished <= MAX_BYTES_PER_GAME
