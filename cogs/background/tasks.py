"""Periodic tasks: the heartbeat, the sweep of due timers, the health gauges, and the cleanup of lobbies and games.

The heartbeat is written while the gateway is connected; the time of a gap is given back to all clocks. The cleanup
shows the result of a finished game on its lobby card, archives its thread later, and closes abandoned lobbies. Each
task is stopped between two rounds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any, Final

import discord
from discord.ext import commands, tasks

from cogs.background.gateway import Connections, Reconnecting, not_connected
from cogs.background.requests import RequestLimiter
from cogs.commands.lobby import closing_notice, ended_card, show_lobby
from cogs.interactions.admission import posted_in
from cogs.services.bot import BotServices
from cogs.services.lookups import CONNECTION_BROKEN
from host import (
    ClosingNotice,
    Game,
    GameStatus,
    HostError,
    LeaseLostError,
    Lobby,
    Timer,
    TimerDispatcher,
    TimerKind,
    log_failure,
    observability,
)
from host.admin.checks import Health
from host.notifications import OCCASIONS, Occasion
from host.observability import GATEWAY_WAIT, LOOP_LAG

log = logging.getLogger(__name__)


STOP_SECONDS: Final = 5.0
"""Time for a running round to finish at shutdown; a longer one, for example while Discord hangs, is cancelled."""


async def stop_loops(busy: asyncio.Lock, *loops: tasks.Loop[Any]) -> None:
    """Stop loops, after their current round if it ends in time; their rounds hold the lock."""
    with suppress(TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            await busy.acquire()
    running = [task for loop in loops if (task := loop.get_task()) is not None]
    for loop in loops:
        loop.cancel()
    await asyncio.gather(*running, return_exceptions=True)


HEARTBEAT_SECONDS: Final = 10.0
"""Interval of the heartbeat, which limits how much of a gap goes unnoticed and how late a timeout is declared."""


class HeartbeatTask(commands.Cog):
    """The heartbeat: tells other processes that this one lives, and records which of its shards are connected."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._connections = Connections(bot)
        self._connected: set[int] = set()
        self._busy = asyncio.Lock()
        self._then: Callable[[], None] | None = None

    def start(self, then: Callable[[], None] | None = None) -> None:
        """Start the heartbeat; ``then`` is called once, after the first beat of a connected shard."""
        self._then = then
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Stop the heartbeat."""
        self._then = None
        self._connected = set()
        await stop_loops(self._busy, self._round)

    @commands.Cog.listener()
    async def on_shard_connect(self, shard: int) -> None:
        """Beat at once when a shard connects, before its first events are handled."""
        await self._connect(shard)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Beat when a shard has received all its servers."""
        await self._connect(shard)

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard: int) -> None:
        """Beat when the session of a shard was resumed."""
        await self._connect(shard)

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard: int) -> None:
        """Stop counting a shard that has disconnected."""
        self._connected.discard(shard)

    async def _connect(self, shard: int) -> None:
        """Count a shard as connected, and beat at once."""
        self._connected.add(shard)
        await self._beat()

    @tasks.loop(seconds=HEARTBEAT_SECONDS)
    async def _round(self) -> None:
        await self._announce()
        await self._settle()
        await self._beat()

    async def _announce(self) -> None:
        """Tell other processes that this one lives, connected or not."""
        try:
            await self._bot.host.processes.beat()
        except Exception as error:  # noqa: BLE001 - retried in the next round; until then others may take its leases
            log.warning("the heartbeat of this process could not be stored: %r", error)

    async def _settle(self) -> None:
        """Open or close the connections as the overlap with other processes requires."""
        try:
            await self._connections.settle()
        except Exception as error:  # noqa: BLE001 - retried in the next round; an exception would end the loop
            log_failure(log, "the gateway connections could not be opened or closed", error)

    async def _beat(self) -> None:
        """Record a heartbeat of the connected shards."""
        if not self._connected:
            return
        try:
            async with self._busy:
                await self._bot.host.gateway_monitor.beat(sorted(self._connected), self._bot.shard_count or 1)
            then, self._then = self._then, None
            if then is not None:
                then()
        except Exception as error:  # noqa: BLE001 - the next beat gives the gap back to the clocks
            log_failure(log, "the heartbeat could not be recorded", error)


SWEEP_SECONDS: Final = 1.0
"""Interval of the sweep; it is a single statement that an index answers."""


class Sweeper:
    """Runs the host's due timers; wakes the publisher if there were any."""

    def __init__(self, sweep: TimerDispatcher, wake: Callable[[], None]) -> None:
        self._sweep = sweep
        self._wake = wake
        self._busy = asyncio.Lock()

    def start(self) -> None:
        """Start the sweep; its first round handles the timers that expired while no process ran."""
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Leave the rest for the next start."""
        await stop_loops(self._busy, self._round)

    @tasks.loop(seconds=SWEEP_SECONDS)
    async def _round(self) -> None:
        try:
            async with self._busy:
                if await self._sweep.work():
                    self._wake()  # a card may be due
        except Exception as error:  # noqa: BLE001 - retried in the next round
            log_failure(log, "the due timers could not be read", error)


GAUGE_SECONDS: Final = 0.5
"""Interval at which the lag of the event loop is measured."""
ROUNDS_PER_CHECK: Final = 20
"""Rounds between two health checks."""


class Gauges:
    """Measures the lag of the event loop, and updates the gauges that need a health check."""

    def __init__(self, bot: BotServices, health: Health, requests: RequestLimiter, reconnecting: Reconnecting) -> None:
        self._bot = bot
        self._requests = requests
        self._reconnecting = reconnecting
        self._health = health
        self._busy = asyncio.Lock()
        self._count = 0
        self._woke = perf_counter()

    def start(self) -> None:
        """Start to measure; only done if metrics are served."""
        self._woke = perf_counter()
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Stop measuring."""
        await stop_loops(self._busy, self._round)

    @tasks.loop(seconds=GAUGE_SECONDS)
    async def _round(self) -> None:
        now = perf_counter()
        LOOP_LAG.observe(max(0.0, now - self._woke - GAUGE_SECONDS))
        self._woke = now
        self._health.note(self._health.problems)
        self._count += 1
        if self._count % ROUNDS_PER_CHECK == 1:
            async with self._busy:
                self._health.note(await self.problems())

    async def problems(self) -> dict[str, str]:
        """Return the current problems: a description by the name of what is affected."""
        health = await self._bot.host.health_check.check()
        GATEWAY_WAIT.set(self._reconnecting.seconds())
        if missing := self._not_connected():
            health["gateway"] = ": ".join(filter(None, [missing, self._reconnecting.problem()]))
        if pause := self._requests.problem():
            health["requests"] = pause
        if conflict := self._bot.host.processes.overlap.problem():
            health["shards"] = conflict
        elif "database" not in health:
            health |= await self._missing_shards()
        return health

    async def _missing_shards(self) -> dict[str, str]:
        """Return the shards that no process holds, as a problem; an exception here would end the loop."""
        try:
            missing = await self._bot.host.processes.missing_shards()
        except Exception as error:  # noqa: BLE001 - a failure of the database is a problem to report
            return {"database": type(error).__name__}
        return {"shards": f"nobody has {missing}"} if missing else {}

    def _not_connected(self) -> str:
        """Return which shards have no connection to Discord, in words; empty if all have one."""
        if self._bot.is_closed() or not self._bot.is_ready():
            return "not connected to Discord"
        missing = not_connected(self._bot)
        return f"shards {', '.join(map(str, missing))} are not connected to Discord" if missing else ""


CLEANUP_SECONDS: Final = 15.0
"""Interval at which the timers of finished games are handled."""
CLEANUP_HOURS: Final = 1.0
"""Interval at which old lobbies and stored data are cleaned up."""
_TEMPORARY: Final = frozenset({401, 429, *range(500, 600)})
"""Status codes of failures that may pass, if only with another token; all other refusals are final."""
LOBBY_NOTICE_LEASE: Final = "tell of lobbies"
"""Name of the lease under which a single process sends the notices about old lobbies."""


class GameCleanup:
    """Closes abandoned lobbies, shows results on lobby cards, archives threads and purges old data."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._host = bot.host
        self._busy = asyncio.Lock()

    def start(self) -> None:
        """Start both loops, each with a round at once."""
        _ = self._round.start(), self._hourly.start()  # their tasks are kept by the loops

    async def stop(self) -> None:
        """Leave the rest for the next start."""
        await stop_loops(self._busy, self._round, self._hourly)

    @tasks.loop(hours=CLEANUP_HOURS)
    async def _hourly(self) -> None:
        """Notify and close old lobbies, store the locales of users, and purge old data."""
        try:
            async with self._busy:
                await self.give_notice()
                await self.close_expired()
                await self._host.locales.flush()
            await self._host.retention.work()
        except Exception as error:  # noqa: BLE001 - retried in the next hour
            log_failure(log, "the hourly cleanup failed", error)

    async def give_notice(self) -> None:
        """Tell the members of every long unchanged lobby when it will close; only one process does so at a time."""
        if not await self._host.processes.take(LOBBY_NOTICE_LEASE):
            return
        try:
            while any([await self._send_notice(notice) for notice in await self._host.lobbies.closing_soon()]):
                pass  # there may be more; a notice that failed is retried within the hour
        finally:
            await self._host.processes.give_back(LOBBY_NOTICE_LEASE)

    async def _send_notice(self, notice: ClosingNotice) -> bool:
        """Send the notice about a lobby once; return False if it has to be retried, True if it is done or hopeless."""
        lobby = notice.lobby
        try:
            await self._post_closing(notice)
        except (discord.HTTPException, *CONNECTION_BROKEN, LeaseLostError) as error:
            if not isinstance(error, discord.HTTPException) or error.status in _TEMPORARY:
                log.warning(
                    "the notice that a lobby closes could not be sent yet: %r", error, extra={"lobby": lobby.id}
                )
                return False
            log.info("the notice that a lobby closes cannot be sent: %s", error, extra={"lobby": lobby.id})
        await self._host.lobbies.record_notice(notice)
        with suppress(discord.HTTPException, *CONNECTION_BROKEN):
            await show_lobby(self._bot, lobby)  # the card shows the new date of closing
        return True

    async def _post_closing(self, notice: ClosingNotice) -> None:
        """Post the notice unless its message exists: an earlier process may have ended before recording it."""
        lobby, me = notice.lobby, self._bot.user.id if self._bot.user else 0
        channel = self._bot.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
        posted = await posted_in(channel, me)
        if any(custom_id.endswith(f":{notice.nonce}") for message in posted for custom_id in message.ids):
            return
        if not self._host.processes.holds(LOBBY_NOTICE_LEASE):
            raise LeaseLostError
        members = [person.user_id for person in lobby.members]
        awake = OCCASIONS[Occasion.LOBBY_CLOSING].pinged(members, notice.quiet_members)
        mentions = discord.AllowedMentions(users=[discord.Object(user_id) for user_id in awake])
        await channel.send(view=closing_notice(notice), allowed_mentions=mentions, nonce=notice.nonce)

    async def close_expired(self) -> None:
        """Close every lobby that has not changed for too long, and say so on its card."""
        while expired := await self._host.lobbies.expire():
            for lobby in expired:
                await self._show_expired(lobby)

    async def _show_expired(self, lobby: Lobby) -> None:
        """Update the card of an expired lobby; a failure is only logged."""
        log.info("a lobby has expired", extra={"lobby": lobby.id, "server": lobby.guild_id})
        try:
            await show_lobby(self._bot, lobby)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("the card of an expired lobby could not be updated: %s", error, extra={"lobby": lobby.id})

    @tasks.loop(seconds=CLEANUP_SECONDS)
    async def _round(self) -> None:
        try:
            async with self._busy:
                await self.work()
        except Exception as error:  # noqa: BLE001 - retried in the next round
            log_failure(log, "the timers of finished games could not be read", error)

    async def work(self) -> None:
        """Handle the due timers of finished games; a failed one is retried, a hopeless one is given up."""
        for timer in await self._host.timers.due():
            with observability.log_context():
                if await self._host.timers.take(timer) and await self._try(timer):
                    await self._host.timers.done(timer)

    async def _try(self, timer: Timer) -> bool:
        """Handle a timer; return False if it has to be retried, True if it is done or hopeless."""
        try:
            await self._handle(timer)
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("a timer is given up: %s", error, extra=_log_fields(timer))
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("a timer has to wait: %r", error, extra=_log_fields(timer))
            return False
        except Exception as error:  # noqa: BLE001 - one game must not hold up the others
            log_failure(log, "a timer has failed", error, _log_fields(timer))
            return False
        return True

    async def _handle(self, timer: Timer) -> None:
        """Show the result of a finished game on its lobby card, or archive its thread, as the timer says."""
        game, lobby = await self._host.games.get(timer.game_id), await self._host.timers.lobby_of(timer.game_id)
        observability.bind_fields(game=game.code, ply=game.ply, server=game.guild_id)
        if lobby is None or lobby.message_id is None:
            if timer.kind is TimerKind.PUT_AWAY and lobby is None and game.thread_id is not None:
                await self._archive(game.thread_id)  # a game of an event has no lobby
            return
        if timer.kind is TimerKind.RESULT:
            await self._show_result(game, lobby, lobby.message_id)
        else:
            await self._archive(lobby.message_id)  # a thread has the id of the message it starts from

    async def _show_result(self, game: Game, lobby: Lobby, message_id: int) -> None:
        """Show the result of a game on its lobby card."""
        position = None
        with suppress(HostError):  # a frozen game that was closed has no readable position
            position = (await self._host.games.table(game.id)).position
        channel = self._bot.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
        await channel.get_partial_message(message_id).edit(view=ended_card(lobby, game, position))

    async def _archive(self, thread_id: int) -> None:
        """Archive the thread of a game, unless another game runs in it; a new message would reopen it."""
        other_game = await self._host.game_lists.in_channel(thread_id)
        if other_game is not None and other_game.status is not GameStatus.FINISHED:
            return
        thread = await self._bot.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread) and not thread.archived:
            await thread.edit(archived=True)


def _log_fields(timer: Timer) -> dict[str, object]:
    """Return the log fields of a timer."""
    return {"timer": timer.kind.value, "game_id": timer.game_id}
