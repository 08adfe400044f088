"""The Discord that exists only in this process: one server, one channel, four members and the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, cast

import discord
import simcord
from discord.ext import commands

from preview.pictures import OwnPictures
from preview.present import follow_present, show_present

BOT_NAME: Final = "Castellan"
GUILD_NAME: Final = "The Village"
CHANNEL_NAME: Final = "carcassonne"
CHANNEL_TOPIC: Final = "Type /carc new, then take the seats of Ana, Ben, Cleo and Dan in turn under «Viewing as»"
MEMBER_NAMES: Final = ("Ana", "Ben", "Cleo", "Dan")
"""As many as the smallest event takes."""
ORGANISERS: Final = "Organisers"
"""The role with which the first member may manage the server: create events, set it up, close tables."""

# One deadline for everything that a single click sets off, pictures included; generous for slow machines.
CLICK_TIMEOUT_SECONDS: Final = 120.0
# simcord looks this often whether the bot has finished; its own 50 ms would be felt on every click.
SETTLE_POLL_SECONDS: Final = 0.002


@dataclass(frozen=True, slots=True)
class World:
    """The contents of the offline Discord once the bot is connected to it."""

    env: simcord.Env
    channel: simcord.ChannelHandle
    members: tuple[simcord.MemberActor, ...]

    def page(self, *, port: int = 0) -> simcord.Preview:
        """A browser page on the channel for all members; `port` 0 takes any free one."""
        page = self.env.preview(self.channel, viewers=self.members, layout="channel", port=port)
        page._media_worker = OwnPictures()
        show_present(page)
        return page


@asynccontextmanager
async def offline_discord(bot: commands.Bot | commands.AutoShardedBot) -> AsyncIterator[World]:
    """Connect `bot` to a new offline Discord; close the bot and forget that Discord at the end."""
    one = 1 if isinstance(bot, discord.AutoShardedClient) else None
    env = simcord.Env(bot, shard_count=one, check_errors=False, settle_timeout=CLICK_TIMEOUT_SECONDS)
    channel, members = _populate(env)
    follow_present(env)
    await env.start()
    try:
        with env.time_context():
            yield World(env, channel, members)
    finally:
        await bot.close()
        await env.shutdown()


def _populate(env: simcord.Env) -> tuple[simcord.ChannelHandle, tuple[simcord.MemberActor, ...]]:
    """Create the server before time passes: its ids are the same in every run, so saved games go on."""
    env.backend.bot_user.name = BOT_NAME
    guild = env.create_guild(GUILD_NAME)
    channel = guild.create_text_channel(CHANNEL_NAME, topic=CHANNEL_TOPIC)
    users = [env.create_user(name.lower(), global_name=name) for name in MEMBER_NAMES]
    members = tuple(guild.add_member(user) for user in users)
    role = guild.create_role(ORGANISERS, permissions=discord.Permissions(manage_threads=True))
    env.backend.add_member_role(guild.id, members[0].id, role.id)
    return channel, members


def answer_quickly() -> None:
    """Let simcord notice sooner that the bot has finished its work after a click."""
    defaults = cast("dict[str, float]", simcord.Env._settle_internal.__kwdefaults__)
    defaults["idle"] = SETTLE_POLL_SECONDS
