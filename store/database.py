"""The database file: how it is opened, read and written."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Final, Self, cast

import aiosqlite
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from store import hops
from store.copies import keep_copy

Transaction = AsyncConnection
"""What the functions of the store work in; handed out by :meth:`Store.reading` and :meth:`Store.writing`."""

MIGRATIONS: Final = Path(__file__).parent / "migrations"
_BUSY_MILLISECONDS: Final = 5_000
_RETRY_SECONDS: Final = 0.02
_CLOSING_SECONDS: Final = 10
_WRITES: Final = "castellan_writes"


class Store:
    """One database: many read at a time, one writes, and a lock goes round each write.

    >>> store = await Store.open("castellan.db")
    >>> async with store.writing() as tx:
    ...     await games.add(tx, new, now)
    """

    def __init__(self, engine: AsyncEngine) -> None:
        # One look may take several statements, which shall see the same; SQLite's transactions do so by themselves.
        looks = {} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
        self._engine = engine
        self._reader = engine.execution_options(**looks)
        self._writer = engine.execution_options(**{_WRITES: True})
        self._write_lock = asyncio.Lock()
        self._uses = 0
        self._unused = asyncio.Event()
        self._closed = False
        self.observe: Callable[[str, float], None] | None = None
        """Told of every transaction what kind it was, and how many seconds it took."""

    @classmethod
    async def open(cls, location: str | Path, *, migrate: bool = True) -> Self:
        """Open a file (or a URL of SQLAlchemy) and bring its tables up to date, unless they are to stay as they are."""
        url = url_of(location)
        ours = {"async_creator_fn": hops.connect} if url.get_backend_name() == "sqlite" else {}
        engine = create_async_engine(url, hide_parameters=True, connect_args=ours)  # a setup holds the seed
        store = cls(engine)
        try:
            if engine.dialect.name == "sqlite":
                event.listen(engine.sync_engine, "connect", _prepare_sqlite)
                event.listen(engine.sync_engine, "begin", _begin_sqlite)
                await _turn_on_wal(engine)
            if migrate:
                await store.migrate()
        except BaseException:
            await store.close()
            raise
        return store

    async def migrate(self, revision: str = "head") -> None:
        """Bring the tables to a revision, all or nothing; two processes that start together take turns."""
        async with self.writing() as tx:
            await tx.run_sync(_upgrade, revision)

    async def close(self) -> None:
        """Close all connections, once those who read or write are done; whoever comes later closes after himself."""
        self._closed = True
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING_SECONDS):
                while self._uses:
                    self._unused.clear()
                    await self._unused.wait()
        await self._engine.dispose()

    @asynccontextmanager
    async def _in_use(self, kind: str) -> AsyncIterator[None]:
        """The pool forgets, open, a connection that comes back after the end: the last one back closes."""
        self._uses += 1
        began = perf_counter()
        try:
            yield
        finally:
            if self.observe is not None:
                self.observe(kind, perf_counter() - began)
            self._uses -= 1
            if not self._uses:
                self._unused.set()
                if self._closed:
                    await asyncio.shield(self._engine.dispose())

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        """One consistent view of the database, not disturbed by who writes meanwhile."""
        async with self._in_use("read"), self._reader.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[Transaction]:
        """A transaction: all of it is stored when the block ends, or nothing of it when the block raises."""
        async with self._in_use("write"), self._write_lock, self._writer.begin() as connection:
            yield connection


def url_of(location: str | Path) -> URL:
    """What a location means: a URL of SQLAlchemy, or a file of SQLite."""
    text = str(location)
    return make_url(text) if "://" in text else URL.create("sqlite+aiosqlite", database=text)


def _prepare_sqlite(connection: DBAPIConnection, _record: object) -> None:
    """Set what SQLite forgets with every connection; its driver must leave BEGIN to us."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    # FULL: a move that was accepted survives a power cut, for less than a millisecond a move.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


async def _turn_on_wal(engine: AsyncEngine) -> None:
    """The file remembers it. Whoever turns it on needs the file alone, and SQLite does not wait for that."""
    async with engine.connect() as connection, asyncio.timeout(_BUSY_MILLISECONDS / 1000):
        raw = await connection.get_raw_connection()
        driver = cast("aiosqlite.Connection", raw.driver_connection)
        while True:
            try:
                async with driver.execute("PRAGMA journal_mode = WAL") as cursor:
                    await cursor.fetchall()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return


def _begin_sqlite(connection: Connection) -> None:
    """Writers take the file's lock at once: turning from reading to writing halfway may fail."""
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _upgrade(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    _copy_first(connection, ScriptDirectory.from_config(config), revision)
    command.upgrade(config, revision)


def _copy_first(connection: Connection, scripts: ScriptDirectory, revision: str) -> None:
    """Keep an SQLite file that has tables as it is, if they are to change; nobody else writes it meanwhile."""
    file = connection.engine.url.database if connection.dialect.name == "sqlite" else None
    old = MigrationContext.configure(connection).get_current_revision()
    new = scripts.as_revision_number(revision)
    known = {script.revision for script in scripts.walk_revisions()}
    if file and Path(file).is_file() and old in known and isinstance(new, str) and new != old:
        keep_copy(Path(file), str(old), new)
