"""Stores behind a connection pooler in transaction mode: the test's own, and PgBouncer where it is installed.

In transaction mode a connection serves another client after each transaction, so a store must not keep prepared
statements. A store detects the pooler by itself.
"""

from __future__ import annotations

import asyncio

import pytest

from store import Preferences, Store, games, preferences
from store.connection.postgres import POOLED_PARAMETER
from tests.pooler import bouncer, pooler
from tests.programs import PGBOUNCER
from tests.store.rows import ADA, store_game

pytestmark = pytest.mark.parametrize(
    "pooled", [pooler, pytest.param(bouncer, marks=pytest.mark.needs(PGBOUNCER))], indirect=True
)
"""Each test runs behind both poolers."""


async def test_four_processes_start_at_once_and_play(pooled: str) -> None:
    stores = await asyncio.gather(*(Store.open(pooled, pool=2) for _ in range(4)))
    assert {store._engine.url.query.get(POOLED_PARAMETER) for store in stores} == {"true"}, "the pooler was detected"
    numbers = await asyncio.gather(
        *(store_game(store, f"C{number}{turn}") for turn in range(5) for number, store in enumerate(stores))
    )
    async with stores[0].reading() as tx:
        assert await games.unfinished_ids(tx) == sorted(numbers)
    for store in stores:
        async with store.writing() as tx:
            await preferences.save(tx, ADA.user_id, Preferences(choices={"theme": "night"}))
        async with store.reading() as tx:
            assert (await preferences.get(tx, ADA.user_id)).choices == {"theme": "night"}
    await asyncio.gather(*(store.close() for store in stores))


async def test_startup_parameters_of_an_address_are_not_passed_on(pooled: str) -> None:
    store = await Store.open(f"{pooled}&application_name=web&channel_binding=prefer&statement_timeout=5")
    await store_game(store)
    await store.close()
