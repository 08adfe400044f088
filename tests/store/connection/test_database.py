from __future__ import annotations

import asyncio
import inspect
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, IntegrityError

from store import Store, games
from store.connection import dialect
from tests.cluster import Cluster
from tests.store.rows import NOW, new_game, store_game

PATIENCE = 20
"""Seconds after which a test gives up: less than the half minute that the pool waits for a connection."""


@pytest.fixture
def durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections as the bot makes them; other tests do not wait for the disk."""
    monkeypatch.setattr(dialect, "prepare_sqlite", inspect.unwrap(dialect.prepare_sqlite))


@pytest.mark.sqlite
async def test_every_connection_is_durable_and_keeps_references(durable: None, store: Store) -> None:
    async with store.reading() as first, store.reading() as second, store.writing() as third:
        for tx in (first, second, third):
            found = [
                (await tx.execute(text(f"PRAGMA {name}"))).scalar_one()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            ]
            assert found == ["wal", 2, 1, 5000]


async def test_a_transaction_that_raises_leaves_nothing(store: Store) -> None:
    async def write_and_fail() -> None:
        async with store.writing() as tx:
            await games.add(tx, new_game(), NOW)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await write_and_fail()
    async with store.reading() as tx:
        assert await games.by_code(tx, "BCDF") is None


async def test_a_cancelled_transaction_leaves_nothing_and_frees_the_lock(store: Store) -> None:
    inside = asyncio.Event()

    async def write_forever() -> None:
        async with store.writing() as tx:
            await games.add(tx, new_game(), NOW)
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write_forever())
    await inside.wait()
    task.cancel()
    await asyncio.wait([task])
    game_id = await asyncio.wait_for(store_game(store), PATIENCE)
    async with store.reading() as tx:
        assert await games.unfinished(tx) == [game_id]


@pytest.mark.sqlite
async def test_writers_take_turns(store: Store) -> None:
    """Each reads a number and writes one more; without the lock some would be lost."""
    async with store.writing() as tx:
        await tx.execute(text("CREATE TABLE counter (n INTEGER)"))
        await tx.execute(text("INSERT INTO counter VALUES (0)"))

    async def increase(writer: Store) -> None:
        async with writer.writing() as tx:
            seen = (await tx.execute(text("SELECT n FROM counter"))).scalar_one()
            await asyncio.sleep(0.001)
            await tx.execute(text("UPDATE counter SET n = :n"), {"n": seen + 1})

    other = await Store.open(store._engine.url.render_as_string())
    try:
        await asyncio.gather(*(increase(writer) for writer in (store, other) * 8))
    finally:
        await other.close()
    async with store.reading() as tx:
        assert (await tx.execute(text("SELECT n FROM counter"))).scalar_one() == 16


@pytest.mark.sqlite
async def test_writers_that_wait_are_in_nobodys_way(store: Store) -> None:
    """They wait for the lock without a connection: the pool has fifteen, and readers need them."""
    codes = [f"CC{number}" for number in range(20)]
    async with store.writing():
        waiting = [asyncio.create_task(store_game(store, code)) for code in codes]
        await asyncio.sleep(0.05)
        async with asyncio.timeout(PATIENCE), store.reading() as tx:
            assert await games.unfinished(tx) == []
    assert await asyncio.gather(*waiting) == list(range(1, 21))


async def test_closing_waits_for_who_reads(store: Store) -> None:
    async with store.reading() as tx:
        assert await games.unfinished(tx) == []
        closing = asyncio.create_task(store.close())
        await asyncio.sleep(0.05)
        assert not closing.done()
        assert await games.unfinished(tx) == []
    await asyncio.wait_for(closing, PATIENCE)


async def test_who_comes_after_the_end_leaves_no_connection(store: Store) -> None:
    """Were one left, its thread would run on, which no test may leave behind."""
    await store.close()
    async with store.reading() as tx:
        assert await games.unfinished(tx) == []
    assert not [thread.name for thread in await threads_of_connections() if thread.is_alive()]


async def threads_of_connections() -> list[threading.Thread]:
    """Those of the driver, after a moment in which they may end."""
    await asyncio.sleep(0.2)
    return [thread for thread in threading.enumerate() if "_connection_worker_thread" in thread.name]


async def test_a_reader_sees_one_moment(store: Store) -> None:
    async with store.reading() as tx:
        assert await games.unfinished(tx) == []
        game_id = await asyncio.wait_for(store_game(store), PATIENCE)
        assert await games.unfinished(tx) == []
    async with store.reading() as tx:
        assert await games.unfinished(tx) == [game_id]


@contextmanager
def somebody_else_at(path: Path, *statements: str) -> Iterator[sqlite3.Connection]:
    """Another program at work on the file, in the mode that files have before ours."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE theirs (n INTEGER)")
        for statement in statements:
            other.execute(statement).fetchall()
        yield other


WRITES = ["BEGIN EXCLUSIVE"]
READS = ["BEGIN", "SELECT * FROM theirs"]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have SQLite never wait, as it does when two connections turn on WAL at the same moment."""

    def prepare(connection: DBAPIConnection, _record: object) -> None:
        connection.isolation_level = None
        connection.cursor().execute("PRAGMA busy_timeout = 0")

    monkeypatch.setattr("store.connection.dialect.prepare_sqlite", prepare)


async def opened_after_a_while(path: Path, other: sqlite3.Connection) -> None:
    opening = asyncio.create_task(Store.open(path))
    await asyncio.sleep(0.1)
    assert not opening.done()
    other.execute("COMMIT")
    await (await asyncio.wait_for(opening, PATIENCE)).close()


@pytest.mark.parametrize("statements", [WRITES, READS], ids=["writes", "reads"])
async def test_opening_waits_for_who_has_the_file(tmp_path: Path, statements: list[str]) -> None:
    with somebody_else_at(tmp_path / "busy.db", *statements) as other:
        await opened_after_a_while(tmp_path / "busy.db", other)


async def test_opening_waits_where_sqlite_does_not(tmp_path: Path, impatient: None) -> None:
    with somebody_else_at(tmp_path / "busy.db", *READS) as other:
        await opened_after_a_while(tmp_path / "busy.db", other)


async def test_opening_gives_up_in_the_end(tmp_path: Path, impatient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.connection.database.BUSY_TIMEOUT_MILLISECONDS", 100)
    with somebody_else_at(tmp_path / "busy.db", *READS), pytest.raises(TimeoutError):
        await Store.open(tmp_path / "busy.db")


async def test_what_was_stored_is_there_after_reopening(store: Store, location: str) -> None:
    game_id = await store_game(store)
    again = await Store.open(location)
    async with again.reading() as tx:
        assert (await games.get(tx, game_id)).code == "BCDF"
    await again.close()


async def test_a_path_with_a_percent_sign(tmp_path: Path) -> None:
    odd = await Store.open(tmp_path / "50% off.db")
    await store_game(odd)
    await odd.close()
    assert (tmp_path / "50% off.db").exists()


async def test_references_are_enforced(store: Store) -> None:
    with pytest.raises(IntegrityError):
        async with store.writing() as tx:
            await tx.execute(text("INSERT INTO playing VALUES (1, 99)"))


async def test_an_error_tells_its_statement_and_not_its_values(store: Store) -> None:
    """A setup holds the seed, and errors stand in the log."""
    with pytest.raises(DatabaseError) as caught:
        async with store.writing() as tx:
            await tx.execute(text("INSERT INTO nowhere VALUES (:setup)"), {"setup": "the seed"})
    assert "INSERT INTO nowhere" in str(caught.value)
    assert "the seed" not in str(caught.value)


async def test_a_server_that_does_not_wait_for_its_disk_is_said_to(
    postgresql: Cluster, empty_database: str, caplog: pytest.LogCaptureFixture
) -> None:
    name = urlsplit(empty_database).path.removeprefix("/")
    for setting, said in (("on", 0), ("off", 1)):
        postgresql.sql(f"ALTER DATABASE {name} SET synchronous_commit = {setting}")
        store = await Store.open(empty_database, migrate=False)
        await store.close()
        assert caplog.text.count("synchronous_commit is off") == said
