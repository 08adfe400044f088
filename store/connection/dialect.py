"""Differences between SQLite and PostgreSQL: opening, locking, and the meaning of errors.

Other modules of the store hardly have to distinguish the two. A driver's error becomes one of ``store.errors`` if a
retry, or the operator, can help; all others are bugs in our statements, and are raised as they are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVarTuple, cast

from sqlalchemy import URL, ColumnElement, Connection, Select, Table, delete, event, func, make_url, select, text
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from store.connection import sqlite_driver
from store.errors import CollisionError, DamagedFileError, DiskFullError, StoreError, UnavailableError

Columns = TypeVarTuple("Columns")

SQLITE: Final = "sqlite"
POSTGRESQL: Final = "postgresql"
LOCKS_OPTION: Final = "castellan_locks"
"""The execution option of connections that write: the :class:`Locks` of the transaction. Readers have none."""
BUSY_TIMEOUT_MILLISECONDS: Final = 5_000
"""The longest wait of SQLite for another process that writes the file."""
POOL_SIZE: Final = 4
"""The number of connections that a process keeps to a server, and the most that it opens."""
_OLD_SCHEME: Final = "postgres"
"""The scheme that some hosts still use in addresses."""
_DRIVER: Final = "postgresql+castellan"
"""The name by which SQLAlchemy finds our dialect, ``postgres.Dialect``, registered below."""
registry.register("postgresql.castellan", "store.connection.postgres", "Dialect")

_COLLISION_CODES: Final = frozenset({"40001", "40P01"})
"""SQLSTATEs of a serialization failure and of a deadlock: retrying the transaction is right."""
READ_ONLY: Final = "25006"
"""The SQLSTATE of a server that has become a replica: another one is the primary now."""
DISK_FULL: Final = "53100"
"""The SQLSTATE of a full disk."""
_UNAVAILABLE_PREFIXES: Final = (READ_ONLY, "08", "53", "55P03", "57", "58", "25P03")
"""Prefixes of the SQLSTATEs of passing failures of the server, which the statement did not cause."""
_RESTORE_ADVICE: Final = "the file is damaged: move it away and put a copy in its place (python -m operations restore)"
_SQLITE_ADVICE: Final = {
    sqlite3.SQLITE_BUSY: "another program holds the file",
    sqlite3.SQLITE_LOCKED: "another program holds the file",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened: look whether it and its directory are there",
    sqlite3.SQLITE_FULL: "the disk is full: make room on it",
    sqlite3.SQLITE_IOERR: "the disk does not read or write as it should",
    sqlite3.SQLITE_READONLY: "the file may only be read: let the bot write it and its directory",
    sqlite3.SQLITE_CORRUPT: _RESTORE_ADVICE,
    sqlite3.SQLITE_NOTADB: _RESTORE_ADVICE,
}
"""Errors of SQLite that the statement did not cause, by primary result code, with advice to the operator."""
_SQLITE_ERRORS: Final[Mapping[int, type[UnavailableError]]] = {
    sqlite3.SQLITE_FULL: DiskFullError,
    sqlite3.SQLITE_IOERR: DamagedFileError,
    sqlite3.SQLITE_CORRUPT: DamagedFileError,
    sqlite3.SQLITE_NOTADB: DamagedFileError,
}
"""Errors after which a success elsewhere in the file proves nothing (``outages.Probe``)."""
_DISCONNECTING_CODES: Final = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_READONLY,
    }
)
"""Errors after which the file may be replaced: connections that are open still have the old one."""


def url_of(location: str | Path) -> URL:
    """Return the URL of a location: an address as hosts give it, a URL of SQLAlchemy, or a file of SQLite.

    Raises:
        sqlalchemy.exc.ArgumentError: it cannot be parsed.
    """
    text = str(location)
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=text)
    url = make_url(text)
    return url.set(drivername=_DRIVER) if url.get_backend_name() in {POSTGRESQL, _OLD_SCHEME} else url


def create_engine(url: URL, *, pool: int = POOL_SIZE, migrating: bool = False, bulk: bool = False) -> AsyncEngine:
    """Create an engine; ``migrating`` and ``bulk`` (work on the whole database) raise a server's timeouts."""
    if url.get_backend_name() != POSTGRESQL:
        engine = create_async_engine(
            url, hide_parameters=True, connect_args={"async_creator_fn": sqlite_driver.connect}, pool_use_lifo=True
        )
        event.listen(engine.sync_engine, "connect", prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
        event.listen(engine.sync_engine, "handle_error", _terminate_if_unresponsive)
        return engine  # parameters are hidden in errors because a setup contains the seed
    from store.connection import postgres  # noqa: PLC0415 - needs a driver that SQLite does without

    limits = postgres.MIGRATION_LIMITS if migrating else postgres.BULK_LIMITS if bulk else postgres.DEFAULT_LIMITS
    arguments = postgres.driver_arguments(url, limits)
    size = {"pool_size": pool, "max_overflow": 0, "pool_timeout": limits.idle, "pool_use_lifo": True}
    engine = create_async_engine(url, hide_parameters=True, connect_args=arguments, **size)
    event.listen(engine.sync_engine, "begin", _begin_postgresql)
    event.listen(engine.sync_engine, "handle_error", _terminate_if_unresponsive)
    return engine


def upsert(table: Table, values: Mapping[str, Any], *, where: ColumnElement[bool] | None = None) -> Insert:
    """Insert a row, or update the one with its primary key; with ``where``, only if that condition holds for it."""
    return upsert_many(table, values, where=where).values(dict(values))


def upsert_many(table: Table, columns: Iterable[str], *, where: ColumnElement[bool] | None = None) -> Insert:
    """Return an upsert of rows with these columns; the rows themselves are parameters of its execution."""
    keys = [column.name for column in table.primary_key]
    new = insert(table)  # PostgreSQL's construct; SQLite has the same syntax
    changed = {name: new.excluded[name] for name in columns if name not in keys}
    if not changed:
        return new.on_conflict_do_nothing(index_elements=keys)
    return new.on_conflict_do_update(index_elements=keys, set_=changed, where=where)


@dataclass(frozen=True, slots=True)
class Locks:
    """The locks that a writer takes before it reads anything.

    SQLite has a single writer at a time, so nothing else has to be locked there.
    """

    names: tuple[str, ...] = ()
    event: int | None = None
    lobby: int | None = None
    game: int | None = None

    @property
    def statement(self) -> str:
        """The statements that take these locks on PostgreSQL, always in the same order, which prevents deadlocks."""
        quoted_names = sorted(name.replace("'", "''") for name in self.names)
        statements = [f"SELECT pg_advisory_xact_lock(hashtextextended('{name}', 0))" for name in quoted_names]
        for table, key in (("events", self.event), ("lobbies", self.lobby), ("games", self.game)):
            if key is not None:
                statements.append(f"SELECT 1 FROM {table} WHERE id = {key:d} FOR NO KEY UPDATE")  # noqa: S608 - a number
        return "; ".join(statements)


def locked_if_writing(tx: AsyncConnection, query: Select[*Columns]) -> Select[*Columns]:
    """Return a query that locks its rows until the end of the transaction, if the transaction writes."""
    connection = tx.sync_connection
    writes = connection is not None and LOCKS_OPTION in connection.get_execution_options()
    return query.with_for_update(key_share=True) if writes else query


def largest_of_few(tx: AsyncConnection, key: ColumnElement[int]) -> ColumnElement[int]:
    """Return an expression for the maximum of a key among the few rows that another index finds.

    That index of SQLite is sorted by the key, too. PostgreSQL would scan the primary key backwards instead, through the
    whole table where no row matches; a computed key prevents that.
    """
    return key + 0 if tx.dialect.name == POSTGRESQL else key


async def delete_all(tx: AsyncConnection, tables: Sequence[Table]) -> None:
    """Delete all rows of tables, which are sorted: referenced tables before those that refer to them.

    PostgreSQL would search every referring table for each deleted row, so there the tables are truncated.
    """
    if tx.dialect.name == POSTGRESQL:
        await tx.execute(text(f"TRUNCATE {', '.join(table.name for table in tables)}"))
        return
    for table in reversed(tables):
        await tx.execute(delete(table))


async def lock_rows(tx: AsyncConnection, table: Table, condition: ColumnElement[bool]) -> None:
    """Lock the rows that fulfil a condition until the end of the transaction.

    On SQLite nothing has to be done, because a writer has locked the whole file.
    """
    if tx.dialect.name == POSTGRESQL:
        locked = select(table.c.id).where(condition).order_by(table.c.id).with_for_update(key_share=True).subquery()
        await tx.execute(select(func.count()).select_from(locked))  # counted, to transfer no ids of very many rows


async def lock_name(tx: AsyncConnection, name: str) -> None:
    """Take an advisory lock, named by agreement, until the end of the transaction."""
    if tx.dialect.name == POSTGRESQL:
        await tx.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


def prepare_sqlite(connection: DBAPIConnection, _record: object) -> None:
    """Configure a new connection, since SQLite keeps none of this in the file; its driver must leave BEGIN to us."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MILLISECONDS}")
    # FULL: a move that was accepted survives a power cut, for less than a millisecond a move.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Let the next statement send BEGIN; a writer locks the file at once, since upgrading a lock later may fail."""
    writes = LOCKS_OPTION in connection.get_execution_options()
    driver = cast("sqlite_driver.BatchedSqliteConnection", connection.connection.driver_connection)
    driver.writes = writes
    driver.pending_begin = "BEGIN IMMEDIATE" if writes else "BEGIN"


def _begin_postgresql(connection: Connection) -> None:
    """Pass the locks of the transaction to the connection; ``postgres.Dialect`` sends them with its BEGIN."""
    from store.connection import postgres  # noqa: PLC0415 - needs a driver that SQLite does without

    locks = connection.get_execution_options().get(LOCKS_OPTION)
    postgres.set_locks(connection.connection, None if locks is None else locks.statement)


def _terminate_if_unresponsive(context: ExceptionContext) -> UnavailableError | None:
    """Terminate a connection that does not answer, without a ROLLBACK, and return the error to raise instead.

    Where the server or file may have been replaced, the whole pool is closed.
    """
    error = context.original_exception
    if _sqlite_code(error) in _DISCONNECTING_CODES or getattr(error, "sqlstate", None) == READ_ONLY:
        context.is_disconnect = True
    if not isinstance(error, TimeoutError | OSError) or context.connection is None:
        return None
    driver = context.connection.connection.driver_connection
    if driver is not None:
        driver.terminate()
    context.is_disconnect = True
    return UnavailableError(str(error) or "the database does not answer")


def translate_error(error: DBAPIError) -> StoreError | None:
    """Return the store's error for a failure that the statement did not cause; None for any other error."""
    code = str(getattr(error.orig, "sqlstate", None) or "")  # of PostgreSQL
    if code in _COLLISION_CODES:
        return CollisionError(code)
    sqlite_code = _sqlite_code(error.orig)
    advice = _SQLITE_ADVICE.get(sqlite_code)
    if advice is not None:
        kind = _SQLITE_ERRORS.get(sqlite_code, UnavailableError)
        return kind(f"{advice} ({error.orig})")
    if code == DISK_FULL:
        return DiskFullError(str(error.orig))
    is_transient = error.connection_invalidated or code.startswith(_UNAVAILABLE_PREFIXES)
    return UnavailableError(str(error.orig)) if is_transient else None


def _sqlite_code(error: BaseException | None) -> int:
    """Return the primary result code of an error of SQLite; 0 for other errors."""
    return (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
