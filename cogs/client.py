"""The Discord client of the bot: it creates the services, registers the commands, and starts and stops everything.

A *cog* is a group of commands, in terms of discord.py. The *host* is the game logic of the bot, without Discord. A
*shard* is a connection to Discord; several processes of the bot may share the shards. A *lease* gives one of these
processes a task that only one may do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Any, Final
from weakref import WeakValueDictionary

import discord
from discord import app_commands
from discord.ext import commands
from yarl import URL

from cogs.background.event_posts import EventPublisher
from cogs.background.gateway import Reconnecting, SessionStarts, disconnect_all
from cogs.background.open_places import OpenPlaces, PlaceListener
from cogs.background.publisher import Publisher
from cogs.background.requests import REQUESTS_A_SECOND, RequestLimiter
from cogs.background.tasks import GameCleanup, Gauges, HeartbeatTask, Sweeper
from cogs.command_groups import HANDLERS, Carc, Tourney
from cogs.commands.operator import OperatorCommands
from cogs.commands.settings import ForgetMe
from cogs.games.presenters import PRESENTERS
from cogs.interactions.replies import answer_error, handle, reaches_other_process
from cogs.interactions.selection import sees_channel
from cogs.panels.deciding import tell_published
from cogs.services.bot import BotServices, Interaction
from cogs.services.lookups import Lookups
from cogs.services.rate_limits import PressRateLimiter, Throttle
from cogs.services.render_pool import RenderPool
from cogs.services.sessions import Answering, BackgroundTasks, OpenPanels, Plans, WaitingPanels
from cogs.texts.catalogue import forget_commands
from cogs.texts.translator import Translator
from cogs.tree import RegisteredTree
from host import Consequence, Host, Shards, log_failure
from host.admin.checks import Health
from host.observability import new_log_context
from host.retry import retry_forever

log = logging.getLogger(__name__)


CHECK_LEASE: Final = "check games"
"""The name of the lease under which a single process checks the running games."""


_PRESSED: Final = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""Types of interactions that have a custom id: pressed buttons and lists, and submitted forms (modals)."""
_OF_ANOTHER_RELEASE: Final = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)
"""discord.py's errors for a command that another release of the bot has registered."""


class _LaunchFailedError(Exception):
    """discord.py failed to connect a shard for the first time, and has already waited before the next attempt."""


class CastellanBot(BotServices):
    """The bot: discord.py's client, with the services that commands and buttons use.

    Among them are the host (the game logic), the render pool, which draws pictures in threads, and the publisher, which
    sends the messages of games.
    """

    def __init__(
        self,
        host: Host,
        *,
        table_in_channel: bool = False,
        guild_id: int | None = None,
        shards: Shards | None = None,
        requests_a_second: int = REQUESTS_A_SECOND,
        presses_a_second: float = 0,
    ) -> None:
        requests = RequestLimiter(requests_a_second, lambda: host.processes.alive)
        chosen: Any = {} if shards is None else {"shard_ids": list(shards.numbers), "shard_count": shards.of}
        super().__init__(
            command_prefix=commands.when_mentioned,
            tree_cls=RegisteredTree,
            help_command=None,
            intents=discord.Intents(guilds=True),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            http_trace=requests.trace_config(),
            **chosen,
        )
        self._shards = shards
        self.host = host
        self.table_in_channel = table_in_channel
        self.guild_id = guild_id
        self.render_pool = RenderPool(host.quotas.take, {name: game.warm_up for name, game in PRESENTERS.items()})
        self.pace = Throttle()
        self.press_limiter = PressRateLimiter(presses_a_second)
        self.answering = Answering()
        self.plans = Plans()
        self.waiting_panels = WaitingPanels()
        self.open_panels = OpenPanels()
        host.moves.on_published = self._tell_published
        self.lookups = Lookups(self, self.serves)
        host.membership.ask = self.lookups.is_member
        self.publisher: Publisher = Publisher(self, host, self.render_pool)
        self.open_places = OpenPlaces(self)
        host.places.ask = self.open_places.ask
        self.event_publisher = EventPublisher(self)
        self.cleanup = GameCleanup(self)
        self.heartbeat = HeartbeatTask(self)
        self.session_starts = SessionStarts(self)
        self.reconnecting = Reconnecting()
        self._launching: set[int] = set()
        """Shards that are being connected for the first time."""
        self.health = Health()
        self.gauges = Gauges(self, self.health, requests, self.reconnecting)
        self.sweeper = Sweeper(host.timer_dispatcher, self.publisher.wake)
        self.handlers = HANDLERS
        self.presenters = PRESENTERS
        self.lobby_edits: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.meeting_edits: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.event_edits: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.lesson_starts: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        host.events.access.sees = partial(sees_channel, self, self.lookups)
        self._background = BackgroundTasks(log)
        self.at_close = AsyncExitStack()
        """Resources to close after the connection."""
        self.tree: RegisteredTree
        self.tree.error(self._command_failed)

    async def setup_hook(self) -> None:
        """Register cogs and commands, and start the background tasks."""
        await self.add_cog(Carc())
        await self.add_cog(Tourney())
        await self.add_cog(ForgetMe())
        await self.add_cog(OperatorCommands())
        await self.tree.set_translator(Translator())
        await retry_forever(self.tree.register)
        self.at_close.callback(forget_commands, self)
        await self.add_cog(PlaceListener(self, self.open_places))
        await self.add_cog(self.heartbeat)
        await self.add_cog(self.reconnecting)
        self.publisher.start()
        self.event_publisher.start()
        self.cleanup.start()
        # The timers wait for the first heartbeat, which refunds the time of a downtime to the clocks.
        self.heartbeat.start(on_first_beat=self.sweeper.start)
        self.run_in_background(self._check_games(), name="check games")

    async def launch_shards(self) -> None:
        """Connect the shards of this process, after telling other processes which ones they are."""
        if self._shards is None:
            self.shard_count = await self.session_starts.recommended_shards()
            self._shards = Shards(0, self.shard_count - 1, self.shard_count)
        await retry_forever(partial(self.host.processes.take_up, self._shards))
        await super().launch_shards()

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard for the first time once enough session starts are left; retry until it succeeds.

        After a failure discord.py calls this method again from within itself, without end, each time deeper and with
        one more traceback in the log. Here the nested call only ends the attempt, and a loop makes the next one.
        """
        if shard_id in self._launching:
            raise _LaunchFailedError
        self._launching.add(shard_id)
        try:
            while not self.is_closed():
                await self.session_starts.wait_for_reserve()
                with suppress(_LaunchFailedError):
                    await super().launch_shard(gateway, shard_id, initial=initial)
                    self.reconnecting.shorten_delays(self.shards[shard_id])
                    return
                initial = False
        finally:
            self._launching.discard(shard_id)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002
        """Wait until it is the shard's turn to start a session."""
        await self.session_starts.take_turn(shard_id or 0)

    def run_in_background(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        """Start a task that no caller awaits; it is cancelled when the bot is closed."""
        self._background.start(work, name, new_log_context())

    def _tell_published(self, user_id: int, outcome: Consequence) -> None:
        """Update the panel of the player whose pending move was published, in the background."""
        self.run_in_background(tell_published(self, user_id, outcome), name=f"tell {outcome.game.code}")

    async def _check_games(self) -> None:
        """Replay all running games with this version of the engine, and freeze those that fail."""
        if not await retry_forever(partial(self.host.processes.take, CHECK_LEASE)):
            return  # another process checks them
        try:
            report = await self.host.game_checks.check_all()
        except Exception as error:  # noqa: BLE001 - each game is checked again before its next move
            log_failure(log, "the games could not be checked", error)
        else:
            counts = {"verified": len(report.verified), "frozen": report.frozen, "thawed": report.thawed}
            log.info("games checked", extra=counts)
            self.publisher.wake()
        await retry_forever(partial(self.host.processes.give_back, CHECK_LEASE))

    async def on_ready(self) -> None:
        """Log that all shards are connected."""
        log.info("ready", extra={"servers": len(self.guilds), "bot": self.user.id if self.user else None})

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Log that a server has added the bot."""
        log.info("server joined", extra={"server": guild.id, "servers": len(self.guilds)})

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Log that a server has removed the bot."""
        log.warning("server left", extra={"server": guild.id, "servers": len(self.guilds)})

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle pressed buttons and submitted forms; discord.py's command tree handles commands."""
        self.answering.begin()
        if interaction.type in _PRESSED:
            await handle(interaction)

    async def _command_failed(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        """Answer an error of a command that happened outside of its own error boundary."""
        if isinstance(error, _OF_ANOTHER_RELEASE) and await reaches_other_process(interaction):
            return
        original = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await answer_error(interaction, original)

    async def close(self) -> None:
        """Stop the tasks, finish running posts and answers, disconnect, and close the host and the database."""
        if not self.is_closed():
            await self._background.cancel()
            await self.gauges.stop()
            await self.heartbeat.stop()
            await self.sweeper.stop()
            await self.cleanup.stop()
            await self.event_publisher.stop()
            await self.publisher.stop()
            await disconnect_all(self)
            await self.answering.finish()
            await self._background.cancel()
            await super().close()
        self.render_pool.close()
        await self.at_close.aclose()
