"""What Discord says of members and places that the cache does not hold, remembered for a short while.

The bot keeps no members, and the cache has no archived threads. So a few questions go over the wire, but never more
than one a minute about the same thing.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import TYPE_CHECKING, Final, TypeAlias

import aiohttp
import discord
from discord.abc import GuildChannel

from cogs.words.refusals import RefusedError

if TYPE_CHECKING:
    from discord.ext import commands

CONNECTION_BROKEN: Final = (aiohttp.ClientError, OSError)
"""What a request may end in without an answer of Discord's."""
SECONDS: Final = 60.0
"""How long an answer counts."""
MOST: Final = 1000
"""Answers that are kept."""

OPERATORS: Final = frozenset({discord.TeamMemberRole.admin, discord.TeamMemberRole.developer})
"""Who of a team that owns the application runs the bot, by their roles in it."""
HIDDEN: Final = object()
"""What the bot is not allowed to know."""

Channel: TypeAlias = GuildChannel | discord.Thread
"""Where a game can be played, or what that lies in."""


class Lookups:
    """Asks Discord, and remembers the answers."""

    def __init__(self, bot: commands.AutoShardedBot, hears: Callable[[int], bool]) -> None:
        self._bot = bot
        self._hears = hears
        self._known: OrderedDict[Hashable, tuple[float, object]] = OrderedDict()

    async def member(self, guild_id: int, user_id: int) -> discord.Member | None:
        """A member of a server; None when nobody of this id is one, or the bot is not there itself.

        Raises:
            RefusedError: Discord does not say.
        """
        guild = self._bot.get_guild(guild_id)
        if guild is None:
            return None
        found = await self._member(guild.id, user_id)
        return found if isinstance(found, discord.Member) else None

    async def is_member(self, guild_id: int, user_id: int, *, anew: bool = False) -> bool | None:
        """Whether somebody is in a server; None where Discord does not say, or the bot is not there itself.

        It is asked ``anew``, whatever it has said lately.
        """
        if self._is_gone(guild_id):
            return None
        if anew:
            self._known.pop((guild_id, user_id), None)
        try:
            found = await self._member(guild_id, user_id)
        except RefusedError:
            return None
        return None if found is HIDDEN else found is not None

    async def belongs(self, guild_id: int, user_id: int) -> bool:
        """Whether somebody is known to be in a server, be it one of which only other processes hear.

        Raises:
            RefusedError: Discord does not say.
        """
        found = None if self._is_gone(guild_id) else await self._member(guild_id, user_id)
        return found is not None and found is not HIDDEN

    def _is_gone(self, guild_id: int) -> bool:
        return self._hears(guild_id) and self._bot.get_guild(guild_id) is None

    async def _member(self, guild_id: int, user_id: int) -> object:
        """A member; of a server that another process hears as Discord's own words, nothing of which is used."""
        guild = self._bot.get_guild(guild_id)
        if guild is not None:
            return await self._asked((guild_id, user_id), lambda: guild.fetch_member(user_id))
        return await self._asked((guild_id, user_id), lambda: self._bot.http.get_member(guild_id, user_id))

    async def place(self, guild: discord.Guild, place_id: int, instead: int) -> Channel | None:
        """A channel or thread of a server, be it archived; another channel ``instead`` of one that is gone.

        None when it is not for the bot to see.

        Raises:
            RefusedError: Discord does not say.
        """
        cached = guild.get_channel_or_thread(place_id)
        if cached is not None:
            return cached
        found = await self._asked(place_id, lambda: self._bot.fetch_channel(place_id))
        if found is None:
            return guild.get_channel(instead)
        return found if isinstance(found, Channel) and found.guild.id == guild.id else None

    async def in_thread(self, thread: discord.Thread, user_id: int) -> bool:
        """Whether somebody was added to a thread.

        Raises:
            RefusedError: Discord does not say.
        """
        found = await self._asked((thread.id, user_id, "thread"), lambda: thread.fetch_member(user_id))
        return isinstance(found, discord.ThreadMember)

    async def runs_the_bot(self, user_id: int) -> bool:
        """Whether somebody owns the application, or administers or develops it with the team that does.

        Raises:
            RefusedError: Discord does not say.
        """
        found = await self._asked("application", self._bot.application_info)
        if not isinstance(found, discord.AppInfo):
            return False
        if found.team is None:
            return found.owner.id == user_id
        return any(member.id == user_id and member.role in OPERATORS for member in found.team.members)

    async def _asked(self, key: Hashable, ask: Callable[[], Awaitable[object]]) -> object:
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
        self._known[key] = now + SECONDS, answer
        self._known.move_to_end(key)
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        return answer


async def sees(lookups: Lookups, member: discord.Member, place: Channel) -> bool:
    """Whether a member can look into a channel or thread.

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
