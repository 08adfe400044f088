"""Queries to Discord about members, channels and threads, with answers that are cached for a minute.

The bot keeps no list of a server's members, and discord.py's cache has no archived threads. So some facts have to be
requested from Discord, but none more than once in ``CACHE_SECONDS``. If Discord gives no answer, the queries raise a
:class:`RefusedError`, whose sentence asks the user to try again.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, TypeAlias

import aiohttp
import discord
from discord.abc import GuildChannel
from discord.ext import commands

from cogs.words.refusals import RefusedError

CONNECTION_BROKEN: Final = (aiohttp.ClientError, OSError)
"""The exceptions of a request that ended without an answer from Discord."""
CACHE_SECONDS: Final = 60.0
"""The seconds for which an answer is cached."""
CACHE_SIZE: Final = 1000
"""The most answers that are cached."""

OPERATOR_ROLES: Final = frozenset({discord.TeamMemberRole.admin, discord.TeamMemberRole.developer})
"""The roles in the team that owns the application whose members are operators of the bot."""
HIDDEN: Final = object()
"""The answer to a query about something that the bot is not allowed to see."""

Channel: TypeAlias = GuildChannel | discord.Thread
"""A channel or thread, or a category that contains channels."""


class Lookups:
    """Asks Discord, and caches the answers; ``serves`` tells whether this process receives the events of a server."""

    def __init__(self, bot: commands.AutoShardedBot, serves: Callable[[int], bool]) -> None:
        self._bot = bot
        self._serves = serves
        self._cache: OrderedDict[Hashable, tuple[float, object]] = OrderedDict()
        """Answers by query, each with the time of the event loop until which it is valid."""

    async def member(self, guild_id: int, user_id: int) -> discord.Member | None:
        """Return a member of a server; None if the user is no member, or this process does not serve the server.

        Raises:
            RefusedError: Discord gives no answer.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is None:
            return None
        member = await self._find_member(guild.id, user_id)
        return member if isinstance(member, discord.Member) else None

    async def is_member(self, guild_id: int, user_id: int, *, refresh: bool = False) -> bool | None:
        """Return whether a user is a member of a server; None if Discord gives no answer, or the bot has left it.

        With ``refresh`` a cached answer is ignored.
        """
        if self._has_left(guild_id):
            return None
        if refresh:
            self._cache.pop((guild_id, user_id), None)
        try:
            member = await self._find_member(guild_id, user_id)
        except RefusedError:
            return None
        return None if member is HIDDEN else member is not None

    async def belongs(self, guild_id: int, user_id: int) -> bool:
        """Return whether a user is certainly a member of a server, which another process may serve.

        Raises:
            RefusedError: Discord gives no answer.
        """
        member = None if self._has_left(guild_id) else await self._find_member(guild_id, user_id)
        return member is not None and member is not HIDDEN

    def _has_left(self, guild_id: int) -> bool:
        """Return whether the bot is not in a server that this process serves."""
        return self._serves(guild_id) and self._bot.get_guild(guild_id) is None

    async def _find_member(self, guild_id: int, user_id: int) -> object:
        """Return a member, None if there is none, or :data:`HIDDEN`.

        A member of a server that another process serves is returned as raw data, which only tells that they exist.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is not None:
            return await self._query((guild_id, user_id), lambda: guild.fetch_member(user_id))
        return await self._query((guild_id, user_id), lambda: self._bot.http.get_member(guild_id, user_id))

    async def place(self, guild: discord.Guild, place_id: int, fallback_id: int) -> Channel | None:
        """Return a channel or thread of a server, which may be archived; if it is deleted, the channel of the fallback.

        None if it is hidden from the bot.

        Raises:
            RefusedError: Discord gives no answer.
        """
        cached = guild.get_channel_or_thread(place_id)
        if cached is not None:
            return cached
        channel = await self._query(place_id, lambda: self._bot.fetch_channel(place_id))
        if channel is None:
            return guild.get_channel(fallback_id)
        return channel if isinstance(channel, Channel) and channel.guild.id == guild.id else None

    async def in_thread(self, thread: discord.Thread, user_id: int) -> bool:
        """Return whether a user was added to a thread.

        Raises:
            RefusedError: Discord gives no answer.
        """
        member = await self._query((thread.id, user_id, "thread"), lambda: thread.fetch_member(user_id))
        return isinstance(member, discord.ThreadMember)

    async def runs_the_bot(self, user_id: int) -> bool:
        """Return whether a user owns the application, or is an admin or developer in the team that owns it.

        Raises:
            RefusedError: Discord gives no answer.
        """
        application = await self._query("application", self._bot.application_info)
        if not isinstance(application, discord.AppInfo):
            return False
        if application.team is None:
            return application.owner.id == user_id
        return any(member.id == user_id and member.role in OPERATOR_ROLES for member in application.team.members)

    async def _query(self, key: Hashable, ask: Callable[[], Awaitable[object]]) -> object:
        """Return the cached answer to a query, or ask Discord: None if not found, :data:`HIDDEN` if forbidden.

        ``key`` identifies the query, and ``ask`` sends it.

        Raises:
            RefusedError: ``not_said`` if Discord gives no answer.
        """
        now = asyncio.get_running_loop().time()
        until, answer = self._cache.get(key, (now, None))
        if until > now:
            return answer
        try:
            answer = await ask()
        except discord.NotFound:
            answer = None
        except discord.Forbidden:
            answer = HIDDEN
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            raise RefusedError("not_said") from error
        self._cache[key] = now + CACHE_SECONDS, answer
        self._cache.move_to_end(key)
        if len(self._cache) > CACHE_SIZE:
            self._cache.popitem(last=False)
        return answer


async def sees(lookups: Lookups, member: discord.Member, place: Channel) -> bool:
    """Return whether a member can see a channel or thread.

    Raises:
        RefusedError: Discord gives no answer.
    """
    try:
        permissions = place.permissions_for(member)
    except discord.ClientException:  # a thread whose channel is hidden from the bot
        return False
    if not permissions.view_channel:
        return False
    if not (isinstance(place, discord.Thread) and place.is_private()):
        return True
    return permissions.manage_threads or permissions.administrator or await lookups.in_thread(place, member.id)
