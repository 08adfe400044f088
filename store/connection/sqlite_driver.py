"""A driver of SQLite that makes one call to the connection's thread for each statement.

aiosqlite makes a cursor, executes, fetches and closes it in a call each, and each call costs more than what most of our
statements take. Here they are one call, and BEGIN is sent lazily with the first statement: until then SQLite would not
even have looked at the file, or would have locked it for nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Self

import aiosqlite

StatementValues = Sequence[Any] | dict[str, Any]


class Cursor:
    """A cursor as SQLAlchemy needs it; the rows of a statement are there as soon as it is executed."""

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
        """Execute a statement, and fetch all that it finds."""
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
        """Do nothing: it is closed already."""

    def _execute(self, statement: str, parameters: StatementValues, connection: sqlite3.Connection) -> None:
        self._take(connection.execute(statement, parameters))

    def _executemany(
        self, statement: str, parameters: Iterable[StatementValues], connection: sqlite3.Connection
    ) -> None:
        self._take(connection.executemany(statement, parameters))

    def _take(self, cursor: sqlite3.Cursor) -> None:
        self._rows = cursor.fetchall() if cursor.description else []
        self.description, self.rowcount, self.lastrowid = cursor.description, cursor.rowcount, cursor.lastrowid
        cursor.close()


class BatchedSqliteConnection(aiosqlite.Connection):
    """A connection whose cursors make one call for a statement, and that makes none to end what has not begun."""

    begin_with = ""
    """The statement by which the next one begins its transaction."""
    writes = False
    """True when the transaction writes."""
    _used = False
    """True when anything was asked of the thread since a transaction ended, even if nobody waited for the answer."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True  # as SQLAlchemy does: what is not closed holds up no end

    def cursor(self) -> Cursor:  # type: ignore[override]  # no coroutine: nothing is done for it yet
        """Return a new cursor."""
        return Cursor(self)

    async def run(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Run work in the thread."""
        begin, self.begin_with = self.begin_with, ""
        self._used = True
        await self._execute(self._begun, begin, work)  # type: ignore[no-untyped-call]

    def _begun(self, begin: str, work: Callable[[sqlite3.Connection], None]) -> None:
        if begin:
            self._conn.rollback()  # had the end of what only read gone wrong, nobody would have been told
            self._conn.execute(begin)
        work(self._conn)

    async def commit(self) -> None:
        """Commit the transaction, if one has begun."""
        await self._end(super().commit)

    async def rollback(self) -> None:
        """Roll the transaction back, if one has begun; nobody waits for the end of one that only read."""
        await self._end(super().rollback if self.writes else self._end_of_reading)

    async def _end_of_reading(self) -> None:
        """Queue the rollback: whatever comes next comes after it, since a connection does one thing at a time."""
        self._tx.put_nowait((None, self._conn.rollback))

    async def _end(self, end: Callable[[], Any]) -> None:
        self.begin_with = ""
        if self._used:
            await end()
            self._used = False


async def connect(database: str, **options: object) -> aiosqlite.Connection:
    """Open a file."""
    open_file: Callable[..., sqlite3.Connection] = sqlite3.connect
    return await BatchedSqliteConnection(partial(open_file, database, **options))
