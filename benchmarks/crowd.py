"""Latency of the database with much history: 10,000 games are running, 100,000 are over.

The file is filled by a few statements and kept among the temporary files of the machine, under the revision of its
tables; what is measured happens on a copy of it.
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

RUNNING, FINISHED = 10_000, 100_000
PLIES = 6
"""Of each game, and so many posts: more would fill the disk and nothing else."""
PLAYERS, CHANNELS = 4_000, 400
UNSENT = 100
"""Cards that wait to be posted."""
ROUNDS = 30
ADA, BEN = Person(1, "Ada"), Person(2, "Ben")
"""Two who play the game of which the moves are timed."""
OWN_GUILD = 1_000_000
"""A server without any of these players: a server has a limit."""
BUSY = 5_000
"""Somebody with five running games and fifty that are over."""

_interactions = count(1)


def figures() -> list[Measurement]:
    """Measure the statements of a sweep, a completion, a look and a move, and the speed of this machine."""
    with TemporaryDirectory() as folder:
        database = Path(folder) / "games.sqlite3"
        shutil.copy(_filled(), database)
        found = asyncio.run(_measure(database))
    return [Measurement("the calibrating loop", tuple(_calibration() for _ in range(3)), "ms"), *found]


def _calibration() -> float:
    started = perf_counter()
    sum(i * i % 7 for i in range(1_000_000))
    return (perf_counter() - started) * 1000


def _filled() -> Path:
    """The file, made unless an earlier measurement has left it."""
    empty = Path(gettempdir()) / "castellan-bench"
    empty.mkdir(exist_ok=True)
    making = empty / "making.sqlite3"
    making.unlink(missing_ok=True)
    asyncio.run(_opened_once(making))
    path = empty / f"crowd-{schema_revision(making)}.sqlite3"
    if not path.exists():
        setup = new_setup(players=2, seed="crowd")
        add_games(
            making,
            running=RUNNING,
            finished=FINISHED,
            plies=PLIES,
            setup=setup.to_json(),
            players=PLAYERS,
            channels=CHANNELS,
            unsent_of=RUNNING // UNSENT,
        )
        making.replace(path)
    making.unlink(missing_ok=True)
    return path


async def _opened_once(path: Path) -> None:
    await (await Store.open(path)).close()


async def _measure(database: Path) -> list[Measurement]:
    store = await Store.open(database)
    host = Host(store)
    game_id = await _game(host)
    message = count(1)

    async def sweep() -> None:
        """Three cards are found, taken and recorded."""
        for post in (await host.outbox.due())[:3]:
            await host.outbox.sending(post.id)
            await host.outbox.sent(post.id, next(message))

    async def move() -> None:
        table = await host.games.table(game_id)
        actions = [random_action(table.position, Random(table.position.ply))]
        table.position.apply(actions[0])
        if Pass() in table.position.legal_actions:
            actions.append(Pass())
        user = table.game.seats[table.game.seat_to_act or 0].user_id
        await host.moves.act(game_id, user, table.game.ply, actions, next(_interactions))

    async def ring() -> None:
        """The clocks of three games are looked at; all others are found to have time."""
        async with store.writing() as tx:
            for number in range(3):
                await timers.put(tx, Timer(game_id - 1 - number, TimerKind.CLOCK, datetime.now(UTC)))
        await host.timer_dispatcher.work()

    measured: list[tuple[str, Callable[[], Awaitable[object]], float]] = [
        ("due(), 110,000 games", host.outbox.due, 10.0),
        ("a sweep that sends three", sweep, 30.0),
        ("a sweep, 10,000 clocks run", host.timer_dispatcher.work, 20.0),
        ("a sweep, three clocks are due", ring, 60.0),
        ("games_of(), five of 55", lambda: host.game_lists.of_user(BUSY, limit=25), 5.0),
        ("the next game that waits", lambda: host.game_lists.next_for(BUSY, but=0), 5.0),
        ("the game of a channel", lambda: host.game_lists.in_channel(1000), 5.0),
        ("a move, 110,000 games", move, 15.0),
    ]
    found = [Measurement(name, await _timed(work), "ms", aim) for name, work, aim in measured]
    await store.close()
    return found


async def _timed(work: Callable[[], Awaitable[object]]) -> tuple[float, ...]:
    samples = []
    for _ in range(ROUNDS):
        started = perf_counter()
        await work()
        samples.append((perf_counter() - started) * 1000)
    return tuple(samples)


async def _game(host: Host) -> int:
    new = NewLobby(
        guild_id=OWN_GUILD, channel_id=1, owner=ADA, game="carcassonne", capacity=2, expansions=(), options={}
    )
    lobby = await host.lobbies.open(new, next(_interactions))
    await host.lobbies.join(lobby.id, BEN, next(_interactions))
    return (await host.lobbies.start(lobby.id, ADA.user_id, next(_interactions))).id
