"""The games and events of earlier runs at the start of the preview: their threads, and their newest cards.

Games are stored in the database, but the offline Discord, with their threads and cards (the messages that show games),
ends with each run.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from cogs.client import CastellanBot
from cogs.interactions.threads import thread_title
from cogs.panels.events.posts import announcement
from cogs.texts.languages import speaking
from host import Game
from preview.world import World


async def reopen_threads(bot: CastellanBot, world: World) -> None:
    """Open the threads of running games again, with the ids that they had, before the bot looks for them."""
    backend = world.env.backend
    async for game in _running_games(bot, world):
        if game.place in backend.channels:
            continue
        with speaking(game.settings.language):
            name = thread_title(game.name, game.code, game.players)
        backend.create_thread(world.channel.id, name, backend.bot_user.id, message_id=game.place, broadcast=False)


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
    """Yield the running games of all members, oldest first."""
    lists = bot.host.game_lists
    for game_id in sorted({line.id for member in world.members for line in await lists.of_user(member.id)}):
        yield await bot.host.games.get(game_id)
