"""Every wait for a server ends, each by itself, and leaves nothing behind that others would wait for."""

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

SHORT = 0.2
LONG = 60.0
PATIENT = WaitLimits(statement=LONG, lock=LONG, idle=LONG)


def test_how_long_is_waited() -> None:
    assert WaitLimits() == WaitLimits(statement=5.0, lock=3.0, idle=10.0)
    source = Path(postgres.__file__).read_text("utf-8")
    assert "CONNECT_TIMEOUT_SECONDS: Final = 3.0\n" in source, "tests set another one"
    assert HostSettings().patience == timedelta(seconds=10)


async def setting(tx: Transaction, name: str) -> str:
    found: str = (await tx.execute(text(f"SHOW {name}"))).scalar_one()
    return found


@pytest.mark.postgresql
@pytest.mark.parametrize("kind", ["reading", "writing"])
async def test_the_server_knows_it_for_one_transaction(
    location: str, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", WaitLimits())
    waits = {"statement_timeout": "5s", "lock_timeout": "3s", "idle_in_transaction_session_timeout": "10s"}
    store: Store = await open_store(location)
    async with getattr(store, kind)() as tx:
        assert {name: await setting(tx, name) for name in waits} == waits
    async with store._engine.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        assert driver is not None
        assert {await driver.fetchval(f"SHOW {name}") for name in waits} == {"0"}, "a pooler lends it to others, too"
    await store.close()


async def opened(location: str, monkeypatch: pytest.MonkeyPatch, limits: WaitLimits) -> Store:
    """A store that waits so long."""
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", limits)
    store = await Store.open(location, migrate=False)
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", PATIENT)
    return store


@pytest.mark.postgresql
async def test_a_statement_that_takes_too_long_is_given_up(location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store, began = await opened(location, monkeypatch, replace(PATIENT, statement=SHORT)), monotonic()
    with pytest.raises(UnavailableError, match="statement timeout"):
        async with store.reading() as tx:
            await tx.execute(text(f"SELECT pg_sleep({LONG})"))
    assert monotonic() - began < LONG
    await store.close()


@pytest.mark.postgresql
async def test_who_waits_for_a_lock_gives_up(location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    holder = await opened(location, monkeypatch, PATIENT)
    other, game_id = await opened(location, monkeypatch, replace(PATIENT, lock=SHORT)), await store_game(holder)
    async with holder.writing(game=game_id):
        with pytest.raises(UnavailableError, match="lock timeout"):
            async with other.writing(game=game_id):
                pass
    async with other.writing(game=game_id) as tx:
        assert await games.set_thread(tx, game_id, 1)
    await holder.close()
    await other.close()


@pytest.mark.postgresql
async def test_who_is_called_away_from_a_lock_leaves_nothing_behind(
    location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await opened(location, monkeypatch, PATIENT)
    game_id = await store_game(store)

    async def wait() -> None:
        async with store.writing(game=game_id):
            pass

    async with store.writing(game=game_id):
        waiting = asyncio.create_task(wait())
        await asyncio.wait([waiting], timeout=SHORT)
        waiting.cancel()
        await asyncio.wait([waiting])
    for _ in range(3):
        async with asyncio.timeout(LONG), store.writing(game=game_id) as tx:
            assert await games.set_thread(tx, game_id, 1)
    await store.close()


@pytest.mark.postgresql
async def test_who_does_nothing_within_a_transaction_loses_it(location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    idle = await opened(location, monkeypatch, replace(PATIENT, idle=SHORT))
    other, game_id = await opened(location, monkeypatch, PATIENT), await store_game(idle)

    async def hold() -> None:
        async with idle.writing(game=game_id) as tx:
            assert await games.set_thread(tx, game_id, 1)
            async with asyncio.timeout(LONG), other.writing(game=game_id) as quicker:
                assert await games.set_thread(quicker, game_id, 2)

    with pytest.raises(UnavailableError):
        await hold()
    async with idle.reading() as tx:
        assert (await games.get(tx, game_id)).thread_id == 2
    await idle.close()
    await other.close()


@pytest.fixture
async def deaf(tmp_path: Path) -> AsyncIterator[str]:
    """The address of a server that takes connections and says nothing."""
    async with AsyncExitStack() as stack:

        async def listen(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            stack.callback(writer.close)

        server = await asyncio.start_unix_server(listen, tmp_path / ".s.PGSQL.5432")
        stack.callback(server.close)
        yield f"postgresql://castellan@/games?host={tmp_path}"


async def test_a_server_that_says_nothing_is_given_up(deaf: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "CONNECT_TIMEOUT_SECONDS", SHORT)
    began = monotonic()
    with pytest.raises(TimeoutError):
        await Store.open(deaf)
    assert monotonic() - began < LONG


@pytest.mark.postgresql
async def test_so_many_connections_as_are_set_and_none_more(location: str) -> None:
    assert Settings().pool == 4
    for settings, size in ((Settings(database=location), 4), (Settings(database=location, pool=2), 2)):
        store = await database.open_for_bot(settings)
        pool = store._engine.pool
        assert isinstance(pool, QueuePool)
        assert (pool.size(), pool._max_overflow) == (size, 0)
        async with AsyncExitStack() as stack:
            for _ in range(size):
                await stack.enter_async_context(store.reading())
            one_more = asyncio.create_task(read(store))
            await asyncio.wait([one_more], timeout=SHORT)
            assert not one_more.done()
        await one_more
        await store.close()


async def read(store: Store) -> list[int]:
    async with store.reading() as tx:
        return await games.unfinished(tx)
