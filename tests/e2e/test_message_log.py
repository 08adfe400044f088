"""The report of a failed test contains the newest messages.

The report lists for each message its channel, its reader, its texts and the labels of its buttons.
"""

from pathlib import Path

import pytest

from tests.e2e import message_log
from tests.e2e.screen import Kind, buttons_by_kind, localized
from tests.e2e.table import open_table

pytestmark = pytest.mark.usefixtures("random_language")


async def test_the_report_lists_the_newest_messages_with_readers_and_buttons(tmp_path: Path, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3") as table:
        await table.start(2)
        stranger = table.actors[2]
        card = table.card()
        play = buttons_by_kind(card.components)[Kind.PLAY][0]
        await table.press(stranger.id, card, play.custom_id)
        refusal = localized("error.not_a_player")  # looked up while the bot runs: command mentions need its command ids
    messages = message_log.newest_messages()
    assert "#carcassonne, to everybody:" in messages
    assert f"to {table.name_of(stranger)}:" in messages
    assert f"[{localized('button.play')}]" in messages
    assert refusal in messages
