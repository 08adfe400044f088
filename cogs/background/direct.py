"""Writing directly to who has asked for it; where Discord refuses that, the thread takes over, and it is said once."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

import discord

from cogs.click.reader import language_from
from cogs.desk.lookups import CONNECTION_BROKEN
from cogs.messages.layouts import notice
from cogs.texts import t
from cogs.texts.languages import speaking
from host import PostKind

if TYPE_CHECKING:
    from host import Host, Post

log = logging.getLogger(__name__)

CANNOT_WRITE: Final = 50007
"""Discord's word for somebody who takes no direct messages from us."""


async def write_directly(bot: discord.Client, host: Host, post: Post, user_id: int, link: str) -> None:
    """Tell somebody of what was posted; he has chosen that, and nobody else is ever written to."""
    key = "direct.reminder" if post.kind is PostKind.REMINDER else "direct.turn"
    with speaking(language_from(await host.tongues.of(user_id), post.game.settings)):
        words = t(key, name=post.game.name, code=post.game.code, link=link)
    about = {"game": post.game.code, "user": user_id}
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        await channel.send(view=notice(words), allowed_mentions=discord.AllowedMentions.none())
    except discord.Forbidden as error:
        if error.code != CANNOT_WRITE:
            log.warning("a direct message was refused: %r", error, extra=about)
        elif await host.calls.cannot_write(post.game, user_id):
            log.info("direct messages are closed: the thread takes over", extra=about)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:  # the thread has called already
        log.warning("a direct message could not be sent: %r", error, extra=about)
