"""A store on PostgreSQL over a slow network, or one that stops delivering data in the middle of a statement.

A proxy between store and server delays all traffic, or blocks it. The store's timeouts are short here, a fraction of
a second instead of many seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from time import monotonic

import pytest

from store import Store, UnavailableError, games
from store.connection import postgres
from tests.cluster import Cluster
from tests.proxy import Proxy, proxy
from tests.store.rows import store_game

pytestmark = pytest.mark.postgresql
TIMEOUT_SECONDS = 60.0
"""Seconds after which a test fails; generous, for busy machines."""
WAIT_SECONDS = 0.3
"""Length of the shortened timeouts."""
SHORT_LIMITS = postgres.WaitLimits(statement=WAIT_SECONDS, lock=WAIT_SECONDS, idle=2 * WAIT_SECONDS)
"""Timeouts of the store in these tests."""


@pytest.fixture
async def network(postgresql: Cluster) -> AsyncIterator[Proxy]:
    """A proxy before the server that delays or stops the traffic."""
    async with proxy(postgresql.folder) as running:
        yield running


async def open_impatient_store(address: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Open a store, then shorten its timeouts."""
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", SHORT_LIMITS)
    store = await Store.open(address)
    monkeypatch.setattr(postgres, "CONNECT_TIMEOUT_SECONDS", WAIT_SECONDS)
    return store


async def test_a_distant_server_is_slow_but_answers(network: Proxy, location: str) -> None:
    store = await Store.open(network.url(location))
    await store_game(store)
    network.round_trip_seconds = 0.1
    began = monotonic()
    async with store.reading() as tx:
        assert len(await games.unfinished_ids(tx)) == 1
    took = monotonic() - began
    await store.close()
    assert took >= 0.2, "at least two round trips: BEGIN and a statement"


async def thread_of(store: Store, game_id: int) -> int | None:
    """Read the thread of a game, retrying until the database answers, on however busy a machine."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            with suppress(UnavailableError):
                async with store.reading() as tx:
                    return (await games.get(tx, game_id)).thread_id
            await asyncio.sleep(WAIT_SECONDS)


async def test_an_unanswered_statement_is_given_up(
    network: Proxy, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = await Store.open(location)
    game_id = await store_game(near)
    store = await open_impatient_store(network.url(location), monkeypatch)
    network.block()
    for _ in range(3):
        began = monotonic()
        with pytest.raises(UnavailableError):
            async with store.reading() as tx:
                await games.unfinished_ids(tx)
        assert monotonic() - began < TIMEOUT_SECONDS
    network.unblock()
    assert await thread_of(store, game_id) == await thread_of(near, game_id)
    await store.close()
    await near.close()


async def test_a_writer_cut_off_does_not_hold_its_lock_for_long(
    network: Proxy, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = await Store.open(location)
    game_id = await store_game(near)
    far = await open_impatient_store(network.url(location), monkeypatch)

    async def write_and_lose_network() -> None:
        """Write, then lose the network before the commit."""
        async with far.writing(game=game_id) as tx:
            await games.set_thread(tx, game_id, 1)
            network.block()

    with pytest.raises(UnavailableError):
        await write_and_lose_network()
    async with asyncio.timeout(TIMEOUT_SECONDS), near.writing(game=game_id) as tx:
        assert await games.set_thread(tx, game_id, 2)
    network.unblock()
    assert await thread_of(far, game_id) == 2
    await far.close()
    await near.close()
