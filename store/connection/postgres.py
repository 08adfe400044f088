"""PostgreSQL through asyncpg: also behind a pooler that lends a connection for a transaction, and never waiting on.

Such a pooler keeps no prepared statements and refuses startup parameters. So what a transaction wants goes along with
its BEGIN, in one message, as do the locks that it takes first; and statements stay prepared only where nothing stands
between.
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

CONNECTING: Final = 3.0
"""Seconds in which a connection has to be there."""
POOLED: Final = "pgbouncer"
"""The parameter of an address that says, as other programs have it, that a pooler stands between."""
_UNDERSTOOD: Final = frozenset(
    {
        "host",
        "port",
        "user",
        "password",
        "passfile",
        "sslmode",
        "sslcert",
        "sslkey",
        "sslrootcert",
        "sslnegotiation",
        "sslcrl",
        "sslpassword",
        "ssl_min_protocol_version",
        "ssl_max_protocol_version",
        "target_session_attrs",
        "krbsrvname",
        "gsslib",
        "options",
    }
)
"""What the driver does with a parameter of libpq; it would hand all others to the server, which refuses them."""
_ENCRYPTION: Final = "ssl"
"""How other programs call ``sslmode``."""
_MODES: Final = {"no-verify": "require", "true": "require", "1": "require", "false": "disable", "0": "disable"}
"""What other programs call modes of libpq."""
_FILES: Final = ("sslrootcert", "sslcert", "sslkey", "sslcrl")
_numbers: Final = count()


@dataclass(frozen=True, slots=True)
class WaitLimits:
    """Seconds after which a wait ends, on the server and in the driver; None for never."""

    statement: float | None = 5.0
    lock: float = 3.0
    idle: float = 10.0

    @property
    def settings(self) -> str:
        """What is set for a transaction."""
        waits = {
            "statement_timeout": self.statement or 0,
            "lock_timeout": self.lock if self.statement else 0,
            "idle_in_transaction_session_timeout": self.idle,
        }
        return "".join(f"; SET LOCAL {name} = {round(seconds * 1000)}" for name, seconds in waits.items())

    @property
    def command(self) -> float | None:
        """How long the driver waits: a little longer than the server, whose answer says more."""
        return None if self.statement is None else self.statement + 0.5


USUAL: Final = WaitLimits()
MIGRATING: Final = WaitLimits(statement=None)
"""While tables change, behind another process perhaps that changes them."""
WHOLE: Final = WaitLimits(statement=3600.0, idle=3600.0)
"""While somebody copies a whole database, or looks it through: one transaction waits for another, and for replays."""


class _Transaction:
    """A transaction that begins with all it needs in one message."""

    def __init__(self, connection: LimitedConnection, begin: str) -> None:
        self._connection = connection
        self._begin = begin

    async def start(self) -> None:
        """Begin. What fails behind BEGIN, as a lock that somebody holds, would leave a transaction that nobody ends."""
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
    """A connection on which nobody waits longer than its limits: one that does not answer is given up."""

    limits = USUAL
    takes_first: str | None = None
    """The locks of the next transaction, as a statement; None for one that only reads."""

    def transaction(self, **_: object) -> _Transaction:
        """The next transaction; one that only reads sees one moment in all its statements."""
        first, self.takes_first = self.takes_first, None
        kind = "REPEATABLE READ, READ ONLY" if first is None else "READ COMMITTED"
        begin = f"BEGIN ISOLATION LEVEL {kind}{self.limits.settings}"
        return _Transaction(self, f"{begin}; {first}" if first else begin)


class Dialect(PGDialect_asyncpg):
    """A transaction begins when it is asked for: so a connection lost in the pool is found out before its use."""

    supports_statement_cache = True
    supports_native_json_deserialization = False

    def on_connect(self) -> None:
        """Ask nothing outside of a transaction: behind a pooler question and answer may belong to two servers."""

    def do_begin(self, dbapi_connection: Any) -> None:  # noqa: ANN401 - the dialect's own
        """Begin now."""
        await_only(dbapi_connection._start_transaction())  # noqa: SLF001 - it would be called by the first statement


def driver_arguments(url: URL, limits: WaitLimits) -> dict[str, Any]:
    """How the driver connects."""
    query = {name: value for name, value in url.query.items() if name in _UNDERSTOOD}
    mode = str(query.get("sslmode") or url.query.get(_ENCRYPTION, ""))
    if mode:
        query["sslmode"] = _MODES.get(mode, mode)
    pooled = str(url.query.get(POOLED, "")).lower() in {"true", "1"}
    dsn = url.set(drivername="postgresql", query=query).render_as_string(hide_password=False)

    async def connect(*_: object, **__: object) -> LimitedConnection:
        connection: LimitedConnection = await asyncpg.connect(  # type: ignore[no-untyped-call]
            dsn,
            timeout=CONNECTING,
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


def unused(url: URL) -> list[str]:
    """The parameters of an address of which nothing is made."""
    return sorted(url.query.keys() - _UNDERSTOOD - {POOLED, _ENCRYPTION})


def _check_files(url: URL) -> None:
    """The driver would not say which file it misses.

    Raises:
        LoginRefusedError: one that the address names is not there.
    """
    for name in _FILES:
        file = str(url.query.get(name, ""))
        if file and not Path(file).is_file():
            raise LoginRefusedError(f"{name} names a file that is not there: {file}", "")


def _statement_name() -> str:
    return f"castellan_{next(_numbers)}"


class Server(NamedTuple):
    """What answers at an address."""

    pooled: bool
    """Whether something stands between and lends us its connections: it tells of another process than works for us."""
    durable: bool
    """Whether what was stored survives a power cut."""


_ASKED: Final = "SELECT pg_backend_pid() AS pid, current_setting('synchronous_commit') AS commits"


async def ask(url: URL) -> Server:
    """Connect once, and see who is there.

    Raises:
        RefusedError: the server does not let us in.
        OSError: there is none.
        TimeoutError: it does not answer.
    """
    _check_files(url)
    creator = driver_arguments(url, USUAL)["async_creator_fn"]
    try:
        connection: Any = await creator()
    except (PostgresError, InterfaceError) as error:
        raise LoginRefusedError(str(error), getattr(error, "sqlstate", None) or "") from error
    try:
        transaction = connection.transaction()
        await transaction.start()
        found = await connection.fetchrow(_ASKED)
        await transaction.rollback()
        return Server(found["pid"] != connection.get_server_pid(), found["commits"] != "off")
    finally:
        await connection.close(timeout=CONNECTING)


def begin_with(connection: PoolProxiedConnection, first: str | None) -> None:
    """Say which locks the next transaction of a connection takes; None for one that only reads."""
    driver: Any = connection.driver_connection
    driver.takes_first = first
