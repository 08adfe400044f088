"""Tasks that repeat: the heartbeat, the sweep of due timers, and the gauges of health; each ends between two rounds.

The heart beats while the gateway is connected: what it was silent for is given back to all clocks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.ext import commands, tasks

from cogs.background.gateway import Connections, not_connected
from cogs.commands.lobby import closing_notice, ended_card, show_lobby
from cogs.interactions.admission import posted_in
from cogs.services.lookups import CONNECTION_BROKEN
from host import GameStatus, HostError, LeaseLostError, TimerKind, log_failure, observability
from host.observability import GATEWAY_WAIT, LOOP_LAG

if TYPE_CHECKING:
    from cogs.background.gateway import Reconnecting
    from cogs.background.requests import Requests
    from cogs.services.bot import BotServices
    from host import ClosingNotice, Game, Lobby, Sweep, Timer
    from host.operating.operators import Health

log = logging.getLogger(__name__)


PATIENCE: Final = 5.0
"""Seconds that a round may still take; one that lasts longer, since Discord does not answer, is torn off."""


async def halt(busy: asyncio.Lock, *loops: tasks.Loop[Any]) -> None:
    """End loops whose rounds hold the lock."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await busy.acquire()
    running = [task for loop in loops if (task := loop.get_task()) is not None]
    for loop in loops:
        loop.cancel()
    await asyncio.gather(*running, return_exceptions=True)


HEARTBEAT_SECONDS: Final = 10.0
"""Between two beats: that no more is lost of a gap, and nothing is declared much later than it might be."""


class HeartbeatTask(commands.Cog):
    """The heartbeat: says that this process lives, and which of its shards are connected."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._connections = Connections(bot)
        self._connected: set[int] = set()
        self._busy = asyncio.Lock()
        self._then: Callable[[], None] | None = None

    def start(self, then: Callable[[], None] | None = None) -> None:
        """Begin to beat as soon as there is a connection; ``then`` is done after the first beat."""
        self._then = then
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Nobody hears anything from now on."""
        self._then = None
        self._connected = set()
        await halt(self._busy, self._round)

    @commands.Cog.listener()
    async def on_shard_connect(self, shard: int) -> None:
        """There is a connection: at once, before anything is done that it brings."""
        await self._revive(shard)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """There is one, and all its servers are known."""
        await self._revive(shard)

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard: int) -> None:
        """It was only interrupted."""
        await self._revive(shard)

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard: int) -> None:
        """It is gone."""
        self._connected.discard(shard)

    async def _revive(self, shard: int) -> None:
        self._connected.add(shard)
        await self._beat()

    @tasks.loop(seconds=HEARTBEAT_SECONDS)
    async def _round(self) -> None:
        await self._live()
        await self._settle()
        await self._beat()

    async def _live(self) -> None:
        """Say among other processes that this one lives, connected or not."""
        try:
            await self._bot.host.crew.beat()
        except Exception as error:  # noqa: BLE001 - the next round is soon enough: till then its leases may be others'
            log.warning("this process could not say that it lives: %r", error)

    async def _settle(self) -> None:
        """Be connected, or not, as other processes let this one."""
        try:
            await self._connections.settle()
        except Exception as error:  # noqa: BLE001 - the next round is soon enough, and what raises ends all rounds
            log_failure(log, "the connections could not be left or taken up", error)

    async def _beat(self) -> None:
        if not self._connected:
            return
        try:
            async with self._busy:
                await self._bot.host.pulse.beat(sorted(self._connected), self._bot.shard_count or 1)
            then, self._then = self._then, None
            if then is not None:
                then()
        except Exception as error:  # noqa: BLE001 - the next beat gives back what was lost
            log_failure(log, "the heart could not beat", error)


SWEEP_SECONDS: Final = 1.0
"""How often to look; it is one statement, which an index answers."""


class Sweeper:
    """The loop in which the host does what is due; the publisher is woken when something was."""

    def __init__(self, sweep: Sweep, wake: Callable[[], None]) -> None:
        self._sweep = sweep
        self._wake = wake
        self._busy = asyncio.Lock()

    def start(self) -> None:
        """Do at once what has become due since the last process stopped, then what comes."""
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Leave the rest for the next start."""
        await halt(self._busy, self._round)

    @tasks.loop(seconds=SWEEP_SECONDS)
    async def _round(self) -> None:
        try:
            async with self._busy:
                if await self._sweep.work():
                    self._wake()  # a card may be due
        except Exception as error:  # noqa: BLE001 - the next round tries again
            log_failure(log, "what is due could not be read", error)


GAUGE_SECONDS: Final = 0.5
"""Between two looks at the event loop."""
EVERY: Final = 20
"""After so many looks at the event loop it is checked what waits."""


class Gauges:
    """The loop that sets the meters of what stands still until somebody looks."""

    def __init__(self, bot: BotServices, health: Health, requests: Requests, reconnecting: Reconnecting) -> None:
        self._bot = bot
        self._requests = requests
        self._reconnecting = reconnecting
        self._health = health
        self._busy = asyncio.Lock()
        self._count = 0
        self._woke = perf_counter()

    def start(self) -> None:
        """Look from now on: only where somebody watches."""
        self._woke = perf_counter()
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Look no more."""
        await halt(self._busy, self._round)

    @tasks.loop(seconds=GAUGE_SECONDS)
    async def _round(self) -> None:
        now = perf_counter()
        LOOP_LAG.observe(max(0.0, now - self._woke - GAUGE_SECONDS))
        self._woke = now
        self._health.note(self._health.troubles)
        self._count += 1
        if self._count % EVERY == 1:
            async with self._busy:
                self._health.note(await self.troubles())

    async def troubles(self) -> dict[str, str]:
        """What is stuck, and why."""
        found = await self._bot.host.looking.look()
        GATEWAY_WAIT.set(self._reconnecting.seconds())
        if missing := self._not_connected():
            found["gateway"] = ": ".join(filter(None, [missing, self._reconnecting.trouble()]))
        if resting := self._requests.trouble():
            found["requests"] = resting
        if aside := self._bot.host.crew.overlap.trouble():
            found["shards"] = aside
        elif "database" not in found:
            found |= await self._unheld()
        return found

    async def _unheld(self) -> dict[str, str]:
        """Return which shards nobody has, or that the database does not say; an error here would end all rounds."""
        try:
            unheld = await self._bot.host.crew.unheld()
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the database is what is looked for
            return {"database": type(error).__name__}
        return {"shards": f"nobody has {unheld}"} if unheld else {}

    def _not_connected(self) -> str:
        """Return what has no connection to Discord, in words; empty for nothing."""
        if self._bot.is_closed() or not self._bot.is_ready():
            return "not connected to Discord"
        missing = not_connected(self._bot)
        return f"shards {', '.join(map(str, missing))} are not connected to Discord" if missing else ""


CLEANUP_SECONDS: Final = 15.0
"""How often to look for something to be done for games that are over."""
CLEANUP_HOURS: Final = 1.0
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

    @tasks.loop(hours=CLEANUP_HOURS)
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

    @tasks.loop(seconds=CLEANUP_SECONDS)
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
