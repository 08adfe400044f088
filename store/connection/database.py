"""The database: opening it, and its transactions, which read or write.

A :class:`Store` works alike on an SQLite file and on a PostgreSQL server. It takes care of retries, deadlines and the
translation of errors within a single transaction. Retrying a whole operation is up to the caller (``host/retry.py``),
since only the caller knows whether the operation may be repeated.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Concatenate, Final, ParamSpec, Self, TypeVar, cast

import aiosqlite
from sqlalchemy import URL, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from store.connection import migrating
from store.connection.dialect import (
    BUSY_TIMEOUT_MILLISECONDS,
    LOCKS_OPTION,
    POOL_SIZE,
    POSTGRESQL,
    Locks,
    create_engine,
    translate_error,
    url_of,
)
from store.connection.outages import READ, RETRY_BUDGET, RETRY_INTERVAL_SECONDS, WRITE, Outages, Probes
from store.errors import UnavailableError

log = logging.getLogger(__name__)
Params = ParamSpec("Params")
T = TypeVar("T")

Transaction = AsyncConnection
"""A connection within a transaction, the first argument of the store's functions.

:meth:`Store.reading` and :meth:`Store.writing` provide it.
"""

MIGRATION_LOCK: Final = 0x4341535445
"""The number of the advisory lock that a process takes while it migrates the tables of a server."""
_WAL_RETRY_SECONDS: Final = 0.02
"""The interval between attempts to turn on SQLite's write-ahead log (WAL)."""
_CLOSE_TIMEOUT_SECONDS: Final = 10
"""The longest wait for open transactions, and then for connections that are being released."""


class Store:
    """A database, with many readers at a time; on SQLite only one transaction may write at a time.

    >>> store = await Store.open("castellan.db")
    >>> async with store.writing(game=1) as tx:
    ...     await games.advance(tx, 1, at, step, now)
    """

    def __init__(self, engine: AsyncEngine, pool: int = POOL_SIZE) -> None:
        self.is_shared = engine.dialect.name == POSTGRESQL
        """True when other processes may use it, even on other machines."""
        self._engine = engine
        # On a server one connection is reserved for readers, however many writers wait for each other's locks.
        self._writers = asyncio.Semaphore(max(1, pool - 1) if self.is_shared else 1)
        self._open_transactions = 0
        self._idle = asyncio.Event()
        self._closed = False
        self._outages = Outages()
        self._probes = Probes(lambda: self._transaction(None), lambda: self._committed(Locks()))
        self._releases: set[asyncio.Task[None]] = set()
        """Tasks that return connections to the pool."""
        self.observe: Callable[[str, float], None] | None = None
        """Called after every transaction with its kind and its seconds."""

    @classmethod
    async def open(
        cls, location: str | Path, *, migrate: bool = True, pool: int = POOL_SIZE, bulk: bool = False
    ) -> Self:
        """Open a file or a server's address, and bring its tables up to date if ``migrate``.

        ``bulk`` raises the timeouts for work on the whole database.
        """
        engine = create_engine(await _complete_url(url_of(location)), pool=pool, bulk=bulk)
        store = cls(engine, pool)
        store._outages.muted = True
        try:
            if not store.is_shared:
                await _enable_wal(engine)
            if migrate:
                await store.migrate()
        except BaseException:
            await store.close()
            raise
        store._outages.muted = False
        return store

    async def migrate(self, revision: str = "head") -> None:
        """Bring the tables to a revision, all or nothing; processes that start together take turns."""
        if not self.is_shared:
            async with self.writing() as tx:
                await tx.run_sync(migrating.upgrade, revision)
            return
        async with self.reading() as tx:
            if await tx.run_sync(migrating.has_revision, revision):
                return
        engine = create_engine(self._engine.url, pool=1, migrating=True)
        try:
            async with engine.execution_options(**{LOCKS_OPTION: Locks()}).begin() as tx:
                await tx.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK)))
                await tx.run_sync(migrating.upgrade, revision)
        finally:
            await engine.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections, once open transactions have ended; later ones close theirs themselves."""
        self._closed = True
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_TIMEOUT_SECONDS):
                while self._open_transactions:
                    self._idle.clear()
                    await self._idle.wait()
        await self._dispose()

    async def _dispose(self) -> None:
        """Close all pooled connections, once those that are being released are back."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_TIMEOUT_SECONDS):
                await asyncio.gather(*self._releases, return_exceptions=True)
        await self._engine.dispose()

    @asynccontextmanager
    async def _counted(self, kind: str) -> AsyncIterator[None]:
        """Count and time a transaction; the last one after :meth:`close` disposes of the pool.

        A pool that was disposed of forgets a connection that is returned later, and leaves it open.
        """
        self._open_transactions += 1
        began = perf_counter()
        try:
            async with self._within_budget(kind):
                yield
        finally:
            if self.observe is not None:
                self.observe(kind, perf_counter() - began)
            self._open_transactions -= 1
            if not self._open_transactions:
                self._idle.set()
                if self._closed:
                    await asyncio.shield(self._dispose())

    @asynccontextmanager
    async def _within_budget(self, kind: str) -> AsyncIterator[None]:
        """Limit a transaction to the caller's retry budget, and record whether it succeeds."""
        budget, began = RETRY_BUDGET.get(), perf_counter()
        limit = asyncio.timeout(None if budget is None else budget.remaining)
        try:
            async with limit:
                yield
        except (UnavailableError, TimeoutError) as error:
            if isinstance(error, TimeoutError) and not limit.expired():
                raise
            if budget is not None:
                budget.remaining = max(0.0, budget.remaining - (perf_counter() - began))
            failure = error if isinstance(error, UnavailableError) else UnavailableError("it did not answer in time")
            self._outages.record_failure(kind, failure)
            raise failure from error
        probe = self._outages.required_probe(kind)
        if probe is None or await self._probes.succeeds(probe):
            self._outages.record_success(kind)

    async def now(self) -> datetime:
        """Return the time of a server's clock, which all processes share."""
        async with self.reading() as tx:
            server_time: datetime = (await tx.execute(select(func.clock_timestamp()))).scalar_one()
        return server_time

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        """Begin a transaction that reads one consistent snapshot of the database.

        Raises:
            UnavailableError: the database does not answer.
            CollisionError: the database has given up this transaction for a concurrent one.
        """
        async with self._counted(READ), self._transaction(None) as connection:
            yield connection

    @asynccontextmanager
    async def writing(
        self, *names: str, event: int | None = None, lobby: int | None = None, game: int | None = None
    ) -> AsyncIterator[Transaction]:
        """Begin a transaction that writes: committed when the block ends, rolled back when it raises.

        A caller that decides by what it reads names the subject of its decision: an event, a lobby, a game, or any
        name that such callers agree on. Writers with the same subject take turns.

        Raises:
            UnavailableError: the database does not answer; the transaction may have been committed, or not.
            CollisionError: the database has given up this transaction for a concurrent one.
        """
        locks = Locks(names, event, lobby, game)
        async with self._counted(WRITE), self._committed(locks) as connection:
            yield connection

    async def read(
        self,
        query: Callable[Concatenate[Transaction, Params], Awaitable[T]],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> T:
        """Return what a function reads in a transaction of its own, which it takes as its first argument."""
        async with self.reading() as tx:
            return await query(tx, *args, **kwargs)

    async def write(
        self,
        change: Callable[Concatenate[Transaction, Params], Awaitable[T]],
        *args: Params.args,
        **kwargs: Params.kwargs,
    ) -> T:
        """Call a function with a writing transaction of its own; return its result once that is committed."""
        async with self.writing() as tx:
            return await change(tx, *args, **kwargs)

    @asynccontextmanager
    async def _committed(self, locks: Locks) -> AsyncIterator[Transaction]:
        """Begin a transaction that is committed when the block ends, after its turn among this process's writers."""
        async with self._writers, self._transaction(locks) as connection:
            yield connection
            await connection.commit()

    @asynccontextmanager
    async def _transaction(self, locks: Locks | None) -> AsyncIterator[Transaction]:
        """Begin a transaction, and translate the driver's errors in it."""
        try:
            async with AsyncExitStack() as stack:
                yield await self._begin_with_retries(stack, locks)
        except DBAPIError as error:
            translated = translate_error(error)
            if translated is None:
                raise
            raise translated from error

    async def _begin_with_retries(self, stack: AsyncExitStack, locks: Locks | None) -> Transaction:
        """Begin a transaction, retrying while the caller's budget lasts; nothing was executed yet, so that is safe."""
        while True:
            async with AsyncExitStack() as attempt:
                try:
                    connection = await self._begin(attempt, locks)
                except (DBAPIError, UnavailableError) as error:
                    reason = translate_error(error) if isinstance(error, DBAPIError) else error
                    if reason is None or RETRY_BUDGET.get() is None:
                        raise
                    self._outages.record_failure(READ if locks is None else WRITE, reason)
                else:
                    stack.push_async_exit(attempt.pop_all())
                    return connection
            await asyncio.sleep(RETRY_INTERVAL_SECONDS)

    async def _begin(self, stack: AsyncExitStack, locks: Locks | None) -> Transaction:
        """Begin a transaction; a pooled connection that was lost while idle is replaced once.

        Its BEGIN finds the loss, and SQLAlchemy then discards all connections of the same age.
        """
        for may_be_stale in (True, False):
            connection = await stack.enter_async_context(self._connection())
            try:
                if locks is not None:
                    _ = await connection.execution_options(**{LOCKS_OPTION: locks})
                if self.is_shared:
                    _ = await connection.begin()  # SQLite begins with its first statement
            except DBAPIError as error:
                if not (may_be_stale and error.connection_invalidated):
                    raise
                await connection.close()
            else:
                return connection
        raise AssertionError("the second connection was new")

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        """Take a connection from the pool, and return it."""
        connection = self._engine.connect()
        try:
            _ = await connection.start()
        except (PoolTimeoutError, TimeoutError, OSError) as error:
            raise UnavailableError(str(error) or "the database does not answer") from error
        try:
            yield connection
        except asyncio.CancelledError:
            # A server that does not answer will not answer a ROLLBACK either, and the caller has waited enough.
            await self._release(connection, wait=not self.is_shared)
            raise
        except BaseException:
            await self._release(connection)
            raise
        if self.is_shared:
            await self._release(connection)
        else:
            await connection.close()  # after reading or a commit SQLite has nothing to wait for

    async def _release(self, connection: AsyncConnection, *, wait: bool = True) -> None:
        """Return a connection to the pool in a task of its own, which no cancellation of the caller interrupts."""
        release = asyncio.create_task(connection.close())
        self._releases.add(release)
        release.add_done_callback(self._released)
        if wait:
            await asyncio.shield(release)

    def _released(self, release: asyncio.Task[None]) -> None:
        """Forget a task that has returned a connection, and log its error if it failed."""
        self._releases.discard(release)
        if not release.cancelled() and (error := release.exception()) is not None:
            log.debug("a connection could not be returned to the pool: %r", error)


async def _enable_wal(engine: AsyncEngine) -> None:
    """Turn on the write-ahead log, which the file remembers.

    SQLite needs the file exclusively for that, and ignores its busy timeout here, so the statement is retried.
    """
    async with engine.connect() as connection, asyncio.timeout(BUSY_TIMEOUT_MILLISECONDS / 1000):
        raw = await connection.get_raw_connection()
        driver = cast("aiosqlite.Connection", raw.driver_connection)
        while True:
            try:
                async with driver.execute("PRAGMA journal_mode = WAL") as cursor:
                    await cursor.fetchall()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                await asyncio.sleep(_WAL_RETRY_SECONDS)
            else:
                return


async def _complete_url(url: URL) -> URL:
    """Connect to a server once, and return its address with a parameter that says whether a pooler stands in front."""
    if url.get_backend_name() != POSTGRESQL:
        return url
    from store.connection import postgres  # noqa: PLC0415 - needs a driver that SQLite does without

    if unused := postgres.unused_parameters(url):
        log.info("these parameters of the database's address are ignored: %s", ", ".join(unused))
    server = await postgres.inspect_server(url)
    if not server.durable:
        log.warning("synchronous_commit is off on the server: a power cut may take back moves that were accepted")
    pooled = server.pooled and postgres.POOLED_PARAMETER not in url.query
    return url.update_query_dict({postgres.POOLED_PARAMETER: "true"}) if pooled else url


def is_writing(tx: Transaction) -> bool:
    """Return whether a transaction writes; what it reads may be its own changes, which are not committed yet."""
    return tx.sync_connection is not None and LOCKS_OPTION in tx.sync_connection.get_execution_options()
