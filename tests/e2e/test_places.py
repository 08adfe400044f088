"""Inaccessible channels: the clocks stop, the players are told, and the game continues elsewhere or once reopened.

A game's place is its thread or channel. It is closed while the bot cannot post there, because it was deleted or a
permission is missing; all clocks are held meanwhile.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import discord
import pytest
from simcord.backend import serializers
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from cogs.presenting.ids import Key, Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import answer_to, answer_to_press, is_sentence, nothing_changes
from tests.e2e.player import Clicker, Habits
from tests.e2e.raw_interactions import send_press
from tests.e2e.screen import buttons, localized, mentioned_users, says, words
from tests.e2e.table import Table, open_table
from tests.e2e.test_posting import wait_until_posted
from tests.e2e.test_rights import OtherServer

pytestmark = pytest.mark.usefixtures("random_language")

CLOSED_KEY, REOPENED_KEY, DEADLINE_KEY = "card.shut", "card.reopened", "card.deadline"
"""Keys of texts on cards."""


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a game of two with clocks, in a thread."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(2)
        await table.env.settle()
        yield table
    assert recorder.problems() == []


class ClockState(NamedTuple):
    """The state of the newest game's clocks: all held, or one of them running."""

    held: bool
    running: bool


CLOCKS_HELD, CLOCKS_RUNNING = ClockState(held=True, running=False), ClockState(held=False, running=True)
"""The states before and after a place is closed."""


def clock_state(table: Table) -> ClockState:
    """Read the state of the newest game's clocks from the database."""
    with closing(sqlite3.connect(table.database)) as file:
        rows = file.execute("select held, since from clocks order by game_id desc, seat").fetchall()
    return ClockState(all(is_held for is_held, _ in rows), any(since is not None for _, since in rows))


async def wait_for_clocks(table: Table, wanted: ClockState) -> None:
    """Wait until the clocks have this state."""
    async with asyncio.timeout(30):
        while clock_state(table) != wanted:  # noqa: ASYNC110  # SQLite does not notify readers
            await asyncio.sleep(0.01)
    await table.env.settle()


def public_texts(table: Table, channel: Any) -> list[str]:
    """Return the public texts of a channel."""
    messages = table.env.backend.messages.get(channel.id, {}).values()
    return [words(message.components) for message in messages if message.visible_to(None)]


def set_thread_state(table: Table, *, locked: bool, archived: bool = False) -> None:
    """Lock, unlock or archive the game's thread."""
    metadata = {"locked": locked, "archived": archived}
    table.env.backend.edit_channel(table.place.id, {}, thread_metadata=metadata)


def deny_permissions(table: Table, *permissions: str) -> None:
    """Deny the bot permissions in the channel; without arguments, restore all."""
    denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
    me = table.env.backend.bot_user.id
    table.env.backend.set_overwrite(
        table.channel.id, Overwrite(target_id=me, type=OverwriteType.MEMBER, allow=0, deny=denied)
    )


async def type_move(table: Table, place: Any) -> str:
    """Let the next player type a move in a channel; return the answer."""
    stored = table.stored()
    mover = table.members[stored.seats[stored.replayed().player]]
    offered = await mover.autocomplete(place, "carc play", "move", "", game=stored.code)
    answer = await mover.slash(place, "carc play", move=offered[0]["value"], game=stored.code)
    await table.env.settle()
    return words(table.shown(answer).components)


async def test_a_deleted_thread_holds_the_clocks_until_the_game_moves(table: Table) -> None:
    assert clock_state(table) == CLOCKS_RUNNING
    before = table.stored().posts
    table.env.backend.delete_channel(table.place.id)
    await wait_for_clocks(table, CLOCKS_HELD)
    notice = public_texts(table, table.channel)[-1]
    assert says(notice, CLOSED_KEY)
    shown = [message for message in table.env.backend.messages[table.channel.id].values() if message.components]
    assert set(mentioned_users(shown[-1].components)) == {table.actors[0].id, table.actors[1].id}
    assert clock_state(table) == CLOCKS_HELD, "a notice does not restart the clocks"
    await table.restart()
    await table.env.settle()
    assert clock_state(table) == CLOCKS_HELD
    ana = table.actors[0]
    new_channel = table.channel.guild.create_text_channel("here")  # type: ignore[union-attr]
    await ana.slash(new_channel, "carc here", game=table.stored().code)
    await wait_for_clocks(table, CLOCKS_RUNNING)
    cards = [text for text in public_texts(table, new_channel) if says(text, REOPENED_KEY)]
    assert len(cards) == 1
    assert says(cards[0], DEADLINE_KEY)
    assert len([post for post in table.stored().posts if post.kind == "reopened"]) == 1
    assert len(before) < len(table.stored().posts)


async def test_a_move_typed_elsewhere_restarts_the_clocks_in_the_original_channel(table: Table) -> None:
    table.env.backend.delete_channel(table.place.id)
    await table.env.settle()
    await type_move(table, table.channel)
    assert clock_state(table) == CLOCKS_RUNNING
    assert says(public_texts(table, table.channel)[-1], DEADLINE_KEY)


async def test_a_locked_thread_holds_the_clocks_until_it_is_unlocked(table: Table) -> None:
    before = table.card()
    set_thread_state(table, locked=True)
    await wait_for_clocks(table, CLOCKS_HELD)
    assert says(public_texts(table, table.channel)[-1], CLOSED_KEY)
    set_thread_state(table, locked=False)
    await wait_for_clocks(table, CLOCKS_RUNNING)
    assert says(words(table.card().components), REOPENED_KEY)
    assert mentioned_users(table.card().components)
    assert not buttons(table.env.backend.get_message(before.handle.channel_id, before.handle.id).components)
    await Clicker(table, Random(1), Habits(quick=True)).move(table.card())
    await table.env.settle()
    assert table.stored().ply > 0
    assert clock_state(table) == CLOCKS_RUNNING


async def test_cards_go_to_the_original_channel_while_the_thread_is_locked(table: Table) -> None:
    set_thread_state(table, locked=True)
    await wait_for_clocks(table, CLOCKS_HELD)
    card_count = len(table.cards())
    await type_move(table, table.channel)
    await wait_for_clocks(table, CLOCKS_RUNNING)
    assert says(public_texts(table, table.channel)[-1], DEADLINE_KEY)
    await table.restart()
    await table.env.settle()
    assert clock_state(table) == CLOCKS_RUNNING, "its card is in the channel"
    assert len(table.cards()) == card_count
    set_thread_state(table, locked=False)
    await table.env.settle()
    await type_move(table, table.channel)
    await wait_for_clocks(table, CLOCKS_RUNNING)
    assert len(table.cards()) == card_count + 1


async def test_each_of_two_quick_locks_is_reported(table: Table) -> None:
    for _ in range(2):
        set_thread_state(table, locked=True)
        await wait_for_clocks(table, CLOCKS_HELD)
        set_thread_state(table, locked=False)
        await wait_for_clocks(table, CLOCKS_RUNNING)
    assert len([text for text in public_texts(table, table.place) if says(text, REOPENED_KEY)]) == 2


async def test_an_archived_thread_does_not_hold_the_clocks(table: Table) -> None:
    set_thread_state(table, locked=False, archived=True)
    await table.env.settle()
    assert clock_state(table) == CLOCKS_RUNNING
    card_count = len(table.cards())
    await type_move(table, table.channel)
    assert len(table.cards()) == card_count + 1
    assert clock_state(table) == CLOCKS_RUNNING
    set_thread_state(table, locked=True, archived=True)
    await wait_for_clocks(table, CLOCKS_HELD)


async def test_missing_write_permissions_hold_the_clocks(table: Table) -> None:
    deny_permissions(table, "send_messages_in_threads", "send_messages")
    await wait_for_clocks(table, CLOCKS_HELD)
    card_count = len(table.cards())
    await table.restart()
    assert clock_state(table) == CLOCKS_HELD
    deny_permissions(table)
    await wait_for_clocks(table, CLOCKS_RUNNING)
    assert len(table.cards()) == card_count + 1
    assert says(words(table.card().components), REOPENED_KEY)


async def test_a_refused_card_holds_the_clocks_until_it_is_posted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = discord.abc.Messageable.send
    response = type("Response", (), {"status": 403, "reason": "Forbidden"})()

    async def refuse(_self: Any, *_args: Any, **_message: Any) -> Any:
        """Refuse a message as Discord does without the permission."""
        raise discord.Forbidden(response, {"code": 50013, "message": "Missing Permissions"})

    monkeypatch.setattr(discord.abc.Messageable, "send", refuse)
    await type_move(table, table.channel)
    await wait_until_posted(table)
    assert clock_state(table) == CLOCKS_HELD
    monkeypatch.setattr(discord.abc.Messageable, "send", send)
    table.bot.publisher.try_again()
    await wait_for_clocks(table, CLOCKS_RUNNING)
    assert not says(words(table.card().components), REOPENED_KEY), "the card of the move suffices"


async def test_removal_from_the_server_holds_the_clocks(table: Table) -> None:
    table.env.backend.remove_guild(table.channel.guild.id)  # type: ignore[union-attr]
    await wait_for_clocks(table, CLOCKS_HELD)
    await table.restart()
    assert clock_state(table) == CLOCKS_HELD


async def test_a_new_invitation_reopens_the_game(table: Table) -> None:
    backend, guild_id = table.env.backend, table.channel.guild.id  # type: ignore[union-attr]
    before = len(public_texts(table, table.place))
    backend.emit("GUILD_DELETE", {"id": str(guild_id)})
    await wait_for_clocks(table, CLOCKS_HELD)
    assert len(public_texts(table, table.place)) == before, "the bot cannot post there"
    joined = dict(serializers.guild_create_payload(backend, backend.get_guild(guild_id)))
    del joined["unavailable"]  # Discord sends this field for a server that becomes available, not for a joined one
    backend.emit("GUILD_CREATE", joined)
    await wait_for_clocks(table, CLOCKS_RUNNING)
    assert says(words(table.card().components), REOPENED_KEY)
    assert any(button.key.op is Op.PLAY for button in buttons(table.card().components)), "the card can be used"
    assert len(public_texts(table, table.place)) == before + 1
    ply = table.stored().ply
    await type_move(table, table.place)
    assert table.stored().ply > ply
    assert clock_state(table) == CLOCKS_RUNNING


async def test_an_unavailable_server_does_not_hold_the_clocks(table: Table) -> None:
    guild = table.bot.get_guild(table.channel.guild.id)  # type: ignore[union-attr]
    assert guild is not None
    table.env.backend.emit("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
    await table.env.settle()
    assert clock_state(table) == CLOCKS_RUNNING


async def test_a_thread_deleted_while_the_bot_was_down_is_noticed_at_the_start(table: Table) -> None:
    await table.env.settle()
    backend = table.env.backend
    thread = backend.channels.pop(table.place.id)
    backend.messages.pop(table.place.id)
    guild = backend.get_guild(thread.guild_id or 0)
    guild.thread_ids.remove(table.place.id)
    assert clock_state(table) == CLOCKS_RUNNING
    await table.restart()
    await wait_for_clocks(table, CLOCKS_HELD)
    assert says(public_texts(table, table.channel)[-1], CLOSED_KEY)


# -- another server ------------------------------------------------------------------------------------------------


async def test_a_game_moves_to_another_server(table: Table) -> None:
    elsewhere, stored = OtherServer(table), table.stored()
    ana = elsewhere.member(0)
    old, card_count = table.card(), len(table.cards())
    with nothing_changes(table):
        refused = await ana.slash(elsewhere.channel, "carc here", game=stored.code)
        assert answer_to(refused) == localized("error.not_members", players="Ben")
    ben = elsewhere.member(1)
    answer = await ana.slash(elsewhere.channel, "carc here", game=stored.code)
    assert says(answer_to(answer), "here.done")
    await table.env.settle()
    assert "The Town" not in public_texts(table, table.place)[-1]
    assert f"discord.com/channels/{elsewhere.guild.id}/{elsewhere.channel.id}" in public_texts(table, table.place)[-1]
    assert len(table.cards()) == card_count + 1
    mover = table.members[stored.seats[stored.replayed().player]]
    with nothing_changes(table):
        pressed = send_press(table.env, mover, old.handle, str(Key(Op.PLAY, stored.code, 0)))
        await table.env.settle()
        assert answer_to_press(pressed).startswith(localized("refusal.moved_away", link="|").split("|")[0])
    player = ana if mover.id == ana.id else ben
    offered = await player.autocomplete(elsewhere.channel, "carc play", "move", "")
    await player.slash(elsewhere.channel, "carc play", move=offered[0]["value"])
    await table.env.settle()
    assert table.stored().ply > 0
    assert says(public_texts(table, elsewhere.channel)[-1], DEADLINE_KEY)
    assert clock_state(table) == CLOCKS_RUNNING


async def test_a_game_moves_away_from_a_server_that_removed_the_bot(table: Table) -> None:
    elsewhere, code = OtherServer(table), table.stored().code
    ana, cleo = elsewhere.member(0), elsewhere.member(2)
    table.env.backend.remove_guild(table.channel.guild.id)  # type: ignore[union-attr]
    await wait_for_clocks(table, CLOCKS_HELD)
    assert answer_to(await ana.slash(elsewhere.channel, "carc here", game=code)) == localized(
        "error.not_members", players="Ben"
    )
    stranger = answer_to(await cleo.slash(elsewhere.channel, "carc here", game=code))
    assert is_sentence("error.unknown_game", stranger)
    elsewhere.member(1)
    await ana.slash(elsewhere.channel, "carc here", game=code)
    await wait_for_clocks(table, CLOCKS_RUNNING)
    assert says("".join(public_texts(table, elsewhere.channel)), REOPENED_KEY)
