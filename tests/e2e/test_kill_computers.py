"""The bot's process is killed while computers decide, and restarted, over and over; nothing is lost or done twice.

A person moves, and two computers follow. SIGKILL comes at a random time after the person's card, at a request for the
computers' card, or on either side of a commit: of the lease by which a process begins to think, of the decisions, of
their card as sent. With two processes on one database either is killed, or both. Workers are real processes.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

from engine import GAMES, state_digest
from tests.cluster import Cluster
from tests.e2e.player import Clicker, Habits, LostError
from tests.e2e.screen import mentioned_users
from tests.e2e.sockets import BOT, SHORT_LEASES, SocketTable, UnansweredError
from tests.e2e.stored_games import StoredGame
from tests.e2e.test_kill import check_cards, check_log_file
from tests.loopback import ForkedBot, LoopbackDiscord, RecordedRequest
from tests.loopback.commit_signals import CommitSignal

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

MAX_COMPUTERS = 2
"""The most computers at the table of one person; they move one after the other."""
SHORT_PAUSES = """
from datetime import timedelta
import host.games.outbox, host.computers.thinking
host.games.outbox.READING_PAUSE = timedelta(seconds=0.5)
host.computers.thinking.THINKING_LEASE = timedelta(seconds=3)
host.computers.thinking.RENEWAL_SECONDS = 1.0
"""
"""Code that lets computers think soon after a card, and another process soon after a kill."""
MAX_KILL_SECONDS = 4.0
"""Seconds after the person's card within which most decisions are made and posted, and kills by time happen."""
KILL_TIMEOUT = 30.0
"""Seconds after which the bot is killed if the moment has not come."""
DECISION_TIMEOUT = 120.0
"""Seconds within which the computers have decided after a restart; generous, for busy machines."""
COMMITS = ("UPDATE timers SET due_at", "INSERT INTO decisions", "UPDATE outbox SET .*message_id")
"""Statements of the commits at which the bot kills itself: it leases the turn, decides, and has sent the card."""
COMPUTER_ACTIONS = "SELECT ply + 1 FROM actions WHERE user_id = -2 ORDER BY ply"
"""A query for the revision after each action that a computer decided, as the log calls them."""
STORED_DECISIONS = "SELECT revision FROM decisions ORDER BY revision"
POLL_SECONDS = 0.05
"""Seconds between two reads of the database, which does not notify readers."""


@dataclass
class ComputerTable(SocketTable):
    """A table with computers, on one process or on two that share a database."""

    bots: list[ForkedBot] = field(default_factory=list)
    signal_file: Path = Path()
    """The file that tells a process at which commit to kill itself."""

    @property
    def waits_for_person(self) -> bool:
        """True if the newest card asks the person for a move, or the game is over."""
        stored = self.stored()
        if not all(post.sent for post in stored.posts):
            return False
        return stored.status == "finished" or self.asks_person

    @property
    def asks_person(self) -> bool:
        """True if the newest card asks the person for a decision; one that waits for a computer mentions nobody."""
        return bool(mentioned_users(self.card().components))

    async def until_person(self) -> None:
        """Wait until the computers have decided and everything is posted."""
        async with asyncio.timeout(DECISION_TIMEOUT):
            while not self.waits_for_person:  # the database does not notify readers
                assert any(bot.alive for bot in self.bots), self.process.output[-4000:]
                await asyncio.sleep(POLL_SECONDS)

    def revisions(self) -> tuple[list[int], list[int]]:
        """Return the revisions after each action of a computer, and those for which a decision is stored."""
        if self.cluster is None:
            with closing(sqlite3.connect(self.database)) as file:
                made, stored = (file.execute(query).fetchall() for query in (COMPUTER_ACTIONS, STORED_DECISIONS))
            return [revision for (revision,) in made], [revision for (revision,) in stored]
        database = urlsplit(str(self.database)).path.removeprefix("/")
        made, stored = (
            self.cluster.sql(query, database=database).split() for query in (COMPUTER_ACTIONS, STORED_DECISIONS)
        )
        return [int(revision) for revision in made], [int(revision) for revision in stored]


@contextmanager
def killing(table: ComputerTable, random: Random, bots: list[ForkedBot]) -> Iterator[None]:
    """Kill these processes at a random moment of the block."""
    if table.cluster is None and random.random() < 0.5:
        CommitSignal(random.choice(COMMITS), after=random.random() < 0.5).write(table.signal_file)
        yield
        table.signal_file.unlink()
        return
    stage, delay = random.choice(["received", "done", "time"]), random.uniform(0, MAX_KILL_SECONDS)

    def kill() -> None:
        for bot in bots:
            bot.send_sigkill()

    def watch(seen: str, request: RecordedRequest) -> None:
        if seen == stage and request.method == "POST" and request.path.endswith("/messages"):
            kill()

    timer = asyncio.get_running_loop().call_later(delay if stage == "time" else KILL_TIMEOUT, kill)
    table.server.watchers.append(watch)
    yield
    table.server.watchers.remove(watch)
    timer.cancel()


async def kill_once(table: ComputerTable, clicker: Clicker) -> bool:
    """Let the person move, kill the bot while the computers decide, restart it, and check what is stored and posted.

    Return False if the person has to decide once more, and nothing was killed.
    """
    random, before = clicker.random, table.stored()
    killed = random.choice([table.bots, table.bots[:1], table.bots[-1:]])
    while table.stored().ply == before.ply:  # a busy machine may answer a press too late
        with suppress(UnansweredError, LostError):
            await clicker.move(table.card())
    await table.server.until(lambda: len(table.cards()) > len(before.posts), timeout=DECISION_TIMEOUT)
    moved = table.stored()
    if table.asks_person:
        await table.until_person()
        return False
    with killing(table, random, killed), suppress(TimeoutError):
        async with asyncio.timeout(KILL_TIMEOUT):
            while all(bot.alive for bot in table.bots) and not table.over:  # noqa: ASYNC110 - of other processes
                await asyncio.sleep(POLL_SECONDS)
    for bot in killed:
        await bot.kill()
    for bot in table.bots:
        if not bot.alive:
            await bot.start()
    await table.until_person()
    check(table, before, moved)
    return True


def check(table: ComputerTable, before: StoredGame, moved: StoredGame) -> None:
    """Check that the moves are stored once, with the decisions behind them, and that each has its card."""
    after = table.stored()
    assert moved.log[: before.ply] == before.log
    assert after.log[: moved.ply] == moved.log
    position = after.replayed()
    assert (position.ply, state_digest(position)) == (after.ply, after.digest)
    by_computers, decided = table.revisions()
    assert decided == by_computers
    plies = [before.ply, *(post.ply for post in after.posts if post.ply > before.ply)]
    spans = [(post.from_ply, post.ply) for post in after.posts if post.ply > before.ply]
    assert spans == list(pairwise(plies)), "a card for each move, without a gap"
    assert plies == sorted({*plies, after.ply})
    is_over = after.status == "finished"
    assert len(spans) == 2 or (is_over and len(spans) == 1), "a card of the person, and one of all computers"
    check_cards(table, after)


@asynccontextmanager
async def computer_table(
    folder: Path, *, address: str | None = None, cluster: Cluster | None = None, game: str = "carcassonne"
) -> AsyncIterator[ComputerTable]:
    """Yield a game of a person and computers: on SQLite with one process, on PostgreSQL with two."""
    count = 1 if cluster is None else 2
    signal_file = folder / "signal.json"
    prepare = f"{SHORT_PAUSES}import pathlib, tests.loopback.commit_signals as signals\n"
    prepare += f"signals.install(pathlib.Path({str(signal_file)!r}))\n" + (SHORT_LEASES if cluster else "")
    database = address or folder / "games.sqlite3"
    async with LoopbackDiscord(callback_deadline=DECISION_TIMEOUT) as server, AsyncExitStack() as stack:
        first = (server.guild.id >> 22) % count
        bots = list[ForkedBot]()
        for number in range(count):
            options: dict[str, Any] = {"database": database, "log": folder / f"bot-{number}.log", "prepare": prepare}
            if count > 1:
                options["environment"] = {"CASTELLAN_SHARDS": f"{(first + number) % count}/{count}"}
            bots.append(ForkedBot(server, BOT, **options))
            stack.push_async_callback(bots[-1].close)
            await bots[-1].start()
        table = ComputerTable(server, bots[0], database, cluster=cluster, bots=bots, signal_file=signal_file)
        await table.open(1, min(MAX_COMPUTERS, GAMES[game].players[-1] - 1), game=game, expansions="base")
        await table.until_person()
        yield table
        assert table.problems() == []
        for bot in bots:
            check_log_file(bot.output)


async def play_with_kills(folder: Path, *, seed: int, count: int, **options: Any) -> int:
    """Play through this many kills while computers decide, or to the end of the game; return how many there were."""
    async with computer_table(folder, **options) as table:
        clicker = Clicker(table, Random(seed), Habits(quick=True))
        kills = 0
        while kills < count and not table.over:
            kills += await kill_once(table, clicker)
    return kills


async def test_computers_decide_once_although_the_bot_is_killed(tmp_path: Path) -> None:
    assert await play_with_kills(tmp_path, seed=1, count=3) == 3


@pytest.mark.postgresql
async def test_computers_decide_once_although_one_of_two_processes_is_killed(
    tmp_path: Path, location: str, postgresql: Cluster
) -> None:
    assert await play_with_kills(tmp_path, seed=1, count=2, address=location, cluster=postgresql) == 2


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2, 12))
async def test_computers_decide_once_over_many_kills(tmp_path: Path, seed: int, game: str) -> None:
    assert await play_with_kills(tmp_path, seed=seed, count=12, game=game) > 0


@pytest.mark.soak
@pytest.mark.postgresql
@pytest.mark.parametrize("seed", range(2, 19))
async def test_computers_decide_once_over_many_kills_of_two_processes(
    tmp_path: Path, location: str, postgresql: Cluster, seed: int
) -> None:
    where = {"address": location, "cluster": postgresql}
    assert await play_with_kills(tmp_path, seed=seed, count=12, **where) > 0
