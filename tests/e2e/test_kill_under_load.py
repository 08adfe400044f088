"""The bot's process is killed while several games are played concurrently, and restarted, over and over.

As in `test_kill.py`, but the games do not wait for each other: each moves as soon as its card is posted, and SIGKILL
interrupts all of them at any point. Requests are limited, fail, are slow, or are carried out without an answer.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import state_digest
from tests.cluster import Cluster
from tests.e2e.player import Clicker, Habits, LostError
from tests.e2e.screen import says, words
from tests.e2e.sockets import SocketTable, UnansweredError, socket_table
from tests.e2e.stored_games import StoredGame
from tests.e2e.test_kill import RANDOM_FAULTS, check_log_file
from tests.loopback import Limits

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

MAX_LIFE_DECISIONS = 12
"""Presses that make a move, in all games together, after which each process of the bot is killed at the latest."""
MAX_KILL_DELAY = 0.5
"""Seconds after the last of these presses at which it is killed at the latest."""
MAX_LIVES = 20
"""Processes that a test may need for a number of moves; on a busy machine many presses are answered too late."""
SETTLE_TIMEOUT = 180.0
"""Seconds within which all cards are posted after the last kill."""


class ConcurrentTable(SocketTable):
    """One of several games of a process, identified by its thread."""

    def stored(self) -> StoredGame:
        return self.stored_in(self.place.id)


@dataclass
class Player:
    """A player of one game, until the bot is dead."""

    table: ConcurrentTable
    clicker: Clicker
    before: StoredGame
    decided: int = 0
    confirmed: int = 0
    """Moves that were confirmed in private."""
    cards: int = field(init=False)
    """Cards that were last seen."""
    _shown: int = field(init=False)
    """Cards that existed at the start of this process."""

    def __post_init__(self) -> None:
        self.table.before_deciding = self._count
        self.cards = self._shown = len(self.table.cards())

    def _count(self, _: str) -> None:
        """Count a decision."""
        self.decided += 1

    async def run(self) -> None:
        """Make moves until the bot is dead or the game is over."""
        while not self.table.dead and not self.table.over:
            with suppress(UnansweredError, LostError):
                await self.clicker.move(self.table.card())
            self.confirmed += self.clicker.last is not None and says(words(self.clicker.last.components), "panel.done")
            self.clicker.last = None
            self.cards = len(self.table.cards())
            await asyncio.sleep(0.05)

    def check(self) -> int:
        """Check that each move is stored and posted once and in order; return the number of moves."""
        before, after = self.before, self.table.stored()
        assert after.log[: before.ply] == before.log
        position = after.replayed()
        assert (position.ply, state_digest(position)) == (after.ply, after.digest)
        made = len(after.posts) - len(before.posts)
        assert (after.ply > before.ply) == (made > 0)
        confirmed = max(self.confirmed, self.cards - self._shown)  # a move is confirmed before its card is posted
        assert confirmed <= made <= self.decided, "a confirmed move was lost or made twice"
        assert [post.message_id for post in after.posts] == [message.id for message in self.table.cards()]
        return made


@dataclass
class Load:
    """Several concurrent games of one process."""

    games: list[ConcurrentTable]
    random: Random
    made: list[int] = field(default_factory=list)

    async def play_and_kill(self) -> None:
        """Let all games move until the bot is killed; restart it and check that nothing is lost or doubled."""
        first, server = self.games[0], self.games[0].server
        players = [
            Player(game, Clicker(game, Random(self.random.random()), Habits(quick=self.random.random() < 0.5)), stored)
            for game in self.games
            if (stored := game.stored()).status != "finished"
        ]
        server.faults = replace(RANDOM_FAULTS, seed=self.random.randrange(1 << 30))
        running = [asyncio.create_task(player.run()) for player in players]
        await self._live(players, running)
        first.kill_now()
        for game in self.games:
            game.dead = True
        await asyncio.gather(*running)
        await first.restart_process()
        for game in self.games:
            await game.settle(timeout=SETTLE_TIMEOUT)
            game.dead = False
        self.made.append(sum(player.check() for player in players))

    async def _live(self, players: Sequence[Player], running: Sequence[asyncio.Task[None]]) -> None:
        """Let the bot live for a number of decisions, as a number of seconds is too short on a busy machine."""
        decisions, delay = self.random.randint(1, MAX_LIFE_DECISIONS), MAX_KILL_DELAY * self.random.random()
        unfinished: set[asyncio.Task[None]] = set(running)
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_TIMEOUT):
                while unfinished and sum(player.decided for player in players) < decisions:
                    _, unfinished = await asyncio.wait(running, timeout=0.01)
        await asyncio.wait(running, timeout=delay)

    async def play_on(self, moves: int) -> None:
        """Play and kill until there were this many moves."""
        for _ in range(MAX_LIVES):
            if sum(self.made) >= moves:
                return
            await self.play_and_kill()
        raise AssertionError(f"{MAX_LIVES} processes made too few moves: {self.made}")


@asynccontextmanager
async def load(folder: Path, *, seed: int, games: int, **options: Any) -> AsyncIterator[Load]:
    """Yield this many started games of two on one process."""
    async with socket_table(folder, **options) as first:
        tables = [
            ConcurrentTable(first.server, first.process, first.database, cluster=first.cluster) for _ in range(games)
        ]
        for number, table in enumerate(tables):
            await table.open(2, game=("carcassonne", "the-castle")[number % 4 == 3])
        for table in tables:
            await table.settle()
        first.server.limits = Limits()
        yield Load(tables, Random(seed))
        assert first.problems() == []
        check_log_file(first.process.output)


async def test_moves_and_cards_of_concurrent_games_exist_once(tmp_path: Path) -> None:
    async with load(tmp_path, seed=1, games=4) as several:
        for _ in range(3):
            await several.play_and_kill()
        await several.play_on(moves=4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 6))
async def test_moves_and_cards_of_many_games_exist_once_after_many_kills(tmp_path: Path, seed: int) -> None:
    async with load(tmp_path, seed=seed, games=12) as tables:
        for _ in range(40):
            await tables.play_and_kill()
        await tables.play_on(moves=41)


@pytest.mark.soak
@pytest.mark.postgresql
async def test_moves_and_cards_of_concurrent_games_exist_once_on_a_server(
    tmp_path: Path, location: str, postgresql: Cluster
) -> None:
    async with load(tmp_path, seed=1, games=8, address=location, cluster=postgresql) as several:
        for _ in range(20):
            await several.play_and_kill()
        await several.play_on(moves=21)
