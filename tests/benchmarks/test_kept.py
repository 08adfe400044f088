"""The size of a finished game of four in the database stays small."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.kept import file_size, measure, server_size
from tests.cluster import Cluster

MOST = 40 * 1024


@pytest.mark.soak
async def test_a_finished_game_takes_little_room(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    kept = await measure(str(file), 2, lambda: file_size(file))
    assert kept.soon <= MOST
    assert kept.thinned <= kept.soon <= kept.finished <= MOST


@pytest.mark.soak
async def test_nor_on_a_server(postgresql: Cluster, new_database: str) -> None:
    kept = await measure(new_database, 2, lambda: server_size(postgresql, "games"))
    assert 0 < kept.thinned <= kept.soon <= kept.finished <= MOST
