"""Connections to PostgreSQL that break in the middle of a move: the move is made once and its answer is true.

The timeouts are short by default; `make soak` uses those of production and repeats each test a hundred times.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from random import Random
from time import monotonic

import pytest
from sqlalchemy import event

from engine import Pass
from engine.selfplay import random_action
from host import Consequence, Game, Host, HostSettings, SharedClock, TransientError
from host.retry import retry_until
from store import Store
from store.connection import postgres
from tests.cluster import Cluster
from tests.host.people import click_id, play_random_action, start_game
from tests.proxy import Proxy, proxy

pytestmark = pytest.mark.postgresql
RETRY_LIMIT = timedelta(minutes=1)
"""Time for which the host retries while its connection fails."""
SLACK_SECONDS = 5.0
"""Seconds that a refusal may take beyond its timeout on a busy machine."""


@pytest.fixture
async def network(postgresql: Cluster) -> AsyncIterator[Proxy]:
    """A proxy before the server that can lose answers and block the traffic."""
    async with proxy(postgresql.folder) as running:
        yield running


@pytest.fixture
def short(network: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short timeouts of connections and statements."""
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", postgres.WaitLimits(statement=0.5, lock=0.5, idle=1.0))
    monkeypatch.setattr(postgres, "CONNECT_TIMEOUT_SECONDS", 0.5)


@pytest.fixture
def usual(network: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """The timeouts of production, which other tests shorten."""
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", postgres.WaitLimits())
    monkeypatch.setattr(postgres, "CONNECT_TIMEOUT_SECONDS", 3.0)


@asynccontextmanager
async def process(address: str, patience: float) -> AsyncIterator[Host]:
    """Run a host on a store of its own, like another process of the bot."""
    store = await Store.open(address)
    host = Host(store, clock=SharedClock(), settings=HostSettings(patience=timedelta(seconds=patience)))
    try:
        await retry_until(host.start, RETRY_LIMIT)
        yield host
    finally:
        await store.close()


async def make_move(host: Host, game: Game, rng: Random, interaction: int) -> Consequence:
    """Apply one random action of the player to move, by this interaction."""
    table = await host.games.table(game.id)
    person, action = table.game.seats[table.position.player], random_action(table.position, rng)
    return await host.moves.act(game.id, person.user_id, table.game.revision, [action], interaction)


async def check_lost_answers(network: Proxy, address: str, times: int) -> None:
    """Make this many moves whose commit succeeds but is not acknowledged; each has to be found, not repeated."""
    rng = Random(1)
    writes_left = 0

    def cuts() -> bool:
        """Cut the connection at the n-th write."""
        nonlocal writes_left
        writes_left -= 1
        return writes_left == 0

    network.loses_commit_answer = cuts
    async with process(network.url(address), 60.0) as host:
        game = await start_game(host)
        for number in range(times):
            if (await host.games.get(game.id)).person_to_act is None:
                game = await start_game(host)
            before = (await host.games.get(game.id)).ply
            writes_left = 1
            outcome = await make_move(host, game, rng, click_id())
            assert writes_left <= 0, number
            assert (outcome.repeated, outcome.before_ply, outcome.ply) == (
                True,
                before,
                (await host.games.get(game.id)).ply,
            )
            assert outcome.ply == len((await host.games.table(game.id)).log) > before


async def test_a_move_with_a_lost_answer_is_made_once(network: Proxy, location: str) -> None:
    await check_lost_answers(network, location, 2)


@pytest.mark.soak
async def test_a_hundred_moves_with_lost_answers_are_made_once(network: Proxy, location: str) -> None:
    await check_lost_answers(network, location, 100)


@contextmanager
def network_blocked_during_a_move(network: Proxy, host: Host) -> Iterator[None]:
    """Block the network once the next move is written and before it is committed."""

    def block(_c: object, _cursor: object, statement: str, *_: object) -> None:
        """Block the network at the statement that stores the move."""
        if statement.startswith("INSERT INTO actions"):
            network.block()

    engine = host._store._engine.sync_engine
    event.listen(engine, "after_cursor_execute", block)
    yield
    event.remove(engine, "after_cursor_execute", block)


async def check_blocked_network(network: Proxy, address: str, *, seconds: float, answered: float, free: float) -> None:
    """Take the network away in the middle of a move, let another process play on, and restore it.

    A press is refused within `answered` seconds, and the other process can move within `free` seconds.
    """
    async with process(address, free) as near, process(network.url(address), answered) as far:
        game = await start_game(near)
        await retry_until(lambda: play_random_action(far, game.id, Random(1)), RETRY_LIMIT)
        began = monotonic()
        with network_blocked_during_a_move(network, far), pytest.raises(TransientError):
            await play_random_action(far, game.id, Random(2))
        assert monotonic() - began < answered + SLACK_SECONDS
        made = await retry_until(lambda: play_random_action(near, game.id, Random(3)), RETRY_LIMIT)
        assert (made.before_ply, made.ply) == (1, 2), "the game is not locked, and the unfinished move is gone"
        while monotonic() - began < seconds:
            pressed = monotonic()
            with pytest.raises(TransientError):
                await far.moves.act(game.id, game.seats[0].user_id, 2, [Pass()], click_id())
            assert monotonic() - pressed < answered + SLACK_SECONDS
        network.unblock()
        made = await retry_until(lambda: play_random_action(far, game.id, Random(4)), RETRY_LIMIT)
        assert made.before_ply == 2, "the process recovers by itself"
        assert [entry.ply for entry in (await far.games.table(game.id)).log] == [0, 1, 2]
        sent: list[int] = []
        await retry_until(lambda: send_due_posts(far, sent), RETRY_LIMIT)
        assert sent == [0, 1, 2, 3]


async def send_due_posts(host: Host, sent: list[int]) -> None:
    """Send all due posts and append the ply (number of actions) of each."""
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.lease(post.id)
            await host.outbox.record_sent(post.id, post.id)
            sent.append(post.ply)


@pytest.mark.long
async def test_a_network_blocked_for_a_while(network: Proxy, location: str, short: None) -> None:
    await check_blocked_network(network, location, seconds=2.0, answered=1.0, free=60.0)


@pytest.mark.soak
async def test_a_network_blocked_for_five_minutes(network: Proxy, location: str, usual: None) -> None:
    await check_blocked_network(network, location, seconds=300.0, answered=10.0, free=15.0)
