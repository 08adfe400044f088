"""Latency of database statements with much history: 10,000 running games and 100,000 finished ones.

A few statements fill a database file. It stays in the folder for temporary files, named after the revision of its
tables, so that later runs need not fill it again; each run works on a copy. A *sweep* is the check for everything that
is due, which the bot makes every second.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, gettempdir
from time import perf_counter

from benchmarks.figures import Measurement
from engine import Pass
from engine.carcassonne import new_setup
from engine.selfplay import random_action
from host import Host, NewLobby, Person
from store import Store, Timer, TimerKind, timers
from tests.store.many_games import add_games, schema_revision

RUNNING_GAMES, FINISHED_GAMES = 10_000, 100_000
PLIES_PER_GAME = 6
"""Plies, and posts, of each game; more would fill the disk and change no figure."""
PLAYER_COUNT, CHANNEL_COUNT = 4_000, 400
UNSENT_CARDS = 100
"""Number of cards that wait to be posted."""
ROUNDS = 30
"""Number of measurements of each statement."""
ADA, BEN = Person(1, "Ada"), Person(2, "Ben")
"""The players of the game whose moves are measured."""
EMPTY_GUILD = 1_000_000
"""Id of a server without other games, since the number of games in a server is limited."""
BUSY_PLAYER = 5_000
"""Id of a player with five running games and fifty finished ones."""

_interactions = count(1)


def figures() -> list[Measurement]:
    """Measure the statements of sweeps, lists of games and a move, and the speed of this machine."""
    with TemporaryDirectory() as folder:
        database = Path(folder) / "games.sqlite3"
        shutil.copy(_cached_database(), database)
        results = asyncio.run(_measure(database))
    return [Measurement("the calibrating loop", tuple(_calibration_ms() for _ in range(3)), "ms"), *results]


def _calibration_ms() -> float:
    """Return the milliseconds of a fixed loop, by which machines are compared."""
    started = perf_counter()
    sum(i * i % 7 for i in range(1_000_000))
    return (perf_counter() - started) * 1000


def _cached_database() -> Path:
    """Return the filled database file; create it unless an earlier run has left one of the same revision."""
    folder = Path(gettempdir()) / "castellan-bench"
    folder.mkdir(exist_ok=True)
    making = folder / "making.sqlite3"
    making.unlink(missing_ok=True)
    asyncio.run(_create_tables(making))
    path = folder / f"crowd-{schema_revision(making)}.sqlite3"
    if not path.exists():
        setup = new_setup(players=2, seed="crowd")
        add_games(
            making,
            running=RUNNING_GAMES,
            finished=FINISHED_GAMES,
            plies=PLIES_PER_GAME,
            setup=setup.to_json(),
            players=PLAYER_COUNT,
            channels=CHANNEL_COUNT,
            unsent_of=RUNNING_GAMES // UNSENT_CARDS,
        )
        making.replace(path)
    making.unlink(missing_ok=True)
    return path


async def _create_tables(path: Path) -> None:
    await (await Store.open(path)).close()


async def _measure(database: Path) -> list[Measurement]:
    """Measure each statement on a database file."""
    store = await Store.open(database)
    host = Host(store)
    game_id = await _start_game(host)
    message_ids = count(1)

    async def sweep() -> None:
        """Find the due cards, and record three of them as sent."""
        for post in (await host.outbox.due())[:3]:
            await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, next(message_ids))

    async def move() -> None:
        table = await host.games.table(game_id)
        actions = [random_action(table.position, Random(table.position.ply))]
        table.position.apply(actions[0])
        if Pass() in table.position.legal_actions:
            actions.append(Pass())
        user = table.game.seats[table.game.seat_to_act or 0].user_id
        await host.moves.act(game_id, user, table.game.ply, actions, next(_interactions))

    async def sweep_due_clocks() -> None:
        """Make the clocks of three games due, and let the dispatcher examine them."""
        async with store.writing() as tx:
            for number in range(3):
                await timers.save(tx, Timer(game_id - 1 - number, TimerKind.CLOCK, datetime.now(UTC)))
        await host.timer_dispatcher.work()

    measured: list[tuple[str, Callable[[], Awaitable[object]], float]] = [
        ("due(), 110,000 games", host.outbox.due, 10.0),
        ("a sweep that sends three", sweep, 30.0),
        ("a sweep, 10,000 clocks run", host.timer_dispatcher.work, 20.0),
        ("a sweep, three clocks are due", sweep_due_clocks, 60.0),
        ("games_of(), five of 55", lambda: host.game_lists.of_user(BUSY_PLAYER, limit=25), 5.0),
        ("the next game that waits", lambda: host.game_lists.next_waiting_for(BUSY_PLAYER, exclude=0), 5.0),
        ("the game of a channel", lambda: host.game_lists.in_channel(1000), 5.0),
        ("a move, 110,000 games", move, 15.0),
    ]
    results = [Measurement(name, await _time_rounds(work), "ms", aim) for name, work, aim in measured]
    await store.close()
    return results


async def _time_rounds(work: Callable[[], Awaitable[object]]) -> tuple[float, ...]:
    """Return the milliseconds of each of :data:`ROUNDS` runs."""
    samples = []
    for _ in range(ROUNDS):
        started = perf_counter()
        await work()
        samples.append((perf_counter() - started) * 1000)
    return tuple(samples)


async def _start_game(host: Host) -> int:
    """Start the game whose moves are measured; return its id."""
    new = NewLobby(
        guild_id=EMPTY_GUILD, channel_id=1, owner=ADA, game="carcassonne", capacity=2, expansions=(), options={}
    )
    lobby = await host.lobbies.open(new, next(_interactions))
    await host.lobbies.join(lobby.id, BEN, next(_interactions))
    return (await host.lobbies.start(lobby.id, ADA.user_id, next(_interactions))).id
