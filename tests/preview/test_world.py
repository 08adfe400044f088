"""The offline Discord of the preview has the same ids in every run, the real time, and a page on loopback only.

The offline Discord is simcord. Stable ids let a browser page and a database of an earlier run be used again;
`IdleBot` has no commands, since only the surroundings are tested.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import aiohttp
import discord
import pytest
import simcord
from discord.ext import commands

from preview.world import BOT_NAME, MEMBER_NAMES, SETTLE_POLL_SECONDS, answer_quickly, offline_discord

LATER_SECONDS = 60.0
"""Seconds until the bot does what is due later: less than the timeout of a click."""


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


class WaitingBot(commands.Bot):
    """A bot that begins two things for later with each message: a task that sleeps, and a timer."""

    def __init__(self) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True, guild_messages=True))
        self.heard: list[int] = []

    async def on_message(self, message: discord.Message) -> None:
        """Note the message, and begin what is due later."""
        self.heard.append(message.id)
        sleeping = asyncio.create_task(asyncio.sleep(LATER_SECONDS))
        asyncio.get_running_loop().call_later(LATER_SECONDS, sleeping.cancel)


async def test_nobody_waits_for_what_the_bot_does_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(simcord.Env._settle_internal.__kwdefaults__, "idle", SETTLE_POLL_SECONDS)
    for name in ("_is_parked", "_callback_is_parked"):
        monkeypatch.setattr(simcord.env, name, getattr(simcord.env, name))
    answer_quickly()
    bot = WaitingBot()
    async with offline_discord(bot) as world, asyncio.timeout(LATER_SECONDS / 2):
        message = await world.members[0].send(world.channel, "Hello")
        assert bot.heard == [message.id]
