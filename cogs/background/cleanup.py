"""Cleanup now and then, beside the play.

When a game is over: its result on the lobby's card, and its thread put away with notice. And tables that gather and are
forgotten close by themselves.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import discord
from discord.ext import tasks

from cogs.background.tasks import halt
from cogs.commands.lobby import closing_notice, ended_card, show_lobby
from cogs.interactions.admission import posted_in
from cogs.services.lookups import CONNECTION_BROKEN
from host import GameStatus, HostError, LeaseLostError, TimerKind, log_failure, observability

if TYPE_CHECKING:
    from cogs.services.bot import BotServices
    from host import ClosingNotice, Game, Lobby, Timer


log = logging.getLogger(__name__)

SECONDS: Final = 15.0
"""How often to look for something to be done for games that are over."""
HOURS: Final = 1.0
"""How often to look for tables that have expired."""
_LATER: Final = frozenset({401, 429, *range(500, 600)})
"""What Discord may take later, be it with another token; whatever else it refuses it always will."""
TELLING: Final = "tell of lobbies"
"""What one process does at a time."""


class GameCleanup:
    """The loops that close lobbies, show results on lobby cards and archive threads."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._host = bot.host
        self._busy = asyncio.Lock()

    def start(self) -> None:
        """Look for something to be done at once, then now and then."""
        _ = self._round.start(), self._hourly.start()  # their tasks are kept by the loops

    async def stop(self) -> None:
        """Leave the rest for the next start."""
        await halt(self._busy, self._round, self._hourly)

    @tasks.loop(hours=HOURS)
    async def _hourly(self) -> None:
        try:
            async with self._busy:
                await self.give_notice()
                await self.close_expired()
                await self._host.tongues.keep()
            await self._host.thinning.work()
        except Exception as error:  # noqa: BLE001 - the next hour tries again
            log_failure(log, "what is done once an hour could not be done", error)

    async def give_notice(self) -> None:
        """Tell the members of every table in which nothing has changed for long when it closes: one process does."""
        if not await self._host.crew.take(TELLING):
            return
        try:
            while any([await self._say_closing(notice) for notice in await self._host.lobbies.closing_soon()]):
                pass  # there may be more; what could not be told now is told within the hour
        finally:
            await self._host.crew.give_back(TELLING)

    async def _say_closing(self, notice: ClosingNotice) -> bool:
        """Tell one of them, once, whatever happens meanwhile; whether that is done, or can never be."""
        lobby = notice.lobby
        try:
            await self._post_closing(notice)
        except (discord.HTTPException, *CONNECTION_BROKEN, LeaseLostError) as error:
            if not isinstance(error, discord.HTTPException) or error.status in _LATER:
                log.warning("nobody is told yet that a lobby closes: %r", error, extra={"lobby": lobby.id})
                return False
            log.info("nobody can be told that a lobby closes: %s", error, extra={"lobby": lobby.id})
        await self._host.lobbies.told(notice)
        with suppress(discord.HTTPException, *CONNECTION_BROKEN):
            await show_lobby(self._bot, lobby)  # it may stay open for longer than was said
        return True

    async def _post_closing(self, notice: ClosingNotice) -> None:
        """Post it, unless it stands there: a process may have ended before it was known to be told."""
        lobby, me = notice.lobby, self._bot.user.id if self._bot.user else 0
        channel = self._bot.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
        posted = await posted_in(channel, me)
        if any(custom_id.endswith(f":{notice.nonce}") for message in posted for custom_id in message.ids):
            return
        if not self._host.crew.holds(TELLING):
            raise LeaseLostError
        awake = [person.user_id for person in lobby.members if person.user_id not in notice.asleep]
        called = discord.AllowedMentions(users=[discord.Object(user_id) for user_id in awake])
        await channel.send(view=closing_notice(notice), allowed_mentions=called, nonce=notice.nonce)

    async def close_expired(self) -> None:
        """Close every table in which nothing has changed for too long, and say so on its card."""
        while expired := await self._host.lobbies.expire():
            for lobby in expired:
                await self._say_expired(lobby)

    async def _say_expired(self, lobby: Lobby) -> None:
        log.info("a lobby has expired", extra={"lobby": lobby.id, "server": lobby.guild_id})
        try:
            await show_lobby(self._bot, lobby)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("the card of a lobby stays as it was: %s", error, extra={"lobby": lobby.id})

    @tasks.loop(seconds=SECONDS)
    async def _round(self) -> None:
        try:
            async with self._busy:
                await self.work()
        except Exception as error:  # noqa: BLE001 - the next round tries again
            log_failure(log, "what is to be done could not be read", error)

    async def work(self) -> None:
        """Do what is due; what fails comes up again later, and what can never be done is left."""
        for timer in await self._host.timers.due():
            with observability.work():
                if await self._host.timers.take(timer) and await self._is_done(timer):
                    await self._host.timers.done(timer)

    async def _is_done(self, timer: Timer) -> bool:
        """Do it; whether it is done, or never can be."""
        try:
            await self._do(timer)
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("a timer is given up: %s", error, extra=_about(timer))
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("a timer has to wait: %r", error, extra=_about(timer))
            return False
        except Exception as error:  # noqa: BLE001 - one game must not hold up the others
            log_failure(log, "a timer has failed", error, _about(timer))
            return False
        return True

    async def _do(self, timer: Timer) -> None:
        game, lobby = await self._host.games.get(timer.game_id), await self._host.timers.lobby_of(timer.game_id)
        observability.known(game=game.code, ply=game.ply, server=game.guild_id)
        if lobby is None or lobby.message_id is None:
            if timer.kind is TimerKind.PUT_AWAY and lobby is None and game.thread_id is not None:
                await self._put_away(game.thread_id)  # that of a table of an event
            return
        if timer.kind is TimerKind.RESULT:
            await self._show_result(game, lobby, lobby.message_id)
        else:
            await self._put_away(lobby.message_id)

    async def _show_result(self, game: Game, lobby: Lobby, message_id: int) -> None:
        """The card that gathered the players says how it ended."""
        position = None
        with suppress(HostError):  # a table that rests, and was closed
            position = (await self._host.games.table(game.id)).position
        channel = self._bot.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
        await channel.get_partial_message(message_id).edit(view=ended_card(lobby, game, position))

    async def _put_away(self, thread_id: int) -> None:
        """Archive the thread of a game; writing in it opens it again. One in which another game runs stays."""
        other = await self._host.game_lists.in_channel(thread_id)
        if other is not None and other.status is not GameStatus.FINISHED:
            return
        thread = await self._bot.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread) and not thread.archived:
            await thread.edit(archived=True)


def _about(timer: Timer) -> dict[str, object]:
    """What the log says of something to be done."""
    return {"timer": timer.kind.value, "game_id": timer.game_id}
