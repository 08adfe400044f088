"""Latency of a move: from a player's click to the posted card, on boards that are nearly full.

It runs the real bot on simcord, an offline Discord in the same process, with real pictures and a database file; only
the network to Discord is missing. Meanwhile a task that wants to run each millisecond measures stalls of the event
loop.
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

GAME_COUNT = 8
WARM_UP_GAMES = 3
"""Games before the measured ones: like a bot that has been running, this one has most tiles in its cache then."""
PLAYER_COUNT = 3
TILES_LEFT = 5
"""Tiles face down when the clicks begin; at least 79 of 84 tiles are on the board."""
TICK_SECONDS = 0.001
POST_TIMEOUT = 30.0
"""Seconds within which the card has to be posted."""


def figures() -> list[Measurement]:
    """Measure the time from click to card, and the stalls of the event loop meanwhile."""
    with TemporaryDirectory() as folder:
        first, waits, stalls = asyncio.run(_measure(Path(folder) / "games.sqlite3"))
    return [
        Measurement("click to card, full board", tuple(waits), "ms", 250.0, aim_for="p95"),
        Measurement("click to card, after start", tuple(first), "ms"),
        Measurement("event loop stall in a click", tuple(stalls), "ms"),
        Measurement("event loop longest stall", (max(stalls),), "ms", 30.0),
    ]


async def _measure(database: Path) -> tuple[list[float], list[float], list[float]]:
    """Return the waits in the first game after the start, the later waits, and the later stalls, in milliseconds."""
    first: list[float] = []
    waits: list[float] = []
    stalls: list[float] = []
    async with open_table(database, lobbies_of_member=1_000, lobbies_of_guild=1_000) as table:
        for number in range(-WARM_UP_GAMES, GAME_COUNT):
            game = await _play_to_nearly_full(table, Random(number))
            _exclude_discord_from_gc()
            async for wait, stall in _measure_clicks(table, game, Random(number)):
                if number >= 0:
                    waits.append(wait)
                    stalls.append(stall)
                elif number == -WARM_UP_GAMES:
                    first.append(wait)
    return first, waits, stalls


def _exclude_discord_from_gc() -> None:
    """Freeze all objects in memory: a real bot does not hold Discord's messages, which would slow its collector."""
    gc.collect()
    gc.freeze()


async def _play_to_nearly_full(table: Table, random: Random) -> Game:
    """Create a game and play it at random, without Discord, until few tiles are left."""
    game = await create_game(table, PLAYER_COUNT)
    return await fast_forward(table, game, _random_player(random), _nearly_full)


def _random_player(random: Random) -> Callable[[Position], Action]:
    return lambda position: random_action(position, random)


def _nearly_full(position: Position) -> bool:
    """Return whether few tiles are left, and one is to be placed."""
    return position.pile_left <= TILES_LEFT and position.hand is not None


# -- the clicks --------------------------------------------------------------------------------------------------


async def _measure_clicks(table: Table, game: Game, random: Random) -> AsyncIterator[tuple[float, float]]:
    """Make the remaining moves; yield the milliseconds of each click and of the longest stall in it.

    The last move, after which the game is over, is left out, as its card differs.
    """
    host = table.bot.host
    await table.actors[0].slash(table.channel, "carc new", players=PLAYER_COUNT)  # a message to press on
    while True:
        position = (await host.games.table(game.id)).position
        ply = position.ply
        seat, actions = play_decision(position, _random_player(random))
        if position.is_over:
            return
        key = Key(Op.GO, game.code, ply, " ".join(map(str, actions)))
        async with _watch_stalls() as stalls:
            started = perf_counter()
            with _watch_for_card(table) as posted:
                send_press(table.env, table.members[game.seats[seat].user_id], table.card().handle, str(key))
                posted_at = await asyncio.wait_for(posted, POST_TIMEOUT)
        await table.env.settle()
        yield (posted_at - started) * 1000, max(stalls) * 1000


@contextmanager
def _watch_for_card(table: Table) -> Iterator[asyncio.Future[float]]:
    """Yield a future for the time at which the next public message is posted."""
    posted: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def on_event(event: str, payload: Mapping[str, Any]) -> None:
        public = not int(str(payload.get("flags") or 0)) & 64  # the flag of private messages
        if event == "MESSAGE_CREATE" and public and not posted.done():
            posted.set_result(perf_counter())

    table.env.backend.subscribers.append(on_event)
    try:
        yield posted
    finally:
        table.env.backend.subscribers.remove(on_event)


@asynccontextmanager
async def _watch_stalls() -> AsyncIterator[list[float]]:
    """Yield a list that collects, in seconds, how late each tick within the block runs."""
    delays = [0.0]

    async def tick() -> None:
        while True:
            before = perf_counter()
            await asyncio.sleep(TICK_SECONDS)
            delays.append(perf_counter() - before - TICK_SECONDS)

    ticking = asyncio.create_task(tick(), name="tick")
    try:
        yield delays
    finally:
        ticking.cancel()
