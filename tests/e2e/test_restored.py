"""A restored backup: the bot continues with an older database, posts every card, and tells the players once.

The tests run on real sockets. A nonce is an id that the bot gives to a message: if one is repeated, Discord answers
with the older message instead of posting a new one.
"""

import shutil
import sqlite3
from contextlib import closing
from copy import deepcopy
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


def back_up(database: Path) -> Path:
    """Copy a database that is in use."""
    copy = database.with_name("copy.sqlite3")
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


async def restore_backup(table: SocketTable, copy: Path) -> None:
    """Stop the bot, replace its database by a copy, and start it again."""
    await table.process.kill()
    for path in table.database.parent.glob(f"{table.database.name}-*"):
        path.unlink()
    shutil.copy(copy, table.database)
    await table.restart_process()


def lose_newest_writes(table: SocketTable, copy: Path) -> None:
    """Revert the database while the bot runs, as a failover does that loses the newest writes."""
    with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(table.database)) as target:
        source.backup(target)


async def play(table: SocketTable, clicker: Clicker, moves: int) -> None:
    """Make this many moves, each until its card is posted."""
    for _ in range(moves):
        await clicker.move(table.card())
        await table.settle()


async def play_with_backup(table: SocketTable) -> tuple[Clicker, Path, StoredGame]:
    """Make four moves with a backup after two; return the player, the backup and the game in it."""
    await table.open(2, expansions="base")
    await table.settle()
    clicker = Clicker(table, Random(1), Habits(quick=True))
    await play(table, clicker, 2)
    copy, backed_up = back_up(table.database), table.stored()
    await play(table, clicker, 2)
    return clicker, copy, backed_up


def kill_at(table: SocketTable, number: int) -> None:
    """Kill the bot after this many further requests."""
    countdown = number

    def watch(stage: str, _: RecordedRequest) -> None:
        nonlocal countdown
        countdown -= stage == "done"
        if countdown == 0 and stage == "done":
            table.kill_now()

    table.server.watchers.append(watch)


def went_back_notices(messages: list[Message]) -> list[bool]:
    """Return for each message whether it reports that the game went back."""
    return [says(words(message.components), "card.went_back") for message in messages]


@pytest.mark.parametrize("killed_at", [3, *(pytest.param(at, marks=pytest.mark.soak) for at in (0, 5))])
async def test_each_card_is_posted_once_after_a_restore(tmp_path: Path, killed_at: int) -> None:
    async with socket_table(tmp_path) as table:
        clicker, copy, backed_up = await play_with_backup(table)
        cards, future = table.cards(), table.stored()
        lost = deepcopy(cards[-1])
        await restore_backup(table, copy)
        mover = table.server.world.users[future.seats[future.replayed().player]]
        pressed = str(Key(Op.PLAY, backed_up.code, future.ply))
        if killed_at:
            kill_at(table, killed_at)
        await table.server.click(mover, lost, pressed, force=True)
        if killed_at:
            await table.server.until(lambda: table.dead, timeout=20)
            await table.restart_process()
            await table.server.click(mover, lost, pressed, force=True)
        new = len(cards)
        await table.server.until(lambda: len(table.cards()) >= new + 2, timeout=30)
        await table.settle()
        assert went_back_notices(table.cards()[new:]) == [True, False]
        await play(table, clicker, 3)
        assert went_back_notices(table.cards()[new:]) == [True, *[False] * 4]
        stored = table.stored()
        assert stored.log[: len(backed_up.log)] == backed_up.log
        assert [post.message_id for post in stored.posts][-5:] == [message.id for message in table.cards()[new:]]
        assert table.problems() == []


@pytest.mark.soak
async def test_a_database_that_goes_back_at_runtime_is_reported_once(tmp_path: Path) -> None:
    async with socket_table(tmp_path) as table:
        clicker, copy, backed_up = await play_with_backup(table)
        cards, future = table.cards(), table.stored()
        lose_newest_writes(table, copy)
        mover = table.server.world.users[future.seats[future.replayed().player]]
        await table.server.click(mover, cards[-1], str(Key(Op.PLAY, backed_up.code, future.ply)), force=True)
        new = len(cards)
        await table.server.until(lambda: len(table.cards()) >= new + 2, timeout=30)
        await table.settle()
        await play(table, clicker, 3)
        assert went_back_notices(table.cards()[new:]) == [True, *[False] * 4]
        assert table.stored().log[: len(backed_up.log)] == backed_up.log
        assert table.problems() == []
