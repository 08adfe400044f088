"""Find out whether the bot can post in the places of games, and tell the host.

The *place* of a game is the channel or thread in which its cards are posted. It is closed to the bot if it is deleted,
locked or forbidden, or if the bot was removed from the server. Then the clocks of its games are held. The bot learns of
it from Discord's events, and after an interruption, in which events are lost, by a *review* of all places of a server.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict, dataclass
from typing import Final

import discord
from discord.ext import commands

from cogs.panels.card_messages import place_is_open
from cogs.services.bot import BotServices
from cogs.services.lookups import CONNECTION_BROKEN
from host import Game, Shards, TransientError, log_failure
from host.observability import game_fields
from host.retry import retry_forever

log = logging.getLogger(__name__)

QUERY_BATCH_SIZE: Final = 10
"""The number of queries to Discord between two pauses."""
QUERY_PAUSE: Final = 1.0
"""The seconds of such a pause."""
RETRY_SECONDS: Final = 15.0
"""The delay before reviews that an outage of the database has prevented are tried again."""


@dataclass(frozen=True, slots=True)
class _Scope:
    """The place or the server whose games are reviewed; if both are None, all games."""

    place_id: int | None = None
    guild_id: int | None = None


class OpenPlaces:
    """Reviews the places of games, and tells the host which are closed and which may be open again."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._places = bot.host.places
        self._query_count = 0
        self._postponed: dict[_Scope, bool] = {}
        """The reviews that an outage of the database has prevented, each with whether to ask Discord."""
        self._retrying = False
        self._pending_shards: set[int] = set()
        """The shards whose review waits for the database."""

    async def ask(self, game: Game) -> bool | None:
        """Return whether the place of a game is open; ask Discord if the cache does not tell. None if unknown."""
        is_open = place_is_open(self._bot, game)
        guild = self._bot.get_guild(game.guild_id)
        if is_open is not None or guild is None or guild.unavailable:
            return is_open
        try:
            channel = await self._bot.fetch_channel(game.place)
        except (discord.NotFound, discord.Forbidden):
            return False
        except (discord.DiscordException, *CONNECTION_BROKEN) as error:
            log.info("could not ask Discord whether a place is open: %r", error, extra=game_fields(game))
            return None
        return not (isinstance(channel, discord.Thread) and channel.locked)

    async def review(self, *, place_id: int | None = None, guild_id: int | None = None, ask: bool = False) -> None:
        """Review a place or a server that has changed; with ``ask``, ask Discord if the cache does not tell.

        During an outage of the database the review is postponed. After any other failure there will be another review:
        at the next change, when a card is refused, or when a clock runs out.
        """
        await self._try_review(_Scope(place_id, guild_id), ask=ask)

    async def close_server(self, guild_id: int) -> None:
        """Close all places of a server that has removed the bot; nobody is told, since nothing can be sent there."""
        try:
            await self._places.close([game.id for game in await self._places.unfinished_at(guild_id=guild_id)])
        except TransientError:
            self._postpone(_Scope(guild_id=guild_id), ask=True)  # the bot may be back by then

    async def review_shard(self, shard: int) -> None:
        """Review all servers of a shard that has reconnected, because events during the interruption are lost."""
        if shard in self._pending_shards:
            return  # the review that waits for the database covers this one
        self._pending_shards.add(shard)
        try:
            servers = await retry_forever(self._places.servers)
        finally:
            self._pending_shards.discard(shard)
        shards = Shards(shard, shard, self._bot.shard_count or 1)
        for guild_id in sorted(servers):
            if shards.covers(guild_id) and self._bot.serves(guild_id):
                await self._try_review(_Scope(guild_id=guild_id), ask=True)

    async def _try_review(self, scope: _Scope, *, ask: bool) -> None:
        """Review a scope now, or after an outage of the database."""
        try:
            await self._review(scope, ask=ask)
        except TransientError as error:
            log.debug("the review of places is postponed: %s", error)
            self._postpone(scope, ask=ask)
        except Exception as error:  # noqa: BLE001 - a later change leads to another review
            log_failure(log, "places could not be reviewed", error, asdict(scope))

    def _postpone(self, scope: _Scope, *, ask: bool) -> None:
        """Postpone a review, and start the task that will do it."""
        self._postponed[scope] = ask or self._postponed.get(scope, False)
        if not self._retrying:
            self._retrying = True
            self._bot.run_in_background(self._retry(), name="review places later")

    async def _retry(self) -> None:
        """Do the postponed reviews until none is left; wait each time until the database answers again."""
        try:
            while self._postponed:
                await asyncio.sleep(RETRY_SECONDS)
                await retry_forever(self._places.servers)
                postponed, self._postponed = self._postponed, {}
                for scope, ask in postponed.items():
                    await self._try_review(scope, ask=ask)
        finally:
            self._retrying = False

    async def _review(self, scope: _Scope, *, ask: bool) -> None:
        """Find out which games of a scope have an open place, and tell the host."""
        if ask and scope.guild_id is not None and self._bot.get_guild(scope.guild_id) is None:
            if await self._has_left(scope.guild_id):
                await self.close_server(scope.guild_id)
            return
        open_games: list[int] = []
        closed_games: list[int] = []
        for game in await self._places.unfinished_at(**asdict(scope)):
            is_open = place_is_open(self._bot, game)
            if is_open is None and ask:
                await self._pause()
                is_open = await self.ask(game)
            (closed_games if is_open is False else open_games).append(game.id)
        notices = await self._places.close(closed_games, tell=True)
        if await self._places.reopen(open_games) or notices:
            self._bot.publisher.wake()

    async def _pause(self) -> None:
        """Pause after every few queries, since there may be hundreds of games after an interruption."""
        self._query_count += 1
        if self._query_count % QUERY_BATCH_SIZE == 0:
            await asyncio.sleep(QUERY_PAUSE)

    async def _has_left(self, guild_id: int) -> bool:
        """Ask Discord whether the bot is not in a server any more; that it is not cached is no proof."""
        await self._pause()
        try:
            await self._bot.fetch_guild(guild_id, with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return True
        except (discord.DiscordException, *CONNECTION_BROKEN) as error:
            log.info("could not ask Discord whether the bot is in a server: %r", error, extra={"server": guild_id})
        return False


class PlaceListener(commands.Cog):
    """Reviews places when Discord reports a change of channels, threads, roles or the bot itself."""

    def __init__(self, bot: BotServices, open_places: OpenPlaces) -> None:
        self._bot = bot
        self._open_places = open_places

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Review the places of a shard that has connected; unlike ``on_ready``, this comes for each shard alone."""
        self._bot.run_in_background(self._open_places.review_shard(shard), name=f"review places of shard {shard}")

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Review a channel whose permissions or category have changed."""
        if before.overwrites != after.overwrites or before.category_id != after.category_id:
            await self._review_and_retry(place_id=after.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Review the games of a deleted channel, including those in its threads."""
        await self._review_deleted(channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Review a thread that was reopened, archived or locked; one that is locked may be missing from the cache."""
        locked = payload.data["thread_metadata"].get("locked", False)
        await self._review_and_retry(place_id=payload.thread_id, ask=locked)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Review the game of a deleted thread."""
        await self._review_deleted(payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Review a server in which the permissions of a role have changed."""
        if before.permissions != after.permissions:
            await self._review_and_retry(guild_id=after.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Review a server in which the bot's roles have changed."""
        if after.id == after.guild.me.id and before.roles != after.roles:
            await self._review_and_retry(guild_id=after.guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Review a server that the bot has joined, perhaps again."""
        await self._review_and_retry(guild_id=guild.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the places of a server that has removed the bot; this event does not tell of outages of a server."""
        await self._open_places.close_server(guild.id)

    async def _review_deleted(self, place_id: int) -> None:
        """Review the games of a deleted channel or thread, and call off the appointments in it."""
        await self._open_places.review(place_id=place_id, ask=True)
        await self._bot.host.appointments.close_in(place_id)

    async def _review_and_retry(
        self, *, place_id: int | None = None, guild_id: int | None = None, ask: bool = False
    ) -> None:
        """Review a place or a server that has changed, and send again the messages that it has refused."""
        await self._open_places.review(place_id=place_id, guild_id=guild_id, ask=ask)
        self._bot.publisher.try_again(place_id=place_id, guild_id=guild_id)
