"""Seats of a lobby: removing members, closing and expiry; and the names of players.

A lobby is a table whose game has not started; its panel of seats has a button for each member. A *forged* press has a
custom id that no button of the panel carries.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import Any

import discord
import pytest
import simcord

from cogs.presenting.ids import Key, Op
from host import LOBBY_LIFE, LOBBY_NOTICES
from host.lobbies import Lobbies
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.lobby_cards import lobby_text, open_lobby
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import buttons, localized, words
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("random_language")


async def open_seats_panel(lobby: simcord.ResponseMessage, actor: simcord.MemberActor) -> simcord.ResponseMessage:
    """Open the panel of seats as a member."""
    shown = (await actor.click(lobby, label=localized("button.seats"))).response
    assert shown is not None
    assert shown.ephemeral
    return shown


async def press_forged(
    table: Table, shown: simcord.ResponseMessage, actor: simcord.MemberActor, op: Op, argument: str
) -> str:
    """Press a button that the panel does not have; return the answer."""
    sent = send_press(table.env, actor, shown, str(Key(op, "1", 0, argument)))
    await table.env.settle()
    return last_answer(sent)


async def test_a_removed_member_cannot_join_until_readmitted(table: Table) -> None:
    ana, ben = table.actors[:2]
    lobby = await open_lobby(table, 3, seated=3)
    await ana.click(await open_seats_panel(lobby, ana), label=localized("button.remove", player="Ben"))
    assert localized("lobby.member", player="Ben") not in lobby_text(table)
    assert is_sentence("error.removed_from_lobby", answer_to(await ben.click(lobby, label=localized("button.join"))))
    await ana.click(await open_seats_panel(lobby, ana), label=localized("button.readmit", player="Ben"))
    await ben.click(lobby, label=localized("button.join"))
    assert localized("lobby.member", player="Ben") in lobby_text(table)


async def test_only_the_owner_removes_members(table: Table) -> None:
    _, ben, _ = table.actors[:3]
    lobby = await open_lobby(table, 4, seated=3)
    reading = await open_seats_panel(lobby, ben)
    assert {shown.key.op for shown in buttons(reading.components)} == {Op.MEET}
    with nothing_changes(table):
        for op, argument in ((Op.REMOVE, str(table.actors[0].id)), (Op.READMIT, "1"), (Op.CLOSE, "sure")):
            assert is_sentence("error.not_owner", await press_forged(table, reading, ben, op, argument))
        for argument in ("", "x", "9" * 30, "٣"):
            answer = await press_forged(table, reading, ben, Op.REMOVE, argument)
            assert is_sentence("refusal.unknown_button", answer)
        owners = await open_seats_panel(lobby, table.actors[0])
        answer = await press_forged(table, owners, table.actors[0], Op.REMOVE, "12345")
        assert is_sentence("error.not_in_lobby", answer)


async def test_the_owner_closes_the_lobby_after_confirmation(table: Table) -> None:
    ana, ben = table.actors[:2]
    lobby = await open_lobby(table, 3, seated=1)
    with nothing_changes(table):
        question = await ana.click(await open_seats_panel(lobby, ana), label=localized("button.close"))
    await ana.click(question.response, label=localized("button.close"))
    assert lobby_text(table) == localized("lobby.closed_by_hand")
    sent = send_press(table.env, ben, lobby, str(Key(Op.JOIN, "1")))
    await table.env.settle()
    assert is_sentence("error.lobby_closed", last_answer(sent))


async def test_the_seats_panel_of_a_started_game_is_refused(table: Table) -> None:
    ana = table.actors[0]
    lobby = await open_lobby(table, 3, seated=2)
    shown = await open_seats_panel(lobby, ana)
    await ana.click(lobby, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    with nothing_changes(table):
        result = await ana.click(shown, label=localized("button.remove", player="Ben"))
        assert is_sentence("error.lobby_started", answer_to(result))


def age_lobbies(table: Table, span: timedelta) -> None:
    """Move the last change of all lobbies this far into the past."""
    with closing(sqlite3.connect(table.database)) as file:
        file.execute("update lobbies set changed_at = changed_at - ?", [span.total_seconds() * 1000])
        file.commit()


def public_messages(table: Table) -> list[Any]:
    """Return the components of the public messages: the lobby card and the notices after it."""
    messages = table.env.backend.messages[table.channel.id].values()
    return [message.components for message in messages if message.visible_to(None)]


async def test_an_idle_lobby_is_closed_after_a_notice(table: Table) -> None:
    await open_lobby(table, 3, seated=2)
    changed = (await table.bot.host.lobbies.get(1)).changed_at
    assert f"<t:{int((changed + LOBBY_LIFE).timestamp())}:D>" in words(public_messages(table)[0])
    await table.bot.cleanup.close_expired()
    before = words(public_messages(table)[0])
    assert localized("lobby.member", player="Ben") in before
    await table.bot.cleanup.send_closing_notices()
    assert words(public_messages(table)[0]) == before, "no notice is due yet"
    age_lobbies(table, LOBBY_LIFE)
    await table.bot.cleanup.close_expired()
    assert words(public_messages(table)[0]) == before
    await table.bot.cleanup.send_closing_notices()
    notice = table.channel.last_message
    assert notice is not None
    assert all(f"<@{actor.id}>" in words(public_messages(table)[-1]) for actor in table.actors[:2])
    assert is_sentence(
        "error.not_in_lobby", answer_to(await table.actors[2].click(notice, label=localized("button.keep")))
    )
    await table.actors[1].click(notice, label=localized("button.keep"))
    now = (await table.bot.host.lobbies.get(1)).changed_at
    day = f"<t:{int((now + LOBBY_LIFE).timestamp())}:D>"
    assert words(public_messages(table)[-1]) == localized("lobby.kept", player="Ben", day=day)
    assert buttons(public_messages(table)[-1]) == []
    for ahead in LOBBY_NOTICES:
        age_lobbies(table, LOBBY_LIFE - ahead)
        await table.bot.cleanup.send_closing_notices()
    age_lobbies(table, LOBBY_LIFE)
    await table.bot.cleanup.close_expired()
    assert words(public_messages(table)[0]) == localized("lobby.expired", days=LOBBY_LIFE.days)


@pytest.mark.parametrize("sent", [False, True])
async def test_the_notice_of_closing_is_posted_once_despite_a_crash(
    table: Table, monkeypatch: pytest.MonkeyPatch, *, sent: bool
) -> None:
    """The crash is before the notice is posted, or before that is recorded."""
    await open_lobby(table, 3, seated=2)
    age_lobbies(table, LOBBY_LIFE - LOBBY_NOTICES[0])
    before = len(public_messages(table))

    async def crash(*_: object, **__: object) -> None:
        """End the process."""
        raise KeyboardInterrupt

    target = (Lobbies, "record_notice") if sent else (discord.abc.Messageable, "send")
    with monkeypatch.context() as patch:
        patch.setattr(*target, crash)
        with pytest.raises(KeyboardInterrupt):
            await table.bot.cleanup.send_closing_notices()
    assert len(public_messages(table)) == before + sent
    await table.restart()
    for _ in range(2):
        await table.bot.cleanup.send_closing_notices()
    assert len(public_messages(table)) == before + 1
    assert await table.bot.host.lobbies.closing_soon() == []


@pytest.mark.parametrize(("status", "again"), [(403, 0), (500, 1)])
async def test_a_refused_notice_is_retried_only_after_temporary_errors(table: Table, status: int, again: int) -> None:
    await open_lobby(table, 3, seated=2)
    age_lobbies(table, LOBBY_LIFE - LOBBY_NOTICES[0])
    before = len(public_messages(table))
    table.env.inject_error("POST", f"/channels/{table.channel.id}/messages", status=status, code=50013, times=9)
    await table.bot.cleanup.send_closing_notices()
    assert len(public_messages(table)) == before
    assert len(await table.bot.host.lobbies.closing_soon()) == again


async def test_the_number_of_open_lobbies_per_member_is_limited(table: Table) -> None:
    ana, ben = table.actors[:2]
    for _ in range(3):
        await ana.slash(table.channel, "carc new", players=2)
    with nothing_changes(table):
        answer = answer_to(await ana.slash(table.channel, "carc new", players=2))
        assert answer == localized("error.too_many_lobbies", most=3)
    assert not (await ben.slash(table.channel, "carc new", players=2)).followups[0].ephemeral


# -- names -------------------------------------------------------------------------------------------------------


async def test_players_are_shown_with_their_current_names(table: Table) -> None:
    """The stored name of a member is updated at each of their interactions."""
    ana, ben = table.actors[:2]
    lobby = await open_lobby(table, 2, seated=1)
    table.env.backend.edit_member(table.channel.guild.id, ana.id, {"nick": "Ana\u202estasia"})
    await ana.click(lobby, label=localized("button.ruling"))
    await ben.click(lobby, label=localized("button.join"))
    assert "Anastasia" in lobby_text(table)
    await ana.click(lobby, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    assert "Anastasia" in str(table.place.name), "control characters are removed from thread names, too"
    table.env.backend.edit_member(table.channel.guild.id, ana.id, {"nick": "Ana \u202eDrakcap\n**x**"})
    await ana.slash(table.place, "carc board")
    assert "Ana Drakcap **x**" in table.stored().names
    mover = table.members[table.stored().seats[table.stored().replayed().player]]
    offered = await mover.autocomplete(table.place, "carc play", "move", "")
    await mover.slash(table.place, "carc play", move=offered[0]["value"])
    await table.env.settle()
    text = words(table.card().components)
    assert r"Ana Drakcap \*\*x\*\*" in text
    assert "Anastasia" not in text
