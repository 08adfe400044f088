"""Clocks as players see them: the pace before anybody joins, and on each card when time runs out."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits
from tests.e2e.screen import words
from tests.e2e.table import Table, seated

RUNS_OUT = re.compile(r"Time runs out <t:(\d+):R>")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """A game of three at the usual pace."""
    async with seated(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(3)
        yield table
    assert recorder.problems() == []


async def test_every_card_says_when_time_runs_out(table: Table) -> None:
    clicker = Clicker(table, Random(1), Habits())
    first = words(table.card().components)
    assert "Time: **Standard.**" in first
    assert RUNS_OUT.search(first)
    await clicker.move(table.card())
    assert RUNS_OUT.search(words(table.card().components))
