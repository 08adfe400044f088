"""The database: how it is opened, read and written."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Final, Self, cast

import aiosqlite
from sqlalchemy import URL, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from store.connection import migrating
from store.connection.dialect import BUSY_MILLISECONDS, LOCKS, POOL, POSTGRESQL, Locks, engine_of, meant_by, url_of
from store.connection.outages import PAUSE, WAITS, WRITING, Outages, Probes
from store.errors import UnavailableError

log = logging.getLogger(__name__)

Transaction = AsyncConnection
"""What the functions of the store work in; handed out by :meth:`Store.reading` and :meth:`Store.writing`."""

MIGRATING: Final = 0x4341535445
"""The lock of whoever brings the tables of a server up to date."""
_RETRY_SECONDS: Final = 0.02
_CLOSING_SECONDS: Final = 10


class Store:
    """One database: many read at a time. Of SQLite one writes, and a lock goes round each write.

    >>> store = await Store.open("castellan.db")
    >>> async with store.writing(game=1) as tx:
    ...     await games.advance(tx, 1, at, step, now)
    """

    def __init__(self, engine: AsyncEngine, pool: int = POOL) -> None:
        self.is_shared = engine.dialect.name == POSTGRESQL
        """Whether other processes may be at work on it, on other machines even."""
        self._engine = engine
        self._writers = asyncio.Semaphore(max(1, pool - 1) if self.is_shared else 1)
        self._uses = 0
        self._unused = asyncio.Event()
        self._closed = False
        self._outages = Outages()
        self._probes = Probes(lambda: self._connected(None), lambda: self._stored(Locks()))
        self._closing: set[asyncio.Task[None]] = set()
        """Connections that are given back."""
        self.observe: Callable[[str, float], None] | None = None
        """Told of every transaction what kind it was, and how many seconds it took."""

    @classmethod
    async def open(cls, location: str | Path, *, migrate: bool = True, pool: int = POOL, whole: bool = False) -> Self:
        """Open a file, or an address, and bring its tables up to date, unless they are to stay as they are.

        ``whole`` is for whoever works on all of it at once, which may take long.
        """
        engine = engine_of(await _checked(url_of(location)), pool=pool, whole=whole)
        store = cls(engine, pool)
        store._outages.opening = True
        try:
            if not store.is_shared:
                await _turn_on_wal(engine)
            if migrate:
                await store.migrate()
        except BaseException:
            await store.close()
            raise
        store._outages.opening = False
        return store

    async def migrate(self, revision: str = "head") -> None:
        """Bring the tables to a revision if need be, all or nothing; processes that start together take turns."""
        if not self.is_shared:
            async with self.writing() as tx:
                await tx.run_sync(migrating.upgrade, revision)
            return
        async with self.reading() as tx:
            if await tx.run_sync(migrating.stands_at, revision):
                return
        engine = engine_of(self._engine.url, pool=1, migrating=True)
        try:
            async with engine.execution_options(**{LOCKS: Locks()}).begin() as tx:
                await tx.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
                await tx.run_sync(migrating.upgrade, revision)
        finally:
            await engine.dispose()

    async def close(self) -> None:
        """Close all connections, once those who read or write are done; whoever comes later closes after himself."""
        self._closed = True
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING_SECONDS):
                while self._uses:
                    self._unused.clear()
                    await self._unused.wait()
        await self._dispose()

    async def _dispose(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING_SECONDS):
                await asyncio.gather(*self._closing, return_exceptions=True)
        await self._engine.dispose()

    @asynccontextmanager
    async def _in_use(self, kind: str) -> AsyncIterator[None]:
        """The pool forgets, open, a connection that comes back after the end: the last one back closes."""
        self._uses += 1
        began = perf_counter()
        try:
            async with self._in_time(kind):
                yield
        finally:
            if self.observe is not None:
                self.observe(kind, perf_counter() - began)
            self._uses -= 1
            if not self._uses:
                self._unused.set()
                if self._closed:
                    await asyncio.shield(self._dispose())

    @asynccontextmanager
    async def _in_time(self, kind: str) -> AsyncIterator[None]:
        """A transaction that takes no longer than somebody waits for it; that none is possible is said once."""
        patience, began = WAITS.get(), perf_counter()
        limit = asyncio.timeout(None if patience is None else patience.left)
        try:
            async with limit:
                yield
        except (UnavailableError, TimeoutError) as error:
            if isinstance(error, TimeoutError) and not limit.expired():
                raise
            if patience is not None:
                patience.left = max(0.0, patience.left - (perf_counter() - began))
            late = error if isinstance(error, UnavailableError) else UnavailableError("it did not answer in time")
            self._outages.began(kind, late)
            raise late from error
        doubt = self._outages.doubt(kind)
        if doubt is None or await self._probes.dispel(doubt):
            self._outages.over(kind)

    async def now(self) -> datetime:
        """What time it is for a database that several processes share, on several machines."""
        async with self.reading() as tx:
            found: datetime = (await tx.execute(select(func.clock_timestamp()))).scalar_one()
        return found

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        """One consistent view of the database, not disturbed by who writes meanwhile.

        Raises:
            UnavailableError: the database does not answer.
            CollisionError: it has given up this one for another.
        """
        async with self._in_use("read"), self._connected(None) as connection:
            yield connection

    @asynccontextmanager
    async def writing(
        self, *names: str, event: int | None = None, lobby: int | None = None, game: int | None = None
    ) -> AsyncIterator[Transaction]:
        """A transaction: all of it is stored when the block ends, or nothing of it when the block raises.

        Whoever decides by what is read in it says what that is about, an event, a lobby, a game, or what else two agree
        to call by a name: nobody else who says the same writes meanwhile.

        Raises:
            UnavailableError: the database does not answer; whether it has stored everything is not known.
            CollisionError: it has given up this one for another.
        """
        locks = Locks(names, event, lobby, game)
        async with self._in_use(WRITING), self._stored(locks) as connection:
            yield connection

    @asynccontextmanager
    async def _stored(self, locks: Locks) -> AsyncIterator[Transaction]:
        """A transaction that is committed when the block ends, in its turn among those of this process."""
        async with self._writers, self._connected(locks) as connection:
            yield connection
            await connection.commit()

    @asynccontextmanager
    async def _connected(self, locks: Locks | None) -> AsyncIterator[Transaction]:
        """A connection whose transaction has begun."""
        try:
            async with AsyncExitStack() as stack:
                yield await self._begun(stack, locks)
        except DBAPIError as error:
            meant = meant_by(error)
            if meant is None:
                raise
            raise meant from error

    async def _begun(self, stack: AsyncExitStack, locks: Locks | None) -> Transaction:
        """Tried again as long as somebody waits for it: nothing has happened yet that could happen twice."""
        while True:
            async with AsyncExitStack() as attempt:
                try:
                    connection = await self._begun_once(attempt, locks)
                except (DBAPIError, UnavailableError) as error:
                    why = meant_by(error) if isinstance(error, DBAPIError) else error
                    if why is None or WAITS.get() is None:
                        raise
                    self._outages.began("read" if locks is None else WRITING, why)
                else:
                    stack.push_async_exit(attempt.pop_all())
                    return connection
            await asyncio.sleep(PAUSE)

    async def _begun_once(self, stack: AsyncExitStack, locks: Locks | None) -> Transaction:
        """One that was lost while it lay in the pool is found out by its BEGIN; all of the same age are new then."""
        for may_be_old in (True, False):
            connection = await stack.enter_async_context(self._connection())
            try:
                if locks is not None:
                    _ = await connection.execution_options(**{LOCKS: locks})
                if self.is_shared:
                    _ = await connection.begin()  # SQLite begins with what it is asked first
            except DBAPIError as error:
                if not (may_be_old and error.connection_invalidated):
                    raise
                await connection.close()
            else:
                return connection
        raise AssertionError("the second connection was new")

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        """A connection out of the pool."""
        connection = self._engine.connect()
        try:
            _ = await connection.start()
        except (PoolTimeoutError, TimeoutError, OSError) as error:
            raise UnavailableError(str(error) or "the database does not answer") from error
        try:
            yield connection
        except asyncio.CancelledError:
            await self._give_back(connection, at_once=self.is_shared)
            raise
        except BaseException:
            await self._give_back(connection)
            raise
        if self.is_shared:
            await self._give_back(connection)
        else:
            await connection.close()  # what was read or committed has nothing to wait for

    async def _give_back(self, connection: AsyncConnection, *, at_once: bool = False) -> None:
        """Whoever is interrupted gives it back all the same, whole; ``at_once`` without waiting for an answer to that.

        A server that does not answer does not answer to a ROLLBACK either, and whoever waited long enough goes.
        """
        closing = asyncio.create_task(connection.close())
        self._closing.add(closing)
        closing.add_done_callback(self._given_back)
        if not at_once:
            await asyncio.shield(closing)

    def _given_back(self, closing: asyncio.Task[None]) -> None:
        self._closing.discard(closing)
        if not closing.cancelled() and (error := closing.exception()) is not None:
            log.debug("a connection was not given back: %r", error)


async def _turn_on_wal(engine: AsyncEngine) -> None:
    """The file remembers it. Whoever turns it on needs the file alone, and SQLite does not wait for that."""
    async with engine.connect() as connection, asyncio.timeout(BUSY_MILLISECONDS / 1000):
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


async def _checked(url: URL) -> URL:
    """An address with all that has to be known of what answers there."""
    if url.get_backend_name() != POSTGRESQL:
        return url
    from store.connection import postgres  # noqa: PLC0415 - needs a driver that SQLite does without

    if unused := postgres.unused(url):
        log.info("of the address of the database these parameters are not used: %s", ", ".join(unused))
    server = await postgres.ask(url)
    if not server.durable:
        log.warning("synchronous_commit is off on the server: a power cut may take back moves that were accepted")
    pooled = server.pooled and postgres.POOLED not in url.query
    return url.update_query_dict({postgres.POOLED: "true"}) if pooled else url


def is_writing(tx: Transaction) -> bool:
    """Whether a transaction writes: what is read in it may never come to be."""
    return tx.sync_connection is not None and LOCKS in tx.sync_connection.get_execution_options()
