"""A table on real sockets: the loopback Discord in the test, `bot.py` in a process that may be killed at any moment."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simcord.backend.models import Channel, Message, User

import bot as bot_module
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.operations import AMOUNT
from cogs.presenting.ids import Op, parse_key
from tests.cluster import Cluster
from tests.discord_limits.limits import Upload
from tests.discord_limits.routes import Request, request_problems
from tests.e2e import message_log
from tests.e2e.player import Shown
from tests.e2e.screen import buttons, localized
from tests.e2e.served import read_served_game
from tests.e2e.table import StoredGame, read_stored_game
from tests.loopback import Faults, ForkedBot, LoopbackDiscord, MemberInteraction

BOT = Path(bot_module.__file__)
OPENING_DEADLINE = 60.0
"""Seconds for the answer to a command when nothing is to go wrong; afterwards they are Discord's three."""
ANSWER_TIMEOUT = 8.0
"""Seconds after which a member gives an answer up."""
SHORT_LEASES = """
from datetime import timedelta
import host.operating.processes, host.games.outbox
from cogs.background.tasks import HeartbeatTask
host.operating.processes.LEASE = host.games.outbox.SHARED_LEASE = timedelta(seconds=2)
HeartbeatTask._round.change_interval(seconds=0.5)
"""
"""Where others may live, what a dead one was sending waits for its lease: no test waits for half a minute."""
SETTLE_TIMEOUT = 120.0
"""Seconds within which every card is posted and recorded, on however busy a machine."""
POLL_INTERVAL = 0.05
"""How often a file is looked at."""
MOVE_OPS = frozenset({Op.GO, Op.ACT, AMOUNT})
"""Operations after which a move is made."""


class UnansweredError(Exception):
    """A press brought nothing: the bot is dead, or every way to it broke."""


@dataclass
class SocketTable:
    """A player's client on the loopback server; `before_deciding` is called right before a press that makes a move."""

    server: LoopbackDiscord
    process: ForkedBot
    database: Path | str
    dead: bool = False
    before_deciding: Callable[[str], None] = lambda _: None
    cluster: Cluster | None = None
    """The server on which the database is, if it is no file."""
    place: Channel = field(init=False)

    async def press(self, member: int, shown: Shown, custom_id: str) -> Shown:
        """Press a button and wait for what it brings."""
        self._announce(custom_id)
        before = list(shown.handle.components)
        cards = len(self.cards())
        done = await self.server.click(self.server.world.users[member], shown.handle, custom_id)

        def changed() -> bool:
            return shown.handle.components != before or len(self.cards()) > cards

        return await self._outcome(done, shown.handle, changed)

    async def submit(self, member: int, shown: Shown, values: dict[str, str]) -> Shown:
        """Submit a modal."""
        custom_id = shown.handle
        self._announce(custom_id)
        cards = len(self.cards())
        done = await self.server.submit_modal(self.server.world.users[member], custom_id, values)
        return await self._outcome(done, self.card().handle, lambda: len(self.cards()) > cards)

    def _announce(self, custom_id: str) -> None:
        key = parse_key(custom_id)
        if key is not None and key.op in MOVE_OPS:
            self.before_deciding(key.argument)

    async def _outcome(self, done: MemberInteraction, source: Message, changed: Callable[[], bool]) -> Shown:
        def seen() -> bool:
            return self.dead or bool(done.error or done.modal or done.ephemeral_messages) or changed()

        try:
            await self.server.until(seen, timeout=ANSWER_TIMEOUT)
        except TimeoutError as error:
            raise UnansweredError from error
        if done.modal is not None:
            return Shown(done.modal["custom_id"], done.modal["components"], modal=True)
        if done.ephemeral_messages:
            return Shown(done.ephemeral_messages[-1], done.ephemeral_messages[-1].components)
        if self.dead or done.error:
            raise UnansweredError(done.error)
        return Shown(source, source.components)

    # -- the game ----------------------------------------------------------------------------------------------

    async def open(self, players: int, **options: str) -> None:
        """From `/carc new` to the first card, with nothing going wrong."""
        server, channel = self.server, self.server.channel
        lobbies, threads = len(server.messages(channel.id)), len(server.threads())
        deadline, server.world.callback_deadline = server.world.callback_deadline, OPENING_DEADLINE
        first, *others = server.members[:players]
        done = await server.slash(first, channel, "carc", sub="new", options={"players": players, **options})
        await server.finished(done)
        await server.until(lambda: len(server.messages(channel.id)) > lobbies)  # the card follows the private answer
        lobby = server.messages(channel.id)[-1]
        for user in others:
            await self._press_lobby(user, lobby, localized("button.join"))
        await self._press_lobby(first, lobby, localized("button.start"))
        await server.until(lambda: len(server.threads()) > threads and server.messages(server.threads()[-1].id))
        self.place = server.threads()[-1]
        server.world.callback_deadline = deadline

    async def _press_lobby(self, user: User, lobby: Message, label: str) -> None:
        before = list(lobby.components)
        custom_id = next(button.custom_id for button in buttons(lobby.components) if button.label == label)
        await self.server.click(user, lobby, custom_id)
        await self.server.until(lambda: lobby.components != before)

    def cards(self) -> list[Message]:
        """The public messages of the game."""
        return self.server.messages(self.place.id) if hasattr(self, "place") else []

    def card(self) -> Shown:
        """The newest card."""
        message = self.cards()[-1]
        return Shown(message, message.components)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.stored().status == "finished"

    def stored(self) -> StoredGame:
        """What the database says about the game."""
        return self.stored_in(None)

    def stored_in(self, place: int | None) -> StoredGame:
        """What it says about the game of a thread, or the newest."""
        if self.cluster is not None:
            return read_served_game(self.cluster, str(self.database), place)
        return read_stored_game(Path(self.database), place)

    # -- the process -------------------------------------------------------------------------------------------

    def strike(self) -> None:
        """Kill the bot now."""
        self.process.strike()
        self.dead = True

    async def restart_process(self) -> None:
        """Start the bot again, on the same file."""
        await self.process.kill()
        await self.process.start()
        self.dead = False

    async def settle(self, *, timeout: float = SETTLE_TIMEOUT) -> None:  # noqa: ASYNC109  # ends a test
        """With nothing going wrong any more, wait until every card is posted and recorded as sent."""
        self.server.faults = Faults()
        async with asyncio.timeout(timeout):
            while not all(post.sent for post in self.stored().posts):
                assert self.process.alive, f"nobody is left to post: {self.process.output[-4000:]}"
                await asyncio.sleep(POLL_INTERVAL)  # the file tells nobody that it has changed

    # -- what was sent -----------------------------------------------------------------------------------------

    def problems(self) -> list[str]:
        """What Discord would object to in all requests of the bot, of all its lives."""
        found: list[str] = []
        for request in self.server.requests:
            uploads = tuple(Upload(file.filename, len(file.data)) for file in request.files)
            found += request_problems(Request(request.method, request.path, request.payload, uploads))
        return [*dict.fromkeys(found), *self.server.problems]


@asynccontextmanager
async def socket_table(
    folder: Path, *, address: str | None = None, cluster: Cluster | None = None, **options: Any
) -> AsyncIterator[SocketTable]:
    """A loopback Discord and the bot on it, with a file, or with a database of a server."""
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
