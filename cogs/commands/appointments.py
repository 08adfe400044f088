"""Appointments for live games: ``/carc time meet``, and the buttons by which people agree on a time.

A time is proposed in a private panel, in the user's own time zone. Everybody reads the public message about it in
theirs, because Discord shows times so. When all have accepted, the message offers a calendar file, and the server has
a scheduled event if the bot may create one.
"""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import discord
from discord import ui

from cogs.commands.lobby import show_lobby
from cogs.interactions.admission import admitted, number_of
from cogs.messages import layout, notice, typed_values
from cogs.panels.appointments import (
    ACCEPTS,
    DECLINES,
    WHEN_FIELD,
    ZONE_FIELD,
    appointment_card,
    calendar_file,
    meet_panel,
    meeting_form,
    schedule_of,
)
from cogs.panels.own_settings import MAX_TYPED_LENGTH, with_hours
from cogs.presenting.ids import GAME, LOBBY, Key, Op, parse_id
from cogs.services.bot import Ack, BotServices, Handler, Interaction
from cogs.services.scheduled_events import add_event, drop_event, own_member
from cogs.texts import t
from cogs.words.names import link, safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clip
from host import NO_PACE, TIME_ZONE, Game, Lobby, Meeting, TableRef, unique_name_of
from host.notifications import OCCASIONS, Occasion

_DATES: Final = ("%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M", "%Y-%m-%d %H.%M", "%d.%m.%Y %H.%M")
_TIMES: Final = ("%H:%M", "%H.%M")
"""The forms in which a time can be typed, with a date or for the next time that clocks show it."""
CALENDAR_NAME: Final = "castellan.ics"
"""The name of the calendar file."""


def typed_time(typed: str, zone: ZoneInfo, now: datetime) -> datetime:
    """Read a typed time in a time zone; without a date, it is the next time that clocks there show it.

    Raises:
        RefusedError: ``bad_time``.
    """
    words = " ".join(typed.split())
    for pattern in _DATES:
        if (parsed := _parsed(words, pattern)) is not None:
            return parsed.replace(tzinfo=zone)
    for pattern in _TIMES:
        if (parsed := _parsed(words, pattern)) is not None:
            local = now.astimezone(zone)
            today = datetime.combine(local.date(), parsed.time(), zone)
            return today if today > now else datetime.combine(local.date() + timedelta(days=1), parsed.time(), zone)
    raise RefusedError("bad_time", typed=safe(clip(typed, MAX_TYPED_LENGTH)))


def _parsed(words: str, pattern: str) -> datetime | None:
    """Return typed words as a date and time; None if they have another form."""
    try:
        return datetime.strptime(words, pattern)  # noqa: DTZ007 - the zone is added by the caller
    except ValueError:
        return None


async def offer_meeting(interaction: Interaction, game: Game, when: str) -> None:
    """Propose the typed time to the players of a game; without one show the panel that asks for it."""
    argument = f"{GAME} {game.code}"
    if when:
        await _propose(interaction, argument, when)
    else:
        await _show_panel(interaction, argument)


async def press_meet(interaction: Interaction, key: Key) -> None:
    """Show the panel about when to meet, at the table in the argument or in the game of the button."""
    await _show_panel(interaction, key.argument or f"{GAME} {key.ref}")


async def press_form(interaction: Interaction, key: Key) -> None:
    """Open the form for a time."""
    await _table(interaction, key.argument)
    preferences = await interaction.client.host.preferences.get(interaction.user.id)
    await interaction.response.send_modal(meeting_form(key.argument, preferences))


async def submit_form(interaction: Interaction, key: Key) -> None:
    """Propose the time that was typed, and keep the time zone."""
    typed, preferences = typed_values(interaction.data or {}), interaction.client.host.preferences
    before = await preferences.get(interaction.user.id)
    after = with_hours(before, None, typed.get(ZONE_FIELD))
    if after.zone != before.zone:
        await preferences.set(interaction.user.id, after)
    await _propose(interaction, key.argument, typed.get(WHEN_FIELD, ""))


async def press_meeting(interaction: Interaction, key: Key) -> None:
    """Accept the appointment of the button, or call it off."""
    client, user_id, (answer, _, ref) = interaction.client, interaction.user.id, key.argument.partition(" ")
    number = number_of(replace(key, argument=ref))
    if answer not in (ACCEPTS, DECLINES):
        raise RefusedError("unknown_button")
    async with client.meeting_edits.setdefault(number, asyncio.Lock()):
        agreed_before = (await _meeting(interaction, number)).is_agreed
        meeting = await client.host.appointments.answer(number, user_id, interaction.id, accepts=answer == ACCEPTS)
        await show_appointment(client, meeting, safe(unique_name_of(meeting.people, user_id)))
        if meeting.is_agreed is not agreed_before:
            await _update_calendars(client, meeting)


async def press_file(interaction: Interaction, key: Key) -> None:
    """Send the user the calendar file of an appointment."""
    meeting = await _meeting(interaction, number_of(key))
    content = calendar_file(meeting, interaction.created_at)
    view = layout(t("appointment.file"), ui.File(f"attachment://{CALENDAR_NAME}"))
    file = discord.File(io.BytesIO(content), CALENDAR_NAME)
    await interaction.edit_original_response(view=view, attachments=[file])


async def _table(interaction: Interaction, argument: str) -> tuple[TableRef, Lobby | Game]:
    """Return the lobby or game that an argument names, if the user has access; a lobby that began is its game.

    Raises:
        HostError: ``unknown_lobby``, ``unknown_game``.
        RefusedError: ``unknown_button``.
    """
    kind, _, ref = argument.partition(" ")
    if kind == GAME:
        game = await admitted(interaction, ref)
        return TableRef(game_id=game.id), game
    try:
        lobby_id = parse_id(ref)
    except ValueError as error:
        raise RefusedError("unknown_button") from error
    if kind != LOBBY:
        raise RefusedError("unknown_button")
    host = interaction.client.host
    lobby = await host.lobbies.get_in(interaction.guild_id, lobby_id, interaction.channel_id)
    if lobby.game_id is not None:  # the button was posted before the game began
        return TableRef(game_id=lobby.game_id), await host.games.get(lobby.game_id)
    return TableRef(lobby_id=lobby.id), lobby


async def _meeting(interaction: Interaction, number: int) -> Meeting:
    """Return the appointment with this number, if its message is in this channel.

    Raises:
        HostError: ``appointment_gone``.
        RefusedError: ``unknown_button``.
    """
    meeting = await interaction.client.host.appointments.get(number)
    place = meeting.appointment
    if (place.guild_id, place.channel_id) != (interaction.guild_id, interaction.channel_id):
        raise RefusedError("unknown_button")
    return meeting


async def _show_panel(interaction: Interaction, argument: str) -> None:
    """Show the panel about when to meet at a table."""
    host, (table, shown) = interaction.client.host, await _table(interaction, argument)
    current = await host.appointments.current(table)
    preferences = await host.preferences.get(interaction.user.id)
    pace = shown.settings.pace if isinstance(shown, Game) else NO_PACE
    await interaction.edit_original_response(view=meet_panel(argument, current, preferences, pace))


async def _propose(interaction: Interaction, argument: str, when: str) -> None:
    """Propose a typed time to the people of a table, publicly, in place of the appointment that they have."""
    client, (table, _) = interaction.client, await _table(interaction, argument)
    preferences = await client.host.preferences.get(interaction.user.id)
    at = typed_time(when, preferences.zone, interaction.created_at)
    meeting, former = await client.host.appointments.propose(table, interaction.user.id, at, interaction.id)
    if former is not None:
        await _show_replaced(client, former)
    if meeting.appointment.message_id is None:
        meeting = await _post(client, meeting)
    place = meeting.appointment
    url = link(place.guild_id, place.channel_id, place.message_id)
    words = "appointment.sent" if TIME_ZONE in preferences.choices else "appointment.sent_in_zone"
    stamp = int(at.timestamp())
    await interaction.edit_original_response(view=notice(t(words, at=stamp, url=url, zone=preferences.zone.key)))


async def _post(client: BotServices, meeting: Meeting) -> Meeting:
    """Post a proposal, which pings those who have to answer it and were not pinged by another one a short time ago.

    Raises:
        RefusedError: ``meeting_nowhere``: the channel is gone, or closed to the bot.
    """
    place = meeting.appointment
    asked = [person.user_id for person in meeting.unanswered]
    pinged = OCCASIONS[Occasion.APPOINTMENT].pinged(asked, await client.host.appointments.not_to_ping(meeting))
    mentions = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user) for user in pinged])
    channel = client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
    try:
        message = await channel.send(view=appointment_card(meeting), allowed_mentions=mentions)
    except (discord.NotFound, discord.Forbidden) as error:
        raise RefusedError("meeting_nowhere") from error
    await client.host.appointments.set_message(meeting, message.id, pings=bool(pinged))
    return await client.host.appointments.get(place.id)


async def _show_replaced(client: BotServices, former: Meeting) -> None:
    """Take the buttons off the message of an appointment that was replaced, and take it out of the calendars."""
    replaced = await client.host.appointments.get(former.appointment.id)
    await show_appointment(client, replaced)
    if former.is_agreed:
        await _update_calendars(client, replaced)


async def show_appointment(client: BotServices, meeting: Meeting, decliner: str = "") -> None:
    """Show an appointment on its message, if that is still there; ``decliner`` is the name of who cannot come."""
    place = meeting.appointment
    if place.message_id is None:
        return
    channel = client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
    try:
        await channel.get_partial_message(place.message_id).edit(view=appointment_card(meeting, decliner))
    except (discord.NotFound, discord.Forbidden):
        return


async def _update_calendars(client: BotServices, meeting: Meeting) -> None:
    """Show on the table's card when people meet, and create the scheduled event of the server, or delete it."""
    if meeting.lobby is not None:
        async with client.lobby_edits.setdefault(meeting.lobby.id, asyncio.Lock()):
            await show_lobby(client, await client.host.lobbies.get(meeting.lobby.id))
    appointment, me = meeting.appointment, await own_member(client, meeting.appointment.guild_id)
    if meeting.is_agreed:
        scheduled_id = await add_event(me, schedule_of(meeting))
        if scheduled_id is not None:
            await client.host.appointments.set_scheduled(meeting, scheduled_id)
    elif appointment.scheduled_id is not None and await drop_event(me, appointment.scheduled_id):
        await client.host.appointments.set_scheduled(meeting, None)


HANDLERS: Final = {
    Op.MEET: Handler(Ack.PANEL, press_meet),
    Op.MEETING: Handler(Ack.UPDATE, press_meeting),
    Op.MEETING_FILE: Handler(Ack.PANEL, press_file),
    Op.MEETING_FORM: Handler(Ack.MODAL, press_form),
    Op.MEETING_TYPED: Handler(Ack.UPDATE, submit_form),
}
