"""Discord's scheduled events, which a server shows above its channels and reminds those of who are interested.

The bot uses them where it has the permission; everything works without it as well.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import discord

from cogs.services.bot import BotServices
from cogs.services.lookups import CONNECTION_BROKEN

log = logging.getLogger(__name__)

MAX_NAME: Final = 100
"""The most characters of the name of a scheduled event."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The content of a scheduled event; the name has at most ``MAX_NAME`` characters, and ``url`` is its place."""

    name: str
    description: str
    url: str
    start: datetime
    end: datetime


async def own_member(client: BotServices, guild_id: int) -> discord.Member | None:
    """Return the bot's own member of a server, through which the functions below act for it there.

    None if the bot is not in the server, or Discord does not say. A server that another process serves is requested,
    since any process may post the messages of an event.
    """
    guild = client.get_guild(guild_id)
    if guild is not None:
        return guild.me
    if client.user is None or client.serves(guild_id):
        return None
    try:
        return await (await client.fetch_guild(guild_id, with_counts=False)).fetch_member(client.user.id)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.info("a server of another process could not be read: %s", error, extra={"server": guild_id})
        return None


def may_schedule(me: discord.Member) -> bool:
    """Return whether the bot may create scheduled events in a server."""
    permissions = me.guild_permissions
    return permissions.create_events or permissions.manage_events


async def add_event(me: discord.Member | None, schedule: Schedule) -> int | None:
    """Create a scheduled event; return its id, or None if the bot may not, or Discord does not take it."""
    if me is None or not may_schedule(me):
        return None
    try:
        event = await me.guild.create_scheduled_event(
            name=schedule.name,
            description=schedule.description,
            start_time=schedule.start,
            end_time=schedule.end,
            location=schedule.url,
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
        )
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.info("no scheduled event was created: %s", error, extra={"server": me.guild.id})
        return None
    return event.id


async def drop_event(me: discord.Member | None, event_id: int) -> bool:
    """Delete a scheduled event, unless it is gone or the bot may not; return False if that has to be tried again."""
    if me is None:
        return True
    try:
        await (await me.guild.fetch_scheduled_event(event_id)).delete()
    except (discord.NotFound, discord.Forbidden) as error:
        log.info("a scheduled event is not deleted: %s", error, extra={"server": me.guild.id})
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.warning("a scheduled event could not be deleted yet: %r", error, extra={"server": me.guild.id})
        return False
    return True


async def own_events(me: discord.Member) -> list[discord.ScheduledEvent]:
    """Return the scheduled events that the bot has created; none if it may not create any, or Discord does not say."""
    if not may_schedule(me):
        return []
    try:
        events = await me.guild.fetch_scheduled_events(with_counts=False)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.info("the scheduled events could not be read: %s", error, extra={"server": me.guild.id})
        return []
    return [event for event in events if event.creator_id == me.id]


async def move_end(event: discord.ScheduledEvent, end: datetime | None) -> None:
    """Move the end of a scheduled event; without one, delete it."""
    with suppress(discord.HTTPException, *CONNECTION_BROKEN):
        await (event.delete() if end is None else event.edit(end_time=end))
