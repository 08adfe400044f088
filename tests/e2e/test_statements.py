"""What a move at a table with everything on asks of the database: no more than fifteen statements."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest

from cogs.presenting.ids import Op, Operation
from host import DIRECT, QUIET, ZONE, Preferences, locks
from host.games.reader import GameReader, GameSnapshot
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits, Shown, button_for
from tests.e2e.screen import buttons
from tests.e2e.table import Table, open_table
from tests.host.test_plans import heard

pytestmark = pytest.mark.usefixtures("random_language")

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


async def test_a_press_looks_at_its_game_once(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it opens: what was found when it was let through is handed down."""
    snapshot = GameReader.snapshot
    asked: list[int | str] = []

    async def counted(self: GameReader, ref: int | str, user_id: int = 0) -> GameSnapshot:
        if locks._REQUESTER.get():  # not what happens beside the press
            asked.append(ref)
        return await snapshot(self, ref, user_id)

    monkeypatch.setattr(GameReader, "snapshot", counted)
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(2)
        card, member = table.card(), table.actors[0].id
        await table.press(member, card, buttons(card.components)[0].custom_id)  # the place is looked at once
        looks: dict[Operation, int] = {}

        async def press(message: Shown, op: Operation) -> Shown:
            found = button_for(message, op)
            asked.clear()
            opened = await table.press(member, message, found.custom_id)
            looks[op] = len(asked)
            return opened

        for button in buttons(card.components):
            await press(card, button.key.op)
        for op in (Op.GIVE, Op.PAUSE):
            await press(await press(card, Op.NOTES), op)
    assert {Op.BOARD, Op.WORDS, Op.HINTS, Op.TILES, Op.NOTES, Op.GIVE, Op.PAUSE} <= {*looks}
    assert {op: count for op, count in looks.items() if count != 1} == {}


def later_today() -> str:
    """Quiet hours that are not now, whenever this runs: who has them is called later, which is stored."""
    hour = (datetime.now(ZoneInfo("Asia/Tokyo")).hour + 6) % 24
    return f"{hour:02}:00-{(hour + 1) % 24:02}:00"


@pytest.mark.parametrize("pace", ["standard", "none"])
async def test_a_move_with_everything_on(tmp_path: Path, recorder: Recorder, no_drawing: None, pace: str) -> None:
    """Clocks, an end date, quiet hours, direct messages, castles and bazaars, of which plans may be made."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace=pace) as table:
        await table.start(4, ends=40)
        for actor in table.actors[:4]:
            wishes = Preferences().having(QUIET, later_today()).having(ZONE, "Asia/Tokyo").having(DIRECT, "on")
            await table.bot.host.preferences.set(actor.id, wishes)
        clicker = Clicker(table, Random(1), Habits())
        await clicker.move(table.card())  # the place of a game is looked at once after a start
        await table.env.settle()
        counts = [await beside_presses(table, clicker) for _ in range(MOVES)]
    assert max(counts) <= MOST - PRESSES * PER_PRESS, counts
