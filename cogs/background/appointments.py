"""Tell people that the time comes on which they have agreed, and clean up after appointments that are called off."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

import discord

from cogs.commands.appointments import show_appointment
from cogs.interactions.admission import posted_in
from cogs.panels.appointments import soon_card, soon_marker
from cogs.services.bot import BotServices
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.scheduled_events import drop_event, own_member
from host import AppointmentState, LeaseLostError, Meeting
from host.notifications import OCCASIONS, Occasion
from host.observability import logging_failures

log = logging.getLogger(__name__)

LEASE: Final = "tell of appointments"
"""The name of the lease that lets only one process send these messages."""


async def close_obsolete_appointments(client: BotServices) -> None:
    """Say that appointments will not take place whose game or table has ended, and delete their scheduled events.

    Whatever fails is tried again in a later round, also after a restart. Those of servers that another process serves
    are left to that one, which alone knows the server.
    """
    for meeting in await client.host.appointments.obsolete():
        if client.serves(meeting.appointment.guild_id):
            with logging_failures(log, "an appointment could not be closed", {"server": meeting.appointment.guild_id}):
                await _close(client, meeting)


async def _close(client: BotServices, meeting: Meeting) -> None:
    """Show that an appointment will not take place, and delete its scheduled event."""
    place = meeting.appointment
    me = await own_member(client, place.guild_id)
    if place.scheduled_id is not None and not await drop_event(me, place.scheduled_id):
        return
    try:
        await show_appointment(client, meeting)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.warning("an appointment could not be shown yet: %r", error, extra={"server": place.guild_id})
        return
    await client.host.appointments.close(meeting)


async def tell_of_appointments(client: BotServices) -> None:
    """Tell the people of appointments that these begin soon; only one process does so at a time."""
    host = client.host
    if not await host.appointments.due() or not await host.processes.take(LEASE):
        return
    try:
        for meeting in await host.appointments.due():  # read once more, since another process may just have told them
            with logging_failures(log, "an appointment could not be told", {"server": meeting.appointment.guild_id}):
                await _tell(client, meeting)
    finally:
        await host.processes.give_back(LEASE)


async def _tell(client: BotServices, meeting: Meeting) -> None:
    """Send the message about an appointment, and show that its time has come.

    The message is sent again in the next round if Discord cannot be reached.
    """
    place = meeting.appointment
    for channel_id in meeting.places:
        channel = client.get_partial_messageable(channel_id, guild_id=place.guild_id)
        try:
            if not await _is_told(client, channel, place.id):
                await _send_notice(client, channel, meeting)
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("an appointment cannot be announced: %s", error, extra={"server": place.guild_id})
        except (discord.HTTPException, *CONNECTION_BROKEN, LeaseLostError) as error:
            log.warning("an appointment could not be announced yet: %r", error, extra={"server": place.guild_id})
            return
        else:
            break
    over = replace(meeting, appointment=replace(place, state=AppointmentState.OVER))
    with logging_failures(log, "an appointment could not be shown as over", {"server": place.guild_id}):
        await show_appointment(client, over)  # before it is recorded: a process that ends in between shows it again
    await client.host.appointments.end(meeting)


async def _is_told(client: BotServices, channel: discord.PartialMessageable, number: int) -> bool:
    """Return whether the message exists: an earlier process may have ended before it recorded that it was sent."""
    posted = await posted_in(channel, client.user.id if client.user else 0)
    marker = soon_marker(number)
    return any(custom_id.startswith(marker) for message in posted for custom_id in message.ids)


async def _send_notice(client: BotServices, channel: discord.PartialMessageable, meeting: Meeting) -> None:
    """Send the message about an appointment.

    Raises:
        LeaseLostError: another process may be sending it by now.
    """
    if not client.host.processes.holds(LEASE):
        raise LeaseLostError
    pinged = OCCASIONS[Occasion.APPOINTMENT_SOON].pinged([person.user_id for person in meeting.people], ())
    mentions = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user) for user in pinged])
    nonce = f"soon-{meeting.appointment.id}"
    await channel.send(view=soon_card(meeting), allowed_mentions=mentions, nonce=nonce)
