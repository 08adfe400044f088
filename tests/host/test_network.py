"""A network to the database that breaks in the middle of a move: it is made once, and nobody is told what is not true.

With the long tests for as long as it may last, and a hundred times; otherwise the same with short waits.
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
SOMETIME = timedelta(minutes=1)
BUSY = 5.0
"""Seconds that something may take longer than it should: what an operator allows, and a busy machine needs."""


@pytest.fixture
async def network(postgresql: Cluster) -> AsyncIterator[Proxy]:
    async with proxy(postgresql.folder) as between:
        yield between


@pytest.fixture
def short(network: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long."""
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", postgres.WaitLimits(statement=0.5, lock=0.5, idle=1.0))
    monkeypatch.setattr(postgres, "CONNECT_TIMEOUT_SECONDS", 0.5)


@pytest.fixture
def usual(network: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody waits as long as in earnest, which other tests do not."""
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", postgres.WaitLimits())
    monkeypatch.setattr(postgres, "CONNECT_TIMEOUT_SECONDS", 3.0)


@asynccontextmanager
async def process(address: str, patience: float) -> AsyncIterator[Host]:
    """A process of the bot, as far as its games go."""
    store = await Store.open(address)
    host = Host(store, clock=SharedClock(), settings=HostSettings(patience=timedelta(seconds=patience)))
    try:
        await retry_until(host.start, SOMETIME)
        yield host
    finally:
        await store.close()


async def move(host: Host, game: Game, random: Random, interaction: int) -> Consequence:
    """Any move of who is asked, with this press."""
    table = await host.games.table(game.id)
    person, action = table.game.seats[table.position.player], random_action(table.position, random)
    return await host.moves.act(game.id, person.user_id, table.game.revision, [action], interaction)


async def cut_off(network: Proxy, address: str, times: int) -> None:
    """So many moves, of each of which nobody hears that it is stored."""
    random = Random(1)
    left = 0

    def cuts() -> bool:
        nonlocal left
        left -= 1
        return left == 0

    network.loses_commit_answer = cuts
    async with process(network.url(address), 60.0) as host:
        game = await start_game(host)
        for number in range(times):
            if (await host.games.get(game.id)).person_to_act is None:
                game = await start_game(host)
            before = (await host.games.get(game.id)).ply
            left = 1
            outcome = await move(host, game, random, click_id())
            assert left <= 0, number
            assert (outcome.repeated, outcome.before_ply, outcome.ply) == (
                True,
                before,
                (await host.games.get(game.id)).ply,
            )
            assert outcome.ply == len((await host.games.table(game.id)).log) > before


async def test_a_move_of_which_the_answer_got_lost_is_done(network: Proxy, location: str) -> None:
    await cut_off(network, location, 2)


@pytest.mark.soak
async def test_a_hundred_moves_of_which_the_answer_got_lost_are_done(network: Proxy, location: str) -> None:
    await cut_off(network, location, 100)


@contextmanager
def swallowed_in_a_move(network: Proxy, host: Host) -> Iterator[None]:
    """The network is gone as soon as the next move is written, and before it is stored."""

    def swallow(_c: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT INTO actions"):
            network.block()

    engine = host._store._engine.sync_engine
    event.listen(engine, "after_cursor_execute", swallow)
    yield
    event.remove(engine, "after_cursor_execute", swallow)


async def swallowed(network: Proxy, address: str, *, seconds: float, answered: float, free: float) -> None:
    """The network is away in the middle of a move; another process plays on, and when it is back all is as it is.

    Who presses is answered within so many seconds, and the game is free for the other process within so many.
    """
    async with process(address, free) as near, process(network.url(address), answered) as far:
        game = await start_game(near)
        await retry_until(lambda: play_random_action(far, game.id, Random(1)), SOMETIME)
        began = monotonic()
        with swallowed_in_a_move(network, far), pytest.raises(TransientError):
            await play_random_action(far, game.id, Random(2))
        assert monotonic() - began < answered + BUSY
        made = await retry_until(lambda: play_random_action(near, game.id, Random(3)), SOMETIME)
        assert (made.before_ply, made.ply) == (1, 2), "nobody holds the game, and the other move is gone"
        while monotonic() - began < seconds:
            pressed = monotonic()
            with pytest.raises(TransientError):
                await far.moves.act(game.id, game.seats[0].user_id, 2, [Pass()], click_id())
            assert monotonic() - pressed < answered + BUSY
        network.unblock()
        made = await retry_until(lambda: play_random_action(far, game.id, Random(4)), SOMETIME)
        assert made.before_ply == 2, "the process goes on by itself"
        assert [entry.ply for entry in (await far.games.table(game.id)).log] == [0, 1, 2]
        sent: list[int] = []
        await retry_until(lambda: sent_by(far, sent), SOMETIME)
        assert sent == [0, 1, 2, 3]


async def sent_by(host: Host, sent: list[int]) -> None:
    """All that waits is posted by one process."""
    while posts := await host.outbox.due():
        for post in posts:
            assert await host.outbox.sending(post.id)
            await host.outbox.sent(post.id, post.id)
            sent.append(post.ply)


@pytest.mark.long
async def test_a_network_that_swallows_everything_for_a_while(network: Proxy, location: str, short: None) -> None:
    await swallowed(network, location, seconds=2.0, answered=1.0, free=60.0)


@pytest.mark.soak
async def test_a_network_that_swallows_everything_for_five_minutes(network: Proxy, location: str, usual: None) -> None:
    await swallowed(network, location, seconds=300.0, answered=10.0, free=15.0)
