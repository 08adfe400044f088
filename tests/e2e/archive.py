"""The server and the file of `tests/stored` at every kind of step, opened by the real bot, months later."""

import json
import lzma
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import simcord
from simcord.backend.models import Channel, Message, User
from simcord.builders import ChannelHandle, UserHandle

import bot as castellan
from host import Host
from operations.settings import Settings
from tests.e2e import message_log
from tests.e2e.player import Shown
from tests.e2e.raw_interactions import SentInteraction, send_press
from tests.e2e.screen import buttons
from tests.e2e.table import PatientEnv, Table, close_bot, stop_background_tasks
from tests.host.people import SettableClock

FOLDER = Path(__file__).parents[1] / "stored"
NAME = "every-step-2026-11-22"
DAY = 86_400.0
LATER = timedelta(hours=1)
"""How long the update took: leases have run out, no table has expired."""


@cache
def statements() -> str:
    """The file of games."""
    return lzma.decompress((FOLDER / f"{NAME}.sql.xz").read_bytes()).decode()


@cache
def _snapshot_json() -> str:
    return lzma.decompress((FOLDER / f"{NAME}.json.xz").read_bytes()).decode()


@dataclass
class ArchivedServer:
    """A table whose server is that of the file, and what is known of it."""

    table: Table
    seen: dict[str, Any]
    clock: SettableClock

    @property
    def host(self) -> Host:
        return self.table.bot.host

    @property
    def games(self) -> dict[str, dict[str, Any]]:
        """What is known of each game, by code."""
        return self.seen["games"]

    def about(self, what: str) -> list[str]:
        """The games of which something was to be shown; without a word those that ask all that can be asked."""
        return [code for code, known in self.games.items() if known["about"] == what]

    async def come_to(self, code: str) -> Shown:
        """Look at the place of a game; its newest card."""
        game = await self.host.games.get(code)
        backend, guild = self.table.env.backend, self.table.channel.guild
        self.table.place = ChannelHandle(self.table.env, guild, backend.get_channel(game.thread_id or game.channel_id))
        return self.table.card()

    async def restart(self) -> None:
        """Another process takes over the file."""
        await self.table.env.settle()
        before, self.table.bot = self.table.bot, await build_archive_bot(self.table.database, self.clock)
        await self.table.env.restart_bot(self.table.bot)
        await stop_background_tasks(self.table.env, self.table.bot)
        await close_bot(before)

    def message(self, known: dict[str, Any]) -> Shown:
        """A message of which is known what it showed, as it is now."""
        return self._shown(known["channel"], known["id"])

    def now(self, shown: Shown) -> Shown:
        """A message as it is by now."""
        return self._shown(shown.handle.channel_id, shown.handle.id)

    def _shown(self, channel_id: int, message_id: int) -> Shown:
        message = self.table.env.backend.get_message(channel_id, message_id)
        return Shown(simcord.ResponseMessage(self.table.env, message), message.components)

    def panels(self) -> Iterator[tuple[int, Shown]]:
        """The private messages that stood open, with their owners."""
        for known in self.seen["messages"]:
            shown = self.message(known)
            if shown.handle.ephemeral:
                yield int(known["interaction_metadata"]["user"]["id"]), shown

    async def send_press(self, member: int, shown: Shown, custom_id: str) -> SentInteraction:
        """Press a button that a message has, or had once, and wait for all that comes of it."""
        sent = send_press(self.table.env, self.table.members[member], shown.handle, custom_id)
        await self.table.env.settle()
        return sent


async def build_archive_bot(database: Path, clock: SettableClock) -> castellan.CastellanBot:
    """The bot as it starts on Discord."""
    return await castellan.build_bot(Settings(database=str(database), publish_seconds=0), clock=clock)


@asynccontextmanager
async def open_archive(folder: Path) -> AsyncIterator[ArchivedServer]:
    """The file in a folder, the server around it, the bot started on it."""
    seen, database = json.loads(_snapshot_json()), folder / "games.sqlite3"
    with closing(sqlite3.connect(database)) as file:
        file.executescript(statements())
    clock = SettableClock(datetime.fromisoformat(seen["now"]) + LATER)
    bot = await build_archive_bot(database, clock)
    env = PatientEnv(bot)
    message_log.watch(env.backend)
    table = _furnished(env, seen, database, bot)
    await env.begin(bot)
    old = ArchivedServer(table, seen, clock)
    try:
        yield old
    finally:
        await env.shutdown()
        await close_bot(table.bot)
    env.raise_errors()


def _furnished(env: simcord.Env, seen: dict[str, Any], database: Path, bot: castellan.CastellanBot) -> Table:
    """The server with its members, threads and messages under the ids that the file knows."""
    backend = env.backend
    backend.advance_clock(30 * DAY)  # what is new gets higher ids
    guild = env.create_guild("The Village", id=seen["guild"])
    channel = Channel(id=backend.reserve_id(seen["channel"]), type=0, name="carcassonne", guild_id=guild.id)
    backend.channels[channel.id], backend.messages[channel.id] = channel, {}
    backend.get_guild(guild.id).channel_ids.append(channel.id)
    users = []
    for user_id, name in seen["users"]:
        backend.users[user_id] = User(id=backend.reserve_id(user_id), name=name.lower(), global_name=name)
        users.append(UserHandle(env, backend.users[user_id]))
    members = {user.id: guild.add_member(user) for user in users}
    for thread_id, name in seen["threads"]:
        backend.create_thread(channel.id, name, backend.bot_user.id, message_id=thread_id, broadcast=False)
    for message in seen["messages"]:
        backend.messages[message["channel"]][message["id"]] = _message(message, backend.bot_user.id)
    return Table(env, ChannelHandle(env, guild, channel), members, database, "", bot, {}, users)


def _message(told_: dict[str, Any], author: int) -> Message:
    """A message as it was; of an old card only that it is there."""
    kept = {name: value for name, value in told_.items() if name not in {"id", "channel", "shown"}}
    return Message(told_["id"], told_["channel"], author, **{"timestamp": "2026-01-02T00:00:00+00:00", **kept})


def custom_ids(shown: Shown) -> list[str]:
    """The buttons that a message has."""
    return [button.custom_id for button in buttons(shown.components)]
