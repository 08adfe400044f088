"""The SQLite driver: each statement is one call in its connection's thread, and every transaction is ended.

The fixture `hops` records those calls. BEGIN is sent with the first statement, and a reader does not wait for its
ROLLBACK.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from store import Store, Transaction
from store.connection.sqlite_driver import BatchedSqliteConnection

TIMEOUT_SECONDS = 20
INSERT = "INSERT INTO timers (game_id, kind, subject, due_at, attempts) VALUES (?, ?, 0, 0, 0)"
"""A statement that is executed for several rows."""


pytestmark = pytest.mark.sqlite


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open store whose connection has been used once."""
    store = await Store.open(tmp_path / "games.db")
    async with store.writing() as tx:
        await tx.exec_driver_sql("PRAGMA foreign_keys")
    yield store
    await store.close()


@pytest.fixture
def hops(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the calls made in the threads of connections, recorded as they are made."""
    calls: list[str] = []
    execute = BatchedSqliteConnection._execute

    async def recording_execute(self: BatchedSqliteConnection, work: object, *arguments: object) -> object:
        """Record a call into the thread of the connection."""
        calls.append(getattr(work, "__name__", str(work)))
        return await execute(self, work, *arguments)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(BatchedSqliteConnection, "_execute", recording_execute)
    return calls


async def test_a_reader_takes_one_call_for_each_statement(store: Store, hops: list[str]) -> None:
    async with store.reading() as tx:
        assert (await tx.exec_driver_sql("SELECT 1, 2")).all() == [(1, 2)]
        assert (await tx.exec_driver_sql("SELECT 3")).scalar_one() == 3
    assert hops == ["_run_after_begin", "_run_after_begin"]


async def test_a_readers_transaction_is_ended(store: Store) -> None:
    """Read newer rows on the same connection each time, as an open transaction would show the old ones."""
    for number in range(4):
        async with store.writing() as tx:
            await tx.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
            await tx.exec_driver_sql("CREATE TABLE IF NOT EXISTS counted (number)")
            await tx.exec_driver_sql("INSERT INTO counted VALUES (1)")
        async with store.reading() as tx:
            connection = await driver_of(tx)
            assert (await tx.exec_driver_sql("SELECT count(*) FROM counted")).scalar_one() == number + 1
        assert not await in_transaction(connection)


async def test_a_transaction_that_could_not_be_ended_does_not_block_the_next(store: Store) -> None:
    async with store.reading() as tx:
        connection = await driver_of(tx)
        await tx.exec_driver_sql("SELECT 1")
        await connection._execute(partial(connection._conn.set_authorizer, deny))
    await connection._execute(partial(connection._conn.set_authorizer, None))
    assert await in_transaction(connection)
    async with store.reading() as tx:
        assert await driver_of(tx) is connection
        assert (await tx.exec_driver_sql("SELECT 1")).scalar_one() == 1


def deny(_action: int, *_what: object) -> int:
    """Deny every operation, as an authorizer of SQLite."""
    return sqlite3.SQLITE_DENY


async def in_transaction(connection: Any) -> bool:
    """Return whether a transaction is open, after all queued calls of its thread."""
    return bool(await connection._execute(lambda: connection._conn.in_transaction))


async def driver_of(tx: Transaction) -> Any:
    """Return the driver's connection of a transaction."""
    return (await tx.get_raw_connection()).driver_connection


async def test_a_transaction_without_statements_makes_no_call(store: Store, hops: list[str]) -> None:
    async with store.reading():
        pass
    assert hops == []


async def test_a_write_is_committed(store: Store, hops: list[str]) -> None:
    async with store.writing() as tx:
        await tx.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        await tx.exec_driver_sql(INSERT, [(1, "one"), (1, "two")])
        deletion = await tx.exec_driver_sql("DELETE FROM timers WHERE kind = 'one'")
        assert deletion.rowcount == 1
        deletion = await tx.exec_driver_sql("DELETE FROM timers WHERE kind = 'two' RETURNING kind")
        assert deletion.all() == [("two",)]
    assert hops == ["_run_after_begin"] * 4 + ["commit"]


async def test_an_error_rolls_the_transaction_back(store: Store) -> None:
    with pytest.raises(IntegrityError):
        await _write_twice(store)
    async with store.writing() as tx:
        assert (await tx.exec_driver_sql("SELECT count(*) FROM timers")).scalar_one() == 0
    with pytest.raises(OperationalError):
        async with store.reading() as tx:
            await tx.exec_driver_sql("SELECT nothing")


async def _write_twice(store: Store) -> None:
    """Insert one row twice, which violates its primary key."""
    async with store.writing() as tx:
        await tx.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        for _ in range(2):
            await tx.exec_driver_sql(INSERT, (1, "lost"))


@pytest.mark.parametrize("is_open", [False, True])
async def test_a_file_is_closed_when_its_opening_is_cancelled(tmp_path: Path, is_open: bool) -> None:
    """Cancel it before and after the thread has opened the file, whose connection nobody receives."""
    begun, may_open, opened = threading.Event(), threading.Event(), threading.Event()
    files: list[sqlite3.Connection] = []

    def open_when_allowed() -> sqlite3.Connection:
        """Open the file; called in the connection's thread."""
        begun.set()
        may_open.wait(TIMEOUT_SECONDS)
        files.append(sqlite3.connect(tmp_path / "games.db", check_same_thread=False))
        opened.set()
        return files[0]

    connection = BatchedSqliteConnection(open_when_allowed)

    async def connect() -> None:
        """Wait for the connection."""
        await connection

    task = asyncio.create_task(connect())
    assert await asyncio.to_thread(begun.wait, TIMEOUT_SECONDS)
    if is_open:
        may_open.set()
        assert opened.wait(TIMEOUT_SECONDS)  # blocks the event loop, which does not learn of it
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    may_open.set()
    await asyncio.to_thread(connection._thread.join, TIMEOUT_SECONDS)
    with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
        files[0].execute("SELECT 1")


async def test_a_cancelled_statement_leaves_no_transaction_open(store: Store) -> None:
    """Cancel a write before or during its statements; nothing of it is stored."""
    for steps in range(8):

        async def write() -> None:
            """Insert a row and fail before the commit."""
            async with store.writing() as tx:
                await tx.exec_driver_sql("CREATE TABLE IF NOT EXISTS counted (number)")
                await tx.exec_driver_sql("INSERT INTO counted VALUES (1)")
                raise ConnectionError

        task = asyncio.create_task(write())
        for _ in range(steps):
            await asyncio.sleep(0.0002)
        task.cancel()
        with suppress(asyncio.CancelledError, ConnectionError):
            await task
        async with store.writing() as tx:
            count = await tx.exec_driver_sql("SELECT count(*) FROM sqlite_master WHERE name = 'counted'")
            assert count.scalar_one() == 0
