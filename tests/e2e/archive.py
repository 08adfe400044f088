"""The archived database of `tests/stored`, with a game at each kind of decision, opened by the real bot.

An older version wrote the database and a JSON file with the messages and panels that its members saw. The offline
Discord gets the same messages, so that the members can press the old buttons.
"""

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

STORED_FOLDER = Path(__file__).parents[1] / "stored"
ARCHIVE_NAME = "every-step-2026-11-22"
"""The name of both files, without their endings."""
DAY_SECONDS = 86_400.0
"""A day."""
PRESSES_A_SECOND = 1_000.0
"""The limit of presses: a member may press all buttons of the archive at one moment."""
UPDATE_DURATION = timedelta(hours=1)
"""Time between the archive and the start of the bot: leases have expired, lobbies have not."""


@cache
def statements() -> str:
    """Return the SQL of the archived database."""
    return lzma.decompress((STORED_FOLDER / f"{ARCHIVE_NAME}.sql.xz").read_bytes()).decode()


@cache
def _snapshot_json() -> str:
    """Return the recorded facts about games and messages."""
    return lzma.decompress((STORED_FOLDER / f"{ARCHIVE_NAME}.json.xz").read_bytes()).decode()


@dataclass
class ArchivedServer:
    """A table on the archived server, with the recorded facts about its games and messages."""

    table: Table
    recorded: dict[str, Any]
    clock: SettableClock

    @property
    def host(self) -> Host:
        """The host of the bot."""
        return self.table.bot.host

    @property
    def games(self) -> dict[str, dict[str, Any]]:
        """The recorded facts about each game, by code."""
        return self.recorded["games"]

    def games_for(self, purpose: str) -> list[str]:
        """Return the codes of the games recorded for a purpose; the empty one covers every kind of decision."""
        return [code for code, facts in self.games.items() if facts["about"] == purpose]

    async def open_game(self, code: str) -> Shown:
        """Make a game the current one of the table and return its newest card."""
        game = await self.host.games.get(code)
        backend, guild = self.table.env.backend, self.table.channel.guild
        self.table.place = ChannelHandle(self.table.env, guild, backend.get_channel(game.thread_id or game.channel_id))
        return self.table.card()

    async def restart(self) -> None:
        """Replace the bot by a new one on the same database, as a restart does."""
        await self.table.env.settle()
        before, self.table.bot = self.table.bot, await build_archive_bot(self.table.database, self.clock)
        await self.table.env.restart_bot(self.table.bot)
        await stop_background_tasks(self.table.env, self.table.bot)
        await close_bot(before)

    def message(self, record: dict[str, Any]) -> Shown:
        """Return the current state of a recorded message."""
        return self._shown(record["channel"], record["id"])

    def reread(self, shown: Shown) -> Shown:
        """Return the current state of a message that was read before."""
        return self._shown(shown.handle.channel_id, shown.handle.id)

    def _shown(self, channel_id: int, message_id: int) -> Shown:
        """Return a message of the offline Discord as members see it."""
        message = self.table.env.backend.get_message(channel_id, message_id)
        return Shown(simcord.ResponseMessage(self.table.env, message), message.components)

    def panels(self) -> Iterator[tuple[int, Shown]]:
        """Yield the recorded private messages, with their owners."""
        for record in self.recorded["messages"]:
            shown = self.message(record)
            if shown.handle.ephemeral:
                yield int(record["interaction_metadata"]["user"]["id"]), shown

    async def press(self, member: int, shown: Shown, custom_id: str) -> SentInteraction:
        """Press a button that a message has or once had, and wait until the bot has settled."""
        sent = send_press(self.table.env, self.table.members[member], shown.handle, custom_id)
        await self.table.env.settle()
        return sent


async def build_archive_bot(database: Path, clock: SettableClock) -> castellan.CastellanBot:
    """Build the bot as in production, except for the clock, which stands still, and the limit of presses."""
    settings = Settings(database=str(database), publish_seconds=0, presses_a_second=PRESSES_A_SECOND)
    return await castellan.build_bot(settings, clock=clock)


@asynccontextmanager
async def open_archive(folder: Path) -> AsyncIterator[ArchivedServer]:
    """Restore the archived database into a folder and its server into simcord, and start the bot."""
    recorded, database = json.loads(_snapshot_json()), folder / "games.sqlite3"
    with closing(sqlite3.connect(database)) as file:
        file.executescript(statements())
    clock = SettableClock(datetime.fromisoformat(recorded["now"]) + UPDATE_DURATION)
    bot = await build_archive_bot(database, clock)
    env = PatientEnv(bot)
    message_log.watch(env.backend)
    table = _restore_server(env, recorded, database, bot)
    await env.begin(bot)
    old = ArchivedServer(table, recorded, clock)
    try:
        yield old
    finally:
        await env.shutdown()
        await close_bot(table.bot)
    env.raise_errors()


def _restore_server(env: simcord.Env, recorded: dict[str, Any], database: Path, bot: castellan.CastellanBot) -> Table:
    """Create the server with its members, threads and messages under their recorded ids."""
    backend = env.backend
    backend.advance_clock(30 * DAY_SECONDS)  # so that new objects get higher ids than recorded ones
    guild = env.create_guild("The Village", id=recorded["guild"])
    channel = Channel(id=backend.reserve_id(recorded["channel"]), type=0, name="carcassonne", guild_id=guild.id)
    backend.channels[channel.id], backend.messages[channel.id] = channel, {}
    backend.get_guild(guild.id).channel_ids.append(channel.id)
    users = []
    for user_id, name in recorded["users"]:
        backend.users[user_id] = User(id=backend.reserve_id(user_id), name=name.lower(), global_name=name)
        users.append(UserHandle(env, backend.users[user_id]))
    members = {user.id: guild.add_member(user) for user in users}
    for thread_id, name in recorded["threads"]:
        backend.create_thread(channel.id, name, backend.bot_user.id, message_id=thread_id, broadcast=False)
    for message in recorded["messages"]:
        backend.messages[message["channel"]][message["id"]] = _message(message, backend.bot_user.id)
    return Table(env, ChannelHandle(env, guild, channel), members, database, "", bot, {}, users)


def _message(recorded: dict[str, Any], author: int) -> Message:
    """Return a recorded message; of old cards only the existence was recorded."""
    fields = {name: value for name, value in recorded.items() if name not in {"id", "channel", "shown"}}
    return Message(recorded["id"], recorded["channel"], author, **{"timestamp": "2026-01-02T00:00:00+00:00", **fields})


def custom_ids(shown: Shown) -> list[str]:
    """Return the custom ids of a message's buttons."""
    return [button.custom_id for button in buttons(shown.components)]
