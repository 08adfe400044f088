"""Timeouts on PostgreSQL: statements, locks, idle transactions and connecting each end by themselves.

Each test shortens one limit (`SHORT_SECONDS`) and makes all others too long to end the wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from time import monotonic

import pytest
from sqlalchemy import text
from sqlalchemy.pool import QueuePool

from host import HostSettings
from operations import database
from operations.settings import Settings
from store import Store, Transaction, UnavailableError, games
from store.connection import postgres
from store.connection.postgres import WaitLimits
from tests.store.empty_database import open_store
from tests.store.rows import store_game

SHORT_SECONDS = 0.2
"""The limit that a test measures."""
LONG_SECONDS = 60.0
"""All other limits, and the time after which a test fails."""
LONG_LIMITS = WaitLimits(statement=LONG_SECONDS, lock=LONG_SECONDS, idle=LONG_SECONDS)
"""Limits that no test reaches."""


def test_the_default_limits() -> None:
    assert WaitLimits() == WaitLimits(statement=5.0, lock=3.0, idle=10.0)
    source = Path(postgres.__file__).read_text("utf-8")
    assert "CONNECT_TIMEOUT_SECONDS: Final = 3.0\n" in source, "read from the source, as tests change the value"
    assert HostSettings().patience == timedelta(seconds=10)


async def setting(tx: Transaction, name: str) -> str:
    """Return a run-time setting of the server."""
    value: str = (await tx.execute(text(f"SHOW {name}"))).scalar_one()
    return value


@pytest.mark.postgresql
@pytest.mark.parametrize("kind", ["reading", "writing"])
async def test_limits_are_set_for_one_transaction(location: str, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", WaitLimits())
    timeouts = {"statement_timeout": "5s", "lock_timeout": "3s", "idle_in_transaction_session_timeout": "10s"}
    store: Store = await open_store(location)
    async with getattr(store, kind)() as tx:
        assert {name: await setting(tx, name) for name in timeouts} == timeouts
    async with store._engine.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        assert driver is not None
        assert {await driver.fetchval(f"SHOW {name}") for name in timeouts} == {"0"}, (
            "a pooler may lend the connection to others"
        )
    await store.close()


async def open_with_limits(location: str, monkeypatch: pytest.MonkeyPatch, limits: WaitLimits) -> Store:
    """Open a store with these limits; those opened later have long ones."""
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", limits)
    store = await Store.open(location, migrate=False)
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", LONG_LIMITS)
    return store


@pytest.mark.postgresql
async def test_a_slow_statement_is_given_up(location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store, began = (
        await open_with_limits(location, monkeypatch, replace(LONG_LIMITS, statement=SHORT_SECONDS)),
        monotonic(),
    )
    with pytest.raises(UnavailableError, match="statement timeout"):
        async with store.reading() as tx:
            await tx.execute(text(f"SELECT pg_sleep({LONG_SECONDS})"))
    assert monotonic() - began < LONG_SECONDS
    await store.close()


@pytest.mark.postgresql
async def test_a_wait_for_a_lock_is_given_up(location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    holder = await open_with_limits(location, monkeypatch, LONG_LIMITS)
    other, game_id = (
        await open_with_limits(location, monkeypatch, replace(LONG_LIMITS, lock=SHORT_SECONDS)),
        await store_game(holder),
    )
    async with holder.writing(game=game_id):
        with pytest.raises(UnavailableError, match="lock timeout"):
            async with other.writing(game=game_id):
                pass
    async with other.writing(game=game_id) as tx:
        assert await games.set_thread(tx, game_id, 1)
    await holder.close()
    await other.close()


@pytest.mark.postgresql
async def test_a_cancelled_wait_for_a_lock_leaves_nothing_behind(
    location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_with_limits(location, monkeypatch, LONG_LIMITS)
    game_id = await store_game(store)

    async def wait() -> None:
        async with store.writing(game=game_id):
            pass

    async with store.writing(game=game_id):
        waiting = asyncio.create_task(wait())
        await asyncio.wait([waiting], timeout=SHORT_SECONDS)
        waiting.cancel()
        await asyncio.wait([waiting])
    for _ in range(3):
        async with asyncio.timeout(LONG_SECONDS), store.writing(game=game_id) as tx:
            assert await games.set_thread(tx, game_id, 1)
    await store.close()


@pytest.mark.postgresql
async def test_an_idle_transaction_loses_its_lock(location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    idle = await open_with_limits(location, monkeypatch, replace(LONG_LIMITS, idle=SHORT_SECONDS))
    other, game_id = await open_with_limits(location, monkeypatch, LONG_LIMITS), await store_game(idle)

    async def hold() -> None:
        async with idle.writing(game=game_id) as tx:
            assert await games.set_thread(tx, game_id, 1)
            async with asyncio.timeout(LONG_SECONDS), other.writing(game=game_id) as quicker:
                assert await games.set_thread(quicker, game_id, 2)

    with pytest.raises(UnavailableError):
        await hold()
    async with idle.reading() as tx:
        assert (await games.get(tx, game_id)).thread_id == 2
    await idle.close()
    await other.close()


@pytest.fixture
async def silent_server(tmp_path: Path) -> AsyncIterator[str]:
    """The address of a server that accepts connections and never answers."""
    async with AsyncExitStack() as stack:

        async def listen(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            """Accept a connection and never answer."""
            stack.callback(writer.close)

        server = await asyncio.start_unix_server(listen, tmp_path / ".s.PGSQL.5432")
        stack.callback(server.close)
        yield f"postgresql://castellan@/games?host={tmp_path}"


async def test_a_server_that_never_answers_is_given_up(silent_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "CONNECT_TIMEOUT_SECONDS", SHORT_SECONDS)
    began = monotonic()
    with pytest.raises(TimeoutError):
        await Store.open(silent_server)
    assert monotonic() - began < LONG_SECONDS


@pytest.mark.postgresql
async def test_the_pool_has_as_many_connections_as_are_set(location: str) -> None:
    assert Settings().pool == 4
    for settings, size in ((Settings(database=location), 4), (Settings(database=location, pool=2), 2)):
        store = await database.open_for_bot(settings)
        pool = store._engine.pool
        assert isinstance(pool, QueuePool)
        assert (pool.size(), pool._max_overflow) == (size, 0)
        async with AsyncExitStack() as stack:
            for _ in range(size):
                await stack.enter_async_context(store.reading())
            waiting = asyncio.create_task(read(store))
            await asyncio.wait([waiting], timeout=SHORT_SECONDS)
            assert not waiting.done()
        await waiting
        await store.close()


async def read(store: Store) -> list[int]:
    """Read the ids of unfinished games."""
    async with store.reading() as tx:
        return await games.unfinished_ids(tx)
