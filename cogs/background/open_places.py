"""Places of games that are closed or open to the bot: what the gateway tells, and what Discord says when asked.

While a place is closed its clocks stop; once it may be open again its games go on.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import discord
from discord.ext import commands

from cogs.panels.card_messages import stands
from cogs.services.lookups import CONNECTION_BROKEN
from host import PassingError, Shards, log_failure
from host.observability import about
from host.retry import retry_forever

if TYPE_CHECKING:
    from cogs.services.bot import BotServices
    from host import Game


log = logging.getLogger(__name__)

AT_A_TIME: Final = 10
"""So many places Discord is asked about without a pause."""
PAUSE_SECONDS: Final = 1.0
LATER_SECONDS: Final = 15.0
"""The pause after which is looked again what an outage of the database has put off."""


@dataclass(frozen=True, slots=True)
class _Scope:
    """A place or a server of which the games are looked at."""

    place_id: int | None = None
    guild_id: int | None = None


class OpenPlaces:
    """Lets the host know which places are closed, and which may be open again."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._places = bot.host.places
        self._count = 0
        self._later: dict[_Scope, bool] = {}
        """What the database has put off, each with whether Discord is asked."""
        self._catches_up = False
        self._beginning: set[int] = set()
        """Shards whose review waits for the database."""

    async def ask(self, game: Game) -> bool | None:
        """Whether the place of a game is open, asking Discord where the cache does not say; None where nobody says."""
        known = stands(self._bot, game)
        guild = self._bot.get_guild(game.guild_id)
        if known is not None or guild is None or guild.unavailable:
            return known
        try:
            found = await self._bot.fetch_channel(game.place)
        except (discord.NotFound, discord.Forbidden):
            return False
        except (discord.DiscordException, *CONNECTION_BROKEN) as error:
            log.info("Discord does not say whether a place is open: %r", error, extra=about(game))
            return None
        return not (isinstance(found, discord.Thread) and found.locked)

    async def review(self, *, place_id: int | None = None, guild_id: int | None = None, ask: bool = False) -> None:
        """Look which games can be played now in a place or server in which something has changed.

        An outage of the database puts that off; after any other failure the next change, a card that is refused, or a
        zero is another chance.
        """
        await self._reviewed(_Scope(place_id, guild_id), ask=ask)

    async def removed(self, guild_id: int) -> None:
        """Close the places of a server from which the bot was removed: nobody can be told there."""
        try:
            await self._places.close([game.id for game in await self._places.going(guild_id=guild_id)])
        except PassingError:
            self._put_off(_Scope(guild_id=guild_id), ask=True)  # it may be there again by then

    async def review_shard(self, shard: int) -> None:
        """Look at all servers that a shard hears, which has connected anew: nobody has told what happened meanwhile."""
        if shard in self._beginning:
            return  # the review that waits for the database sees this, too
        self._beginning.add(shard)
        try:
            servers = await retry_forever(self._places.servers)
        finally:
            self._beginning.discard(shard)
        heard = Shards(shard, shard, self._bot.shard_count or 1)
        for guild_id in sorted(servers):
            if heard.look_after(guild_id) and self._bot.hears(guild_id):
                await self._reviewed(_Scope(guild_id=guild_id), ask=True)

    async def _reviewed(self, scope: _Scope, *, ask: bool) -> None:
        """Look at it now, or once the database can be used; what Discord and the cache say is found out anew then."""
        try:
            await self._look(scope, ask=ask)
        except PassingError as error:
            log.debug("places are looked at later: %s", error)
            self._put_off(scope, ask=ask)
        except Exception as error:  # noqa: BLE001 - there is another chance
            log_failure(log, "it could not be seen which places are open", error, asdict(scope))

    def _put_off(self, scope: _Scope, *, ask: bool) -> None:
        self._later[scope] = ask or self._later.get(scope, False)
        if not self._catches_up:
            self._catches_up = True
            self._bot.beside(self._catch_up(), name="review places later")

    async def _catch_up(self) -> None:
        """Look at what was put off until nothing is left; one question finds out for all that the database answers."""
        try:
            while self._later:
                await asyncio.sleep(LATER_SECONDS)
                await retry_forever(self._places.servers)
                later, self._later = self._later, {}
                for scope, ask in later.items():
                    await self._reviewed(scope, ask=ask)
        finally:
            self._catches_up = False

    async def _look(self, scope: _Scope, *, ask: bool) -> None:
        """Let the host know which games of a place or server can be played."""
        if ask and scope.guild_id is not None and self._bot.get_guild(scope.guild_id) is None:
            if await self._is_gone(scope.guild_id):
                await self.removed(scope.guild_id)
            return
        open_ones: list[int] = []
        shut: list[int] = []
        for game in await self._places.going(**asdict(scope)):
            is_open = stands(self._bot, game)
            if is_open is None and ask:
                is_open = await self._asked(game)
            (shut if is_open is False else open_ones).append(game.id)
        told = await self._places.close(shut, tell=True)
        if await self._places.reopen(open_ones) or told:
            self._bot.publisher.wake()

    async def _asked(self, game: Game) -> bool | None:
        """What Discord says."""
        await self._pause()
        return await self.ask(game)

    async def _pause(self) -> None:
        """Ask a few times a second: after an outage there may be hundreds of games."""
        self._count += 1
        if self._count % AT_A_TIME == 0:
            await asyncio.sleep(PAUSE_SECONDS)

    async def _is_gone(self, guild_id: int) -> bool:
        """Whether Discord says that the bot is in a server no more: that this process does not know it is no proof."""
        await self._pause()
        try:
            await self._bot.fetch_guild(guild_id, with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return True
        except (discord.DiscordException, *CONNECTION_BROKEN) as error:
            log.info("Discord does not say whether the bot is in a server: %r", error, extra={"server": guild_id})
        return False


class Watching(commands.Cog):
    """What the gateway tells of channels, threads, roles and the bot itself."""

    def __init__(self, bot: BotServices, open_places: OpenPlaces) -> None:
        self._bot = bot
        self._open_places = open_places

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Look at all places of a shard that has connected anew; ``on_ready`` comes once all of them have together."""
        self._bot.beside(self._open_places.review_shard(shard), name=f"review places of shard {shard}")

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Somebody changed a channel: who may do what in it, perhaps."""
        if before.overwrites != after.overwrites or before.category_id != after.category_id:
            await self._look_again(place_id=after.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone, and its threads with it."""
        await self._open_places.review(place_id=channel.id, ask=True)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread was opened again, archived, or locked: of one that is both the cache knows no more."""
        locked = payload.data["thread_metadata"].get("locked", False)
        await self._look_again(place_id=payload.thread_id, ask=locked)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone."""
        await self._open_places.review(place_id=payload.thread_id, ask=True)

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
        await self._open_places.removed(guild.id)

    async def _look_again(self, *, place_id: int | None = None, guild_id: int | None = None, ask: bool = False) -> None:
        await self._open_places.review(place_id=place_id, guild_id=guild_id, ask=ask)
        self._bot.publisher.try_again(place_id=place_id, guild_id=guild_id)
