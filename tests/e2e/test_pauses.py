"""Pauses: requested in the thread, agreed to with buttons, announced, and ended by a player who agreed.

A pause holds all clocks of a game. It is requested by command or button; the others agree by a button of a public
question.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.presenting.ids import Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.player import button_for, offered_ops
from tests.e2e.screen import buttons, localized, says, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of three at the default pace."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(3)
        yield table
    assert recorder.problems() == []


def pause_question(days: int) -> str:
    """Return the question for a pause of this many days."""
    # The placeholders are cut off: only the part between the first two is the question itself.
    return localized("asking.pause_question", count=days, asker="|", voters="|", at="|", name="|", code="|").split("|")[
        1
    ]


async def test_all_players_agree_to_a_pause_and_one_ends_it(table: Table) -> None:
    ana, *others = table.actors[:3]
    before = table.card()
    await ana.slash(table.place, "carc time pause", days=5)
    await table.env.settle()
    question = table.card()
    earlier_card = table.env.backend.get_message(before.handle.channel_id, before.handle.id)
    assert Op.PLAY in offered_ops(earlier_card), "the game continues until all have agreed"
    assert pause_question(5) in words(question.components)
    agree = button_for(question, Op.AGREE)
    for actor in others:
        await table.press(actor.id, question, agree.custom_id)
    await table.env.settle()
    assert says(words(table.card().components), "card.paused_until")
    await others[0].slash(table.place, "carc time resume")
    await table.env.settle()
    text = words(table.card().components)
    assert says(text, "card.resumed")
    assert says(text, "card.deadline")


async def test_a_pause_is_requested_and_ended_by_buttons(table: Table) -> None:
    ana, ben, cleo = table.actors[:3]
    notes = await table.press(ana.id, table.card(), button_for(table.card(), Op.NOTES).custom_id)
    assert {Op.GIVE, Op.PAUSE} <= offered_ops(notes)
    panel = await table.press(ana.id, notes, button_for(notes, Op.PAUSE).custom_id)
    assert [button.label for button in buttons(panel.components)] == [
        localized("button.days", count=days) for days in (1, 3, 7, 14)
    ]
    request_panel = await table.press(ana.id, panel, buttons(panel.components)[1].custom_id)
    assert says(words(request_panel.components), "asking.asked")
    await table.env.settle()
    question = table.card()
    assert pause_question(3) in words(question.components)
    for actor in (ben, cleo):
        await table.press(actor.id, question, button_for(question, Op.AGREE).custom_id)
    await table.env.settle()
    paused_card = table.card()
    assert Op.RESUME in offered_ops(paused_card)
    stranger = await table.press(table.actors[3].id, paused_card, button_for(paused_card, Op.RESUME).custom_id)
    assert is_sentence("error.not_organiser", words(stranger.components))
    log = table.shown(await ben.slash(table.place, "carc log"))
    paused = await table.press(ben.id, log, button_for(log, Op.PAUSE).custom_id)
    assert says(words(paused.components), "pause.until")
    answer = await table.press(ben.id, paused, button_for(paused, Op.RESUME).custom_id)
    assert says(words(answer.components), "card.resumed")
    await table.env.settle()
    assert says(words(table.card().components), "card.resumed")
    again = await table.press(cleo.id, paused_card, button_for(paused_card, Op.RESUME).custom_id)
    assert is_sentence("error.not_paused", words(again.components))


async def test_refusals_are_private_and_change_nothing(table: Table) -> None:
    ana, stranger = table.actors[0], table.actors[3]
    code = table.stored().code
    with nothing_changes(table):
        for days in (0, 15):
            assert is_sentence("error.bad_pause", answer_to(await ana.slash(table.place, "carc time pause", days=days)))
        answer = answer_to(await stranger.slash(table.place, "carc time pause", days=3, game=code))
        assert is_sentence("error.not_organiser", answer)
        assert is_sentence("error.not_paused", answer_to(await ana.slash(table.place, "carc time resume")))
