"""Direct messages to those who have asked for them; where Discord refuses that, thread or channel takes over."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import discord

from cogs.games.presenters import presenter_of
from cogs.interactions.context import language_from
from cogs.messages import notice
from cogs.panels.events.posts import event_card
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts import t
from cogs.texts.languages import by_ear, speaking
from cogs.words.story import aloud, since_last
from host import HostError, PostKind
from host.observability import about

if TYPE_CHECKING:
    from cogs.panels.events.announcement import Told
    from cogs.services.bot import BotServices
    from host import Host, Post
    from host.clockwork.calling import Manner

log = logging.getLogger(__name__)


STORY: Final = 1500
"""Units of what has happened: with the link less than a plain message may have."""

CANNOT_WRITE: Final = 50007
"""Discord's word for somebody who takes no direct messages from us."""


async def write_directly(bot: discord.Client, host: Host, post: Post, user_id: int, link: str) -> None:
    """Tell somebody of what was posted; he has chosen that, and nobody else is ever written to."""
    listens = host.tongues.listens(user_id)
    with speaking(language_from(await host.tongues.of(user_id), post.game.settings), listens=listens):
        words = await _words(host, post, user_id, link)
    told = {**about(post.game), "user": user_id}
    nobody = discord.AllowedMentions.none()
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        if listens:  # the notification of a message of components is empty
            await channel.send(words, allowed_mentions=nobody, suppress_embeds=True)
        else:
            await channel.send(view=notice(words), allowed_mentions=nobody)
    except discord.Forbidden as error:
        if error.code != CANNOT_WRITE:
            log.warning("a direct message was refused: %r", error, extra=told)
        elif await host.calls.cannot_write(post.game, user_id):
            log.info("direct messages are closed: the thread takes over", extra=told)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:  # the thread has called already
        log.warning("a direct message could not be sent: %r", error, extra=told)


async def write_to_organisers(bot: BotServices, told: Told) -> Told:
    """Tell those who organise an event and have asked for direct messages; the rest is named where it is played.

    Sent again, a message is the same one to Discord for a while.
    """
    host, post = bot.host, told.post
    people = [person.user_id for person in post.event.organisers]
    manners = await host.calls.manners(people)
    named = [each for each in people if not (manners[each].direct and await _written(bot, told, each, manners[each]))]
    return replace(told, named=named, called=[user_id for user_id in named if not manners[user_id].quiet])


async def _written(bot: BotServices, told: Told, user_id: int, manner: Manner) -> bool:
    """Whether an organiser has what was posted of an event as a direct message now."""
    host, event = bot.host, told.post.event
    settings = await host.servers.usual_settings(event.guild_id, language=event.plan.language)
    with speaking(language_from(await host.tongues.of(user_id), settings)):
        card = event_card(told)
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        await channel.send(view=card.view, allowed_mentions=card.mentions(), silent=manner.quiet, nonce=told.post.nonce)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.info("an organiser could not be written to: %r", error, extra={"event": event.code, "user": user_id})
        return False
    return True


async def _words(host: Host, post: Post, user_id: int, link: str) -> str:
    """Which game waits, and where; to who listens first what has happened."""
    key = "direct.reminder" if post.kind is PostKind.REMINDER else "direct.turn"
    words = t(key, name=post.game.name, code=post.game.code, link=link)
    if not by_ear() or post.kind is PostKind.REMINDER:
        return words
    try:
        table = await host.games.table(post.game.code)
    except HostError:  # the call is what matters
        return words
    story = await asyncio.to_thread(since_last, presenter_of(table.position), table, user_id, STORY)
    return "\n".join(filter(None, [aloud(story), words]))
