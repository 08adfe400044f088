"""Reposting of cards (the messages that show games) at the start of the preview.

Games are stored in the database, but the offline Discord with their cards ends with each run.
"""

from __future__ import annotations

from cogs.client import CastellanBot
from preview.world import World


async def repost_cards(bot: CastellanBot, world: World) -> None:
    """Post the newest card of each running game again, unless it has been posted in this run."""
    host, message_ids = bot.host, {message.id for message in world.channel.history()}
    running = {summary.game_id for member in world.members for summary in await host.game_lists.of_user(member.id)}
    for game_id in sorted(running):
        game, newest = await host.games.get(game_id), await host.outbox.last_sent(game_id)
        if game.place == world.channel.id and newest is not None and newest.message_id not in message_ids:
            await bot.publisher.show_again(game)
