"""The bot's process is killed while several games go on at the same time, and started again, over and over.

As `test_kill.py`, but nobody waits for anybody: in each game somebody moves as soon as its card is there, and SIGKILL
meets all of them wherever they are. Requests are limited, fail, are slow, or are carried out without the bot hearing of
it.
"""

import asyncio
from collections.abc import AsyncIterator
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
from tests.e2e.test_kill import BAD_DAY, check_log_file
from tests.loopback import Limits

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

LONGEST_LIFE = 4.0
"""Seconds after the first decision of a life within which the bot is killed."""
SETTLED = 180.0


class OneOfMany(SocketTable):
    """One of the games of a process: its place says which."""

    def stored(self) -> StoredGame:
        return self.stored_in(self.place.id)


@dataclass
class Play:
    """A game that goes on until the bot is dead."""

    table: OneOfMany
    clicker: Clicker
    before: StoredGame
    decided: int = 0
    told: int = 0
    """Moves of which somebody was told privately."""
    cards: int = field(init=False)
    """Those that were last seen."""
    _shown: int = field(init=False)
    """Those that were there at the start of this life."""

    def __post_init__(self) -> None:
        self.table.before_deciding = self._count
        self.cards = self._shown = len(self.table.cards())

    def _count(self, _: str) -> None:
        self.decided += 1

    async def run(self) -> None:
        """Move after move."""
        while not self.table.dead and not self.table.over:
            with suppress(UnansweredError, LostError):
                await self.clicker.move(self.table.card())
            self.told += self.clicker.last is not None and says(words(self.clicker.last.components), "panel.done")
            self.clicker.last = None
            self.cards = len(self.table.cards())
            await asyncio.sleep(0.05)

    def check(self) -> int:
        """Each move is stored once, and each card of it is in the thread once and in order. How many were made."""
        before, after = self.before, self.table.stored()
        assert after.log[: before.ply] == before.log
        position = after.replayed()
        assert (position.ply, state_digest(position)) == (after.ply, after.digest)
        made = len(after.posts) - len(before.posts)
        assert (after.ply > before.ply) == (made > 0)
        confirmed = max(self.told, self.cards - self._shown)  # whoever is told of a move sees its card later
        assert confirmed <= made <= self.decided, "a move of which somebody was told is gone, or was made twice"
        assert [post.message_id for post in after.posts] == [message.id for message in self.table.cards()]
        return made


@dataclass
class Load:
    """Several games of one process."""

    games: list[OneOfMany]
    random: Random
    made: list[int] = field(default_factory=list)

    async def one_life(self) -> None:
        """Everybody moves until the bot is killed; then it starts again, and nothing is lost or there twice."""
        first, server = self.games[0], self.games[0].server
        plays = [
            Play(game, Clicker(game, Random(self.random.random()), Habits(quick=self.random.random() < 0.5)), stored)
            for game in self.games
            if (stored := game.stored()).status != "finished"
        ]
        server.faults = replace(BAD_DAY, seed=self.random.randrange(1 << 30))
        running = [asyncio.create_task(play.run()) for play in plays]
        await asyncio.wait(running, timeout=LONGEST_LIFE * self.random.random())
        first.strike()
        for game in self.games:
            game.dead = True
        await asyncio.gather(*running)
        await first.restart_process()
        for game in self.games:
            await game.settle(timeout=SETTLED)
            game.dead = False
        self.made.append(sum(play.check() for play in plays))


@asynccontextmanager
async def load(folder: Path, *, seed: int, games: int, **options: Any) -> AsyncIterator[Load]:
    """So many games of two on one process."""
    async with socket_table(folder, **options) as first:
        tables = [OneOfMany(first.server, first.process, first.database, cluster=first.cluster) for _ in range(games)]
        for number, table in enumerate(tables):
            await table.open(2, game=("carcassonne", "the-castle")[number % 4 == 3])
        for table in tables:
            await table.settle()
        first.server.limits = Limits()
        yield Load(tables, Random(seed))
        assert first.problems() == []
        check_log_file(first.process.output)


async def test_each_move_and_each_card_is_there_once_with_several_games_at_once(tmp_path: Path) -> None:
    async with load(tmp_path, seed=1, games=4) as several:
        for _ in range(3):
            await several.one_life()
    assert sum(several.made) > 3


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 6))
async def test_each_move_and_each_card_is_there_once_with_many_games_for_long(tmp_path: Path, seed: int) -> None:
    async with load(tmp_path, seed=seed, games=12) as many:
        for _ in range(40):
            await many.one_life()
    assert sum(many.made) > 40


@pytest.mark.soak
@pytest.mark.postgresql
async def test_the_same_on_a_server(tmp_path: Path, location: str, postgresql: Cluster) -> None:
    async with load(tmp_path, seed=1, games=8, address=location, cluster=postgresql) as several:
        for _ in range(20):
            await several.one_life()
    assert sum(several.made) > 20
