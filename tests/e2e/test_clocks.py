"""Clocks as players see them: the pace before anybody joins, and on each card when time runs out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits
from tests.e2e.screen import read, says, words
from tests.e2e.table import Table, seated

pytestmark = pytest.mark.usefixtures("drawn_language")


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
    assert read("rules.pace", words=read("pace.standard")) in first
    assert says(first, "card.deadline")
    await clicker.move(table.card())
    assert says(words(table.card().components), "card.deadline")
