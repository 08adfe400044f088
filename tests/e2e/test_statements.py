"""What a move at a table with everything on asks of the database: no more than fifteen statements."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest

from host import DIRECT, QUIET, ZONE, Preferences
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits
from tests.e2e.table import Table, seated
from tests.host.test_plans import heard

pytestmark = pytest.mark.usefixtures("drawn_language")

MOST = 15
"""Of [Play], spot, figure and [Confirm] to the card that is recorded as sent."""
PRESSES = 4
PER_PRESS = 1
"""A press reads one narrow row, and no more."""
MOVES = 12


async def beside_presses(table: Table, clicker: Clicker) -> int:
    """What the next move asks of the database beside its presses."""
    with heard(table.bot.host._store) as found:
        move = await clicker.move(table.card())
        await table.env.settle()
    asked = [text for text, _ in found if not text.startswith(("BEGIN", "COMMIT"))]
    return len(asked) - (len(move.taps) + move.modals) * PER_PRESS


def later_today() -> str:
    """Quiet hours that are not now, whenever this runs: who has them is called later, which is stored."""
    hour = (datetime.now(ZoneInfo("Asia/Tokyo")).hour + 6) % 24
    return f"{hour:02}:00-{(hour + 1) % 24:02}:00"


@pytest.mark.parametrize("pace", ["standard", "none"])
async def test_a_move_with_everything_on(tmp_path: Path, recorder: Recorder, no_drawing: None, pace: str) -> None:
    """Clocks, an end date, quiet hours, direct messages, castles and bazaars, of which plans may be made."""
    async with seated(tmp_path / "games.sqlite3", seed="one", usual_pace=pace) as table:
        await table.start(4, ends=40)
        for actor in table.actors[:4]:
            wishes = Preferences().having(QUIET, later_today()).having(ZONE, "Asia/Tokyo").having(DIRECT, "on")
            await table.bot.host.preferences.set(actor.id, wishes)
        clicker = Clicker(table, Random(1), Habits())
        await clicker.move(table.card())  # the place of a game is looked at once after a start
        await table.env.settle()
        counts = [await beside_presses(table, clicker) for _ in range(MOVES)]
    assert max(counts) <= MOST - PRESSES * PER_PRESS, counts
