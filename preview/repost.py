"""The games and events of earlier runs at the start of the preview: their threads, and their newest cards.

Games are stored in the database, but the offline Discord, with their threads and cards (the messages that show games),
ends with each run.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import discord

from cogs.client import CastellanBot
from cogs.interactions.threads import lesson_title, thread_title
from cogs.panels.events.posts import announcement
from cogs.texts.languages import speaking
from host import Game
from preview.world import World

MAX_GAMES: Final = 1000
"""The most games that are taken over from earlier runs."""


async def reopen_threads(bot: CastellanBot, world: World) -> None:
    """Open the threads of running games again, with the ids that they had, before the bot looks for them.

    That of a lesson is private again.
    """
    backend = world.env.backend
    async for game in _running_games(bot, world):
        if game.place in backend.channels:
            continue
        learners = game.players if game.settings.lesson else ()
        kind = discord.ChannelType.private_thread if learners else discord.ChannelType.public_thread
        with speaking(game.settings.language):
            name = lesson_title(learners[0]) if learners else thread_title(game.name, game.code, game.seats)
        owner, channel = backend.bot_user.id, world.channel.id
        backend.create_thread(channel, name, owner, type=kind.value, message_id=game.place, broadcast=False)
        for learner in learners:
            backend.add_thread_member(game.place, learner.user_id)


async def repost_cards(bot: CastellanBot, world: World) -> None:
    """Post the newest card of each running game and the cards of events again, unless posted in this run."""
    host, messages = bot.host, world.env.backend.messages
    async for game in _running_games(bot, world):
        newest = await host.outbox.last_sent(game.id)
        if newest is not None and newest.message_id not in messages.get(game.place, {}):
            await bot.publisher.show_again(game)
    for event in await host.events.reader.unfinished(world.guild.id):
        view = await host.events.reader.view(event.code)
        if view.message_id is None or view.message_id in messages[world.channel.id]:
            continue
        settings = await host.servers.usual_settings(world.guild.id, language=view.plan.language)
        with speaking(settings.language):
            card = announcement(view, bot.presenters)
        message = await bot.get_partial_messageable(world.channel.id, guild_id=world.guild.id).send(view=card)
        await host.events.reader.set_message(view.id, message.id)


async def _running_games(bot: CastellanBot, world: World) -> AsyncIterator[Game]:
    """Yield the running games of the server, oldest first; in an event some have no people."""
    for line in reversed(await bot.host.game_lists.of_guild(world.guild.id, MAX_GAMES)):
        yield await bot.host.games.get(line.id)
