"""Periodic tasks of the bot.

- :class:`HeartbeatTask` records that this process lives, and which of its shards are connected to Discord.
  The time of a gap between heartbeats, in which the bot was down, is refunded to the clocks of all games.
- :class:`Sweeper` runs the timers of the host that are due.
- :class:`Gauges` measures the lag of the event loop, and checks the health of the bot.
- :class:`GameCleanup` shows results of finished games, archives their threads, closes old lobbies and deletes old data.

Each is a loop of rounds. At a shutdown it is stopped between two rounds if possible.
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

from cogs.background.appointments import close_obsolete_appointments, tell_of_appointments
from cogs.background.gateway import Connections, Reconnecting, disconnected_shards
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
from host.observability import GATEWAY_WAIT, LOOP_LAG, logging_failures

log = logging.getLogger(__name__)


STOP_SECONDS: Final = 5.0
"""The seconds for a running round to finish at a shutdown; a longer one, as while Discord hangs, is cancelled."""


async def stop_loops(busy: asyncio.Lock, *loops: tasks.Loop[Any]) -> None:
    """Stop loops; a running round, which holds the lock, may finish first if that takes no longer than STOP_SECONDS."""
    with suppress(TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            await busy.acquire()
    running = [task for loop in loops if (task := loop.get_task()) is not None]
    for loop in loops:
        loop.cancel()
    await asyncio.gather(*running, return_exceptions=True)


HEARTBEAT_SECONDS: Final = 10.0
"""The seconds between two heartbeats, which limit how much of a gap goes unnoticed and how late a timeout can be."""


class HeartbeatTask(commands.Cog):
    """Tells other processes that this one lives, and records which of its shards are connected to Discord."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._connections = Connections(bot)
        self._connected: set[int] = set()
        self._busy = asyncio.Lock()
        self._on_first_beat: Callable[[], None] | None = None

    def start(self, on_first_beat: Callable[[], None] | None = None) -> None:
        """Start the heartbeat; ``on_first_beat`` is called once, after the first beat of a connected shard."""
        self._on_first_beat = on_first_beat
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Stop the heartbeat."""
        self._on_first_beat = None
        self._connected = set()
        await stop_loops(self._busy, self._round)

    @commands.Cog.listener("on_shard_connect")
    @commands.Cog.listener("on_shard_ready")
    @commands.Cog.listener("on_shard_resumed")
    async def connected(self, shard: int) -> None:
        """Count a shard as connected, and beat at once: before its first events, and when it has all its servers."""
        self._connected.add(shard)
        await self._beat()

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard: int) -> None:
        """Stop counting a shard that has disconnected."""
        self._connected.discard(shard)

    @tasks.loop(seconds=HEARTBEAT_SECONDS)
    async def _round(self) -> None:
        """Announce this process, settle its connections, and record the heartbeat of its shards."""
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
        """Close or reopen the connections, as the conflict with other processes requires."""
        with logging_failures(log, "the gateway connections could not be opened or closed"):
            await self._connections.settle()

    async def _beat(self) -> None:
        """Record a heartbeat of the connected shards."""
        if not self._connected:
            return
        with logging_failures(log, "the heartbeat could not be recorded"):  # the next one refunds the gap to the clocks
            async with self._busy:
                await self._bot.host.gateway_monitor.beat(sorted(self._connected), self._bot.shard_count or 1)
            on_first_beat, self._on_first_beat = self._on_first_beat, None
            if on_first_beat is not None:
                on_first_beat()


SWEEP_SECONDS: Final = 1.0
"""The seconds between two looks for due timers; each is a single statement that an index answers."""


class Sweeper:
    """Runs the due timers of the host, and wakes the publisher of messages if there were any."""

    def __init__(self, dispatcher: TimerDispatcher, wake: Callable[[], None]) -> None:
        self._dispatcher = dispatcher
        self._wake = wake
        self._busy = asyncio.Lock()

    def start(self) -> None:
        """Start to look for due timers; the first round handles those that became due while no process was running."""
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Leave the rest for the next start."""
        await stop_loops(self._busy, self._round)

    @tasks.loop(seconds=SWEEP_SECONDS)
    async def _round(self) -> None:
        """Run the due timers; a failure is only logged, since the next round tries again."""
        with logging_failures(log, "the due timers could not be read"):
            async with self._busy:
                if await self._dispatcher.work():
                    self._wake()  # a timer may have added a message


GAUGE_SECONDS: Final = 0.5
"""The seconds between two measurements of the lag of the event loop."""
ROUNDS_PER_CHECK: Final = 20
"""The measurements between two checks of the bot's health."""


class Gauges:
    """Measures the lag of the event loop, and checks the bot's health for metrics and probes."""

    def __init__(self, bot: BotServices, health: Health, requests: RequestLimiter, reconnecting: Reconnecting) -> None:
        self._bot = bot
        self._requests = requests
        self._reconnecting = reconnecting
        self._health = health
        self._busy = asyncio.Lock()
        self._count = 0
        self._last_round = perf_counter()

    def start(self) -> None:
        """Start to measure; the caller does that only if metrics are served."""
        self._last_round = perf_counter()
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Stop measuring."""
        await stop_loops(self._busy, self._round)

    @tasks.loop(seconds=GAUGE_SECONDS)
    async def _round(self) -> None:
        """Measure the lag since the last round, and check the bot's health now and then."""
        now = perf_counter()
        LOOP_LAG.observe(max(0.0, now - self._last_round - GAUGE_SECONDS))
        self._last_round = now
        self._health.note(self._health.problems)
        self._count += 1
        if self._count % ROUNDS_PER_CHECK == 1:
            async with self._busy:
                self._health.note(await self.problems())

    async def problems(self) -> dict[str, str]:
        """Return descriptions of the present problems, by the name of the part that has the problem."""
        problems = await self._bot.host.health_check.check()
        GATEWAY_WAIT.set(self._reconnecting.seconds())
        if disconnection := self._disconnection():
            problems["gateway"] = ": ".join(filter(None, [disconnection, self._reconnecting.problem()]))
        if pause := self._requests.problem():
            problems["requests"] = pause
        if conflict := self._bot.host.processes.overlap.problem():
            problems["shards"] = conflict
        elif "database" not in problems:
            problems |= await self._missing_shards()
        return problems

    async def _missing_shards(self) -> dict[str, str]:
        """Return the shards that no process has, as a problem; so is a failure, which must not end the loop."""
        try:
            missing = await self._bot.host.processes.missing_shards()
        except Exception as error:  # noqa: BLE001 - a failure of the database is a problem to report
            return {"database": type(error).__name__}
        return {"shards": f"nobody has {missing}"} if missing else {}

    def _disconnection(self) -> str:
        """Return which shards have no connection to Discord, in words; empty if all have one."""
        if self._bot.is_closed() or not self._bot.is_ready():
            return "not connected to Discord"
        shards = disconnected_shards(self._bot)
        return f"shards {', '.join(map(str, shards))} are not connected to Discord" if shards else ""


CLEANUP_SECONDS: Final = 15.0
"""The seconds between two looks for timers of finished games."""
CLEANUP_HOURS: Final = 1.0
"""The hours between two cleanups of old lobbies and stored data."""
_TEMPORARY: Final = frozenset({401, 429, *range(500, 600)})
"""The status codes of failures that may pass, if only with another token; all other refusals are final."""
LOBBY_NOTICE_LEASE: Final = "tell of lobbies"
"""The name of the lease that lets only one process send the notices that lobbies will be closed."""


class GameCleanup:
    """Shows results of finished games, archives their threads, closes old lobbies and deletes old data."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._host = bot.host
        self._busy = asyncio.Lock()

    def start(self) -> None:
        """Start both loops; the first round of each runs at once."""
        _ = self._round.start(), self._hourly.start()  # their tasks are kept by the loops

    async def stop(self) -> None:
        """Leave the rest for the next start."""
        await stop_loops(self._busy, self._round, self._hourly)

    @tasks.loop(hours=CLEANUP_HOURS)
    async def _hourly(self) -> None:
        """Notify members of old lobbies and close them, store users' locales, and delete old data."""
        with logging_failures(log, "the hourly cleanup failed"):
            async with self._busy:
                await self.send_closing_notices()
                await self.close_expired()
                await self._host.locales.flush()
            await self._host.retention.work()

    async def send_closing_notices(self) -> None:
        """Tell the members of lobbies that have not changed for long that these will be closed.

        Only one process does so at a time.
        """
        if not await self._host.processes.take(LOBBY_NOTICE_LEASE):
            return
        try:
            while any([await self._send_notice(notice) for notice in await self._host.lobbies.closing_soon()]):
                pass  # the host returns a limited number at a time; a notice that failed is retried in the next hour
        finally:
            await self._host.processes.give_back(LOBBY_NOTICE_LEASE)

    async def _send_notice(self, notice: ClosingNotice) -> bool:
        """Send the notice about a lobby; return False if it has to be retried, True if it is sent or cannot be."""
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
        """Post the notice, unless its message exists: an earlier process may have ended before it recorded it.

        Raises:
            LeaseLostError: another process may be sending the notices by now.
        """
        lobby, me = notice.lobby, self._bot.user.id if self._bot.user else 0
        channel = self._bot.get_partial_messageable(lobby.channel_id, guild_id=lobby.guild_id)
        posted = await posted_in(channel, me)
        if any(custom_id.endswith(f":{notice.nonce}") for message in posted for custom_id in message.ids):
            return
        if not self._host.processes.holds(LOBBY_NOTICE_LEASE):
            raise LeaseLostError
        members = [person.user_id for person in lobby.members]
        pinged = OCCASIONS[Occasion.LOBBY_CLOSING].pinged(members, notice.quiet_members)
        mentions = discord.AllowedMentions(users=[discord.Object(user_id) for user_id in pinged])
        await channel.send(view=closing_notice(notice), allowed_mentions=mentions, nonce=notice.nonce)

    async def close_expired(self) -> None:
        """Close all lobbies that have not changed for too long, and say so on their cards."""
        while expired := await self._host.lobbies.expire():
            for lobby in expired:
                log.info("a lobby has expired", extra={"lobby": lobby.id, "server": lobby.guild_id})
                await self._show_lobby(lobby)

    async def show_declines(self) -> None:
        """Decline the challenges of people who are avoided, once it is time, and say so on their cards."""
        for lobby in await self._host.challenges.decline_due():
            log.info("challenge declined in the name of a member", extra={"lobby": lobby.id, "server": lobby.guild_id})
            await self._show_lobby(lobby)

    async def _show_lobby(self, lobby: Lobby) -> None:
        """Update the card of a lobby; a failure is only logged."""
        try:
            await show_lobby(self._bot, lobby)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("the card of a lobby could not be updated: %s", error, extra={"lobby": lobby.id})

    @tasks.loop(seconds=CLEANUP_SECONDS)
    async def _round(self) -> None:
        """Handle the due timers of finished games; a failure is only logged, since the next round tries again."""
        with logging_failures(log, "the timers of finished games could not be read"):
            async with self._busy:
                await self.work()
                await self.show_declines()
                await close_obsolete_appointments(self._bot)
                await tell_of_appointments(self._bot)

    async def work(self) -> None:
        """Handle the due timers of finished games; one that fails is retried, one that Discord refuses is dropped."""
        for timer in await self._host.timers.due():
            with observability.log_context():
                if await self._host.timers.take(timer) and await self._try(timer):
                    await self._host.timers.done(timer)

    async def _try(self, timer: Timer) -> bool:
        """Handle a timer; return False if it has to be retried, True if it is done or cannot be."""
        try:
            await self._handle(timer)
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("a timer is dropped: %s", error, extra=_log_fields(timer))
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
        """Archive the thread of a game, unless another game is played in it.

        The next message of that game would reopen the thread.
        """
        other_game = await self._host.game_lists.in_channel(thread_id)
        if other_game is not None and other_game.status is not GameStatus.FINISHED:
            return
        thread = await self._bot.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread) and not thread.archived:
            await thread.edit(archived=True)


def _log_fields(timer: Timer) -> dict[str, object]:
    """Return the log fields of a timer."""
    return {"timer": timer.kind.value, "game_id": timer.game_id}
