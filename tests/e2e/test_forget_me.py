"""``/forget-me``: shows a member's stored data, and deletes it after confirmation.

`export` returns all rows about a user, by table. The command works in servers and in direct messages.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import simcord

from cogs.presenting.ids import Op
from host import GameStatus
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import nothing_changes
from tests.e2e.player import Shown, button_for
from tests.e2e.screen import localized, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of two."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def open_panel(table: Table, actor: simcord.MemberActor) -> Shown:
    """Send ``/forget-me`` and return the private panel."""
    result = (await actor.slash(table.place, "forget-me")).response
    assert result is not None
    assert result.ephemeral
    return Shown(result, result.components)


async def press_button(table: Table, actor: simcord.MemberActor, panel: Shown, op: Op) -> Shown:
    """Press the button of an operation on a panel."""
    button = button_for(panel, op)
    return await table.press(actor.id, panel, button.custom_id)


async def test_only_the_button_deletes_the_data(table: Table) -> None:
    ana = table.actors[0]
    with nothing_changes(table):
        panel = await open_panel(table, ana)
        assert words(panel.components).startswith(localized("forget.ask", count=1))
    answer = await press_button(table, ana, panel, Op.FORGET)
    assert localized("forget.done", count=1) in words(answer.components)
    game = table.stored()
    assert str(ana.id) not in json.dumps(await table.bot.host.erasure.export(ana.id), default=str)
    assert (await table.bot.host.games.get(game.code)).status is GameStatus.FINISHED
    again = await press_button(table, ana, await open_panel(table, ana), Op.FORGET)
    assert localized("forget.done", count=0) in words(again.components)


async def test_all_stored_data_of_the_member_can_be_downloaded(table: Table) -> None:
    ana, ben = table.actors[:2]
    panel = await open_panel(table, ana)
    with nothing_changes(table):
        shown = await press_button(table, ana, panel, Op.DATA)
    assert localized("forget.everything") in words(shown.components)
    exported = await table.bot.host.erasure.export(ana.id)
    assert [game["code"] for game in exported["games"]] == [table.stored().code]
    assert str(ben.id) not in json.dumps(exported, default=str)


async def test_the_command_works_in_direct_messages(table: Table) -> None:
    ana, by_message = table.actors[0], table.users[0]
    panel = (await by_message.slash("forget-me")).response
    assert panel is not None
    with nothing_changes(table):
        shown = await by_message.click(panel, label=localized("button.all_data"))
        await table.env.settle()
    assert localized("forget.everything") in answer_text(shown)
    answer = await by_message.click(panel, label=localized("button.forget_me"))
    await table.env.settle()
    assert localized("forget.done", count=1) in answer_text(answer)
    assert str(ana.id) not in json.dumps(await table.bot.host.erasure.export(ana.id), default=str)


def answer_text(result: simcord.InteractionResult) -> str:
    """Return the texts of all answers to an interaction."""
    answers = [*result.followups, *([result.response] if result.response else [])]
    return "\n".join(words(answer.components) for answer in answers)
