"""Direct messages to users who have chosen to get them.

They tell a player that it is their turn, or an organiser of an event that something needs them. The same message is
also posted in the thread of the game, or in the channel of the event for organisers whom no direct message has reached.
"""

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
"""The most characters of the summary of recent moves, so that it fits into a message together with the link."""

CANNOT_WRITE: Final = 50007
"""The error code of Discord for a user who accepts no direct messages from the bot."""


async def write_directly(bot: discord.Client, host: Host, post: Post, user_id: int, link: str) -> None:
    """Send a user a direct message about a post, to which ``link`` leads.

    The caller has checked that the user wants direct messages. If the user accepts no direct messages, the preference
    is turned off. Other failures are only logged, since the post itself is in the thread.
    """
    listens = host.locales.plays_by_ear(user_id)
    with speaking(language_from(await host.locales.of(user_id), post.game.settings), listens=listens):
        words = await _words(host, post, user_id, link)
    fields = {**game_fields(post.game), "user": user_id}
    nobody = discord.AllowedMentions.none()
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        if listens:  # a screen reader reads the notification, which is empty for a message of components
            await channel.send(words, allowed_mentions=nobody, suppress_embeds=True)
        else:
            await channel.send(view=notice(words), allowed_mentions=nobody)
    except discord.Forbidden as error:
        if error.code != CANNOT_WRITE:
            log.warning("a direct message was refused: %r", error, extra=fields)
        elif await host.turn_reminders.turn_off_direct_messages(post.game, user_id):
            log.info("a user accepts no direct messages: pinging in the thread instead", extra=fields)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.warning("a direct message could not be sent: %r", error, extra=fields)


async def write_to_organisers(bot: BotServices, context: PostContext) -> PostContext:
    """Send a post about an event to those organisers who want direct messages.

    Return the post with the remaining organisers, whom its message in the channel is to mention. If the post is
    retried, no direct message is repeated, because Discord recognises its nonce for a while.
    """
    host, post = bot.host, context.post
    organisers = [person.user_id for person in post.event.organisers]
    modes = await host.turn_reminders.delivery_modes(organisers)
    reached = [user for user in organisers if modes[user].direct and await _write_to(bot, context, user, modes[user])]
    remaining = [user for user in organisers if user not in reached]
    return replace(context, named=remaining, pinged=[user_id for user_id in remaining if not modes[user_id].quiet])


async def _write_to(bot: BotServices, context: PostContext, user_id: int, mode: DeliveryMode) -> bool:
    """Send a post about an event to an organiser; return whether that succeeded."""
    host, event = bot.host, context.post.event
    settings = await host.servers.usual_settings(event.guild_id, language=event.plan.language)
    with speaking(language_from(await host.locales.of(user_id), settings)):
        card = event_card(context)
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        await channel.send(
            view=card.view, allowed_mentions=card.mentions(), silent=mode.quiet, nonce=context.post.nonce
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
    """Return the text of a direct message about a game.

    For a user who plays with a screen reader it begins with a summary of the moves since their last one.
    """
    key = "direct.reminder" if post.kind is PostKind.REMINDER else "direct.turn"
    words = t(key, name=post.game.name, code=post.game.code, link=link)
    if not by_ear() or post.kind is PostKind.REMINDER:
        return words
    try:
        table = await host.games.table(post.game.code)
    except HostError:  # the message is of use without the summary
        return words
    story = await asyncio.to_thread(since_last, presenter_of(table.position), table, user_id, MAX_STORY)
    return "\n".join(filter(None, [aloud(story), words]))
