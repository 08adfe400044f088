"""The offline Discord of the preview has the same ids in every run, the real time, and a page on loopback only.

The offline Discord is simcord. Stable ids let a browser page and a database of an earlier run be used again;
`IdleBot` has no commands, since only the surroundings are tested.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import aiohttp
import discord
from discord.ext import commands

from preview.world import BOT_NAME, MEMBER_NAMES, offline_discord


class IdleBot(commands.Bot):
    """A bot without commands."""

    def __init__(self) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True))


async def test_the_bot_is_connected_and_closed_at_the_end() -> None:
    bot = IdleBot()
    async with offline_discord(bot):
        assert bot.is_ready()
        assert bot.user is not None
        assert bot.user.name == BOT_NAME
        assert [channel.name for channel in bot.get_all_channels()] == ["carcassonne"]
    assert bot.is_closed()


async def test_members_and_channel_have_the_same_ids_in_every_run() -> None:
    ids = []
    for _ in range(2):
        async with offline_discord(IdleBot()) as world:
            assert tuple(member.user.global_name for member in world.members) == MEMBER_NAMES
            ids.append([world.channel.id, *(member.id for member in world.members)])
    assert ids[0] == ids[1]


async def test_messages_have_the_real_time_and_new_ids_in_every_run() -> None:
    ids = set()
    for _ in range(2):
        async with offline_discord(IdleBot()) as world:
            message = await world.members[0].send(world.channel, "Hello")
        assert datetime.now(UTC) - message.created_at < timedelta(minutes=1)
        ids.add(message.id)
    assert len(ids) == 2


async def test_the_page_is_served_on_loopback_only() -> None:
    async with offline_discord(IdleBot()) as world, world.page() as page:
        assert page.url.startswith("http://127.0.0.1:")
        async with aiohttp.ClientSession() as session, session.get(page.url) as response:
            assert response.status == 200
        snapshot = await page.snapshot()
        assert snapshot["channel"]["name"] == "carcassonne"
        assert len(snapshot["viewers"]) == len(MEMBER_NAMES)
