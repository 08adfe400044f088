"""Rate limits of presses: the refusal is private and needs no database statement.

The limiter is a token bucket that hardly refills here: it allows a burst, then one refusal, and further presses get
no answer at all.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.presenting.ids import Op
from cogs.services.rate_limits import BURST, PressRateLimiter
from tests.discord_limits.recorder import Recorder
from tests.e2e.screen import buttons, says, words
from tests.e2e.table import Table, open_table
from tests.host.test_plans import record_statements

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of two."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def test_an_excess_press_is_refused_without_a_statement(table: Table) -> None:
    ana, ben = table.actors[:2]
    table.bot.press_limiter = press_limiter = PressRateLimiter(0.001)
    assert not press_limiter.take(ana.id, None, BURST - 0.5)
    card, offered = table.card(), buttons(table.card().components)
    board = next(button.custom_id for button in offered if button.key.op is Op.BOARD)
    with record_statements(table.bot.host._store) as statements:
        refused = await table.press(ana.id, card, board)
    assert says(words(refused.components), "refusal.too_many_presses")
    assert statements == []
    result = (await ana.slash(table.place, "carc games")).response
    assert result is None, "further presses are not answered"
    shown = await table.press(ben.id, card, board)
    assert not says(words(shown.components), "refusal.too_many_presses")
