"""What the databases do differently: how they are opened, what a writer locks first, what their errors mean."""

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
LOCKS: Final = "castellan_locks"
"""The option of a connection that writes: what its transaction locks first. Without it nothing is written."""
BUSY_MILLISECONDS: Final = 5_000
POOL: Final = 4
"""Connections to a server that a process keeps, and no more."""
_OLD_NAME: Final = "postgres"
"""How hosts still call it in addresses."""
_DRIVER: Final = "postgresql+castellan"
registry.register("postgresql.castellan", "store.connection.postgres", "Dialect")

_AGAIN: Final = frozenset({"40001", "40P01"})
"""Nothing is wrong: somebody else was quicker, or both would have waited for each other."""
READ_ONLY: Final = "25006"
"""The server has become one that may only be read: another one is the first now."""
DISK_FULL: Final = "53100"
_UNAVAILABLE: Final = (READ_ONLY, "08", "53", "55P03", "57", "58", "25P03")
"""How the codes of errors begin that pass by without anything being wrong with what was asked."""
_PUT_BACK: Final = "the file is damaged: move it away and put a copy in its place (python -m operations restore)"
_SQLITE_SAID: Final = {
    sqlite3.SQLITE_BUSY: "another program holds the file",
    sqlite3.SQLITE_LOCKED: "another program holds the file",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened: look whether it and its directory are there",
    sqlite3.SQLITE_FULL: "the disk is full: make room on it",
    sqlite3.SQLITE_IOERR: "the disk does not read or write as it should",
    sqlite3.SQLITE_READONLY: "the file may only be read: let the bot write it and its directory",
    sqlite3.SQLITE_CORRUPT: _PUT_BACK,
    sqlite3.SQLITE_NOTADB: _PUT_BACK,
}
"""What SQLite says that has nothing to do with what was asked, and what to do."""
_SQLITE_MEANS: Final[Mapping[int, type[UnavailableError]]] = {
    sqlite3.SQLITE_FULL: DiskFullError,
    sqlite3.SQLITE_IOERR: DamagedFileError,
    sqlite3.SQLITE_CORRUPT: DamagedFileError,
    sqlite3.SQLITE_NOTADB: DamagedFileError,
}
"""After these what needs something else of the file may succeed, and nothing is over."""
_OTHER_FILE: Final = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_READONLY,
    }
)
"""After these the file may be another one: connections that were open before still have the old one."""


def url_of(location: str | Path) -> URL:
    """What a location means: an address as hosts give it, a URL of SQLAlchemy, or a file of SQLite.

    Raises:
        sqlalchemy.exc.ArgumentError: it means nothing.
    """
    text = str(location)
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=text)
    url = make_url(text)
    return url.set(drivername=_DRIVER) if url.get_backend_name() in {POSTGRESQL, _OLD_NAME} else url


def engine_of(url: URL, *, pool: int = POOL, migrating: bool = False, whole: bool = False) -> AsyncEngine:
    """Connections to a database; of what may take long, ``migrating`` and work on the ``whole`` of it, it is said."""
    if url.get_backend_name() != POSTGRESQL:
        engine = create_async_engine(
            url, hide_parameters=True, connect_args={"async_creator_fn": sqlite_driver.connect}, pool_use_lifo=True
        )
        event.listen(engine.sync_engine, "connect", prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
        event.listen(engine.sync_engine, "handle_error", _give_up)
        return engine  # parameters are hidden because a setup holds the seed
    from store.connection import postgres  # noqa: PLC0415 - needs a driver that SQLite does without

    limits = postgres.MIGRATING if migrating else postgres.WHOLE if whole else postgres.USUAL
    arguments = postgres.driver_arguments(url, limits)
    size = {"pool_size": pool, "max_overflow": 0, "pool_timeout": limits.idle, "pool_use_lifo": True}
    engine = create_async_engine(url, hide_parameters=True, connect_args=arguments, **size)
    event.listen(engine.sync_engine, "begin", _begin_postgresql)
    event.listen(engine.sync_engine, "handle_error", _give_up)
    return engine


def upsert(table: Table, values: Mapping[str, Any], *, where: ColumnElement[bool] | None = None) -> Insert:
    """Store a row in place of the one with its primary key, or only in place of one of which a condition is true."""
    return replacing(table, values, where=where).values(dict(values))


def replacing(table: Table, columns: Iterable[str], *, where: ColumnElement[bool] | None = None) -> Insert:
    """The same for as many rows as are handed over with the statement, all with these columns."""
    keys = [column.name for column in table.primary_key]
    new = insert(table)  # SQLite has the same words for it
    changed = {name: new.excluded[name] for name in columns if name not in keys}
    if not changed:
        return new.on_conflict_do_nothing(index_elements=keys)
    return new.on_conflict_do_update(index_elements=keys, set_=changed, where=where)


@dataclass(frozen=True, slots=True)
class Locks:
    """What a writer wants to have for itself before it reads anything.

    SQLite lets one write at a time, so that nothing else has to be locked there.
    """

    names: tuple[str, ...] = ()
    event: int | None = None
    lobby: int | None = None
    game: int | None = None

    @property
    def statement(self) -> str:
        """How PostgreSQL locks it: in one order, so that nobody waits for who waits for him."""
        quoted = sorted(name.replace("'", "''") for name in self.names)
        wanted = [f"SELECT pg_advisory_xact_lock(hashtextextended('{name}', 0))" for name in quoted]
        for table, key in (("events", self.event), ("lobbies", self.lobby), ("games", self.game)):
            if key is not None:
                wanted.append(f"SELECT 1 FROM {table} WHERE id = {key:d} FOR NO KEY UPDATE")  # noqa: S608 - a number
        return "; ".join(wanted)


def to_write(tx: AsyncConnection, query: Select[*Columns]) -> Select[*Columns]:
    """A query whose rows nobody else changes until the end, if it is asked in a transaction that writes."""
    connection = tx.sync_connection
    writes = connection is not None and LOCKS in connection.get_execution_options()
    return query.with_for_update(key_share=True) if writes else query


def largest_of_few(tx: AsyncConnection, key: ColumnElement[int]) -> ColumnElement[int]:
    """The key of which the largest is wanted among rows that an index finds.

    SQLite keeps them in its order there. PostgreSQL does not, and would rather follow the order of the keys themselves:
    where an index finds none, through all there are.
    """
    return key + 0 if tx.dialect.name == POSTGRESQL else key


async def empty(tx: AsyncConnection, tables: Sequence[Table]) -> None:
    """Take all rows out of tables; those to which others refer come first.

    PostgreSQL would look, for each row that goes, through whatever may refer to it.
    """
    if tx.dialect.name == POSTGRESQL:
        await tx.execute(text(f"TRUNCATE {', '.join(table.name for table in tables)}"))
        return
    for table in reversed(tables):
        await tx.execute(delete(table))


async def hold(tx: AsyncConnection, table: Table, which: ColumnElement[bool]) -> None:
    """Have some rows for oneself until the end; whoever writes SQLite has all of them."""
    if tx.dialect.name == POSTGRESQL:
        held = select(table.c.id).where(which).order_by(table.c.id).with_for_update(key_share=True).subquery()
        await tx.execute(select(func.count()).select_from(held))  # of very many, nobody wants to hear which


async def hold_name(tx: AsyncConnection, name: str) -> None:
    """Have what several agree to call so for oneself until the end, once it is known that it is needed."""
    if tx.dialect.name == POSTGRESQL:
        await tx.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


def prepare_sqlite(connection: DBAPIConnection, _record: object) -> None:
    """Set what SQLite forgets with every connection; its driver must leave BEGIN to us."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
    # FULL: a move that was accepted survives a power cut, for less than a millisecond a move.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """Writers take the file's lock at once: turning from reading to writing halfway may fail."""
    writes = LOCKS in connection.get_execution_options()
    driver = cast("sqlite_driver.BatchedSqliteConnection", connection.connection.driver_connection)
    driver.writes = writes
    driver.begin_with = "BEGIN IMMEDIATE" if writes else "BEGIN"  # told without a cursor: it goes with what comes next


def _begin_postgresql(connection: Connection) -> None:
    """The rest does the dialect, which begins at once."""
    from store.connection import postgres  # noqa: PLC0415 - needs a driver that SQLite does without

    locks = connection.get_execution_options().get(LOCKS)
    postgres.begin_with(connection.connection, None if locks is None else locks.statement)


def _give_up(context: ExceptionContext) -> UnavailableError | None:
    """Close a connection that does not answer: asking it to roll back would wait for nothing. What that is then.

    Where another server or file may be the right one by now, all that are open are closed.
    """
    error = context.original_exception
    if _sqlite_code(error) in _OTHER_FILE or getattr(error, "sqlstate", None) == READ_ONLY:
        context.is_disconnect = True
    if not isinstance(error, TimeoutError | OSError) or context.connection is None:
        return None
    driver = context.connection.connection.driver_connection
    if driver is not None:
        driver.terminate()
    context.is_disconnect = True
    return UnavailableError(str(error) or "the database does not answer")


def sqlstate_of(error: DBAPIError) -> str:
    """The five signs with which PostgreSQL says what is wrong; none for everything else."""
    return str(getattr(error.orig, "sqlstate", None) or "")


def meant_by(error: DBAPIError) -> StoreError | None:
    """What an error means that has nothing to do with what was asked; None for any other."""
    code = sqlstate_of(error)
    if code in _AGAIN:
        return CollisionError(code)
    sqlite_code = _sqlite_code(error.orig)
    said = _SQLITE_SAID.get(sqlite_code)
    if said is not None:
        meant = _SQLITE_MEANS.get(sqlite_code, UnavailableError)
        return meant(f"{said} ({error.orig})")
    if code == DISK_FULL:
        return DiskFullError(str(error.orig))
    passing = error.connection_invalidated or code.startswith(_UNAVAILABLE)
    return UnavailableError(str(error.orig)) if passing else None


def _sqlite_code(error: BaseException | None) -> int:
    """What kind of error of SQLite's it is; 0 for none."""
    return (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
