"""Latency for a player: from the click that makes a move to the posted card, on boards that are nearly full.

The real bot on simcord, with its real pictures and a database file; what is missing is the way to Discord and back. The
event loop is watched meanwhile: how late a task runs that wants to run each millisecond.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.figures import Measurement
from cogs.presenting.ids import Key, Op
from engine import Action
from engine.carcassonne import Position
from engine.selfplay import random_action
from host import Game
from tests.e2e.fast_forward import create_game, fast_forward, play_decision
from tests.e2e.raw_interactions import send_press
from tests.e2e.table import Table, open_table

GAMES = 8
WARM_UP = 3
"""Games before these whose clicks do not count: the bot has been running, so most tiles have been drawn before."""
PLAYERS = 3
TILES_LEFT = 5
"""Face down where the clicks begin: 79 or more of 84 tiles lie on the board."""
TICK = 0.001
PATIENCE = 30.0


def figures() -> list[Measurement]:
    """Click to card, and the stalls of the event loop meanwhile."""
    with TemporaryDirectory() as folder:
        first, waits, stalls = asyncio.run(_measure(Path(folder) / "games.sqlite3"))
    return [
        Measurement("click to card, full board", tuple(waits), "ms", 250.0, aim_for="p95"),
        Measurement("click to card, after start", tuple(first), "ms"),
        Measurement("event loop stall in a click", tuple(stalls), "ms"),
        Measurement("event loop longest stall", (max(stalls),), "ms", 30.0),
    ]


async def _measure(database: Path) -> tuple[list[float], list[float], list[float]]:
    """The waits of the first game after the start, the later waits, and the later stalls."""
    first: list[float] = []
    waits: list[float] = []
    stalls: list[float] = []
    async with open_table(database, lobbies_of_member=1_000, lobbies_of_guild=1_000) as table:
        for number in range(-WARM_UP, GAMES):
            game = await _prepared(table, Random(number))
            _forget_the_offline_discord()
            async for wait, stall in _last_clicks(table, game, Random(number)):
                if number >= 0:
                    waits.append(wait)
                    stalls.append(stall)
                elif number == -WARM_UP:
                    first.append(wait)
    return first, waits, stalls


def _forget_the_offline_discord() -> None:
    """Take all that is in memory now out of garbage collection: a bot's process does not hold Discord's messages."""
    gc.collect()
    gc.freeze()


async def _prepared(table: Table, random: Random) -> Game:
    """A game played at random by the host alone until few tiles are left."""
    game = await create_game(table, PLAYERS)
    return await fast_forward(table, game, _at_random(random), _nearly_full)


def _at_random(random: Random) -> Callable[[Position], Action]:
    return lambda position: random_action(position, random)


def _nearly_full(position: Position) -> bool:
    return position.pile_left <= TILES_LEFT and position.hand is not None


# -- the clicks --------------------------------------------------------------------------------------------------


async def _last_clicks(table: Table, game: Game, random: Random) -> AsyncIterator[tuple[float, float]]:
    """Milliseconds of each click until the game is over, and of the longest stall in each; the last is left out."""
    host = table.bot.host
    await table.actors[0].slash(table.channel, "carc new", players=PLAYERS)  # a message to press on
    while True:
        position = (await host.games.table(game.id)).position
        ply = position.ply
        seat, actions = play_decision(position, _at_random(random))
        if position.is_over:
            return
        key = Key(Op.GO, game.code, ply, " ".join(map(str, actions)))
        async with _stalls() as stalls:
            started = perf_counter()
            with _card(table) as posted:
                send_press(table.env, table.members[game.seats[seat].user_id], table.card().handle, str(key))
                done = await asyncio.wait_for(posted, PATIENCE)
        await table.env.settle()
        yield (done - started) * 1000, max(stalls) * 1000


@contextmanager
def _card(table: Table) -> Iterator[asyncio.Future[float]]:
    """The moment at which the next public message stands in the channel."""
    posted: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def hear(event: str, payload: Mapping[str, Any]) -> None:
        public = not int(str(payload.get("flags") or 0)) & 64
        if event == "MESSAGE_CREATE" and public and not posted.done():
            posted.set_result(perf_counter())

    table.env.backend.subscribers.append(hear)
    try:
        yield posted
    finally:
        table.env.backend.subscribers.remove(hear)


@asynccontextmanager
async def _stalls() -> AsyncIterator[list[float]]:
    """Yield the delays, in seconds, of ticks of a millisecond within the block."""
    late = [0.0]

    async def tick() -> None:
        while True:
            before = perf_counter()
            await asyncio.sleep(TICK)
            late.append(perf_counter() - before - TICK)

    ticking = asyncio.create_task(tick(), name="tick")
    try:
        yield late
    finally:
        ticking.cancel()
