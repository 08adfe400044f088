"""Direct messages to users who have opted in; if Discord refuses one, the thread or channel is used instead."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import Final

import discord

from cogs.games.presenters import presenter_of
from cogs.interactions.context import language_from
from cogs.messages import notice
from cogs.panels.events.posts import PostContext, event_card
from cogs.services.bot import BotServices
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts import t
from cogs.texts.languages import by_ear, speaking
from cogs.words.story import aloud, since_last
from host import Host, HostError, Post, PostKind
from host.observability import game_fields
from host.timing.reminders import DeliveryMode

log = logging.getLogger(__name__)


MAX_STORY: Final = 1500
"""Maximum length, in units, of the summary of events; with the link it fits into a plain message."""

CANNOT_WRITE: Final = 50007
"""Error code: the user does not accept direct messages from the bot."""


async def write_directly(bot: discord.Client, host: Host, post: Post, user_id: int, link: str) -> None:
    """Send a direct message about a post to a user who has opted in; ``link`` leads to the post."""
    listens = host.locales.plays_by_ear(user_id)
    with speaking(language_from(await host.locales.of(user_id), post.game.settings), listens=listens):
        words = await _words(host, post, user_id, link)
    fields = {**game_fields(post.game), "user": user_id}
    nobody = discord.AllowedMentions.none()
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        if listens:  # the notification of a message of components is empty
            await channel.send(words, allowed_mentions=nobody, suppress_embeds=True)
        else:
            await channel.send(view=notice(words), allowed_mentions=nobody)
    except discord.Forbidden as error:
        if error.code != CANNOT_WRITE:
            log.warning("a direct message was refused: %r", error, extra=fields)
        elif await host.turn_reminders.turn_off_direct_messages(post.game, user_id):
            log.info("a user accepts no direct messages: pinging in the thread instead", extra=fields)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:  # not retried: the post is in the thread, too
        log.warning("a direct message could not be sent: %r", error, extra=fields)


async def write_to_organisers(bot: BotServices, context: PostContext) -> PostContext:
    """Send a post about an event to organisers who want direct messages; return it with the others to be mentioned.

    A retry does not repeat a message, because Discord recognises its nonce for a while.
    """
    host, post = bot.host, context.post
    people = [person.user_id for person in post.event.organisers]
    manners = await host.turn_reminders.delivery_modes(people)
    reached = [user for user in people if manners[user].direct and await _write_to(bot, context, user, manners[user])]
    remaining = [user for user in people if user not in reached]
    return replace(context, named=remaining, pinged=[user_id for user_id in remaining if not manners[user_id].quiet])


async def _write_to(bot: BotServices, context: PostContext, user_id: int, manner: DeliveryMode) -> bool:
    """Send a post about an event to an organiser; return whether that succeeded."""
    host, event = bot.host, context.post.event
    settings = await host.servers.usual_settings(event.guild_id, language=event.plan.language)
    with speaking(language_from(await host.locales.of(user_id), settings)):
        card = event_card(context)
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        await channel.send(
            view=card.view, allowed_mentions=card.mentions(), silent=manner.quiet, nonce=context.post.nonce
        )
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.info(
            "a direct message to an organiser could not be sent: %r",
            error,
            extra={"event": event.code, "user": user_id},
        )
        return False
    return True


async def _words(host: Host, post: Post, user_id: int, link: str) -> str:
    """Return the text of a message about a game; for a user who plays By Ear with a summary of recent events first."""
    key = "direct.reminder" if post.kind is PostKind.REMINDER else "direct.turn"
    words = t(key, name=post.game.name, code=post.game.code, link=link)
    if not by_ear() or post.kind is PostKind.REMINDER:
        return words
    try:
        table = await host.games.table(post.game.code)
    except HostError:  # the summary is optional
        return words
    story = await asyncio.to_thread(since_last, presenter_of(table.position), table, user_id, MAX_STORY)
    return "\n".join(filter(None, [aloud(story), words]))
