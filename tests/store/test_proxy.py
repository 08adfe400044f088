"""A network between the store and its server that is long, breaks, or swallows what is sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from time import monotonic

import pytest

from store import Store, UnavailableError, games
from store.connection import postgres
from tests.cluster import Cluster, binaries
from tests.proxy import Proxy, proxy
from tests.store.rows import stored_game

pytestmark = [pytest.mark.postgresql, pytest.mark.skipif(binaries() is None, reason="PostgreSQL is not installed")]
WAIT = 0.3
SHORT = postgres.Limits(statement=WAIT, lock=WAIT, idle=2 * WAIT)


@pytest.fixture
async def network(postgresql: Cluster) -> AsyncIterator[Proxy]:
    async with proxy(postgresql.folder) as between:
        yield between


@pytest.fixture
def short(network: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long."""
    monkeypatch.setattr(postgres, "USUAL", SHORT)
    monkeypatch.setattr(postgres, "CONNECTING", WAIT)


async def test_a_server_that_is_far_away_takes_its_time(network: Proxy, location: str) -> None:
    store = await Store.open(network.url(location))
    await stored_game(store)
    network.away = 0.1
    began = monotonic()
    async with store.reading() as tx:
        assert len(await games.unfinished(tx)) == 1
    took = monotonic() - began
    await store.close()
    assert took >= 0.2, "BEGIN and a statement, at least"


async def test_what_is_not_answered_is_given_up(network: Proxy, location: str, short: None) -> None:
    store = await Store.open(network.url(location))
    await stored_game(store)
    network.swallow()
    for _ in range(3):
        began = monotonic()
        with pytest.raises(UnavailableError):
            async with store.reading() as tx:
                await games.unfinished(tx)
        assert monotonic() - began < 20
    network.heal()
    async with store.reading() as tx:
        assert len(await games.unfinished(tx)) == 1
    await store.close()


async def test_who_is_cut_off_while_he_writes_is_in_nobodys_way_for_long(
    network: Proxy, location: str, short: None
) -> None:
    far, near = await Store.open(network.url(location)), await Store.open(location)
    game_id = await stored_game(near)

    async def cut_off() -> None:
        async with far.writing(game=game_id) as tx:
            await games.set_thread(tx, game_id, 1)
            network.swallow()

    with pytest.raises(UnavailableError):
        await cut_off()
    async with asyncio.timeout(20):
        while True:
            try:
                async with near.writing(game=game_id) as tx:
                    assert await games.set_thread(tx, game_id, 2)
                break
            except UnavailableError:
                await asyncio.sleep(WAIT)
    network.heal()
    async with far.reading() as tx:
        assert (await games.get(tx, game_id)).thread_id == 2
    await far.close()
    await near.close()
