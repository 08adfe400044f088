"""A network between the store and its server that is long, breaks, or swallows what is sent."""

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
PATIENCE = 60.0
WAIT = 0.3
SHORT = postgres.WaitLimits(statement=WAIT, lock=WAIT, idle=2 * WAIT)


@pytest.fixture
async def network(postgresql: Cluster) -> AsyncIterator[Proxy]:
    async with proxy(postgresql.folder) as between:
        yield between


async def in_a_hurry(address: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store that does not wait long, once it is open."""
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", SHORT)
    store = await Store.open(address)
    monkeypatch.setattr(postgres, "CONNECT_TIMEOUT_SECONDS", WAIT)
    return store


async def test_a_server_that_is_far_away_takes_its_time(network: Proxy, location: str) -> None:
    store = await Store.open(network.url(location))
    await store_game(store)
    network.round_trip_seconds = 0.1
    began = monotonic()
    async with store.reading() as tx:
        assert len(await games.unfinished(tx)) == 1
    took = monotonic() - began
    await store.close()
    assert took >= 0.2, "BEGIN and a statement, at least"


async def thread_of(store: Store, game_id: int) -> int | None:
    """Read the thread of a game, retrying until the database answers, on however busy a machine."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(UnavailableError):
                async with store.reading() as tx:
                    return (await games.get(tx, game_id)).thread_id
            await asyncio.sleep(WAIT)


async def test_what_is_not_answered_is_given_up(network: Proxy, location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    near = await Store.open(location)
    game_id = await store_game(near)
    store = await in_a_hurry(network.url(location), monkeypatch)
    network.block()
    for _ in range(3):
        began = monotonic()
        with pytest.raises(UnavailableError):
            async with store.reading() as tx:
                await games.unfinished(tx)
        assert monotonic() - began < PATIENCE
    network.unblock()
    assert await thread_of(store, game_id) == await thread_of(near, game_id)
    await store.close()
    await near.close()


async def test_who_is_cut_off_while_he_writes_is_in_nobodys_way_for_long(
    network: Proxy, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = await Store.open(location)
    game_id = await store_game(near)
    far = await in_a_hurry(network.url(location), monkeypatch)

    async def cut_off() -> None:
        async with far.writing(game=game_id) as tx:
            await games.set_thread(tx, game_id, 1)
            network.block()

    with pytest.raises(UnavailableError):
        await cut_off()
    async with asyncio.timeout(PATIENCE), near.writing(game=game_id) as tx:
        assert await games.set_thread(tx, game_id, 2)
    network.unblock()
    assert await thread_of(far, game_id) == 2
    await far.close()
    await near.close()
