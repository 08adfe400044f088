"""The announcement as it stands in its channel: edited whenever the event changes."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

import discord

from cogs.panels.events.announcement import announcement
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts.languages import speaking
from host.retry import retry_forever

if TYPE_CHECKING:
    from cogs.services.bot import BotServices

log = logging.getLogger(__name__)


def show_beside(client: BotServices, code: str) -> None:
    """Show an event on its card beside everything else: nobody waits for it, and it waits for the database."""
    client.beside(retry_forever(partial(show_event, client, code)), name=f"show {code}")


async def show_event(client: BotServices, code: str) -> None:
    """Show an event on its card as it is now: of several who join at once, the last one to redraw sees all of them."""
    async with client.event_edits.setdefault(code, asyncio.Lock()):
        view = await client.host.events.reader.view(code)
        if view.message_id is None:
            return
        channel = client.get_partial_messageable(view.channel_id, guild_id=view.guild_id)
        settings = await client.host.servers.usual_settings(view.guild_id, language=view.plan.language)
        with speaking(settings.language):
            card = announcement(view, client.presenters)
        try:
            await channel.get_partial_message(view.message_id).edit(view=card)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:  # the next change is another chance
            log.warning("the card of an event could not be redrawn: %s", error, extra={"event": code})
