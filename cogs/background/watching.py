"""Noticing that a place is closed to the bot, or may be open again, so that clocks stop and games go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord.ext import commands

if TYPE_CHECKING:
    from cogs.services.bot import BotServices


class Watching(commands.Cog):
    """What the gateway tells of channels, threads, roles and the bot itself."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Look at all places of a shard that has connected anew; ``on_ready`` comes once all of them have together."""
        self._bot.beside(self._bot.open_places.review_shard(shard), name=f"review places of shard {shard}")

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Somebody changed a channel: who may do what in it, perhaps."""
        if before.overwrites != after.overwrites or before.category_id != after.category_id:
            await self._look_again(place_id=after.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, and its threads with it."""
        await self._bot.open_places.review(place_id=channel.id, ask=True)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread was opened again, archived, or locked: of one that is both the cache knows no more."""
        locked = payload.data["thread_metadata"].get("locked", False)
        await self._look_again(place_id=payload.thread_id, ask=locked)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone."""
        await self._bot.open_places.review(place_id=payload.thread_id, ask=True)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Somebody changed what a role may do."""
        if before.permissions != after.permissions:
            await self._look_again(guild_id=after.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot has other roles: of nobody else we are told."""
        if after.id == after.guild.me.id and before.roles != after.roles:
            await self._look_again(guild_id=after.guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps once more."""
        await self._look_again(guild_id=guild.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed; a server that only fails for a while is no event of this kind."""
        await self._bot.open_places.removed(guild.id)

    async def _look_again(self, *, place_id: int | None = None, guild_id: int | None = None, ask: bool = False) -> None:
        await self._bot.open_places.review(place_id=place_id, guild_id=guild_id, ask=ask)
        self._bot.publisher.try_again(place_id=place_id, guild_id=guild_id)
