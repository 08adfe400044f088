"""Appointments in Discord: proposing a time, answering it, calendars, and telling people that the time comes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import AsyncMock, MagicMock, Mock
from zoneinfo import ZoneInfo

import discord
import pytest
import simcord
from icalendar import Calendar

from cogs.background.appointments import close_obsolete_appointments, tell_of_appointments
from cogs.panels.appointments import MEETING_LENGTH, WHEN_FIELD, ZONE_FIELD, soon_card, soon_marker
from cogs.presenting.ids import Key, Op, parse_key
from host import TIME_ZONE, Preferences, TableRef
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.player import Shown, button_for
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import buttons, localized, mentioned_users, words
from tests.e2e.table import Table
from tests.e2e.test_challenges import challenge, newest_card

pytestmark = pytest.mark.usefixtures("random_language")

PRAGUE = ZoneInfo("Europe/Prague")
WHEN = datetime.now(PRAGUE).replace(hour=20, minute=0, second=0, microsecond=0) + timedelta(days=2)
"""The time that is proposed: at eight in the evening in Prague."""
TYPED = f"{WHEN:%Y-%m-%d %H:%M}"
STAMP = int(WHEN.timestamp())


async def propose(table: Table, member: int = 0, typed: str = TYPED) -> Shown:
    """Let a member propose a time in the game of the table, typed in the time zone of Prague; return the message."""
    actor = table.actors[member]
    await table.bot.host.preferences.set(actor.id, Preferences().with_choice(TIME_ZONE, PRAGUE.key))
    await actor.slash(table.place, "carc time meet", when=typed)
    return newest_message(table)


def newest_message(table: Table) -> Shown:
    """Return the newest public message in the place of the game."""
    messages = [message for message in table.env.backend.messages[table.place.id].values() if message.visible_to(None)]
    return Shown(simcord.ResponseMessage(table.env, messages[-1]), messages[-1].components)


def scheduled_events(table: Table) -> list[Any]:
    """Return the scheduled events of the server."""
    return list(table.env.backend.guilds[table.channel.guild.id].scheduled_events.values())


def ben_id(table: Table) -> int:
    """Return the id of the second member."""
    return table.actors[1].id


async def open_form(table: Table, panel: simcord.ResponseMessage) -> Shown:
    """Let the second member open the form for a time from the private panel."""
    shown = Shown(panel, panel.components)
    return await table.press(ben_id(table), shown, button_for(shown, Op.MEETING_FORM).custom_id)


async def agree(table: Table) -> Shown:
    """Let the players of a game of two agree on a time; return the message."""
    card = await propose(table)
    await table.actors[1].click(card.handle, label=localized("button.can_come"))
    return newest_message(table)


async def test_a_time_is_agreed_on_in_a_game(table: Table) -> None:
    await table.start(2)
    ana, ben = table.actors[:2]
    card = await propose(table)
    assert f"<t:{STAMP}:F>" in words(card.components)
    assert mentioned_users(card.components) == [ben.id]
    await ben.click(card.handle, label=localized("button.can_come"))
    assert f"<t:{STAMP}:F>" in words(newest_message(table).components)
    assert {Op.MEETING_FILE, Op.MEET, Op.MEETING} == {
        shown.key.op for shown in buttons(newest_message(table).components)
    }
    (event,) = scheduled_events(table)
    assert datetime.fromisoformat(event.scheduled_start_time) == WHEN
    assert datetime.fromisoformat(event.scheduled_end_time) == WHEN + MEETING_LENGTH
    current = await table.bot.host.appointments.current(TableRef(game_id=1))
    assert current is not None
    assert current.appointment.scheduled_id == event.id
    assert ana.id in current.appointment.accepted


async def test_the_calendar_file_has_the_time_and_the_table(table: Table) -> None:
    await table.start(2)
    card = await agree(table)
    sent = await table.actors[0].click(card.handle, label=localized("button.calendar"))
    (attachment,) = sent.response.attachments
    (event,) = Calendar.from_ical(await attachment.read()).walk("VEVENT")
    assert (event.start, event.end) == (WHEN, WHEN + MEETING_LENGTH)
    assert "Ana" in event["summary"]
    assert str(table.place.id) in event["url"]


def set_permissions(table: Table, **changes: bool) -> None:
    """Change the permissions of the bot in the server."""
    guild_id = table.channel.guild.id
    (role,) = [role for role in table.env.backend.guilds[guild_id].roles.values() if role.managed]
    permissions = discord.Permissions(role.permissions)
    permissions.update(**changes)
    table.env.backend.edit_role(guild_id, role.id, {"permissions": permissions.value})


@pytest.mark.parametrize("may_create", [False, True], ids=["no permission", "refused by Discord"])
async def test_without_the_permission_everything_else_works(table: Table, *, may_create: bool) -> None:
    set_permissions(table, manage_events=False, create_events=may_create)
    await table.start(2)
    card = await agree(table)
    assert scheduled_events(table) == []
    assert localized("button.calendar") in [shown.label for shown in buttons(card.components)]
    await table.actors[0].click(card.handle, label=localized("button.call_off"))
    assert not buttons(newest_message(table).components)


async def test_an_agreed_time_is_called_off(table: Table) -> None:
    await table.start(2)
    card = await agree(table)
    await table.actors[1].click(card.handle, label=localized("button.call_off"))
    text = words(newest_message(table).components)
    assert "Ben" in text
    assert f"<t:{STAMP}:F>" in text
    assert not buttons(newest_message(table).components)
    assert scheduled_events(table) == []


async def test_another_time_replaces_the_first(table: Table) -> None:
    await table.start(2)
    first = await agree(table)
    panel = (await table.actors[1].click(first.handle, label=localized("button.other_time"))).response
    assert f"<t:{STAMP}:F>" in words(panel.components)
    modal = await open_form(table, panel)
    later = f"{WHEN + timedelta(days=1):%Y-%m-%d %H:%M}"
    await table.submit(ben_id(table), modal, {WHEN_FIELD: later, ZONE_FIELD: "Europe/Prague"})
    second = newest_message(table)
    assert f"<t:{STAMP + 86400}:F>" in words(second.components)
    assert mentioned_users(second.components) == [table.actors[0].id]
    assert scheduled_events(table) == []
    assert (await table.bot.host.preferences.get(table.actors[1].id)).zone == PRAGUE
    answer = send_press(table.env, table.actors[1], first.handle, str(Key(Op.MEETING, "0", 0, "yes 1")))
    await table.env.settle()
    assert is_sentence("error.appointment_gone", last_answer(answer))


async def test_the_people_of_a_table_agree_before_the_game(table: Table) -> None:
    ana, ben = table.actors[:2]
    card = await challenge(table, ben)
    panel = (await ben.click(card.handle, label=localized("button.seats"))).response
    opened = (await ben.click(panel, label=localized("button.meet"))).response
    modal = await open_form(table, opened)
    await table.submit(ben_id(table), modal, {WHEN_FIELD: TYPED, ZONE_FIELD: "Europe/Prague"})
    proposal = newest_card(table)
    assert f"<t:{STAMP}:F>" in words(proposal.components)
    await ana.click(proposal.handle, label=localized("button.can_come"))
    lobby = await table.bot.host.lobbies.get(1)
    assert lobby.meets_at == WHEN
    shown = table.env.backend.messages[table.channel.id][lobby.message_id]
    assert localized("lobby.meets", at=STAMP) in words(shown.components)


async def test_a_message_from_before_the_game_proposes_a_time_for_the_game(table: Table) -> None:
    ana, ben = table.actors[:2]
    card = await challenge(table, ben)
    await table.bot.host.appointments.propose(TableRef(lobby_id=1), ana.id, WHEN, 1)
    panel = (await ben.click(card.handle, label=localized("button.seats"))).response
    meeting = next(shown for shown in buttons(panel.components) if shown.key.op is Op.MEET)
    await ben.click(card.handle, label=localized("button.accept"))
    opened = (await ben.click(panel, custom_id=meeting.custom_id)).response
    assert f"<t:{STAMP}:F>" in words(opened.components)
    modal = await open_form(table, opened)
    later = f"{WHEN + timedelta(days=1):%Y-%m-%d %H:%M}"
    await table.submit(ben_id(table), modal, {WHEN_FIELD: later, ZONE_FIELD: "Europe/Prague"})
    current = await table.bot.host.appointments.current(TableRef(game_id=1))
    assert current is not None
    assert current.appointment.at == WHEN + timedelta(days=1)


async def test_a_time_that_cannot_be_read_is_refused(table: Table) -> None:
    await table.start(2)
    actor = table.actors[0]
    with nothing_changes(table):
        answer = answer_to(await actor.slash(table.place, "carc time meet", when="on Friday"))
        assert is_sentence("refusal.bad_time", answer)
        answer = answer_to(await actor.slash(table.place, "carc time meet", when="2020-01-01 20:00"))
        assert is_sentence("error.bad_appointment", answer)


async def test_strangers_cannot_answer(table: Table) -> None:
    await table.start(2)
    card = await propose(table)
    with nothing_changes(table):
        answer = answer_to(await table.actors[2].click(card.handle, label=localized("button.can_come")))
        assert is_sentence("error.not_a_player", answer)


def let_the_time_come(table: Table) -> None:
    """Move all appointments to five minutes from now, because the clock of these tests is the machine's."""
    soon = int((datetime.now(UTC) + timedelta(minutes=5)).timestamp() * 1000)
    with closing(sqlite3.connect(table.database)) as file:
        file.execute("update appointments set at = ?", [soon])
        file.commit()


async def test_everybody_is_told_when_the_time_comes(table: Table) -> None:
    await table.start(2)
    await agree(table)
    await tell_of_appointments(table.bot)
    before = newest_message(table)
    let_the_time_come(table)
    for _ in range(2):
        await tell_of_appointments(table.bot)
    told = newest_message(table)
    assert told.handle.id != before.handle.id
    assert {*mentioned_users(told.components)} == {actor.id for actor in table.actors[:2]}
    assert await table.bot.host.appointments.due() == []
    shown = table.env.backend.messages[table.place.id][before.handle.id].components
    assert not buttons(shown), "the message about it says that the time has come"
    panel = (await table.actors[1].click(told.handle, label=localized("button.other_time"))).response
    assert localized("appointment.none") in words(panel.components), "who is late proposes another time"


@pytest.mark.parametrize("number", [1, 999_998, 999_999, 12_345_678])
def test_a_notice_is_recognised_by_a_button_that_can_be_pressed(number: int) -> None:
    key = parse_key(f"{soon_marker(number)}game ABCD")
    assert key is not None
    assert (key.op, key.argument) == (Op.MEET, "game ABCD")
    assert key.revision > 0, "the buttons of other messages have none"


async def test_a_failure_at_one_table_silences_no_other(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        await table.start(2)
        await agree(table)
    let_the_time_come(table)
    _, other = await table.bot.host.appointments.due()
    soon = Mock(side_effect=[ValueError("an error"), soon_card(other)])
    monkeypatch.setattr("cogs.background.appointments.soon_card", soon)
    await tell_of_appointments(table.bot)
    assert [meeting.appointment.id for meeting in await table.bot.host.appointments.due()] == [1]


async def test_people_are_told_in_the_channel_when_the_thread_is_closed(table: Table) -> None:
    await table.start(2)
    await agree(table)
    let_the_time_come(table)
    path = f"/channels/{table.place.id}/messages"
    table.env.inject_error("POST", path, status=403, code=50001, times=1)
    await tell_of_appointments(table.bot)
    told = list(table.env.backend.messages[table.channel.id].values())[-1]
    assert {*mentioned_users(told.components)} == {actor.id for actor in table.actors[:2]}


async def test_a_deleted_thread_calls_off_the_appointment_in_it(table: Table) -> None:
    await table.start(2)
    await agree(table)
    table.env.backend.delete_channel(table.place.id)
    await table.env.settle()
    await close_obsolete_appointments(table.bot)
    assert await table.bot.host.appointments.current(TableRef(game_id=1)) is None
    assert scheduled_events(table) == []


async def test_the_scheduled_event_goes_when_the_game_ends(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start(2)
    card = await agree(table)
    await close_obsolete_appointments(table.bot)
    assert len(scheduled_events(table)) == 1
    await table.bot.host.moves.resign(1, ben_id(table), 1)
    with monkeypatch.context() as patch:
        response = MagicMock(status=500, reason="Internal Server Error")
        failing = AsyncMock(side_effect=discord.DiscordServerError(response, "unavailable"))
        patch.setattr(discord.Guild, "fetch_scheduled_event", failing)
        await close_obsolete_appointments(table.bot)
    assert len(scheduled_events(table)) == 1
    with monkeypatch.context() as patch:  # a process that does not know the server leaves it to the one that does
        patch.setattr(type(table.bot), "serves", lambda _, __: False)
        patch.setattr(type(table.bot), "get_guild", lambda _, __: None)
        await close_obsolete_appointments(table.bot)
    assert len(scheduled_events(table)) == 1
    await close_obsolete_appointments(table.bot)
    assert scheduled_events(table) == []
    shown = table.env.backend.messages[card.handle.channel_id][card.handle.id].components
    assert f"<t:{STAMP}:F>" in words(shown)
    assert not buttons(shown)


async def test_of_several_games_one_is_chosen(table: Table) -> None:
    for _ in range(2):
        await table.start(2)
    asked = await table.actors[0].slash(table.channel, "carc time meet")
    first = next(shown for shown in buttons(asked.response.components) if shown.key.op is Op.MEET)
    panel = (await table.actors[0].click(asked.response, custom_id=first.custom_id)).response
    assert localized("appointment.none") in words(panel.components)
    assert [shown.key.argument for shown in buttons(panel.components)] == [f"game {first.key.ref}"]
