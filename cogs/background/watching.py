"""Noticing that a place may be open to the bot again, so that games which fell silent there go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord.ext import commands

if TYPE_CHECKING:
    from cogs.desk.interaction import Desk


class Watching(commands.Cog):
    """What the gateway tells of channels, threads, roles and the bot itself."""

    def __init__(self, bot: Desk) -> None:
        self._bot = bot

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Somebody changed a channel: who may do what in it, perhaps."""
        if before.overwrites != after.overwrites or before.category_id != after.category_id:
            self._bot.publisher.try_again(place_id=after.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread was opened again, or closed."""
        self._bot.publisher.try_again(place_id=payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Somebody changed what a role may do."""
        if before.permissions != after.permissions:
            self._bot.publisher.try_again(guild_id=after.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot has other roles: of nobody else we are told."""
        if after.id == after.guild.me.id and before.roles != after.roles:
            self._bot.publisher.try_again(guild_id=after.guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps once more."""
        self._bot.publisher.try_again(guild_id=guild.id)
