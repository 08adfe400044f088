"""A table on real sockets: a loopback Discord in the test, `bot.py` in a process that can be killed at any moment.

`SocketTable` is a member's client: it acts through the loopback server, and waits for an answer only as long as the
bot lives.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simcord.backend.models import Channel, Message, User

import bot as bot_module
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import AMOUNT
from cogs.panels.own_settings import CONFIRM
from cogs.presenting.ids import Op, parse_key
from cogs.presenting.presenter import QUICK
from tests.cluster import Cluster
from tests.discord_limits.limits import Upload
from tests.discord_limits.routes import Request, request_problems
from tests.e2e import message_log
from tests.e2e.player import Shown
from tests.e2e.screen import buttons, localized
from tests.e2e.stored_games import StoredGame, read_served_game, read_stored_game
from tests.loopback import Faults, ForkedBot, LoopbackDiscord, MemberInteraction

BOT = Path(bot_module.__file__)
"""The script of the bot."""
OPENING_DEADLINE = 60.0
"""Seconds for an answer while a game is being opened; afterwards Discord's three."""
ANSWER_TIMEOUT = 8.0
"""Seconds after which a member stops waiting for an answer."""
SHORT_LEASES = """
from datetime import timedelta
import host.admin.processes, host.games.outbox
from cogs.background.tasks import HeartbeatTask
host.admin.processes.LEASE = host.games.outbox.SHARED_LEASE = timedelta(seconds=2)
HeartbeatTask._round.change_interval(seconds=0.5)
"""
"""Code that shortens leases: with several processes, posts of a killed one wait until its lease has expired."""
SETTLE_TIMEOUT = 120.0
"""Seconds within which every card is posted and recorded; generous, for busy machines."""
POLL_INTERVAL = 0.05
"""Seconds between two reads of a file."""
MOVE_OPS = frozenset({Op.GO, Op.ACT, AMOUNT})
"""Operations that make a move."""


class UnansweredError(Exception):
    """A press had no visible effect: the bot is dead, or the connection broke."""


@dataclass
class SocketTable:
    """A player's client on the loopback server; `before_deciding` is called before each press that makes a move."""

    server: LoopbackDiscord
    process: ForkedBot
    database: Path | str
    dead: bool = False
    before_deciding: Callable[[str], None] = lambda _: None
    cluster: Cluster | None = None
    """The PostgreSQL server of the database; None for SQLite."""
    place: Channel = field(init=False)

    async def press(self, member: int, shown: Shown, custom_id: str) -> Shown:
        """Press a button and return its visible effect."""
        self._announce(custom_id)
        before = list(shown.handle.components)
        cards = len(self.cards())
        interaction = await self.server.click(self.server.world.users[member], shown.handle, custom_id)

        def changed() -> bool:
            return shown.handle.components != before or len(self.cards()) > cards

        return await self._outcome(interaction, shown.handle, changed)

    async def submit(self, member: int, shown: Shown, values: dict[str, str]) -> Shown:
        """Submit a modal."""
        custom_id = shown.handle
        self._announce(custom_id)
        cards = len(self.cards())
        interaction = await self.server.submit_modal(self.server.world.users[member], custom_id, values)
        return await self._outcome(interaction, self.card().handle, lambda: len(self.cards()) > cards)

    async def turn_off_confirming(self, member: int) -> None:
        """Choose, in the member's settings, that moves need no confirmation.

        Raises `UnansweredError` if no answer comes; the bot may die while the member waits.
        """
        user = self.server.world.users[member]
        options = {"choose": f"{CONFIRM} {QUICK}"}
        interaction = await self.server.slash(user, self.server.channel, "carc", sub="settings", options=options)
        await self._answered(lambda: self.dead or interaction.finished)
        if not interaction.finished:
            raise UnansweredError

    def _announce(self, custom_id: str) -> None:
        """Call `before_deciding` if a press makes a move."""
        key = parse_key(custom_id)
        if key is not None and key.op in MOVE_OPS:
            self.before_deciding(key.argument)

    async def _outcome(self, interaction: MemberInteraction, source: Message, changed: Callable[[], bool]) -> Shown:
        """Return what the member sees after an interaction."""

        def is_visible() -> bool:
            return (
                self.dead or bool(interaction.error or interaction.modal or interaction.ephemeral_messages) or changed()
            )

        await self._answered(is_visible)
        if interaction.modal is not None:
            return Shown(interaction.modal["custom_id"], interaction.modal["components"], modal=True)
        if interaction.ephemeral_messages:
            return Shown(interaction.ephemeral_messages[-1], interaction.ephemeral_messages[-1].components)
        if self.dead or interaction.error:
            raise UnansweredError(interaction.error)
        return Shown(source, source.components)

    async def _answered(self, is_visible: Callable[[], bool]) -> None:
        """Wait until an answer is visible."""
        try:
            await self.server.until(is_visible, timeout=ANSWER_TIMEOUT)
        except TimeoutError as error:
            raise UnansweredError from error

    # -- the game ----------------------------------------------------------------------------------------------

    async def open(self, players: int, computers: int = 0, **options: str) -> None:
        """Open and start a game of these people and computers, from `/carc new` to the first card."""
        server, channel = self.server, self.server.channel
        lobbies, threads = len(server.messages(channel.id)), len(server.threads())
        deadline, server.world.callback_deadline = server.world.callback_deadline, OPENING_DEADLINE
        first, *others = server.members[:players]
        seated = {"players": players + computers, **({"computers": computers} if computers else {})}
        interaction = await server.slash(first, channel, "carc", sub="new", options={**seated, **options})
        await server.finished(interaction)
        await server.until(lambda: len(server.messages(channel.id)) > lobbies)  # the card follows the private answer
        lobby = server.messages(channel.id)[-1]
        for user in others:
            await self._press_lobby(user, lobby, localized("button.join"))
        await self._press_lobby(first, lobby, localized("button.start"))
        await server.until(lambda: len(server.threads()) > threads and server.messages(server.threads()[-1].id))
        self.place = server.threads()[-1]
        server.world.callback_deadline = deadline

    async def _press_lobby(self, user: User, lobby: Message, label: str) -> None:
        """Press a button of the lobby card and wait for its effect."""
        before = list(lobby.components)
        custom_id = next(button.custom_id for button in buttons(lobby.components) if button.label == label)
        await self.server.click(user, lobby, custom_id)
        await self.server.until(lambda: lobby.components != before)

    def cards(self) -> list[Message]:
        """Return the public messages of the game."""
        return self.server.messages(self.place.id) if hasattr(self, "place") else []

    def card(self) -> Shown:
        """Return the newest card."""
        message = self.cards()[-1]
        return Shown(message, message.components)

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.stored().status == "finished"

    def stored(self) -> StoredGame:
        """Read the newest game from the database."""
        return self.stored_in(None)

    def stored_in(self, place: int | None) -> StoredGame:
        """Read the game of a thread, or the newest, from the database."""
        if self.cluster is not None:
            return read_served_game(self.cluster, str(self.database), place)
        return read_stored_game(Path(self.database), place)

    # -- the process -------------------------------------------------------------------------------------------

    def kill_now(self) -> None:
        """Send SIGKILL to the bot's process without waiting for its end."""
        self.process.send_sigkill()
        self.dead = True

    async def restart_process(self) -> None:
        """Start the bot again on the same database."""
        await self.process.kill()
        await self.process.start()
        self.dead = False

    async def settle(self, *, timeout: float = SETTLE_TIMEOUT) -> None:  # noqa: ASYNC109  # ends a test
        """Stop all faults and wait until every card is posted and recorded as sent."""
        self.server.faults = Faults()
        async with asyncio.timeout(timeout):
            while not all(post.sent for post in self.stored().posts):
                assert self.process.alive, f"no process is left to post: {self.process.output[-4000:]}"
                await asyncio.sleep(POLL_INTERVAL)  # SQLite does not notify readers of changes

    # -- what was sent -----------------------------------------------------------------------------------------

    def problems(self) -> list[str]:
        """Return Discord's objections to all requests of the bot, across all its processes."""
        lines: list[str] = []
        for request in self.server.requests:
            uploads = tuple(Upload(file.filename, len(file.data)) for file in request.files)
            lines += request_problems(Request(request.method, request.path, request.payload, uploads))
        return [*dict.fromkeys(lines), *self.server.problems]


@asynccontextmanager
async def socket_table(
    folder: Path, *, address: str | None = None, cluster: Cluster | None = None, **options: Any
) -> AsyncIterator[SocketTable]:
    """Yield a table on a loopback Discord with the bot started, on a SQLite file or at a PostgreSQL address."""
    async with LoopbackDiscord(**options) as server:
        message_log.watch(server.world)
        database = address or folder / "games.sqlite3"
        prepare = SHORT_LEASES if cluster else ""
        process = ForkedBot(server, BOT, database=database, log=folder / "bot.log", prepare=prepare)
        try:
            await process.start()
            yield SocketTable(server, process, database, cluster=cluster)
        finally:
            await process.close()
