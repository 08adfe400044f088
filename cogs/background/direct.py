"""Writing directly to who has asked for it; where Discord refuses that, the thread takes over, and it is said once."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import discord

from cogs.click.reader import language_from
from cogs.desk.lookups import CONNECTION_BROKEN
from cogs.games.presenters import presenter_of
from cogs.messages.layouts import notice
from cogs.texts import t
from cogs.texts.languages import by_ear, speaking
from cogs.words.aloud import aloud
from cogs.words.history import since_last
from host import HostError, PostKind

if TYPE_CHECKING:
    from host import Host, Post

STORY: Final = 1500
"""Units of what has happened: with the link less than a plain message may have."""
log = logging.getLogger(__name__)

CANNOT_WRITE: Final = 50007
"""Discord's word for somebody who takes no direct messages from us."""


async def write_directly(bot: discord.Client, host: Host, post: Post, user_id: int, link: str) -> None:
    """Tell somebody of what was posted; he has chosen that, and nobody else is ever written to."""
    listens = host.tongues.listens(user_id)
    with speaking(language_from(await host.tongues.of(user_id), post.game.settings), listens=listens):
        words = await _words(host, post, user_id, link)
    about = {"game": post.game.code, "user": user_id}
    nobody = discord.AllowedMentions.none()
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        if listens:  # the notification of a message of components is empty
            await channel.send(words, allowed_mentions=nobody, suppress_embeds=True)
        else:
            await channel.send(view=notice(words), allowed_mentions=nobody)
    except discord.Forbidden as error:
        if error.code != CANNOT_WRITE:
            log.warning("a direct message was refused: %r", error, extra=about)
        elif await host.calls.cannot_write(post.game, user_id):
            log.info("direct messages are closed: the thread takes over", extra=about)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:  # the thread has called already
        log.warning("a direct message could not be sent: %r", error, extra=about)


async def _words(host: Host, post: Post, user_id: int, link: str) -> str:
    """Which game waits, and where; to who listens first what has happened."""
    key = "direct.reminder" if post.kind is PostKind.REMINDER else "direct.turn"
    words = t(key, name=post.game.name, code=post.game.code, link=link)
    if not by_ear() or post.kind is PostKind.REMINDER:
        return words
    try:
        table = await host.table(post.game.code)
    except HostError:  # the call is what matters
        return words
    story = await asyncio.to_thread(since_last, presenter_of(table.position), table, user_id, STORY)
    return "\n".join(filter(None, [aloud(story), words]))
