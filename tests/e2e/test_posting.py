"""Posting problems: refused cards and panels, closed channels, and databases restored to an earlier move.

A refused request gets an error from the offline Discord, by which the bot learns that a message is too large or a
channel closed. A restored database is an older copy, whose games lack the newest moves.
"""

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
"""The code of a logged error, which the member sees, too."""


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a started game of two; all requests have to keep Discord's limits."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2, expansions="base")
        yield table
    assert recorder.problems() == []


async def move(table: Table) -> Shown:
    """Let the next player move by the card; return what they see at the end."""
    clicker = Clicker(table, Random(1), Habits(quick=True))
    await clicker.move(table.card())
    await table.env.settle()
    assert clicker.last is not None
    return clicker.last


async def type_move(table: Table) -> Any:
    """Let the next player type a move; return the result."""
    stored = table.stored()
    seat, actions = play_decision(stored.replayed(), lambda position: random_action(position, Random(1)))
    answer = await table.members[stored.seats[seat]].slash(table.place, "carc play", move=" ".join(map(str, actions)))
    await wait_until_posted(table)
    return answer


async def wait_until_posted(table: Table) -> None:
    """Wait until no post is due."""
    host = table.bot.host
    async with asyncio.timeout(30):
        await table.env.settle()
        while await host.outbox.due() or table.bot.publisher.queue.busy:  # noqa: ASYNC110  # SQLite does not notify readers
            await asyncio.sleep(0.01)
    await table.env.settle()


def bad_request() -> discord.HTTPException:
    """Return the error with which Discord refuses an invalid message."""
    return discord.HTTPException(MagicMock(status=400, reason="Bad Request"), {"code": 50035, "message": "Invalid"})


def refuse_messages(
    monkeypatch: pytest.MonkeyPatch,
    is_refused: Callable[[dict[str, Any]], bool],
    error: discord.HTTPException | None = None,
) -> list[dict[str, Any]]:
    """Let Discord refuse public messages that match; return the list that collects them."""
    refused: list[dict[str, Any]] = []
    send = discord.abc.Messageable.send

    async def refuse_matching(self: Any, *args: Any, **message: Any) -> Any:
        if is_refused(message):
            refused.append(message)
            raise error or bad_request()
        return await send(self, *args, **message)

    monkeypatch.setattr(discord.abc.Messageable, "send", refuse_matching)
    return refused


def logged_errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the log lines of level ERROR."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


# -- a card that Discord refuses -----------------------------------------------------------------------------------


async def test_a_refused_card_is_posted_without_pictures(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    refused = refuse_messages(monkeypatch, lambda message: bool(message.get("files")))
    await move(table)
    card = table.card()
    assert len(refused) == 1
    assert not list(alt_texts(card.components))
    assert mentioned_users(card.components)
    assert localized("button.play") in [button.label for button in buttons(card.components)]
    (reference,) = REFERENCE.findall(words(card.components))
    assert [reference in line for line in logged_errors(caplog)] == [True]
    await move(table)
    assert len(table.cards()) == len(table.stored().posts)


async def test_a_card_that_is_refused_twice_is_posted_as_minimal_text(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    refused = refuse_messages(monkeypatch, lambda message: message["view"].total_children_count > 5)
    await move(table)
    card = table.card()
    assert len(refused) == 2
    assert {button.label for button in buttons(card.components)} == {
        localized("button.play"),
        localized("button.board"),
    }
    assert mentioned_users(card.components)
    assert "/carc play" in words(card.components)
    assert len(logged_errors(caplog)) == 2
    await move(table)  # using the button of the minimal card
    assert [post.message_id for post in table.stored().posts] == [shown.handle.id for shown in table.cards()]


async def test_a_failed_drawing_does_not_prevent_the_card(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.panels.cards.card_pictures", lambda *_: 1 / 0)
    await move(table)
    assert mentioned_users(table.card().components)
    assert REFERENCE.search(words(table.card().components))


async def test_a_refused_final_card_is_posted_as_minimal_text(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_messages(monkeypatch, lambda message: message["view"].total_children_count > 5)
    stored = table.stored()
    await table.bot.host.moves.resign(stored.code, stored.seats[0], 12345)
    table.bot.publisher.wake()
    await wait_until_posted(table)
    assert says(words(table.card().components), "card.bare_final")


async def test_a_refused_panel_is_shown_without_pictures(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = discord.Interaction.edit_original_response

    async def refuse_matching(self: Any, **message: Any) -> Any:
        if message.get("attachments"):
            raise bad_request()
        return await edit(self, **message)

    monkeypatch.setattr(discord.Interaction, "edit_original_response", refuse_matching)
    await move(table)
    assert len(table.stored().log) >= 1


async def test_a_panel_that_is_refused_twice_falls_back_to_typed_commands(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = discord.Interaction.edit_original_response

    async def refuse_matching(self: Any, **message: Any) -> Any:
        if message["view"].total_children_count > 1:
            raise bad_request()
        return await edit(self, **message)

    monkeypatch.setattr(discord.Interaction, "edit_original_response", refuse_matching)
    stored = table.stored()
    play = next(button for button in buttons(table.card().components) if button.label == localized("button.play"))
    panel = await table.press(stored.seats[0], table.card(), play.custom_id)
    assert "/carc play" in words(panel.components)
    assert REFERENCE.search(words(panel.components))


async def test_a_panel_whose_pictures_cannot_be_drawn_still_works(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[Any] = []

    def broken(_self: Any, _game: Any, _position: Any, panel: Any, _theme: Any) -> Any:
        """Fail as a bug in the panel would."""
        asked_for.append(panel)
        raise ZeroDivisionError

    monkeypatch.setattr(Presenter, "panel_pictures", broken)
    await move(table)
    assert asked_for
    assert len(table.stored().log) >= 1


async def test_other_refused_panels_fall_back_to_typed_commands(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse_matching(_self: Any, **_message: Any) -> Any:
        raise bad_request()

    monkeypatch.setattr(discord.Interaction, "edit_original_response", refuse_matching)
    answer = await table.actors[0].slash(table.place, "carc board")
    assert "/carc play" in words(table.shown(answer).components)


# -- a closed channel ----------------------------------------------------------------------------------------------


def deny_permissions(table: Table, *permissions: str) -> None:
    """Deny the bot permissions in the channel; without arguments, restore all."""
    denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
    me = table.env.backend.bot_user.id
    table.env.backend.set_overwrite(
        table.channel.id, Overwrite(target_id=me, type=OverwriteType.MEMBER, allow=0, deny=denied)
    )


async def test_a_mover_in_a_closed_channel_is_warned_and_the_log_says_it_once(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    await type_move(table)
    before = len(table.cards())
    deny_permissions(table, "send_messages", "send_messages_in_threads")
    answer = await type_move(table)
    assert "/carc here" in words(table.shown(answer).components)
    again = await type_move(table)
    assert "/carc here" in words(table.shown(again).components)
    assert len(table.cards()) == before
    silent = [line for line in logged_errors(caplog) if "is silent" in line]
    assert len(silent) == 1


async def test_without_the_permission_to_attach_files_a_card_is_posted_as_text(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    response = MagicMock(status=403, reason="Forbidden")
    forbidden = discord.Forbidden(response, {"code": 50013, "message": "Missing Permissions"})
    with monkeypatch.context() as patch:
        refuse_messages(patch, lambda message: bool(message.get("files")), forbidden)
        await type_move(table)
    assert mentioned_users(table.card().components)
    assert not list(alt_texts(table.card().components))
    (reference,) = REFERENCE.findall(words(table.card().components))
    assert [reference in line for line in logged_errors(caplog)] == [True]
    await type_move(table)
    assert list(alt_texts(table.card().components))


async def test_a_refused_card_is_posted_with_pictures_later(table: Table) -> None:
    deny_permissions(table, "send_messages", "send_messages_in_threads")
    await type_move(table)
    deny_permissions(table)
    await wait_until_posted(table)
    assert list(alt_texts(table.card().components))


async def test_refused_cards_are_posted_when_the_channel_is_reopened(table: Table) -> None:
    before = len(table.cards())
    deny_permissions(table, "send_messages", "send_messages_in_threads")
    await type_move(table)
    await type_move(table)
    with closing(sqlite3.connect(table.database)) as file, file:
        file.execute("UPDATE outbox SET parked = 1 WHERE sent_at IS NULL AND refused = 1")
    deny_permissions(table)
    await wait_until_posted(table)
    assert len(table.cards()) == before + 2
    answer = await type_move(table)
    assert "/carc here" not in words(table.shown(answer).components)


# -- a restored database -------------------------------------------------------------------------------------------


async def restore(table: Table, copy: Path) -> None:
    """Stop the bot, replace its database by an older copy, and start it again."""
    await table.env.settle()
    await close_bot(table.bot)
    for path in table.database.parent.glob(f"{table.database.name}-*"):
        path.unlink()
    shutil.copy(copy, table.database)
    table.bot = await build_bot(table.database, table.seed, **table.settings)
    await table.env.restart_bot(table.bot)


def back_up(table: Table) -> Path:
    """Copy the bot's database as it is now."""
    copy = table.database.with_name("copy.sqlite3")
    with closing(sqlite3.connect(table.database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


def texts_since(table: Table, since: int) -> list[str]:
    """Return the texts of the public messages from this index on."""
    return [words(shown.components) for shown in table.cards()[since:]]


async def test_after_a_restore_cards_are_posted_and_the_players_are_told_once(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    await type_move(table)
    copy = back_up(table)
    stored_before = table.stored()
    await type_move(table)
    await type_move(table)
    lost_card, card_count = table.card(), len(table.cards())
    await restore(table, copy)
    await type_move(table)
    notice, _ = texts_since(table, card_count)
    assert says(notice, "card.went_back")
    turn = stored_before.replayed().turn
    name = (await table.bot.host.games.get(stored_before.code)).name
    assert localized("card.went_back", name=name, code=stored_before.code, turn=turn) in notice
    assert mentioned_users(table.card().components)
    assert not buttons(table.env.backend.get_message(lost_card.handle.channel_id, lost_card.handle.id).components)
    assert [line for line in logged_errors(caplog) if "went back" in line]
    stored = table.stored()
    assert len(stored.log) > len(stored_before.log)
    await type_move(table)
    await type_move(table)
    assert len(table.cards()) == card_count + 4
    assert not any(says(text, "card.went_back") for text in texts_since(table, card_count + 1))
    await table.restart()
    await type_move(table)
    assert len(table.cards()) == card_count + 5


async def test_a_press_on_a_card_of_a_lost_move_is_answered_and_the_game_continues(table: Table) -> None:
    await type_move(table)
    copy = back_up(table)
    await type_move(table)
    lost_card, card_count = table.card(), len(table.cards())
    stored = table.stored()
    await restore(table, copy)
    mover = stored.seats[stored.replayed().player]
    answer = await table.press(mover, lost_card, str(Key(Op.PLAY, stored.code, stored.ply)))
    await wait_until_posted(table)
    assert says(words(answer.components), "error.ahead")
    notice, _ = texts_since(table, card_count)
    assert says(notice, "card.went_back")
    assert table.stored().log == stored.log[: len(table.stored().log)]
    await move(table)  # using the card that was posted again
    assert table.stored().ply > 0


async def test_buttons_of_lost_moves_stay_invalid_when_the_ply_is_reached_again(table: Table) -> None:
    await type_move(table)
    copy = back_up(table)
    await type_move(table)
    lost, stored = table.card(), table.stored()
    components = list(lost.components)
    await restore(table, copy)
    await type_move(table)
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


async def test_an_ordinary_restart_reports_nothing(table: Table) -> None:
    for _ in range(3):
        await type_move(table)
        await table.restart()
    assert not any(says(text, "card.went_back") for text in texts_since(table, 0))
    assert len(table.cards()) == len(table.stored().posts)
