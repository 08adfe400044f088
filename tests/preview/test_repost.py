"""A restarted preview has the threads of games from earlier runs, and posts their cards again.

The database outlives a run, while the offline Discord is empty at each start. A card is the message about a game's
newest move, with the buttons to play on.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from simcord.backend.access import can_access_channel

from bot import build_bot
from cogs.texts import t
from operations.settings import Settings
from preview.repost import reopen_threads, repost_cards
from preview.world import offline_discord


async def test_a_running_game_continues_in_its_thread(tmp_path: Path) -> None:
    settings = Settings(preview_database=str(tmp_path / "games.sqlite3")).for_preview()
    bot = await build_bot(settings)
    async with offline_discord(bot, partial(reopen_threads, bot)) as world:
        ana, ben, *_ = world.members
        await ana.slash(world.channel, "carc new", players=2)
        lobby = world.channel.last_message
        assert lobby is not None
        await ben.click(lobby, label=t("button.join"))
        await ana.click(lobby, label=t("button.start"))
        (thread,) = world.channel.threads
        (game,) = await bot.host.game_lists.of_user(ana.id)
        cards = len(thread.history())
        assert cards
        await repost_cards(bot, world)
        assert len(thread.history()) == cards, "the card was posted in this run"

    restarted = await build_bot(settings)
    async with offline_discord(restarted, partial(reopen_threads, restarted)) as world:
        (reopened,) = world.channel.threads
        assert reopened.id == thread.id
        assert str(reopened.name).startswith(f"{game.name} · {game.code} · ")
        assert reopened.history() == []
        await repost_cards(restarted, world)
        (card,) = reopened.history()
        player = next(member for member in world.members if game.to_act and member.id == game.to_act.user_id)
        panel = await player.click(card, label=t("button.play"))
        assert panel.response is not None, "the game can be continued by the card"


async def test_the_thread_of_a_lesson_is_private_again(tmp_path: Path) -> None:
    settings = Settings(preview_database=str(tmp_path / "games.sqlite3")).for_preview()
    bot = await build_bot(settings)
    async with offline_discord(bot, partial(reopen_threads, bot)) as world:
        learner = world.members[1]
        await learner.slash(world.channel, "carc learn")
        (thread,) = world.channel.threads
        name, kind = thread.name, world.env.backend.get_channel(thread.id).type

    restarted = await build_bot(settings)
    async with offline_discord(restarted, partial(reopen_threads, restarted)) as world:
        reopened = world.env.backend.get_channel(thread.id)
        assert (reopened.name, reopened.type) == (name, kind)
        _, ben, cleo, *_ = world.members
        seeing = [member for member in (ben, cleo) if can_access_channel(world.env, reopened.id, member)]
        assert seeing == [ben]


async def test_the_card_of_an_event_is_posted_again(tmp_path: Path) -> None:
    settings = Settings(preview_database=str(tmp_path / "games.sqlite3")).for_preview()
    bot = await build_bot(settings)
    async with offline_discord(bot) as world:
        ana, *_ = world.members
        for name in ("Cup", "Draft"):
            await ana.slash(world.channel, "tourney create", name=name)
        event = (await bot.host.events.reader.view(1)).code
        await ana.slash(world.channel, "tourney manage do", what="announce", event=event)
        while not world.channel.history():
            await world.env.settle()

    restarted = await build_bot(settings)
    async with offline_discord(restarted) as world:
        await repost_cards(restarted, world)
        (card,) = world.channel.history()
        assert "Cup" in str(card.components), "and not the draft, of which nobody knows yet"
        await repost_cards(restarted, world)
        assert len(world.channel.history()) == 1
        await world.members[1].click(card, label=t("button.join"))
        await world.env.settle()
        assert "Ben" in str(world.channel.history()[0].components), "the new card follows the event"
