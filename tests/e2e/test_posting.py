"""Cards that cannot be shown as they are or where they belong, and games that were put back to an earlier move."""

import asyncio
import logging
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import MagicMock

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from cogs.presenting.ids import Key, Op, card_marker
from cogs.presenting.presenter import Presenter
from engine.selfplay import random_action
from tests.discord_limits.recorder import Recorder
from tests.e2e.fast_forward import play_decision
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.screen import alt_texts, buttons, localized, mentioned_users, says, words
from tests.e2e.table import Table, build_bot, close_bot, open_table

pytestmark = pytest.mark.usefixtures("random_language")

REFERENCE = re.compile(r"\b([0-9A-F]{8})\b")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """A game of two that has begun; whatever is sent must keep Discord's limits."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2, expansions="base")
        yield table
    assert recorder.problems() == []


async def move(table: Table) -> Shown:
    """Whoever is next makes a move in the card's way; what he is shown in the end."""
    clicker = Clicker(table, Random(1), Habits(quick=True))
    await clicker.move(table.card())
    await table.env.settle()
    assert clicker.last is not None
    return clicker.last


async def move_typed(table: Table) -> Any:
    """Whoever is next makes a move as text."""
    stored = table.stored()
    seat, actions = play_decision(stored.replayed(), lambda position: random_action(position, Random(1)))
    done = await table.members[stored.seats[seat]].slash(table.place, "carc play", move=" ".join(map(str, actions)))
    await posted(table)
    return done


async def posted(table: Table) -> None:
    """Wait until nothing is due any more."""
    host = table.bot.host
    async with asyncio.timeout(30):
        await table.env.settle()
        while await host.outbox.due() or table.bot.publisher.queue.busy:  # noqa: ASYNC110  # a file
            await asyncio.sleep(0.01)
    await table.env.settle()


def bad_request() -> discord.HTTPException:
    """What Discord answers to what it does not like."""
    return discord.HTTPException(MagicMock(status=400, reason="Bad Request"), {"code": 50035, "message": "Invalid"})


def refusing(
    monkeypatch: pytest.MonkeyPatch,
    dislikes: Callable[[dict[str, Any]], bool],
    error: discord.HTTPException | None = None,
) -> list[dict[str, Any]]:
    """Let Discord refuse public messages that it dislikes; the list will hold them."""
    refused: list[dict[str, Any]] = []
    send = discord.abc.Messageable.send

    async def picky(self: Any, *args: Any, **message: Any) -> Any:
        if dislikes(message):
            refused.append(message)
            raise error or bad_request()
        return await send(self, *args, **message)

    monkeypatch.setattr(discord.abc.Messageable, "send", picky)
    return refused


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What stands in the log in a loud voice."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


# -- a card that Discord refuses -----------------------------------------------------------------------------------


async def test_a_refused_card_comes_without_pictures(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    refused = refusing(monkeypatch, lambda message: bool(message.get("files")))
    await move(table)
    card = table.card()
    assert len(refused) == 1
    assert not list(alt_texts(card.components))
    assert mentioned_users(card.components)
    assert localized("button.play") in [button.label for button in buttons(card.components)]
    (reference,) = REFERENCE.findall(words(card.components))
    assert [reference in line for line in errors(caplog)] == [True]
    await move(table)
    assert len(table.cards()) == len(table.stored().posts)


async def test_a_card_of_which_nothing_is_liked_comes_bare(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    refused = refusing(monkeypatch, lambda message: message["view"].total_children_count > 5)
    await move(table)
    card = table.card()
    assert len(refused) == 2
    assert {button.label for button in buttons(card.components)} == {
        localized("button.play"),
        localized("button.board"),
    }
    assert mentioned_users(card.components)
    assert "/carc play" in words(card.components)
    assert len(errors(caplog)) == 2
    await move(table)  # by the button of that card
    assert [post.message_id for post in table.stored().posts] == [shown.handle.id for shown in table.cards()]


async def test_a_defect_of_a_drawing_silences_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.panels.cards.card_pictures", lambda *_: 1 / 0)
    await move(table)
    assert mentioned_users(table.card().components)
    assert REFERENCE.search(words(table.card().components))


async def test_the_end_is_told_without_pictures(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, lambda message: message["view"].total_children_count > 5)
    stored = table.stored()
    await table.bot.host.moves.resign(stored.code, stored.seats[0], 12345)
    table.bot.publisher.wake()
    await posted(table)
    said = words(table.card().components)
    assert says(said, "card.bare_final")


async def test_a_refused_panel_comes_without_pictures(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = discord.Interaction.edit_original_response

    async def picky(self: Any, **message: Any) -> Any:
        if message.get("attachments"):
            raise bad_request()
        return await edit(self, **message)

    monkeypatch.setattr(discord.Interaction, "edit_original_response", picky)
    await move(table)
    assert len(table.stored().log) >= 1


async def test_a_panel_of_which_nothing_is_liked_names_the_typed_way(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = discord.Interaction.edit_original_response

    async def picky(self: Any, **message: Any) -> Any:
        if message["view"].total_children_count > 1:
            raise bad_request()
        return await edit(self, **message)

    monkeypatch.setattr(discord.Interaction, "edit_original_response", picky)
    stored = table.stored()
    play = next(button for button in buttons(table.card().components) if button.label == localized("button.play"))
    panel = await table.press(stored.seats[0], table.card(), play.custom_id)
    assert "/carc play" in words(panel.components)
    assert REFERENCE.search(words(panel.components))


async def test_pictures_of_a_panel_that_cannot_be_drawn(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[Any] = []

    def broken(_self: Any, _game: Any, _position: Any, panel: Any, _theme: Any) -> Any:
        asked_for.append(panel)
        raise ZeroDivisionError

    monkeypatch.setattr(Presenter, "panel_pictures", broken)
    await move(table)
    assert asked_for
    assert len(table.stored().log) >= 1


async def test_any_other_panel_is_answered_with_the_typed_ways(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def picky(_self: Any, **_message: Any) -> Any:
        raise bad_request()

    monkeypatch.setattr(discord.Interaction, "edit_original_response", picky)
    done = await table.actors[0].slash(table.place, "carc board")
    assert "/carc play" in words(table.shown(done).components)


# -- a place that is closed ----------------------------------------------------------------------------------------


def deny(table: Table, *permissions: str) -> None:
    """Take permissions from the bot in the channel; none gives all back."""
    denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
    me = table.env.backend.bot_user.id
    table.env.backend.set_overwrite(
        table.channel.id, Overwrite(target_id=me, type=OverwriteType.MEMBER, allow=0, deny=denied)
    )


async def test_a_mover_is_told_that_nobody_will_see_it_and_the_log_once(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    await move_typed(table)
    before = len(table.cards())
    deny(table, "send_messages", "send_messages_in_threads")
    done = await move_typed(table)
    assert "/carc here" in words(table.shown(done).components)
    again = await move_typed(table)
    assert "/carc here" in words(table.shown(again).components)
    assert len(table.cards()) == before
    silent = [line for line in errors(caplog) if "is silent" in line]
    assert len(silent) == 1


async def test_without_the_right_to_attach_files_a_card_comes_in_words(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    response = MagicMock(status=403, reason="Forbidden")
    forbidden = discord.Forbidden(response, {"code": 50013, "message": "Missing Permissions"})
    with monkeypatch.context() as patch:
        refusing(patch, lambda message: bool(message.get("files")), forbidden)
        await move_typed(table)
    assert mentioned_users(table.card().components)
    assert not list(alt_texts(table.card().components))
    (reference,) = REFERENCE.findall(words(table.card().components))
    assert [reference in line for line in errors(caplog)] == [True]
    await move_typed(table)
    assert list(alt_texts(table.card().components))


async def test_a_card_that_was_refused_comes_with_its_pictures_later(table: Table) -> None:
    deny(table, "send_messages", "send_messages_in_threads")
    await move_typed(table)
    deny(table)
    await posted(table)
    assert list(alt_texts(table.card().components))


async def test_what_was_refused_comes_when_the_channel_is_opened(table: Table) -> None:
    before = len(table.cards())
    deny(table, "send_messages", "send_messages_in_threads")
    await move_typed(table)
    await move_typed(table)
    with closing(sqlite3.connect(table.database)) as file, file:
        file.execute("UPDATE outbox SET parked = 1 WHERE sent_at IS NULL AND refused = 1")
    deny(table)
    await posted(table)
    assert len(table.cards()) == before + 2
    done = await move_typed(table)
    assert "/carc here" not in words(table.shown(done).components)


# -- a file that was put back --------------------------------------------------------------------------------------


async def restore(table: Table, copy: Path) -> None:
    """Stop the bot, put an older file in place of its own, start it again."""
    await table.env.settle()
    await close_bot(table.bot)
    for path in table.database.parent.glob(f"{table.database.name}-*"):
        path.unlink()
    shutil.copy(copy, table.database)
    table.bot = await build_bot(table.database, table.seed, **table.settings)
    await table.env.restart_bot(table.bot)


def back_up(table: Table) -> Path:
    """A copy of the bot's file, as it is now."""
    copy = table.database.with_name("copy.sqlite3")
    with closing(sqlite3.connect(table.database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


def said(table: Table, since: int) -> list[str]:
    """What the public messages say from one on."""
    return [words(shown.components) for shown in table.cards()[since:]]


async def test_after_a_restore_the_next_card_comes_and_the_players_are_told(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    await move_typed(table)
    copy = back_up(table)
    kept = table.stored()
    await move_typed(table)
    await move_typed(table)
    lost, there = table.card(), len(table.cards())
    await restore(table, copy)
    await move_typed(table)
    notice, _ = said(table, there)
    assert says(notice, "card.went_back")
    turn = kept.replayed().turn
    name = (await table.bot.host.games.get(kept.code)).name
    assert localized("card.went_back", name=name, code=kept.code, turn=turn) in notice
    assert mentioned_users(table.card().components)
    assert not buttons(table.env.backend.get_message(lost.handle.channel_id, lost.handle.id).components)
    assert [line for line in errors(caplog) if "went back" in line]
    stored = table.stored()
    assert len(stored.log) > len(kept.log)
    await move_typed(table)
    await move_typed(table)
    assert len(table.cards()) == there + 4
    assert not any(says(text, "card.went_back") for text in said(table, there + 1))
    await table.restart()
    await move_typed(table)
    assert len(table.cards()) == there + 5


async def test_a_press_on_a_card_of_the_lost_future_is_answered_and_the_game_goes_on(table: Table) -> None:
    await move_typed(table)
    copy = back_up(table)
    await move_typed(table)
    lost, there = table.card(), len(table.cards())
    stored = table.stored()
    await restore(table, copy)
    mover = stored.seats[stored.replayed().player]
    answer = await table.press(mover, lost, str(Key(Op.PLAY, stored.code, stored.ply)))
    await posted(table)
    assert says(words(answer.components), "error.ahead")
    notice, _ = said(table, there)
    assert says(notice, "card.went_back")
    assert table.stored().log == stored.log[: len(table.stored().log)]
    await move(table)  # by the card that was posted again
    assert table.stored().ply > 0


async def test_buttons_of_a_lost_future_do_nothing_when_the_game_comes_to_their_move_again(table: Table) -> None:
    await move_typed(table)
    copy = back_up(table)
    await move_typed(table)
    lost, stored = table.card(), table.stored()
    components = list(lost.components)
    await restore(table, copy)
    await move_typed(table)
    again = table.stored()
    assert again.ply == stored.ply
    mover = again.seats[again.replayed().player]
    with closing(sqlite3.connect(table.database)) as file:
        (epoch,) = file.execute("SELECT epoch FROM games WHERE code = ?", [again.code]).fetchone()
    assert epoch > 0
    assert card_marker(again.code, again.ply, epoch) in [
        button.custom_id for button in buttons(table.card().components)
    ]
    # As a client that has not yet seen that the card lost its buttons.
    message = table.env.backend.get_message(lost.handle.channel_id, lost.handle.id)
    message.components = components
    answer = await table.press(mover, lost, str(Key(Op.PLAY, again.code, again.ply)))
    assert says(words(answer.components), "refusal.went_back")
    assert table.stored() == again


async def test_a_start_that_restored_nothing_tells_nothing(table: Table) -> None:
    for _ in range(3):
        await move_typed(table)
        await table.restart()
    assert not any(says(text, "card.went_back") for text in said(table, 0))
    assert len(table.cards()) == len(table.stored().posts)
