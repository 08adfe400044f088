"""Who sits at a table that gathers: removing somebody, closing the table, letting it expire; and their names."""

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
from host.lobby.lobbies import Lobbies
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.lobby_cards import lobby_text, open_lobby
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import buttons, localized, words
from tests.e2e.table import Table

pytestmark = pytest.mark.usefixtures("random_language")


async def panel(lobby: simcord.ResponseMessage, actor: simcord.MemberActor) -> simcord.ResponseMessage:
    """The panel of the seats, as somebody sees it."""
    shown = (await actor.click(lobby, label=localized("button.seats"))).response
    assert shown is not None
    assert shown.ephemeral
    return shown


async def forged(
    table: Table, shown: simcord.ResponseMessage, actor: simcord.MemberActor, op: Op, argument: str
) -> str:
    """Press what the panel has not got."""
    sent = send_press(table.env, actor, shown, str(Key(op, "1", 0, argument)))
    await table.env.settle()
    return last_answer(sent)


async def test_the_owner_removes_somebody_who_then_stays_away_until_let_in_again(table: Table) -> None:
    ana, ben = table.actors[:2]
    lobby = await open_lobby(table, 3, seated=3)
    await ana.click(await panel(lobby, ana), label=localized("button.remove", player="Ben"))
    assert localized("lobby.member", player="Ben") not in lobby_text(table)
    assert is_sentence("error.removed_from_lobby", answer_to(await ben.click(lobby, label=localized("button.join"))))
    await ana.click(await panel(lobby, ana), label=localized("button.readmit", player="Ben"))
    await ben.click(lobby, label=localized("button.join"))
    assert localized("lobby.member", player="Ben") in lobby_text(table)


async def test_only_who_opened_the_table_says_who_sits_there(table: Table) -> None:
    _, ben, _ = table.actors[:3]
    lobby = await open_lobby(table, 4, seated=3)
    reading = await panel(lobby, ben)
    assert not buttons(reading.components)
    with nothing_changes(table):
        for op, argument in ((Op.REMOVE, str(table.actors[0].id)), (Op.READMIT, "1"), (Op.CLOSE, "sure")):
            assert is_sentence("error.not_owner", await forged(table, reading, ben, op, argument))
        for argument in ("", "x", "9" * 30, "٣"):
            told = await forged(table, reading, ben, Op.REMOVE, argument)
            assert is_sentence("refusal.unknown_button", told)
        owners = await panel(lobby, table.actors[0])
        told = await forged(table, owners, table.actors[0], Op.REMOVE, "12345")
        assert is_sentence("error.not_in_lobby", told)


async def test_the_owner_closes_the_table_after_being_asked(table: Table) -> None:
    ana, ben = table.actors[:2]
    lobby = await open_lobby(table, 3, seated=1)
    with nothing_changes(table):
        asked = await ana.click(await panel(lobby, ana), label=localized("button.close"))
    await ana.click(asked.response, label=localized("button.close"))
    assert lobby_text(table) == localized("lobby.closed_by_hand")
    sent = send_press(table.env, ben, lobby, str(Key(Op.JOIN, "1")))
    await table.env.settle()
    assert is_sentence("error.lobby_closed", last_answer(sent))


async def test_the_panel_of_a_table_that_has_begun_says_so(table: Table) -> None:
    ana = table.actors[0]
    lobby = await open_lobby(table, 3, seated=2)
    shown = await panel(lobby, ana)
    await ana.click(lobby, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    with nothing_changes(table):
        told = await ana.click(shown, label=localized("button.remove", player="Ben"))
        assert is_sentence("error.lobby_started", answer_to(told))


def let_pass(table: Table, span: timedelta) -> None:
    """Nothing has changed for as long as that."""
    with closing(sqlite3.connect(table.database)) as file:
        file.execute("update lobbies set changed_at = changed_at - ?", [span.total_seconds() * 1000])
        file.commit()


def standing(table: Table) -> list[Any]:
    """What the messages of the channel are made of that everybody sees: the card, and what came after it."""
    messages = table.env.backend.messages[table.channel.id].values()
    return [message.components for message in messages if message.visible_to(None)]


async def test_a_table_in_which_nothing_changes_closes_by_itself_and_says_so_before(table: Table) -> None:
    await open_lobby(table, 3, seated=2)
    changed = (await table.bot.host.lobbies.get(1)).changed_at
    assert f"<t:{int((changed + LOBBY_LIFE).timestamp())}:D>" in words(standing(table)[0])
    await table.bot.cleanup.close_expired()
    before = words(standing(table)[0])
    assert localized("lobby.member", player="Ben") in before
    await table.bot.cleanup.give_notice()
    assert words(standing(table)[0]) == before, "there is nothing to be told yet"
    let_pass(table, LOBBY_LIFE)
    await table.bot.cleanup.close_expired()
    assert words(standing(table)[0]) == before
    await table.bot.cleanup.give_notice()
    notice = table.channel.last_message
    assert notice is not None
    assert all(f"<@{actor.id}>" in words(standing(table)[-1]) for actor in table.actors[:2])
    assert is_sentence(
        "error.not_in_lobby", answer_to(await table.actors[2].click(notice, label=localized("button.keep")))
    )
    await table.actors[1].click(notice, label=localized("button.keep"))
    now = (await table.bot.host.lobbies.get(1)).changed_at
    day = f"<t:{int((now + LOBBY_LIFE).timestamp())}:D>"
    assert words(standing(table)[-1]) == localized("lobby.kept", player="Ben", day=day)
    assert buttons(standing(table)[-1]) == []
    for ahead in LOBBY_NOTICES:
        let_pass(table, LOBBY_LIFE - ahead)
        await table.bot.cleanup.give_notice()
    let_pass(table, LOBBY_LIFE)
    await table.bot.cleanup.close_expired()
    assert words(standing(table)[0]) == localized("lobby.expired", days=LOBBY_LIFE.days)


@pytest.mark.parametrize("sent", [False, True])
async def test_that_a_table_closes_is_told_once_whenever_the_bot_dies(
    table: Table, monkeypatch: pytest.MonkeyPatch, *, sent: bool
) -> None:
    """Before the notice is posted, or before that is known."""
    await open_lobby(table, 3, seated=2)
    let_pass(table, LOBBY_LIFE - LOBBY_NOTICES[0])
    before = len(standing(table))

    async def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    where = (Lobbies, "told") if sent else (discord.abc.Messageable, "send")
    with monkeypatch.context() as patch:
        patch.setattr(*where, dies)
        with pytest.raises(KeyboardInterrupt):
            await table.bot.cleanup.give_notice()
    assert len(standing(table)) == before + sent
    await table.restart()
    for _ in range(2):
        await table.bot.cleanup.give_notice()
    assert len(standing(table)) == before + 1
    assert await table.bot.host.lobbies.closing_soon() == []


@pytest.mark.parametrize(("status", "again"), [(403, 0), (500, 1)])
async def test_a_notice_that_discord_does_not_take_comes_later_or_can_never_come(
    table: Table, status: int, again: int
) -> None:
    await open_lobby(table, 3, seated=2)
    let_pass(table, LOBBY_LIFE - LOBBY_NOTICES[0])
    before = len(standing(table))
    table.env.inject_error("POST", f"/channels/{table.channel.id}/messages", status=status, code=50013, times=9)
    await table.bot.cleanup.give_notice()
    assert len(standing(table)) == before
    assert len(await table.bot.host.lobbies.closing_soon()) == again


async def test_a_member_opens_so_many_tables_and_no_more(table: Table) -> None:
    ana, ben = table.actors[:2]
    for _ in range(3):
        await ana.slash(table.channel, "carc new", players=2)
    with nothing_changes(table):
        told = answer_to(await ana.slash(table.channel, "carc new", players=2))
        assert told == localized("error.too_many_lobbies", most=3)
    assert not (await ben.slash(table.channel, "carc new", players=2)).followups[0].ephemeral


# -- names -------------------------------------------------------------------------------------------------------


async def test_people_go_by_the_name_that_they_have_now(table: Table) -> None:
    """Whoever acts is renamed, where they act."""
    ana, ben = table.actors[:2]
    lobby = await open_lobby(table, 2, seated=1)
    table.env.backend.edit_member(table.channel.guild.id, ana.id, {"nick": "Ana\u202estasia"})
    await ana.click(lobby, label=localized("button.ruling"))
    await ben.click(lobby, label=localized("button.join"))
    assert "Anastasia" in lobby_text(table)
    await ana.click(lobby, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    assert "Anastasia" in str(table.place.name), "threads are named without marks of direction, too"
    table.env.backend.edit_member(table.channel.guild.id, ana.id, {"nick": "Ana \u202eDrakcap\n**x**"})
    await ana.slash(table.place, "carc board")
    assert "Ana Drakcap **x**" in table.stored().names
    mover = table.members[table.stored().seats[table.stored().replayed().player]]
    offered = await mover.autocomplete(table.place, "carc play", "move", "")
    await mover.slash(table.place, "carc play", move=offered[0]["value"])
    await table.env.settle()
    told = words(table.card().components)
    assert r"Ana Drakcap \*\*x\*\*" in told
    assert "Anastasia" not in told
