"""After the end of a game: the final card, the result on the lobby card, the archived thread, a rematch.

The game ends because two of three players resign. Its thread is archived, and the first message in the channel, the
lobby's card, shows the result.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
import simcord

from cogs.background import publisher
from cogs.presenting.ids import Op
from cogs.words.names import MARKS
from host import ARCHIVE_DELAY, TimerKind
from host.timing import timers
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Shown, button_for
from tests.e2e.screen import buttons, localized, localized_list, mentioned_users, says, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """Yield a finished game of three, which two players have resigned."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(3)
        await resign_all_but_first(table)
        yield table
    assert recorder.problems() == []


async def resign_all_but_first(table: Table) -> None:
    """Let all players but the first resign."""
    stored = table.stored()
    for seat in stored.seats[1:]:
        question = (await table.members[seat].slash(table.place, "carc resign", game=stored.code)).response
        assert question is not None
        await table.members[seat].click(question, label=localized("button.resign"))
    await table.env.settle()


def lobby_card_text(table: Table) -> str:
    """Return the text of the lobby card of the game."""
    return words(next(iter(table.env.backend.messages[table.channel.id].values())).components)


def lobbies(table: Table) -> list[Shown]:
    """Return the cards of open lobbies in the channel."""
    stored = table.env.backend.messages[table.channel.id].values()
    shown = [Shown(simcord.ResponseMessage(table.env, message), message.components) for message in stored]
    return [card for card in shown if any(button.key.op is Op.JOIN for button in buttons(card.components))]


async def press(table: Table, member: int, op: Op) -> Shown:
    """Press the newest card's button of an operation."""
    card = table.card()
    button = button_for(card, op)
    return await table.press(member, card, button.custom_id)


async def test_the_final_card_mentions_all_players(table: Table, recorder: Recorder) -> None:
    seats = table.stored().seats
    assert mentioned_users(table.card().components) == list(seats)
    last = recorder.requests_to("POST", f"/channels/{table.place.id}/messages")[-1].payload["allowed_mentions"]
    assert [int(user) for user in last["users"]] == list(seats)
    assert not last.get("parse")


async def test_the_lobby_card_says_that_an_operator_closed_the_game(
    tmp_path: Path, recorder: Recorder, no_drawing: None
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(3)
        code = table.stored().code
        await table.bot.host.operators.close(code, "ops", "left")
        await table.bot.cleanup.work()
        await table.bot.cleanup.work()  # the second run has nothing to do
        text = lobby_card_text(table)
        assert localized("lobby.game_closed", game=f"{_game_name(table)} · {code}") in text
        assert f"<#{table.place.id}>" in text
        card = next(iter(table.env.backend.messages[table.channel.id].values()))
        assert not list(buttons(card.components))
        assert _timers(table) == [TimerKind.PUT_AWAY]
    assert recorder.problems() == []


async def do_nothing(*_: object, **__: object) -> None:
    """Stand in for a step before which the bot was stopped."""


@pytest.mark.parametrize("stopped", [False, True])
async def test_the_cards_of_a_closed_game_lose_their_buttons(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch, stopped: bool
) -> None:
    """Buttons are removed even if the bot was stopped after posting the final card and before removing them."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        assert list(buttons(table.cards()[-1].components))
        if stopped:
            monkeypatch.setattr(publisher, "take_buttons", do_nothing)
            monkeypatch.setattr(table.bot.host.outbox, "record_sent", do_nothing)
        await table.bot.host.operators.close(table.stored().code, "ops", "left")
        table.bot.publisher.wake()
        if table.bot.publisher.queue.worker is not None:
            await table.bot.publisher.queue.worker
        if stopped:
            assert list(buttons(table.cards()[0].components))
            monkeypatch.undo()
            await table.restart()
        shown = table.cards()
        assert says(words(shown[-1].components), "card.ended")
        assert not [button for card in shown for button in buttons(card.components) if button.key.op is Op.PLAY]
        assert len(shown) == 2
    assert recorder.problems() == []


async def test_the_lobby_card_shows_the_result(table: Table) -> None:
    await table.bot.cleanup.work()
    stored, text = table.stored(), lobby_card_text(table)
    winner = next(actor for actor in table.actors if actor.id == stored.seats[0])
    assert localized("lobby.ended", game=f"{_game_name(table)} · {stored.code}") in text
    assert f"1\\. {MARKS[0]} **{table.name_of(winner)} 0**" in text
    assert f"<#{table.place.id}>" in text
    assert not says(text, "lobby.started")


async def test_the_lobby_card_shows_the_result_after_a_restart(table: Table) -> None:
    await table.restart()
    await table.bot.cleanup.work()
    assert says(lobby_card_text(table), "lobby.ended")
    assert _timers(table) == ["put_away"]


async def test_a_deleted_lobby_card_does_not_block_the_cleanup(table: Table) -> None:
    messages = table.env.backend.messages[table.channel.id]
    del messages[next(iter(messages))]
    await table.bot.cleanup.work()
    assert _timers(table) == ["put_away"]


async def test_the_thread_is_archived_once_as_the_final_card_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorder: Recorder, no_drawing: None
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        await resign_all_but_first(table)
        assert says(words(table.card().components), "card.put_away")
        await table.bot.cleanup.work()
        assert not _is_archived(table)
        with closing(sqlite3.connect(table.database)) as file, file:
            file.execute("update timers set due_at = due_at - ?", [ARCHIVE_DELAY / timedelta(milliseconds=1)])
        await table.restart()
        await table.bot.cleanup.work()
        assert _is_archived(table)
        assert _timers(table) == []
        edits = len(recorder.requests_to("PATCH", f"/channels/{table.place.id}"))
        await table.bot.cleanup.work()
        assert len(recorder.requests_to("PATCH", f"/channels/{table.place.id}")) == edits == 1


async def test_a_rematch_gathers_the_same_players_with_rotated_seats(table: Table, recorder: Recorder) -> None:
    before = table.stored()
    first, second, third = before.seats
    await press(table, second, Op.REMATCH)
    (lobby,) = lobbies(table)
    assert mentioned_users(lobby.components) == [first, third]
    posted = recorder.requests_to("POST", f"/channels/{table.channel.id}/messages")[-1].payload
    assert sorted(int(user) for user in posted["allowed_mentions"]["users"]) == sorted([first, third])
    order = [before.names[1], before.names[2], before.names[0]]
    assert localized("lobby.rematch", players=localized_list(order)) in words(lobby.components)

    again = await press(table, third, Op.REMATCH)
    assert localized("rematch.there") in words(again.components)
    assert len(lobbies(table)) == 1, "there is one rematch"

    for member in (first, third):
        await table.members[member].click(lobby.handle, label=localized("button.join"))
    await table.members[second].click(lobby.handle, label=localized("button.start"))
    after = table.stored()
    assert after.code != before.code
    assert after.seats == (second, third, first)
    begun = await press(table, first, Op.REMATCH)
    assert localized("rematch.begun") in words(begun.components)


async def test_onlookers_cannot_open_a_rematch(table: Table) -> None:
    stranger = next(actor for actor in table.actors if actor.id not in table.stored().seats)
    refused = await press(table, stranger.id, Op.REMATCH)
    assert words(refused.components) == localized("error.not_a_player")
    assert lobbies(table) == []


async def test_an_unposted_rematch_card_is_posted_at_the_next_press(table: Table) -> None:
    stored = table.stored()
    member = table.members[stored.seats[0]]
    person = (await table.bot.host.games.get(stored.code)).seats[0]
    lobby = await table.bot.host.lobbies.rematch(stored.code, person, 77)
    assert lobby.message_id is None
    answer = await press(table, member.id, Op.REMATCH)
    assert localized("rematch.opened") in words(answer.components)
    assert (await table.bot.host.lobbies.get(lobby.id)).message_id is not None


async def test_the_proof_of_a_finished_game_contains_commitment_and_seed(table: Table) -> None:
    setup = table.stored().replayed().setup
    text = words((await press(table, table.actors[-1].id, Op.PROOF)).components)
    assert setup.commitment in text
    assert setup.seed in text


async def test_the_proof_of_a_running_game_withholds_the_seed(tmp_path: Path, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="a secret seed") as table:
        await table.start(2)
        setup = table.stored().replayed().setup
        member = table.actors[0].id
        board = await press(table, member, Op.BOARD)
        text = words((await table.press(member, board, button_for(board, Op.PROOF).custom_id)).components)
        assert setup.commitment in text
        assert setup.seed not in text


def _game_name(table: Table) -> str:
    """Return the name of the newest game."""
    with closing(sqlite3.connect(table.database)) as file:
        name: str = file.execute("select name from games order by id desc limit 1").fetchone()[0]
    return name


def _timers(table: Table) -> list[str]:
    """Return the kinds of follow-up timers that are set."""
    with closing(sqlite3.connect(table.database)) as file:
        kinds = [kind for (kind,) in file.execute("select kind from timers order by kind")]
    return [kind for kind in kinds if kind in timers.AFTER_GAME_KINDS]


def _is_archived(table: Table) -> bool:
    """Return whether the game's thread is archived."""
    thread = table.env.backend.channels[table.place.id]
    return bool(getattr(thread, "archived", None) or getattr(thread.thread_metadata, "archived", False))
