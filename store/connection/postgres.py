"""PostgreSQL through the driver asyncpg, with timeouts on every wait, and also behind a connection pooler.

A pooler such as PgBouncer in transaction mode gives every transaction another connection to the server. It keeps no
prepared statements, and refuses startup parameters. Therefore the timeouts of a transaction, and the locks that it
takes first, are sent together with its BEGIN in one message, and statements are prepared only without a pooler.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import asyncpg
from asyncpg.exceptions import InterfaceError, PostgresError
from sqlalchemy import URL
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.pool import PoolProxiedConnection
from sqlalchemy.util import await_only

from store.errors import LoginRefusedError

CONNECT_TIMEOUT_SECONDS: Final = 3.0
"""The longest wait for a new connection, and for closing one."""
POOLED_PARAMETER: Final = "pgbouncer"
"""The parameter of an address that says that a pooler stands in front; other programs have the same."""
_SUPPORTED_PARAMETERS: Final = frozenset(
    {"host", "port", "user", "password", "passfile", "target_session_attrs", "krbsrvname", "gsslib", "options"}
    | {"sslmode", "sslnegotiation", "sslcert", "sslkey", "sslpassword", "sslrootcert", "sslcrl"}
    | {"ssl_min_protocol_version", "ssl_max_protocol_version"}
)
"""Parameters of libpq that the driver knows; it would send all others to the server, which refuses them."""
_SSL_PARAMETER: Final = "ssl"
"""The name of ``sslmode`` in other programs."""
_SSL_MODES: Final = {"no-verify": "require", "true": "require", "1": "require", "false": "disable", "0": "disable"}
"""Modes of other programs, by the name that libpq has for them."""
_FILE_PARAMETERS: Final = ("sslrootcert", "sslcert", "sslkey", "sslcrl")
"""Parameters whose values are paths of files."""
_statement_numbers: Final = count()


@dataclass(frozen=True, slots=True)
class WaitLimits:
    """Timeouts in seconds, of the server and of the driver; ``statement`` is None for no timeout."""

    statement: float | None = 5.0
    lock: float = 3.0
    idle: float = 10.0

    @property
    def settings(self) -> str:
        """Statements that set the timeouts of a transaction."""
        timeouts = {
            "statement_timeout": self.statement or 0,
            "lock_timeout": self.lock if self.statement else 0,
            "idle_in_transaction_session_timeout": self.idle,
        }
        return "".join(f"; SET LOCAL {name} = {round(seconds * 1000)}" for name, seconds in timeouts.items())

    @property
    def command(self) -> float | None:
        """The timeout of the driver: a little longer than the server's, whose error says more."""
        return None if self.statement is None else self.statement + 0.5


DEFAULT_LIMITS: Final = WaitLimits()
"""For the bot, whose statements take milliseconds."""
MIGRATION_LIMITS: Final = WaitLimits(statement=None)
"""For migrations, which may wait for those of another process."""
BULK_LIMITS: Final = WaitLimits(statement=3600.0, idle=3600.0)
"""For copies and checks of a whole database, where a transaction may be idle for long, during another one or a replay.
"""


class _Transaction:
    """A transaction whose BEGIN, timeouts and locks are one message."""

    def __init__(self, connection: LimitedConnection, begin: str) -> None:
        self._connection = connection
        self._begin = begin

    async def start(self) -> None:
        """Begin; where a statement after BEGIN fails, such as a lock that times out, roll back at once.

        SQLAlchemy does not end a transaction that it believes not to have begun.
        """
        try:
            await self._connection.execute(self._begin)
        except PostgresError:
            if self._connection.is_in_transaction():  # type: ignore[no-untyped-call]
                await self.rollback()
            raise

    async def commit(self) -> None:
        """Commit."""
        await self._connection.execute("COMMIT")

    async def rollback(self) -> None:
        """Roll back."""
        await self._connection.execute("ROLLBACK")


class LimitedConnection(asyncpg.Connection):
    """A connection whose transactions have timeouts, and begin with their locks."""

    limits = DEFAULT_LIMITS
    locks_statement: str | None = None
    """The statement that takes the locks of the next transaction; None for one that only reads."""

    def transaction(self, **_: object) -> _Transaction:
        """Return the next transaction; all statements of one that only reads see the same snapshot."""
        locks, self.locks_statement = self.locks_statement, None
        kind = "REPEATABLE READ, READ ONLY" if locks is None else "READ COMMITTED"
        begin = f"BEGIN ISOLATION LEVEL {kind}{self.limits.settings}"
        return _Transaction(self, f"{begin}; {locks}" if locks else begin)


class Dialect(PGDialect_asyncpg):
    """A dialect that sends BEGIN at once, so that a connection lost while idle is found before its first statement."""

    supports_statement_cache = True
    supports_native_json_deserialization = False

    def on_connect(self) -> None:
        """Send nothing outside of a transaction: behind a pooler the next one may run on another server connection."""

    def do_begin(self, dbapi_connection: Any) -> None:  # noqa: ANN401 - the dialect's own
        """Send BEGIN now; SQLAlchemy's adapter would send it with the first statement."""
        await_only(dbapi_connection._start_transaction())  # noqa: SLF001 - the adapter has no public name for it


def driver_arguments(url: URL, limits: WaitLimits) -> dict[str, Any]:
    """Return the arguments with which SQLAlchemy connects through the driver."""
    query = {name: value for name, value in url.query.items() if name in _SUPPORTED_PARAMETERS}
    mode = str(query.get("sslmode") or url.query.get(_SSL_PARAMETER, ""))
    if mode:
        query["sslmode"] = _SSL_MODES.get(mode, mode)
    pooled = str(url.query.get(POOLED_PARAMETER, "")).lower() in {"true", "1"}
    dsn = url.set(drivername="postgresql", query=query).render_as_string(hide_password=False)

    async def connect(*_: object, **__: object) -> LimitedConnection:
        connection: LimitedConnection = await asyncpg.connect(  # type: ignore[no-untyped-call]
            dsn,
            timeout=CONNECT_TIMEOUT_SECONDS,
            command_timeout=limits.command,
            statement_cache_size=0,  # SQLAlchemy has its own
            connection_class=LimitedConnection,
        )
        connection.limits = limits
        return connection

    return {
        "async_creator_fn": connect,
        "prepared_statement_cache_size": 0 if pooled else 200,
        "prepared_statement_name_func": None if pooled else _statement_name,
    }


def unused_parameters(url: URL) -> list[str]:
    """Return the parameters of an address that are ignored."""
    return sorted(url.query.keys() - _SUPPORTED_PARAMETERS - {POOLED_PARAMETER, _SSL_PARAMETER})


def _check_files(url: URL) -> None:
    """Check that the files that an address names exist; the driver's error would not say which is missing.

    Raises:
        LoginRefusedError: a file does not exist.
    """
    for name in _FILE_PARAMETERS:
        file = str(url.query.get(name, ""))
        if file and not Path(file).is_file():
            raise LoginRefusedError(f"{name} names a file that is not there: {file}", "")


def _statement_name() -> str:
    """Return a unique name for a prepared statement, as the driver asks for it."""
    return f"castellan_{next(_statement_numbers)}"


class ServerInfo(NamedTuple):
    """The facts about a server that decide how it is used."""

    pooled: bool
    """True when a pooler stands in front: it reports another process id than the backend that works for us."""
    durable: bool
    """True when a commit survives a power cut."""


_INFO_QUERY: Final = "SELECT pg_backend_pid() AS pid, current_setting('synchronous_commit') AS commits"


async def inspect_server(url: URL) -> ServerInfo:
    """Connect once, and return the facts about the server.

    Raises:
        LoginRefusedError: the server refuses the login.
        OSError: there is no server.
        TimeoutError: the server does not answer.
    """
    _check_files(url)
    creator = driver_arguments(url, DEFAULT_LIMITS)["async_creator_fn"]
    try:
        connection: Any = await creator()
    except (PostgresError, InterfaceError) as error:
        raise LoginRefusedError(str(error), getattr(error, "sqlstate", None) or "") from error
    try:
        transaction = connection.transaction()
        await transaction.start()
        row = await connection.fetchrow(_INFO_QUERY)
        await transaction.rollback()
        return ServerInfo(row["pid"] != connection.get_server_pid(), row["commits"] != "off")
    finally:
        await connection.close(timeout=CONNECT_TIMEOUT_SECONDS)


def set_locks(connection: PoolProxiedConnection, statement: str | None) -> None:
    """Set the statement that takes the locks of a connection's next transaction; None for one that only reads."""
    driver: Any = connection.driver_connection
    driver.locks_statement = statement
