"""A game whose place is closed to the bot: what is done and told, and how it goes on."""

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
from tests.e2e.test_posting import posted
from tests.e2e.test_rights import OtherServer

pytestmark = pytest.mark.usefixtures("random_language")

SHUT, GOES_ON, DEADLINE = "card.shut", "card.reopened", "card.deadline"


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """A game of two with clocks, in a thread."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", usual_pace="standard") as table:
        await table.start(2)
        await table.env.settle()
        yield table
    assert recorder.problems() == []


class Clocks(NamedTuple):
    """Whether the clocks of the newest game are held, and whether one of them runs."""

    held: bool
    running: bool


HELD, RUNNING = Clocks(held=True, running=False), Clocks(held=False, running=True)


def clocks(table: Table) -> Clocks:
    with closing(sqlite3.connect(table.database)) as file:
        rows = file.execute("select held, since from clocks order by game_id desc, seat").fetchall()
    return Clocks(all(held for held, _ in rows), any(since is not None for _, since in rows))


async def becomes(table: Table, wanted: Clocks) -> None:
    """Wait until the clocks stand still, or run."""
    async with asyncio.timeout(30):
        while clocks(table) != wanted:  # noqa: ASYNC110  # a file
            await asyncio.sleep(0.01)
    await table.env.settle()


def said_in(table: Table, channel: Any) -> list[str]:
    """What stands publicly in a channel."""
    messages = table.env.backend.messages.get(channel.id, {}).values()
    return [words(message.components) for message in messages if message.visible_to(None)]


def lock(table: Table, *, locked: bool, archived: bool = False) -> None:
    metadata = {"locked": locked, "archived": archived}
    table.env.backend.edit_channel(table.place.id, {}, thread_metadata=metadata)


def deny(table: Table, *permissions: str) -> None:
    denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
    me = table.env.backend.bot_user.id
    table.env.backend.set_overwrite(
        table.channel.id, Overwrite(target_id=me, type=OverwriteType.MEMBER, allow=0, deny=denied)
    )


async def move_typed(table: Table, place: Any) -> str:
    """Whoever is next moves as text, from some channel; what he is told."""
    stored = table.stored()
    mover = table.members[stored.seats[stored.replayed().player]]
    offered = await mover.autocomplete(place, "carc play", "move", "", game=stored.code)
    done = await mover.slash(place, "carc play", move=offered[0]["value"], game=stored.code)
    await table.env.settle()
    return words(table.shown(done).components)


async def test_a_thread_that_is_deleted(table: Table) -> None:
    assert clocks(table) == RUNNING
    before = table.stored().posts
    table.env.backend.delete_channel(table.place.id)
    await becomes(table, HELD)
    told = said_in(table, table.channel)[-1]
    assert says(told, SHUT)
    shown = [message for message in table.env.backend.messages[table.channel.id].values() if message.components]
    assert set(mentioned_users(shown[-1].components)) == {table.actors[0].id, table.actors[1].id}
    assert clocks(table) == HELD, "a notice is no card"
    await table.restart()
    await table.env.settle()
    assert clocks(table) == HELD
    ana = table.actors[0]
    here = table.channel.guild.create_text_channel("here")  # type: ignore[union-attr]
    await ana.slash(here, "carc here", game=table.stored().code)
    await becomes(table, RUNNING)
    cards = [text for text in said_in(table, here) if says(text, GOES_ON)]
    assert len(cards) == 1
    assert says(cards[0], DEADLINE)
    assert len([post for post in table.stored().posts if post.kind == "reopened"]) == 1
    assert len(before) < len(table.stored().posts)


async def test_a_move_from_elsewhere_lets_the_clocks_go_where_the_game_was_opened(table: Table) -> None:
    table.env.backend.delete_channel(table.place.id)
    await table.env.settle()
    await move_typed(table, table.channel)
    assert clocks(table) == RUNNING
    assert says(said_in(table, table.channel)[-1], DEADLINE)


async def test_a_thread_that_is_locked_and_opened_again(table: Table) -> None:
    before = table.card()
    lock(table, locked=True)
    await becomes(table, HELD)
    assert says(said_in(table, table.channel)[-1], SHUT)
    lock(table, locked=False)
    await becomes(table, RUNNING)
    assert says(words(table.card().components), GOES_ON)
    assert mentioned_users(table.card().components)
    assert not buttons(table.env.backend.get_message(before.handle.channel_id, before.handle.id).components)
    await Clicker(table, Random(1), Habits(quick=True)).move(table.card())
    await table.env.settle()
    assert table.stored().ply > 0
    assert clocks(table) == RUNNING


async def test_a_card_goes_where_the_game_was_opened_while_its_thread_is_locked(table: Table) -> None:
    lock(table, locked=True)
    await becomes(table, HELD)
    there = len(table.cards())
    await move_typed(table, table.channel)
    await becomes(table, RUNNING)
    assert says(said_in(table, table.channel)[-1], DEADLINE)
    await table.restart()
    await table.env.settle()
    assert clocks(table) == RUNNING, "its card stands there"
    assert len(table.cards()) == there
    lock(table, locked=False)
    await table.env.settle()
    await move_typed(table, table.channel)
    await becomes(table, RUNNING)
    assert len(table.cards()) == there + 1


async def test_a_thread_that_is_locked_twice_in_a_moment(table: Table) -> None:
    for _ in range(2):
        lock(table, locked=True)
        await becomes(table, HELD)
        lock(table, locked=False)
        await becomes(table, RUNNING)
    assert len([text for text in said_in(table, table.place) if says(text, GOES_ON)]) == 2


async def test_a_thread_that_is_archived_pauses_nothing(table: Table) -> None:
    lock(table, locked=False, archived=True)
    await table.env.settle()
    assert clocks(table) == RUNNING
    there = len(table.cards())
    await move_typed(table, table.channel)
    assert len(table.cards()) == there + 1
    assert clocks(table) == RUNNING
    lock(table, locked=True, archived=True)
    await becomes(table, HELD)


async def test_a_channel_in_which_the_bot_may_not_write(table: Table) -> None:
    deny(table, "send_messages_in_threads", "send_messages")
    await becomes(table, HELD)
    there = len(table.cards())
    await table.restart()
    assert clocks(table) == HELD
    deny(table)
    await becomes(table, RUNNING)
    assert len(table.cards()) == there + 1
    assert says(words(table.card().components), GOES_ON)


async def test_a_card_that_is_refused_stops_the_clocks_until_it_is_there(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = discord.abc.Messageable.send
    response = type("Response", (), {"status": 403, "reason": "Forbidden"})()

    async def refusing(_self: Any, *_args: Any, **_message: Any) -> Any:
        raise discord.Forbidden(response, {"code": 50013, "message": "Missing Permissions"})

    monkeypatch.setattr(discord.abc.Messageable, "send", refusing)
    await move_typed(table, table.channel)
    await posted(table)
    assert clocks(table) == HELD
    monkeypatch.setattr(discord.abc.Messageable, "send", send)
    table.bot.publisher.try_again()
    await becomes(table, RUNNING)
    assert not says(words(table.card().components), GOES_ON), "it is the card of the move"


async def test_a_server_from_which_the_bot_is_removed(table: Table) -> None:
    table.env.backend.remove_guild(table.channel.guild.id)  # type: ignore[union-attr]
    await becomes(table, HELD)
    await table.restart()
    assert clocks(table) == HELD


async def test_a_server_that_invites_the_bot_again(table: Table) -> None:
    backend, guild_id = table.env.backend, table.channel.guild.id  # type: ignore[union-attr]
    before = len(said_in(table, table.place))
    backend.emit("GUILD_DELETE", {"id": str(guild_id)})
    await becomes(table, HELD)
    assert len(said_in(table, table.place)) == before, "nothing can be told there"
    joined = dict(serializers.guild_create_payload(backend, backend.get_guild(guild_id)))
    del joined["unavailable"]  # Discord says it of a server that comes back, not of one that is new
    backend.emit("GUILD_CREATE", joined)
    await becomes(table, RUNNING)
    assert says(words(table.card().components), GOES_ON)
    assert any(button.key.op is Op.PLAY for button in buttons(table.card().components)), "it is played on from here"
    assert len(said_in(table, table.place)) == before + 1
    ply = table.stored().ply
    await move_typed(table, table.place)
    assert table.stored().ply > ply
    assert clocks(table) == RUNNING


async def test_a_server_that_fails_for_a_while(table: Table) -> None:
    guild = table.bot.get_guild(table.channel.guild.id)  # type: ignore[union-attr]
    assert guild is not None
    table.env.backend.emit("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
    await table.env.settle()
    assert clocks(table) == RUNNING


async def test_what_happened_while_the_bot_was_away(table: Table) -> None:
    await table.env.settle()
    backend = table.env.backend
    thread = backend.channels.pop(table.place.id)
    backend.messages.pop(table.place.id)
    guild = backend.get_guild(thread.guild_id or 0)
    guild.thread_ids.remove(table.place.id)
    assert clocks(table) == RUNNING
    await table.restart()
    await becomes(table, HELD)
    assert says(said_in(table, table.channel)[-1], SHUT)


# -- another server ------------------------------------------------------------------------------------------------


async def test_the_game_goes_on_in_another_server(table: Table) -> None:
    elsewhere, stored = OtherServer(table), table.stored()
    ana = elsewhere.member(0)
    old, there = table.card(), len(table.cards())
    with nothing_changes(table):
        refused = await ana.slash(elsewhere.channel, "carc here", game=stored.code)
        assert answer_to(refused) == localized("error.not_members", players="Ben")
    ben = elsewhere.member(1)
    done = await ana.slash(elsewhere.channel, "carc here", game=stored.code)
    assert says(answer_to(done), "here.done")
    await table.env.settle()
    assert "The Town" not in said_in(table, table.place)[-1]
    assert f"discord.com/channels/{elsewhere.guild.id}/{elsewhere.channel.id}" in said_in(table, table.place)[-1]
    assert len(table.cards()) == there + 1
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
    assert says(said_in(table, elsewhere.channel)[-1], DEADLINE)
    assert clocks(table) == RUNNING


async def test_a_game_whose_server_has_sent_the_bot_away_goes_on_elsewhere(table: Table) -> None:
    elsewhere, code = OtherServer(table), table.stored().code
    ana, cleo = elsewhere.member(0), elsewhere.member(2)
    table.env.backend.remove_guild(table.channel.guild.id)  # type: ignore[union-attr]
    await becomes(table, HELD)
    assert answer_to(await ana.slash(elsewhere.channel, "carc here", game=code)) == localized(
        "error.not_members", players="Ben"
    )
    stranger = answer_to(await cleo.slash(elsewhere.channel, "carc here", game=code))
    assert is_sentence("error.unknown_game", stranger)
    elsewhere.member(1)
    await ana.slash(elsewhere.channel, "carc here", game=code)
    await becomes(table, RUNNING)
    assert says("".join(said_in(table, elsewhere.channel)), GOES_ON)
