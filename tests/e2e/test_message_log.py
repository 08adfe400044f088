"""A test that fails shows what the members were told last."""

from pathlib import Path

import pytest

from tests.e2e import message_log
from tests.e2e.screen import Kind, buttons_by_kind, localized
from tests.e2e.table import open_table

pytestmark = pytest.mark.usefixtures("random_language")


async def test_the_newest_messages_with_their_readers_and_buttons(tmp_path: Path, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3") as table:
        await table.start(2)
        stranger = table.actors[2]
        card = table.card()
        play = buttons_by_kind(card.components)[Kind.PLAY][0]
        await table.press(stranger.id, card, play.custom_id)
        refusal = localized("error.not_a_player")  # as a bot that runs says it: a command can be pressed
    messages = message_log.newest_messages()
    assert "#carcassonne, to everybody:" in messages
    assert f"to {table.name_of(stranger)}:" in messages
    assert f"[{localized('button.play')}]" in messages
    assert refusal in messages
