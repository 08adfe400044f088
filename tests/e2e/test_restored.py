"""An older file is put in place of the bot's, as a backup is: no card is swallowed, and the players are told.

On real sockets, where Discord takes a message whose nonce it has seen in the last minutes for that older message.
"""

import shutil
import sqlite3
from contextlib import closing
from copy import deepcopy as copy_of
from pathlib import Path
from random import Random

import pytest
from simcord.backend.models import Message

from cogs.presenting.ids import Key, Op
from tests.e2e.player import Clicker, Habits
from tests.e2e.screen import says, words
from tests.e2e.sockets import SocketTable, socket_table
from tests.e2e.stored_games import StoredGame
from tests.loopback import RecordedRequest

pytestmark = pytest.mark.usefixtures("random_language")


def copied(database: Path) -> Path:
    """A copy of a file that somebody writes."""
    copy = database.with_name("copy.sqlite3")
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


async def put_back(table: SocketTable, copy: Path) -> None:
    """Stop the bot, put the copy in place of its file, start it."""
    await table.process.kill()
    for path in table.database.parent.glob(f"{table.database.name}-*"):
        path.unlink()
    shutil.copy(copy, table.database)
    await table.restart_process()


def lose(table: SocketTable, copy: Path) -> None:
    """Let the file be as it was, under the bot's feet, as a server is after a failover that lost what was newest."""
    with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(table.database)) as target:
        source.backup(target)


async def play(table: SocketTable, clicker: Clicker, moves: int) -> None:
    for _ in range(moves):
        await clicker.move(table.card())
        await table.settle()


async def copied_midway(table: SocketTable) -> tuple[Clicker, Path, StoredGame]:
    """Four moves are made; a copy of the file has two of them. Who plays, the copy, and the game as it has it."""
    await table.open(2, expansions="base")
    await table.settle()
    clicker = Clicker(table, Random(1), Habits(quick=True))
    await play(table, clicker, 2)
    copy, kept = copied(table.database), table.stored()
    await play(table, clicker, 2)
    return clicker, copy, kept


def kill_at(table: SocketTable, number: int) -> None:
    """Kill the bot when this many of its requests from now on are done."""
    left = number

    def watch(stage: str, _: RecordedRequest) -> None:
        nonlocal left
        left -= stage == "done"
        if left == 0 and stage == "done":
            table.strike()

    table.server.watchers.append(watch)


def told(messages: list[Message]) -> list[bool]:
    """Which of the messages say that the game went back."""
    return [says(words(message.components), "card.went_back") for message in messages]


@pytest.mark.parametrize("killed_at", [3, *(pytest.param(at, marks=pytest.mark.soak) for at in (0, 5))])
async def test_after_a_restore_each_card_is_there_once(tmp_path: Path, killed_at: int) -> None:
    async with socket_table(tmp_path) as table:
        clicker, copy, kept = await copied_midway(table)
        there, future = table.cards(), table.stored()
        lost = copy_of(there[-1])
        await put_back(table, copy)
        mover = table.server.world.users[future.seats[future.replayed().player]]
        pressed = str(Key(Op.PLAY, kept.code, future.ply))
        if killed_at:
            kill_at(table, killed_at)
        await table.server.click(mover, lost, pressed, force=True)
        if killed_at:
            await table.server.until(lambda: table.dead, timeout=20)
            await table.restart_process()
            await table.server.click(mover, lost, pressed, force=True)
        new = len(there)
        await table.server.until(lambda: len(table.cards()) >= new + 2, timeout=30)
        await table.settle()
        assert told(table.cards()[new:]) == [True, False]
        await play(table, clicker, 3)
        assert told(table.cards()[new:]) == [True, *[False] * 4]
        stored = table.stored()
        assert stored.log[: len(kept.log)] == kept.log
        assert [post.message_id for post in stored.posts][-5:] == [message.id for message in table.cards()[new:]]
        assert table.problems() == []


@pytest.mark.soak
async def test_a_database_that_goes_back_while_the_bot_runs_is_noticed_and_said_once(tmp_path: Path) -> None:
    async with socket_table(tmp_path) as table:
        clicker, copy, kept = await copied_midway(table)
        there, future = table.cards(), table.stored()
        lose(table, copy)
        mover = table.server.world.users[future.seats[future.replayed().player]]
        await table.server.click(mover, there[-1], str(Key(Op.PLAY, kept.code, future.ply)), force=True)
        new = len(there)
        await table.server.until(lambda: len(table.cards()) >= new + 2, timeout=30)
        await table.settle()
        await play(table, clicker, 3)
        assert told(table.cards()[new:]) == [True, *[False] * 4]
        assert table.stored().log[: len(kept.log)] == kept.log
        assert table.problems() == []
