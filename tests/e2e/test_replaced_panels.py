"""A new private panel replaces an older one: the panel that it was opened from, or the last one opened from a card.

A card is a public message about a move; only panels of the same game are replaced. A panel that reports the result of a
move, or can still undo it, is not replaced.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from cogs.presenting.ids import Key, Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import is_sentence
from tests.e2e.player import Clicker, Habits, Shown, button_for, offered_ops
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import Kind, buttons_by_kind, localized, mentioned_users, says, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Table]:
    """Yield a game of two; Discord lets all panels be deleted, and moves wait for a minute."""
    monkeypatch.setattr("discord.Interaction.is_expired", lambda _: False)  # the offline Discord has its own clock
    async with open_table(tmp_path / "games.sqlite3", seed="one", publish_window=timedelta(seconds=60)) as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def open_from_card(table: Table, op: Op) -> Shown:
    """Let the member to move open a panel from the newest card."""
    card = table.card()
    shown = await table.press(mover(table), card, button_for(card, op).custom_id)
    await table.env.settle()
    return shown


def mover(table: Table) -> int:
    """Return the id of the member whose turn it is."""
    return mentioned_users(table.card().components)[0]


def exists(table: Table, panel: Shown) -> bool:
    """Return whether a private panel has not been deleted."""
    messages = table.env.backend.messages.get(panel.handle.channel_id, {})
    return panel.handle.id in messages


async def press(table: Table, panel: Shown, op: Op) -> Shown:
    """Press a button of a panel; return the panel afterwards."""
    return await table.press(mover(table), panel, button_for(panel, op).custom_id)


async def test_a_panel_opened_from_a_card_replaces_the_last_one(table: Table) -> None:
    composer = await open_from_card(table, Op.PLAY)
    board = await open_from_card(table, Op.BOARD)
    assert [exists(table, composer), exists(table, board)] == [False, True]
    composer = await open_from_card(table, Op.PLAY)
    assert [exists(table, board), exists(table, composer)] == [False, True]


async def test_a_panel_opened_from_a_panel_takes_its_place(table: Table) -> None:
    board = await open_from_card(table, Op.BOARD)
    in_words = await press(table, board, Op.WORDS)
    assert in_words.handle.id == board.handle.id
    composer = await press(table, in_words, Op.PLAY)
    assert composer.handle.id == board.handle.id
    assert Op.PLAN in offered_ops(composer)
    stored = table.env.backend.get_message(board.handle.channel_id, board.handle.id)
    assert len(stored.attachments) == 1, "the picture of the composer alone"


async def test_panels_of_different_members_do_not_replace_each_other(table: Table) -> None:
    composer, card = await open_from_card(table, Op.PLAY), table.card()
    other = next(member for member in list(table.members)[:2] if member != mover(table))
    await table.press(other, card, button_for(card, Op.BOARD).custom_id)
    await table.env.settle()
    assert exists(table, composer)


async def test_a_sent_move_can_be_undone_after_another_panel_was_opened(table: Table) -> None:
    clicker = Clicker(table, Random(1), Habits())
    await clicker.move(table.card())
    sent = clicker.last
    assert sent is not None
    await open_from_card(table, Op.BOARD)
    assert exists(table, sent)
    assert Op.PLAN in offered_ops(await press(table, sent, Op.UNDO))


async def test_an_old_panel_that_cannot_be_deleted_says_that_it_is_out_of_date(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discord.Interaction.is_expired", lambda _: True)
    old = await open_from_card(table, Op.PLAY)
    newer = await open_from_card(table, Op.PLAY)
    spot = buttons_by_kind(old.components)[Kind.SPOT][0]
    after = await table.press(mover(table), old, spot.custom_id)
    assert words(after.components) == localized("refusal.outdated_panel")
    assert offered_ops(after) == set()
    laid = await table.press(mover(table), newer, spot.custom_id)
    assert Kind.FOLLOWER in buttons_by_kind(laid.components)


async def test_an_old_panel_is_current_again_after_a_restart(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A restarted bot remembers no panel; it knows what a button does from the custom id alone."""
    monkeypatch.setattr("discord.Interaction.is_expired", lambda _: True)
    old = await open_from_card(table, Op.PLAY)
    await open_from_card(table, Op.PLAY)
    await table.restart()
    laid = await table.press(mover(table), old, buttons_by_kind(old.components)[Kind.SPOT][0].custom_id)
    assert Kind.FOLLOWER in buttons_by_kind(laid.components)


@pytest.mark.parametrize(
    ("op", "argument", "key"),
    [
        (Op.MODE, "careful p0", "panel.spots"),
        (Op.MODE, "quick p0", "panel.spots"),
        (Op.PLAN, "p7", "panel.spots"),
        (Op.PLAN, "", "panel.spots"),
        (Op.PLAN, "z9", "refusal.unknown_button"),
        (Op.PUBLISH, "", "error.nothing_waits"),
    ],
)
async def test_buttons_of_earlier_versions_still_answer(table: Table, op: Op, argument: str, key: str) -> None:
    """A panel posted before an update shows the composer, or says why it does not."""
    composer, stored = await open_from_card(table, Op.PLAY), table.stored()
    old = str(Key(op, stored.code, stored.ply, argument))
    sent = send_press(table.env, table.members[mover(table)], composer.handle, old)
    await table.env.settle()
    stored_panel = table.env.backend.get_message(composer.handle.channel_id, composer.handle.id)
    shown = last_answer(sent) if key.startswith(("refusal", "error")) else words(stored_panel.components)
    assert says(shown, key)
    assert table.stored().ply == stored.ply


async def test_a_move_of_an_earlier_version_is_made(table: Table) -> None:
    """Earlier versions put numbers on the buttons of figures; the custom ids have not changed."""
    composer, stored = await open_from_card(table, Op.PLAY), table.stored()
    spot = buttons_by_kind(composer.components)[Kind.SPOT][0]
    old = str(Key(Op.GO, stored.code, stored.ply, f"{spot.key.argument} pass"))
    send_press(table.env, table.members[mover(table)], composer.handle, old)
    await table.env.settle()
    panel = table.env.backend.get_message(composer.handle.channel_id, composer.handle.id)
    assert says(words(panel.components), "panel.waits")


async def test_a_panel_of_another_member_is_of_no_use(table: Table) -> None:
    composer, stored = await open_from_card(table, Op.PLAY), table.stored()
    other = next(member for member in list(table.members)[:2] if member != mover(table))
    for op, argument in ((Op.PLAN, "p0"), (Op.GO, "M14/0 pass"), (Op.MODE, "quick p0"), (Op.ACT, "pass")):
        key = Key(op, stored.code, stored.ply, argument)
        forged = send_press(table.env, table.members[other], composer.handle, str(key))
        await table.env.settle()
        assert is_sentence("error.not_your_turn_at", last_answer(forged))
    assert table.stored().ply == stored.ply
