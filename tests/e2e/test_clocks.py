"""Clocks as players see them: the pace on the first card, and the deadline on every card.

The pace is a table's time control. A `Clicker` makes the moves by random presses.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits
from tests.e2e.screen import localized, says, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of three at the default pace."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(3)
        yield table
    assert recorder.problems() == []


async def test_every_card_names_the_deadline(table: Table) -> None:
    clicker = Clicker(table, Random(1), Habits())
    first = words(table.card().components)
    assert localized("rules.pace", words=localized("pace.standard")) in first
    assert says(first, "card.deadline")
    await clicker.move(table.card())
    assert says(words(table.card().components), "card.deadline")
