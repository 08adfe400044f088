"""A driver of SQLite that makes one call to the connection's thread for each statement.

aiosqlite runs SQLite in a thread. It makes a cursor, executes, fetches and closes it in separate calls to the thread,
and each call costs more than most of our statements themselves. Here they are a single call. BEGIN is sent with the
first statement; sent earlier, it would have no effect for a reader, and lock the file for nothing for a writer.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Self

import aiosqlite

StatementValues = Sequence[Any] | dict[str, Any]
"""The parameters of a statement, by position or by name."""


class Cursor:
    """A cursor as SQLAlchemy needs it, which fetches the rows of a statement together with executing it."""

    def __init__(self, connection: BatchedSqliteConnection) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, statement: str, parameters: StatementValues = ()) -> Self:
        """Execute a statement, and fetch all of its rows."""
        await self._connection.run(partial(self._execute, statement, parameters))
        return self

    async def executemany(self, statement: str, parameters: Iterable[StatementValues]) -> Self:
        """Execute a statement once for each of several rows."""
        await self._connection.run(partial(self._executemany, statement, parameters))
        return self

    async def fetchall(self) -> list[Any]:
        """Return all rows, once."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Do nothing: the cursor of :mod:`sqlite3` is closed as soon as its rows are fetched."""

    def _execute(self, statement: str, parameters: StatementValues, connection: sqlite3.Connection) -> None:
        self._take(connection.execute(statement, parameters))

    def _executemany(
        self, statement: str, parameters: Iterable[StatementValues], connection: sqlite3.Connection
    ) -> None:
        self._take(connection.executemany(statement, parameters))

    def _take(self, cursor: sqlite3.Cursor) -> None:
        """Take over the rows and the results of a cursor, and close it."""
        self._rows = cursor.fetchall() if cursor.description else []
        self.description, self.rowcount, self.lastrowid = cursor.description, cursor.rowcount, cursor.lastrowid
        cursor.close()


class BatchedSqliteConnection(aiosqlite.Connection):
    """A connection that makes one call to its thread for a statement, and none for a transaction without statements."""

    pending_begin = ""
    """The BEGIN that is sent together with the next statement."""
    writes = False
    """True when the transaction writes."""
    _used = False
    """True once a statement was sent in the current transaction, even if its caller was cancelled."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        self._opened: list[sqlite3.Connection] = []
        """The connection of :mod:`sqlite3`, as soon as its thread has opened the file."""
        super().__init__(partial(_open, connector, self._opened), iter_chunk_size=64)
        self._thread.daemon = True  # as SQLAlchemy does: a connection left open must not keep the process alive

    def stop(self) -> asyncio.Future[Any] | None:
        """Close the file and end the thread.

        aiosqlite closes only what ``connect`` has returned. The thread of a caller who is cancelled meanwhile opens the
        file all the same.
        """
        self._tx.put_nowait((None, partial(_close, self._opened)))
        return super().stop()

    def cursor(self) -> Cursor:  # type: ignore[override]  # no coroutine: making one costs no call
        """Return a new cursor."""
        return Cursor(self)

    async def run(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Run work in the thread."""
        begin, self.pending_begin = self.pending_begin, ""
        self._used = True
        await self._execute(self._run_after_begin, begin, work)  # type: ignore[no-untyped-call]

    def _run_after_begin(self, begin: str, work: Callable[[sqlite3.Connection], None]) -> None:
        """Send BEGIN, if there is one, and run the work; called in the connection's thread."""
        if begin:
            self._conn.rollback()  # the queued rollback of a reader may have failed, which no caller would learn
            self._conn.execute(begin)
        work(self._conn)

    async def commit(self) -> None:
        """Commit the transaction, if one has begun."""
        await self._end(super().commit)

    async def rollback(self) -> None:
        """Roll the transaction back, if one has begun; a reader does not wait for that."""
        await self._end(super().rollback if self.writes else self._queue_rollback)

    async def _queue_rollback(self) -> None:
        """Queue the rollback in the connection's thread, which runs it before the next statement."""
        self._tx.put_nowait((None, self._conn.rollback))

    async def _end(self, end: Callable[[], Any]) -> None:
        """End the transaction, and forget a BEGIN that no statement followed."""
        self.pending_begin = ""
        if self._used:
            await end()
            self._used = False


def _open(connector: Callable[[], sqlite3.Connection], opened: list[sqlite3.Connection]) -> sqlite3.Connection:
    """Open a file, and add its connection to a list; called in the connection's thread."""
    opened.append(connector())
    return opened[0]


def _close(opened: list[sqlite3.Connection]) -> None:
    """Close what was opened, if anything; called in the connection's thread."""
    for connection in opened:
        connection.close()


async def connect(database: str, **options: object) -> aiosqlite.Connection:
    """Open a file, as SQLAlchemy's ``async_creator_fn``."""
    open_file: Callable[..., sqlite3.Connection] = sqlite3.connect
    return await BatchedSqliteConnection(partial(open_file, database, **options))
