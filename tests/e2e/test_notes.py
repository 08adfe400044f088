"""Private notes: written, stored, appended to, and visible to their writer alone.

The notes of a member about a game are shown in a private panel and changed in a modal, a form of Discord's.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.commands.notes import TEXT_FIELD
from cogs.presenting.ids import Key, Op
from host import MAX_NOTE_LENGTH
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.player import Shown, button_for
from tests.e2e.raw_interactions import send_modal, send_press
from tests.e2e.screen import buttons, localized, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")

NOTE = "Ben wants **C3**.\n@everyone keeps a bridge"
"""A note with markup and a mention, neither of which may take effect."""


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of two."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def open_notes(table: Table, user_id: int) -> Shown:
    """Open the notes panel from the newest card."""
    button = button_for(table.card(), Op.NOTES)
    return await table.press(user_id, table.card(), button.custom_id)


async def write_notes(table: Table, user_id: int, text: str) -> Shown:
    """Replace a member's notes by the modal of their panel."""
    panel = await open_notes(table, user_id)
    modal = await table.press(user_id, panel, buttons(panel.components)[0].custom_id)
    assert modal.modal
    return await table.submit(user_id, modal, {TEXT_FIELD: text})


async def test_notes_are_visible_to_their_writer_alone(table: Table) -> None:
    ana, ben = table.actors[:2]
    with nothing_changes(table):
        assert NOTE in words((await write_notes(table, ana.id, NOTE)).components)
        assert NOTE not in words((await open_notes(table, ben.id)).components)
    await table.restart()
    assert NOTE in answer_to(await ana.slash(table.place, "carc notes"))
    assert answer_to(await ben.slash(table.place, "carc notes")).endswith(localized("notes.none"))
    assert f"{NOTE}\nmore" in answer_to(await ana.slash(table.place, "carc notes", write="more"))
    assert localized("notes.none") in words((await write_notes(table, ana.id, "  \n ")).components)


async def test_long_notes_and_strangers_are_refused(table: Table) -> None:
    ana, stranger = table.actors[0], table.actors[3]
    await write_notes(table, ana.id, "x" * MAX_NOTE_LENGTH)
    assert is_sentence("error.note_too_long", answer_to(await ana.slash(table.place, "carc notes", write="y")))
    code = table.stored().code
    assert is_sentence("error.not_a_player", words((await open_notes(table, stranger.id)).components))
    assert is_sentence("error.not_a_player", answer_to(await stranger.slash(table.place, "carc notes", game=code)))
    for sent in (
        send_press(table.env, ana, table.card().handle, str(Key(Op.NOTE, code)), offered=False),
        send_modal(table.env, ana, table.card().handle, str(Key(Op.NOTED, code))),
    ):
        await table.env.settle()
        assert is_sentence("refusal.unknown_button", sent.text)
    assert "x" * MAX_NOTE_LENGTH in words((await open_notes(table, ana.id)).components)
