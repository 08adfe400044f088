"""Connections and transactions of the store: durability, locks, snapshots, opening and closing.

`store.reading()` and `store.writing()` begin a transaction; the rows of a test are arbitrary. Several stores on one
database stand for several processes.
"""

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

TIMEOUT_SECONDS = 20
"""Seconds after which a test fails: less than the 30 for which the pool waits for a connection."""


@pytest.fixture
def durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections with the bot's own settings; other tests do not wait for the disk."""
    monkeypatch.setattr(dialect, "prepare_sqlite", inspect.unwrap(dialect.prepare_sqlite))


@pytest.mark.sqlite
async def test_every_connection_is_durable_and_enforces_references(durable: None, store: Store) -> None:
    async with store.reading() as first, store.reading() as second, store.writing() as third:
        for tx in (first, second, third):
            pragmas = [
                (await tx.execute(text(f"PRAGMA {name}"))).scalar_one()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            ]
            assert pragmas == ["wal", 2, 1, 5000]


async def test_a_transaction_that_raises_leaves_nothing(store: Store) -> None:
    async def write_and_fail() -> None:
        """Add a game and fail before the commit."""
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
        """Add a game and never commit."""
        async with store.writing() as tx:
            await games.add(tx, new_game(), NOW)
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write_forever())
    await inside.wait()
    task.cancel()
    await asyncio.wait([task])
    game_id = await asyncio.wait_for(store_game(store), TIMEOUT_SECONDS)
    async with store.reading() as tx:
        assert await games.unfinished_ids(tx) == [game_id]


@pytest.mark.sqlite
async def test_writers_take_turns(store: Store) -> None:
    """Increment a counter from two stores; without the write lock some increments would be lost."""
    async with store.writing() as tx:
        await tx.execute(text("CREATE TABLE counter (n INTEGER)"))
        await tx.execute(text("INSERT INTO counter VALUES (0)"))

    async def increase(writer: Store) -> None:
        """Read a counter, pause, and write it back increased."""
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
async def test_waiting_writers_do_not_block_readers(store: Store) -> None:
    """Let 20 writers wait for the lock without a connection, as the pool has only fifteen."""
    codes = [f"CC{number}" for number in range(20)]
    async with store.writing():
        waiting = [asyncio.create_task(store_game(store, code)) for code in codes]
        await asyncio.sleep(0.05)
        async with asyncio.timeout(TIMEOUT_SECONDS), store.reading() as tx:
            assert await games.unfinished_ids(tx) == []
    assert await asyncio.gather(*waiting) == list(range(1, 21))


async def test_closing_waits_for_open_readers(store: Store) -> None:
    async with store.reading() as tx:
        assert await games.unfinished_ids(tx) == []
        closing = asyncio.create_task(store.close())
        await asyncio.sleep(0.05)
        assert not closing.done()
        assert await games.unfinished_ids(tx) == []
    await asyncio.wait_for(closing, TIMEOUT_SECONDS)


async def test_reading_after_closing_leaves_no_connection_open(store: Store) -> None:
    """Check the driver's threads, as each open connection has one."""
    await store.close()
    async with store.reading() as tx:
        assert await games.unfinished_ids(tx) == []
    assert not [thread.name for thread in await connection_threads() if thread.is_alive()]


async def connection_threads() -> list[threading.Thread]:
    """Return the driver's threads, after a moment in which they may end."""
    await asyncio.sleep(0.2)
    return [thread for thread in threading.enumerate() if "_connection_worker_thread" in thread.name]


async def test_a_reader_sees_one_snapshot(store: Store) -> None:
    async with store.reading() as tx:
        assert await games.unfinished_ids(tx) == []
        game_id = await asyncio.wait_for(store_game(store), TIMEOUT_SECONDS)
        assert await games.unfinished_ids(tx) == []
    async with store.reading() as tx:
        assert await games.unfinished_ids(tx) == [game_id]


@contextmanager
def other_program(path: Path, *statements: str) -> Iterator[sqlite3.Connection]:
    """Execute statements on the file like another program, without write-ahead logging."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE theirs (n INTEGER)")
        for statement in statements:
            other.execute(statement).fetchall()
        yield other


WRITES = ["BEGIN EXCLUSIVE"]
READS = ["BEGIN", "SELECT * FROM theirs"]


@pytest.fixture
def no_busy_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make SQLite fail instead of waiting, as it does when two connections turn on WAL at once."""

    def prepare(connection: DBAPIConnection, _record: object) -> None:
        connection.isolation_level = None
        connection.cursor().execute("PRAGMA busy_timeout = 0")

    monkeypatch.setattr("store.connection.dialect.prepare_sqlite", prepare)


async def check_open_waits(path: Path, other: sqlite3.Connection) -> None:
    """Check that a store opens only after the other program commits."""
    opening = asyncio.create_task(Store.open(path))
    await asyncio.sleep(0.1)
    assert not opening.done()
    other.execute("COMMIT")
    await (await asyncio.wait_for(opening, TIMEOUT_SECONDS)).close()


@pytest.mark.parametrize("statements", [WRITES, READS], ids=["writes", "reads"])
async def test_opening_waits_for_another_program(tmp_path: Path, statements: list[str]) -> None:
    with other_program(tmp_path / "busy.db", *statements) as other:
        await check_open_waits(tmp_path / "busy.db", other)


async def test_opening_retries_where_sqlite_does_not_wait(tmp_path: Path, no_busy_timeout: None) -> None:
    with other_program(tmp_path / "busy.db", *READS) as other:
        await check_open_waits(tmp_path / "busy.db", other)


async def test_opening_fails_after_the_timeout(
    tmp_path: Path, no_busy_timeout: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.connection.database.BUSY_TIMEOUT_MILLISECONDS", 100)
    with other_program(tmp_path / "busy.db", *READS), pytest.raises(TimeoutError):
        await Store.open(tmp_path / "busy.db")


async def test_rows_are_there_after_reopening(store: Store, location: str) -> None:
    game_id = await store_game(store)
    again = await Store.open(location)
    async with again.reading() as tx:
        assert (await games.get(tx, game_id)).code == "BCDF"
    await again.close()


async def test_a_path_may_contain_a_percent_sign(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "50% off.db")
    await store_game(store)
    await store.close()
    assert (tmp_path / "50% off.db").exists()


async def test_references_are_enforced(store: Store) -> None:
    with pytest.raises(IntegrityError):
        async with store.writing() as tx:
            await tx.execute(text("INSERT INTO playing VALUES (1, 99)"))


async def test_an_error_shows_its_statement_but_not_its_values(store: Store) -> None:
    """Keep values out of errors. Errors are logged, and a setup contains the secret seed."""
    with pytest.raises(DatabaseError) as caught:
        async with store.writing() as tx:
            await tx.execute(text("INSERT INTO nowhere VALUES (:setup)"), {"setup": "the seed"})
    assert "INSERT INTO nowhere" in str(caught.value)
    assert "the seed" not in str(caught.value)


async def test_a_server_with_asynchronous_commits_is_warned_of(
    postgresql: Cluster, empty_database: str, caplog: pytest.LogCaptureFixture
) -> None:
    name = urlsplit(empty_database).path.removeprefix("/")
    for setting, warnings in (("on", 0), ("off", 1)):
        postgresql.sql(f"ALTER DATABASE {name} SET synchronous_commit = {setting}")
        store = await Store.open(empty_database, migrate=False)
        await store.close()
        assert caplog.text.count("synchronous_commit is off") == warnings
