"""A restarted preview posts the cards of games from earlier runs again.

The database outlives a run, while the channel of the offline Discord is empty at each start. A card is the message
about a game's newest move, with the buttons to play on.
"""

from __future__ import annotations

from pathlib import Path

from bot import build_bot
from cogs.texts import t
from operations.settings import Settings
from preview.repost import repost_cards
from preview.world import offline_discord


async def test_the_newest_card_of_a_running_game_is_reposted(tmp_path: Path) -> None:
    settings = Settings(preview_database=str(tmp_path / "games.sqlite3")).for_preview()
    bot = await build_bot(settings)
    async with offline_discord(bot) as world:
        ana, ben, *_ = world.members
        await ana.slash(world.channel, "carc new", players=2)
        lobby = world.channel.last_message
        assert lobby is not None
        await ben.click(lobby, label=t("button.join"))
        await ana.click(lobby, label=t("button.start"))
        (game,) = await bot.host.game_lists.of_user(ana.id)
        cards = len(world.channel.history())
        await repost_cards(bot, world)
        assert len(world.channel.history()) == cards, "the card was posted in this run"

    restarted = await build_bot(settings)
    async with offline_discord(restarted) as world:
        assert world.channel.history() == []
        await repost_cards(restarted, world)
        (card,) = world.channel.history()
        player = next(member for member in world.members if game.to_act and member.id == game.to_act.user_id)
        panel = await player.click(card, label=t("button.play"))
        assert panel.response is not None, "the game can be continued by the card"
