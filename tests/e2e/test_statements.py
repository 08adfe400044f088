"""The number of statements of a move, with all features enabled: at most fifteen.

A statement is an SQL statement of the bot. Clocks, reminders, notes, plans and pending moves are all in use; a
`Clicker` makes the moves with the fewest presses.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest

from cogs.presenting.ids import Op, Operation
from host import DIRECT_MESSAGES, QUIET_HOURS, TIME_ZONE, Preferences, locks
from host.games.reader import GameReader, GameSnapshot
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits, Shown, button_for
from tests.e2e.screen import buttons
from tests.e2e.table import Table, open_table
from tests.host.test_plans import record_statements

pytestmark = pytest.mark.usefixtures("random_language")

MAX_STATEMENTS = 15
"""Limit of the statements from [Play], spot, figure and [Confirm] to the card that is recorded as sent."""
PRESSES_PER_MOVE = 4
"""Presses of a move with confirmation."""
STATEMENTS_PER_PRESS = 1
"""Number of statements of a press itself, which reads one narrow row."""
MOVE_COUNT = 12
"""Moves whose statements are counted."""


async def statements_of_move(table: Table, clicker: Clicker) -> int:
    """Make the next move; return the number of its statements beyond those of the presses."""
    with record_statements(table.bot.host._store) as statements:
        move = await clicker.move(table.card())
        await table.env.settle()
    counted = [text for text, _ in statements if not text.startswith(("BEGIN", "COMMIT"))]
    return len(counted) - (len(move.taps) + move.modals) * STATEMENTS_PER_PRESS


async def test_a_press_reads_its_game_once(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game that was read to check the press is passed on to whatever the press opens."""
    snapshot = GameReader.snapshot
    reads: list[int | str] = []

    async def count_reads(self: GameReader, ref: int | str, user_id: int = 0) -> GameSnapshot:
        if locks._REQUESTER.get():  # ignore background tasks
            reads.append(ref)
        return await snapshot(self, ref, user_id)

    monkeypatch.setattr(GameReader, "snapshot", count_reads)
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(2)
        card, member = table.card(), table.actors[0].id
        await table.press(
            member, card, buttons(card.components)[0].custom_id
        )  # the channel is scanned once after a start
        reads_by_op: dict[Operation, int] = {}

        async def press(message: Shown, op: Operation) -> Shown:
            button = button_for(message, op)
            reads.clear()
            opened = await table.press(member, message, button.custom_id)
            reads_by_op[op] = len(reads)
            return opened

        for button in buttons(card.components):
            await press(card, button.key.op)
        board = await press(card, Op.BOARD)
        await press(board, Op.TILES)
        for op in (Op.GIVE, Op.PAUSE):
            await press(await press(card, Op.NOTES), op)
    assert {Op.BOARD, Op.WORDS, Op.HINTS, Op.TILES, Op.NOTES, Op.GIVE, Op.PAUSE} <= {*reads_by_op}
    assert {op: count for op, count in reads_by_op.items() if count != 1} == {}


def later_today() -> str:
    """Return quiet hours that lie in the future at any time of day, so that a notification time is stored."""
    hour = (datetime.now(ZoneInfo("Asia/Tokyo")).hour + 6) % 24
    return f"{hour:02}:00-{(hour + 1) % 24:02}:00"


@pytest.mark.parametrize("pace", ["standard", "none"])
async def test_a_move_with_all_features_keeps_the_limit(
    tmp_path: Path, recorder: Recorder, no_drawing: None, pace: str
) -> None:
    """The features: clocks, an end date, quiet hours, direct messages, castles, and bazaars with plans."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace=pace) as table:
        await table.start(4, ends=40)
        for actor in table.actors[:4]:
            preferences = (
                Preferences()
                .with_choice(QUIET_HOURS, later_today())
                .with_choice(TIME_ZONE, "Asia/Tokyo")
                .with_choice(DIRECT_MESSAGES, "on")
            )
            await table.bot.host.preferences.set(actor.id, preferences)
        clicker = Clicker(table, Random(1), Habits())
        await clicker.move(table.card())  # the channel of a game is scanned once after a start
        await table.env.settle()
        counts = [await statements_of_move(table, clicker) for _ in range(MOVE_COUNT)]
    assert max(counts) <= MAX_STATEMENTS - PRESSES_PER_MOVE * STATEMENTS_PER_PRESS, counts
