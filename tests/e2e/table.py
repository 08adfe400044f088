"""A table on simcord: an offline Discord, the real bot on a database file, members who sit down."""

import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import simcord
from discord.ext import commands, tasks
from simcord.backend.models import Message

from cogs import tree
from cogs.client import CastellanBot
from cogs.presenting.ids import Key, Op
from cogs.texts.languages import offered
from engine import parse_action, read_setup, replay
from engine.carcassonne import Position
from host import Host, HostSettings
from tests.e2e import message_log
from tests.e2e.player import Shown
from tests.e2e.screen import buttons, localized
from tests.store.begun import begun

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")
SETTLE_SECONDS = 60.0
"""For all that one click sets off; generous, since pictures are drawn on a busy machine."""


class PatientEnv(simcord.Env):
    """The offline Discord, which waits for a bot that starts as long as for anything else: five seconds may be few."""

    def __init__(self, bot: commands.Bot) -> None:
        super().__init__(bot, shard_count=1, settle_timeout=SETTLE_SECONDS)

    async def _settle_internal(self, *, timeout: float | None = None, **options: Any) -> None:  # noqa: ASYNC109
        await super()._settle_internal(timeout=None if timeout is None else max(timeout, SETTLE_SECONDS), **options)

    async def begin(self, bot: CastellanBot) -> None:
        """Start as a bot usually does, whose commands Discord knows: from the first bot of this process.

        Translating and comparing them takes longer than most that is tried afterwards.
        """
        languages = tuple(language.code for language in offered())
        known = _COMMANDS.get(languages)
        with pytest.MonkeyPatch.context() as patch:
            if known is not None:
                self.backend.commands[None] = known
                patch.setattr(tree, "same_commands", _as_known)
            await self.start()
            await stop_background_tasks(self, bot)
        _COMMANDS.setdefault(languages, self.backend.commands[None])
        _NUMBERS.update(bot.tree.known)


_COMMANDS: dict[tuple[str, ...], Any] = {}
"""Those that were registered, by the languages that there were."""
_NUMBERS: dict[str, int] = {}


async def _as_known(registered: tree.RegisteredTree, _: object) -> bool:
    registered.known = _NUMBERS
    return True


async def build_bot(database: Path, seed: str = "", **settings: Any) -> CastellanBot:
    """The bot as `bot.build_bot` makes it, but every game begins with this seed (by chance without one)."""
    store = await begun(database)
    if seed:
        settings["new_seed"] = lambda: seed
    host = Host(store, settings=HostSettings(**{"publish_window": timedelta(0), "usual_pace": "none"} | settings))
    await host.start()
    bot = CastellanBot(host)
    bot.at_close.push_async_callback(store.close)
    bot.at_close.push_async_callback(host.close)
    return bot


async def stop_background_tasks(env: simcord.Env, bot: CastellanBot) -> None:
    """End what the bot does now and then, once it has done it.

    Time stands still here, so that nothing of it comes again; but each press would look whether it still waits.
    """
    await env.settle()
    for doer in (bot.publisher, bot.event_publisher, bot.cleanup, bot.heartbeat, bot.sweeper):
        for loop in vars(doer).values():
            if isinstance(loop, tasks.Loop):
                loop.cancel()
    await env.settle()


async def close_bot(bot: CastellanBot) -> None:
    """Close what a bot holds that simcord has forgotten."""
    bot.render_pool.close()
    await bot.at_close.aclose()


@dataclass(frozen=True, slots=True)
class StoredPost:
    """A message of a game as its file holds it."""

    from_ply: int
    ply: int
    kind: str
    sent: bool
    message_id: int | None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as its file holds it: setup and log as text, where it stands, its messages."""

    setup: str
    log: tuple[str, ...]
    ply: int
    digest: str
    status: str
    code: str
    posts: tuple[StoredPost, ...]
    seats: tuple[int, ...]
    """The users in the order of play."""
    names: tuple[str, ...]

    def replayed(self) -> Position:
        """The position to which the engine comes by itself."""
        return replay(read_setup(self.setup), [parse_action(text) for text in self.log])


def read_stored_game(database: Path, place: int | None = None) -> StoredGame:
    """Read a game of a file, without the bot: the one of a thread, or the newest."""
    with closing(sqlite3.connect(database)) as file:
        number, *game = file.execute(
            "select id, setup, ply, digest, status, code from games where thread_id = :place or :place is null"
            " order by id desc limit 1",
            {"place": place},
        ).fetchone()
        setup, ply, digest, status, code = game
        log = file.execute("select text from actions where game_id = ? order by ply", [number]).fetchall()
        posts = file.execute(
            "select from_ply, ply, kind, sent_at is not null, message_id from outbox where game_id = ? order by id",
            [number],
        ).fetchall()
        users = file.execute("select user_id, name from seats where game_id = ? order by seat", [number]).fetchall()
    seats, names = zip(*users, strict=True)
    messages = tuple(StoredPost(start, end, kind, bool(sent), message) for start, end, kind, sent, message in posts)
    return StoredGame(setup, tuple(text for (text,) in log), ply, digest, status, code, messages, seats, names)


@dataclass
class Table:
    """One channel with members, and the thread of the game that they play; it is a player's client, too."""

    env: simcord.Env
    channel: simcord.ChannelHandle
    members: dict[int, simcord.MemberActor]
    database: Path
    seed: str
    bot: CastellanBot
    settings: Mapping[str, Any]
    """Those of the host."""
    users: Sequence[simcord.UserHandle] = ()
    """Who the members are, be it in other servers."""
    place: simcord.ChannelHandle = field(init=False)
    """Where the cards of the game are."""

    @property
    def actors(self) -> list[simcord.MemberActor]:
        """The members in the order in which they came."""
        return list(self.members.values())

    def name_of(self, actor: simcord.MemberActor) -> str:
        """How a member is called here."""
        user = self.env.backend.get_user(actor.id)
        return user.global_name or user.name

    # -- the client of a player --------------------------------------------------------------------------------

    async def press(self, member: int, shown: Shown, custom_id: str) -> Shown:
        """Press a button."""
        return self.shown(await self.members[member].click(shown.handle, custom_id=custom_id))

    async def submit(self, member: int, shown: Shown, values: dict[str, str]) -> Shown:
        """Submit a modal."""
        return self.shown(await self.members[member].submit_modal(shown.handle, values))

    @staticmethod
    def shown(result: simcord.InteractionResult) -> Shown:
        """The modal, else the private answer that followed, else the first answer."""
        if result.modal is not None:
            return Shown(result, result.modal["components"], modal=True)
        message = result.followups[-1] if result.followups else result.response
        assert message is not None, "nothing was answered"
        return Shown(message, message.components)

    # -- the game ----------------------------------------------------------------------------------------------

    async def start(self, players: int, *, further: Sequence[str] = (), **options: Any) -> None:
        """Open a lobby, let everybody sit down, start; ``further`` boxes are added by the buttons of its panel."""
        first, *others = self.actors[:players]
        await first.slash(self.channel, "carc new", players=players, **options)
        lobby = self.channel.last_message
        assert lobby is not None
        for box in further:
            panel = self.shown(await first.click(lobby, label=localized("button.ruling")))
            for argument in ("boxes", f"boxes box {box}"):
                panel = await self.press(first.id, panel, str(Key(Op.CHANGE, "1", 0, argument)))
        for actor in others:
            await actor.click(lobby, label=localized("button.join"))
        await first.click(lobby, label=localized("button.start"))
        self.place = self.channel.threads[-1]

    def cards(self) -> list[Shown]:
        """All public messages of the game, oldest first."""
        return [Shown(simcord.ResponseMessage(self.env, card), card.components) for card in self._public()]

    def card(self) -> Shown:
        """The newest card."""
        newest = self._public()[-1]
        return Shown(simcord.ResponseMessage(self.env, newest), newest.components)

    def _public(self) -> list[Message]:
        stored = self.env.backend.messages.get(self.place.id, {}).values()
        return [message for message in stored if message.visible_to(None) and message.components]

    @property
    def over(self) -> bool:
        """Whether the newest card is that of the end."""
        return any(button.key.op is Op.REMATCH for button in buttons(self.card().components))

    async def restart(self) -> None:
        """Another process takes over the file."""
        await self.env.settle()
        old, self.bot = self.bot, await build_bot(self.database, self.seed, **self.settings)
        await self.env.restart_bot(self.bot)
        await stop_background_tasks(self.env, self.bot)
        await close_bot(old)

    # -- the truth ---------------------------------------------------------------------------------------------

    def stored(self) -> StoredGame:
        """What the file says about the newest game, read without the bot."""
        return read_stored_game(self.database)


@asynccontextmanager
async def open_table(
    database: Path, *, seed: str = "", names: Sequence[str] = NAMES, **settings: Any
) -> AsyncIterator[Table]:
    """A channel with these members and the bot, nothing begun yet; ``settings`` are those of the host."""
    bot = await build_bot(database, seed, **settings)
    env = PatientEnv(bot)
    await env.begin(bot)
    message_log.watch(env.backend)
    guild = env.create_guild("The Village")
    channel = guild.create_text_channel("carcassonne")
    users = [env.create_user(f"member{number}", global_name=name) for number, name in enumerate(names)]
    actors = [guild.add_member(user) for user in users]
    table = Table(env, channel, {actor.id: actor for actor in actors}, database, seed, bot, settings, users)
    try:
        yield table
    finally:
        await env.shutdown()
        await close_bot(table.bot)
    env.raise_errors()
