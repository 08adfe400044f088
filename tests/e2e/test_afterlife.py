"""What follows the end of a game: all are told, its result on the lobby's card, the thread put away, a rematch."""

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
from host import TimerKind
from host.games import timers
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Shown, button_for
from tests.e2e.screen import buttons, localized, localized_list, mentioned_users, says, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None) -> AsyncIterator[Table]:
    """A game of three that two have left: it is over."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(3)
        await end(table)
        yield table
    assert recorder.problems() == []


async def end(table: Table) -> None:
    """Let all but the first player leave."""
    stored = table.stored()
    for seat in stored.seats[1:]:
        asked = (await table.members[seat].slash(table.place, "carc resign", game=stored.code)).response
        assert asked is not None
        await table.members[seat].click(asked, label=localized("button.resign"))
    await table.env.settle()


def lobby_words(table: Table) -> str:
    """What the card says on which the players gathered."""
    return words(next(iter(table.env.backend.messages[table.channel.id].values())).components)


def lobbies(table: Table) -> list[Shown]:
    """The cards in the channel that gather players."""
    stored = table.env.backend.messages[table.channel.id].values()
    shown = [Shown(simcord.ResponseMessage(table.env, message), message.components) for message in stored]
    return [card for card in shown if any(button.key.op is Op.JOIN for button in buttons(card.components))]


async def press(table: Table, member: int, op: Op) -> Shown:
    """Press a button of the final card."""
    card = table.card()
    button = button_for(card, op)
    return await table.press(member, card, button.custom_id)


async def test_everybody_who_played_is_told_of_the_end(table: Table, recorder: Recorder) -> None:
    seats = table.stored().seats
    assert mentioned_users(table.card().components) == list(seats)
    last = recorder.sent("POST", f"/channels/{table.place.id}/messages")[-1].payload["allowed_mentions"]
    assert [int(user) for user in last["users"]] == list(seats)
    assert not last.get("parse")


async def test_the_card_of_the_lobby_says_that_a_table_was_closed(
    tmp_path: Path, recorder: Recorder, no_drawing: None
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(3)
        code = table.stored().code
        await table.bot.host.operators.close(code, "ops", "left")
        await table.bot.cleanup.work()
        await table.bot.cleanup.work()  # again, it does nothing
        said = lobby_words(table)
        assert localized("lobby.game_closed", game=f"{_name(table)} · {code}") in said
        assert f"<#{table.place.id}>" in said
        card = next(iter(table.env.backend.messages[table.channel.id].values()))
        assert not list(buttons(card.components))
        assert _timers(table) == [TimerKind.PUT_AWAY]
    assert recorder.problems() == []


async def nothing(*_: object, **__: object) -> None:
    """As if the bot had been stopped before it could."""


@pytest.mark.parametrize("stopped", [False, True])
async def test_the_card_of_a_table_that_is_closed_loses_its_buttons(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch, stopped: bool
) -> None:
    """Also where the bot was stopped after it had said so and before it took them."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        assert list(buttons(table.cards()[-1].components))
        if stopped:
            monkeypatch.setattr(publisher, "take_buttons", nothing)
            monkeypatch.setattr(table.bot.host.outbox, "sent", nothing)
        await table.bot.host.operators.close(table.stored().code, "ops", "left")
        table.bot.publisher.wake()
        if table.bot.publisher.queue.pump is not None:
            await table.bot.publisher.queue.pump
        if stopped:
            assert list(buttons(table.cards()[0].components))
            monkeypatch.undo()
            await table.restart()
        shown = table.cards()
        assert says(words(shown[-1].components), "card.ended")
        assert not [button for card in shown for button in buttons(card.components) if button.key.op is Op.PLAY]
        assert len(shown) == 2
    assert recorder.problems() == []


async def test_the_card_of_the_lobby_shows_the_result(table: Table) -> None:
    await table.bot.cleanup.work()
    stored, said = table.stored(), lobby_words(table)
    winner = next(actor for actor in table.actors if actor.id == stored.seats[0])
    assert localized("lobby.ended", game=f"{_name(table)} · {stored.code}") in said
    assert f"1\\. {MARKS[0]} **{table.name_of(winner)} 0**" in said
    assert f"<#{table.place.id}>" in said
    assert not says(said, "lobby.started")


async def test_the_result_is_shown_after_a_restart_too(table: Table) -> None:
    await table.restart()
    await table.bot.cleanup.work()
    assert says(lobby_words(table), "lobby.ended")
    assert _timers(table) == ["put_away"]


async def test_a_lobby_card_that_is_gone_holds_nothing_up(table: Table) -> None:
    messages = table.env.backend.messages[table.channel.id]
    del messages[next(iter(messages))]
    await table.bot.cleanup.work()
    assert _timers(table) == ["put_away"]


async def test_the_thread_is_put_away_once_and_with_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorder: Recorder, no_drawing: None
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        await table.start(2)
        await end(table)
        assert says(words(table.card().components), "card.put_away")
        await table.bot.cleanup.work()
        assert not _archived(table)
        with closing(sqlite3.connect(table.database)) as file, file:
            file.execute("update timers set due_at = due_at - ?", [timers.PUT_AWAY_AFTER / timedelta(milliseconds=1)])
        await table.restart()
        await table.bot.cleanup.work()
        assert _archived(table)
        assert _timers(table) == []
        edits = len(recorder.sent("PATCH", f"/channels/{table.place.id}"))
        await table.bot.cleanup.work()
        assert len(recorder.sent("PATCH", f"/channels/{table.place.id}")) == edits == 1


async def test_a_rematch_gathers_the_same_people_with_the_seats_moved_on(table: Table, recorder: Recorder) -> None:
    before = table.stored()
    first, second, third = before.seats
    await press(table, second, Op.REMATCH)
    (lobby,) = lobbies(table)
    assert mentioned_users(lobby.components) == [first, third]
    posted = recorder.sent("POST", f"/channels/{table.channel.id}/messages")[-1].payload
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


async def test_onlookers_open_no_rematch(table: Table) -> None:
    stranger = next(actor for actor in table.actors if actor.id not in table.stored().seats)
    refused = await press(table, stranger.id, Op.REMATCH)
    assert words(refused.components) == localized("error.not_a_player")
    assert lobbies(table) == []


async def test_a_rematch_whose_card_was_never_posted_is_posted_at_the_next_press(table: Table) -> None:
    stored = table.stored()
    member = table.members[stored.seats[0]]
    person = (await table.bot.host.games.get(stored.code)).seats[0]
    lobby = await table.bot.host.lobbies.rematch(stored.code, person, 77)
    assert lobby.message_id is None
    answer = await press(table, member.id, Op.REMATCH)
    assert localized("rematch.opened") in words(answer.components)
    assert (await table.bot.host.lobbies.get(lobby.id)).message_id is not None


async def test_the_proof_is_told_to_whoever_asks(table: Table) -> None:
    setup = table.stored().replayed().setup
    told = words((await press(table, table.actors[-1].id, Op.PROOF)).components)
    assert setup.commitment in told
    assert setup.seed in told


async def test_the_seed_is_not_told_while_the_game_goes_on(tmp_path: Path, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="a secret seed") as table:
        await table.start(2)
        setup = table.stored().replayed().setup
        told = words((await press(table, table.actors[0].id, Op.PROOF)).components)
        assert setup.commitment in told
        assert setup.seed not in told


def _name(table: Table) -> str:
    with closing(sqlite3.connect(table.database)) as file:
        name: str = file.execute("select name from games order by id desc limit 1").fetchone()[0]
    return name


def _timers(table: Table) -> list[str]:
    with closing(sqlite3.connect(table.database)) as file:
        kinds = [kind for (kind,) in file.execute("select kind from timers order by kind")]
    return [kind for kind in kinds if kind in timers.AFTERLIFE]


def _archived(table: Table) -> bool:
    thread = table.env.backend.channels[table.place.id]
    return bool(getattr(thread, "archived", None) or getattr(thread.thread_metadata, "archived", False))
