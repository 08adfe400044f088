"""Tests of the script that measures turns: it plays by clicks, and measures messages in a browser."""

from __future__ import annotations

import pytest

from benchmarks.turns import CARD, PANEL, PHONE, WIDE, Row, run
from tests.programs import CHROMEDRIVER, CHROMIUM

TILE = "place tile"


def check_row(row: Row, *, decisions: int) -> None:
    """Check the figures that need no browser."""
    assert row["decisions"] >= decisions
    assert 3 <= row["taps"] <= row["most taps"]
    assert row["words of the card"] < row["words"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["carcassonne", "full board", "the castle"])
async def test_turns_are_played_by_clicks(name: str) -> None:
    rows = await run(name, turns=2, heights=False)
    check_row(rows[TILE], decisions=2)
    assert 5 < rows[TILE]["smallest type"] <= 14


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.needs(CHROMIUM, CHROMEDRIVER)
async def test_messages_are_measured_in_the_page() -> None:
    rows = await run("the castle", turns=1)
    for role in (CARD, PANEL):
        assert 0 < rows[TILE][f"{role} at {PHONE}"] < rows[TILE][f"{role} at {WIDE}"]
    assert 0 < rows[TILE]["turn to Play at 390, most"] <= rows[TILE][f"{CARD} at {PHONE}, most"]
