"""The games of an earlier run: they are in the file, but the offline Discord in which their cards stood is gone."""

from __future__ import annotations

from cogs.client import CastellanBot
from preview.world import World


async def show_games_again(bot: CastellanBot, world: World) -> None:
    """Post the newest card of every running game once more, unless it has only now been posted."""
    host, there = bot.host, {message.id for message in world.channel.history()}
    running = {summary.game_id for member in world.members for summary in await host.game_lists.of_user(member.id)}
    for game_id in sorted(running):
        game, newest = await host.games.get(game_id), await host.outbox.last_sent(game_id)
        if game.place == world.channel.id and newest is not None and newest.message_id not in there:
            await bot.publisher.show_again(game)
