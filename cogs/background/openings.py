"""Games of events: each gets a thread of its own, under the message that tells of it in the event's channel."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

import discord

from cogs.interactions.threads import A_WEEK, THREAD_EXISTS, thread_title
from cogs.texts.languages import speaking
from host import PostKind
from host.observability import about

if TYPE_CHECKING:
    from cogs.services.bot import BotServices
    from host import Host, Post

log = logging.getLogger(__name__)

NO_ROOM: Final = 160006
"""The server has as many active threads as Discord allows."""
WAIT_FOR_ROOM: Final = 600.0
"""Seconds until a thread is tried again for which there was no room; its event is told, and founds none meanwhile."""


async def opened(bot: BotServices, host: Host, post: Post, message_id: int) -> bool:
    """Open the thread of a game under its message, which may be there already; False where it has to wait for room.

    Whatever is no such message has no thread to open.
    """
    if post.kind is not PostKind.OPENING:
        return True
    game = post.game
    with speaking(game.settings.language):
        name = thread_title(game.name, game.code, game.players)
    channel = bot.get_partial_messageable(game.channel_id, guild_id=game.guild_id)
    try:
        await channel.get_partial_message(message_id).create_thread(name=name, auto_archive_duration=A_WEEK)
    except discord.HTTPException as error:
        if error.code == NO_ROOM:
            until = await host.events.openings.no_room(game.id)
            await host.outbox.failed(post.id, retry_after=WAIT_FOR_ROOM)
            log.warning("no room for the thread of a game", extra={**about(game), "until": str(until)})
            return False
        if error.code != THREAD_EXISTS:
            raise
    await host.events.openings.opened(game.id, message_id)
    return True
