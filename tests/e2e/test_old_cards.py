"""Old cards become read-only: after the next move, a restart, or a move to another channel.

A card is a public message about a move. It becomes read-only by an edit that removes its buttons and keeps texts and
pictures.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
import simcord

from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.screen import alt_texts, buttons, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a started game of two; all requests have to keep Discord's limits."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def move(table: Table) -> None:
    """Let the next player move."""
    await Clicker(table, Random(1), Habits(quick=True)).move(table.card())
    await table.env.settle()


def reread(table: Table, shown: Shown) -> Shown:
    """Return the current state of a message."""
    message = table.env.backend.get_message(shown.handle.channel_id, shown.handle.id)
    return Shown(simcord.ResponseMessage(table.env, message), message.components)


def is_read_only(before: Shown, after: Shown) -> bool:
    """Check that a card kept its text and pictures; return whether its buttons are gone."""
    assert buttons(before.components)
    assert words(after.components) == words(before.components)
    assert list(alt_texts(after.components)) == list(alt_texts(before.components))
    return not buttons(after.components)


@pytest.mark.parametrize("restart", [False, True])
async def test_a_card_loses_its_buttons_at_the_next_move(table: Table, *, restart: bool) -> None:
    await move(table)
    card = table.card()
    assert list(alt_texts(card.components))
    if restart:
        await table.restart()
    await move(table)
    assert is_read_only(card, reread(table, card))
    assert buttons(table.card().components)


async def test_an_old_card_keeps_its_attachments(table: Table) -> None:
    await move(table)
    card = table.card()
    attachments = table.env.backend.get_message(card.handle.channel_id, card.handle.id).attachments
    await move(table)
    assert table.env.backend.get_message(card.handle.channel_id, card.handle.id).attachments == attachments != []


@pytest.mark.parametrize("restart", [False, True])
async def test_the_copy_in_another_channel_becomes_the_newest_card(table: Table, *, restart: bool) -> None:
    await move(table)
    card, ana = table.card(), table.actors[0]
    if restart:
        await table.restart()
    await ana.slash(table.channel, "carc here", game=table.stored().code)
    await table.env.settle()
    copy = table.channel.last_message
    assert copy is not None
    assert is_read_only(card, reread(table, card))
    assert table.stored().posts[-1].message_id == copy.id
    result = await ana.slash(table.channel, "carc games")
    assert result.response is not None
    assert f"/{table.channel.id}/{copy.id}" in words(result.response.components)
    table.place = table.channel
    copied = table.card()
    await move(table)
    assert is_read_only(copied, reread(table, copied))


async def test_a_deleted_card_does_not_block_the_game(table: Table) -> None:
    await move(table)
    stored = table.stored()
    player = table.members[stored.seats[stored.replayed().player]]
    table.env.backend.messages[table.place.id].pop(table.card().handle.id)
    offered = await player.autocomplete(table.place, "carc play", "move", "")
    await player.slash(table.place, "carc play", move=offered[0]["value"])
    assert table.stored().ply > stored.ply
    assert buttons(table.card().components)
