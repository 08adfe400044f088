"""What a finished game of four leaves in the database stays small."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.kept import file_size, measure

MOST = 40 * 1024


@pytest.mark.soak
async def test_a_finished_game_takes_little_room(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    kept = await measure(str(file), 2, lambda: file_size(file))
    assert kept.soon <= MOST
    assert kept.thinned <= kept.soon < kept.finished <= MOST
