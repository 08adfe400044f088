"""Answers to a reminder: later, not again this turn, and keeping an idle game; by buttons and by commands.

The table has no pace, so an idle game gets reminders and is closed in the end. `Op.LATER` postpones the next
reminder, `Op.HUSH` stops them for this turn; "calls.hushed" is the key of an answer.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.presenting.ids import Key, Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import answer_to, is_sentence
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of two without a pace."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="none") as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def press_reminder(table: Table, member: int, op: Op, argument: str = "") -> str:
    """Press a reminder's button; return the private answer."""
    stored, card = table.stored(), table.card()
    sent = send_press(table.env, table.members[member], card.handle, str(Key(op, stored.code, 0, argument)))
    await table.env.settle()
    return last_answer(sent)


async def player_to_move(table: Table) -> int:
    """Return the user id of the player who has to decide."""
    game = await table.bot.host.games.get(table.stored().code)
    assert game.person_to_act is not None
    return game.person_to_act.user_id


async def test_the_buttons_of_a_reminder_are_answered_in_private(table: Table) -> None:
    member = await player_to_move(table)
    other = next(user for user in table.members if user != member)
    assert is_sentence("calls.later", await press_reminder(table, member, Op.LATER))
    assert is_sentence("calls.remind", await press_reminder(table, member, Op.LATER, "3"))
    assert is_sentence("calls.hushed", await press_reminder(table, member, Op.HUSH))
    assert is_sentence("error.bad_hours", await press_reminder(table, member, Op.LATER, "9999"))
    assert is_sentence("error.not_your_turn_at", await press_reminder(table, other, Op.HUSH))
    assert is_sentence("calls.kept", await press_reminder(table, other, Op.KEEP))


async def test_reminders_are_answered_by_commands(table: Table) -> None:
    member = table.members[await player_to_move(table)]
    assert is_sentence("calls.remind", answer_to(await member.slash(table.place, "carc time remind", hours=3)))
    assert is_sentence("calls.hushed", answer_to(await member.slash(table.place, "carc time remind", hours=0)))
    assert is_sentence("calls.kept", answer_to(await member.slash(table.place, "carc time keep")))
