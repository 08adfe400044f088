"""Queries to Discord about members and places that discord.py does not cache, cached for a minute.

The bot caches no members, and discord.py's cache has no archived threads. So some facts have to be requested, but none
more than once a minute.
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
"""Exceptions of a request that ended without an answer from Discord."""
CACHE_SECONDS: Final = 60.0
"""Time for which an answer is cached."""
CACHE_SIZE: Final = 1000
"""Maximum number of cached answers."""

OPERATOR_ROLES: Final = frozenset({discord.TeamMemberRole.admin, discord.TeamMemberRole.developer})
"""Roles in the team owning the application whose members are operators of the bot."""
HIDDEN: Final = object()
"""Answer to a query about something that the bot is not allowed to see."""

Channel: TypeAlias = GuildChannel | discord.Thread
"""A place where a game can be played, or a channel that contains such places."""


class Lookups:
    """Queries to Discord with cached answers; ``serves`` tells whether this process receives a server's events."""

    def __init__(self, bot: commands.AutoShardedBot, serves: Callable[[int], bool]) -> None:
        self._bot = bot
        self._serves = serves
        self._known: OrderedDict[Hashable, tuple[float, object]] = OrderedDict()

    async def member(self, guild_id: int, user_id: int) -> discord.Member | None:
        """Return a member of a server; None if the user is no member, or this process does not serve the server.

        Raises:
            RefusedError: Discord does not say.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is None:
            return None
        member = await self._find_member(guild.id, user_id)
        return member if isinstance(member, discord.Member) else None

    async def is_member(self, guild_id: int, user_id: int, *, anew: bool = False) -> bool | None:
        """Return whether a user is in a server; None if Discord does not say, or the bot has left the server.

        With ``anew`` the cache is not used.
        """
        if self._has_left(guild_id):
            return None
        if anew:
            self._known.pop((guild_id, user_id), None)
        try:
            member = await self._find_member(guild_id, user_id)
        except RefusedError:
            return None
        return None if member is HIDDEN else member is not None

    async def belongs(self, guild_id: int, user_id: int) -> bool:
        """Return whether a user is known to be in a server, which another process may serve.

        Raises:
            RefusedError: Discord does not say.
        """
        member = None if self._has_left(guild_id) else await self._find_member(guild_id, user_id)
        return member is not None and member is not HIDDEN

    def _has_left(self, guild_id: int) -> bool:
        return self._serves(guild_id) and self._bot.get_guild(guild_id) is None

    async def _find_member(self, guild_id: int, user_id: int) -> object:
        """Return a member, None or :data:`HIDDEN`; a member of a server of another process is raw data, not used."""
        guild = self._bot.get_guild(guild_id)
        if guild is not None:
            return await self._query((guild_id, user_id), lambda: guild.fetch_member(user_id))
        return await self._query((guild_id, user_id), lambda: self._bot.http.get_member(guild_id, user_id))

    async def place(self, guild: discord.Guild, place_id: int, instead: int) -> Channel | None:
        """Return a channel or thread of a server, or the channel ``instead`` if that is deleted.

        A thread may be archived. None if the place is hidden from the bot.

        Raises:
            RefusedError: Discord does not say.
        """
        cached = guild.get_channel_or_thread(place_id)
        if cached is not None:
            return cached
        channel = await self._query(place_id, lambda: self._bot.fetch_channel(place_id))
        if channel is None:
            return guild.get_channel(instead)
        return channel if isinstance(channel, Channel) and channel.guild.id == guild.id else None

    async def in_thread(self, thread: discord.Thread, user_id: int) -> bool:
        """Return whether a user was added to a thread.

        Raises:
            RefusedError: Discord does not say.
        """
        member = await self._query((thread.id, user_id, "thread"), lambda: thread.fetch_member(user_id))
        return isinstance(member, discord.ThreadMember)

    async def runs_the_bot(self, user_id: int) -> bool:
        """Return whether a user owns the application, or is an admin or developer in the team that owns it.

        Raises:
            RefusedError: Discord does not say.
        """
        application = await self._query("application", self._bot.application_info)
        if not isinstance(application, discord.AppInfo):
            return False
        if application.team is None:
            return application.owner.id == user_id
        return any(member.id == user_id and member.role in OPERATOR_ROLES for member in application.team.members)

    async def _query(self, key: Hashable, ask: Callable[[], Awaitable[object]]) -> object:
        """Return the cached answer to a query, or ask Discord: None if not found, :data:`HIDDEN` if forbidden.

        Raises:
            RefusedError: ``not_said``: Discord does not answer.
        """
        now = asyncio.get_running_loop().time()
        until, answer = self._known.get(key, (now, None))
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
        self._known[key] = now + CACHE_SECONDS, answer
        self._known.move_to_end(key)
        if len(self._known) > CACHE_SIZE:
            self._known.popitem(last=False)
        return answer


async def sees(lookups: Lookups, member: discord.Member, place: Channel) -> bool:
    """Return whether a member can see a channel or thread.

    Raises:
        RefusedError: Discord does not say.
    """
    try:
        granted = place.permissions_for(member)
    except discord.ClientException:  # a thread whose channel is hidden from the bot
        return False
    if not granted.view_channel:
        return False
    if not (isinstance(place, discord.Thread) and place.is_private()):
        return True
    return granted.manage_threads or granted.administrator or await lookups.in_thread(place, member.id)
