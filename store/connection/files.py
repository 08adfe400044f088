"""Databases as operators name them: reading a location, opening a database, backing up a file.

A *location* is the path of an SQLite file, or the address of a PostgreSQL server. Every failure becomes an
:class:`UnusableDatabaseError`. Its text continues a line that begins with the location, as in "castellan.sqlite3: is a
directory; name a file in it", and says what the operator can do.
"""

from __future__ import annotations

import socket
import sqlite3
import ssl
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from store.connection.database import Store
from store.connection.dialect import POOL_SIZE, POSTGRESQL, url_of
from store.connection.migrating import LAST_COMMIT_BEFORE_BASELINE
from store.errors import OutdatedRevisionError, StoreError, UnavailableError, UnknownRevisionError

_LIKELY_CAUSES: Final = {
    sqlite3.SQLITE_CANTOPEN: " (the bot has to be able to write its directory, even to read it)",
    sqlite3.SQLITE_IOERR: " (is the disk full?)",
}
"""Likely causes of errors of SQLite, by their primary result code."""
_PRIMARY_CODE_BITS: Final = 0xFF
"""The bits of SQLite's result codes that name the error; the others refine it."""
_SQLITE_HEADER: Final = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""
BACKUP_BATCH_PAGES: Final = 2500
"""Pages of a file that are copied at a time: ten MiB."""
_WRITER_TIMEOUT_SECONDS: Final = 30.0
"""The longest wait for a process that writes the file."""

_LOGIN_ADVICE: Final = (
    "the server does not let this user in: check user and password (in an address @ is written %40, / is %2F, # is %23)"
)
_PERMANENT_ERRORS: Final = {
    "28P01": _LOGIN_ADVICE,
    "3D000": "the server has no database of this name: create it, or correct the name",
    "42501": "the user may not make tables there: make it the owner of the database",
    "53300": "the server has no connection left: let each process keep fewer (CASTELLAN_DATABASE_POOL)",
}
"""Errors of a server that no retry overcomes, by SQLSTATE, with advice to the operator."""
_NOT_ADMITTED: Final = "28000"
"""The SQLSTATE of a refusal that no password changes: of the user, the address, or an unencrypted connection."""
_TRANSIENT_PREFIXES: Final = ("08", "53", "57", "25006")
"""Prefixes of the SQLSTATEs of errors that pass."""
_TRANSIENT_ERRORS: Final = {"57P03": "the server is starting or stopping", "25006": "the server may only be read"}
_OTHER_DRIVER: Final = (
    "is no database that the bot can use: write postgresql://user:password@host/name, or the path of a file"
)
OUTDATED_ADVICE: Final = (
    f"is of a version before 1.0.0: run commit {LAST_COMMIT_BEFORE_BASELINE} of Castellan with it once "
    "(python -m operations upgrade), then this version"
)
"""The reason why a database from before the baseline is refused, and the way out."""
_NEWER: Final = "was it written by a newer version? Then start that one"

OnProgress = Callable[[int, int], None]
"""Called with the number of pages copied, and the number of all pages."""


class UnusableDatabaseError(StoreError):
    """A database that cannot be opened or copied, with the reason as its text."""


class UnreachableDatabaseError(UnusableDatabaseError):
    """A database that does not answer now, but may in a while."""


class NewerDatabaseError(UnusableDatabaseError):
    """A database whose tables this release does not know."""


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """A finished backup: its size in bytes, the number of all games in it, and of those that are running."""

    size: int
    games: int
    running: int


def file_of(location: str) -> Path | None:
    """Return the file that a location names; None for the address of a server.

    Raises:
        UnusableDatabaseError: the location cannot be parsed.
    """
    try:
        url = url_of(location)
    except ArgumentError as error:
        raise UnusableDatabaseError("is no address of a database") from error
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def display_name(location: str) -> str:
    """Return a location as shown to operators: an absolute path, or an address without its password."""
    file = file_of(location)
    if file is not None:
        return str(file.absolute())
    url = url_of(location)
    return url.set(drivername=url.get_backend_name(), query={}).render_as_string(hide_password=True)


def holds_games(file: Path) -> bool:
    """Return whether a file exists and has the bot's tables; False when it does not exist or is empty.

    Raises:
        UnusableDatabaseError: it is something else.
    """
    if file.is_dir():
        raise UnusableDatabaseError("is a directory; name a file in it")
    try:
        with file.open("rb") as opened:
            header = opened.read(len(_SQLITE_HEADER))
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UnusableDatabaseError(f"cannot be read: {error.strerror}") from error
    if header and header != _SQLITE_HEADER:
        raise UnusableDatabaseError("is no SQLite database; name the bot's own file")
    return bool(header) and _has_own_tables(file)


def _has_own_tables(file: Path) -> bool:
    """Return whether an SQLite file has tables, which have to be those of the bot."""
    try:
        with closing(_connect(file)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as error:
        likely_cause = _LIKELY_CAUSES.get(error.sqlite_errorcode & _PRIMARY_CODE_BITS, "")
        raise UnusableDatabaseError(f"cannot be read: {error}{likely_cause}") from error
    if tables and "alembic_version" not in tables:
        raise UnusableDatabaseError("is the database of another program; name the bot's own file")
    return bool(tables)


def _connect(file: Path) -> sqlite3.Connection:
    """Connect to a file that exists; never create one."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=_WRITER_TIMEOUT_SECONDS)


async def open_store(location: str, *, migrate: bool = True, pool: int = POOL_SIZE, bulk: bool = False) -> Store:
    """Open a database, and bring its tables up to date if ``migrate``; ``bulk`` for work on the whole database.

    Raises:
        UnusableDatabaseError: it cannot be opened, with the reason.
        UnreachableDatabaseError: it does not answer now, but may in a while.
    """
    shared = file_of(location) is None
    if shared and url_of(location).get_backend_name() != POSTGRESQL:
        raise UnusableDatabaseError(_OTHER_DRIVER)
    try:
        return await Store.open(location, migrate=migrate, pool=pool, bulk=bulk)
    except TimeoutError as error:
        if shared:
            raise UnreachableDatabaseError("does not answer in time") from error
        raise UnusableDatabaseError("cannot be opened: another program holds it") from error
    except (ImportError, SQLAlchemyError, OSError, StoreError) as error:
        raise _refusal(error) from error


def _refusal(error: Exception) -> UnusableDatabaseError:
    """Translate an error on opening a database into words for the operator."""
    original = error.orig if isinstance(error, DBAPIError) else error
    code = str(getattr(original, "sqlstate", None) or "")
    if code in _PERMANENT_ERRORS:
        return UnusableDatabaseError(_PERMANENT_ERRORS[code])
    if code == _NOT_ADMITTED:
        return UnusableDatabaseError(f"the server does not let this user in: {original} (sslmode=require encrypts)")
    if code.startswith(_TRANSIENT_PREFIXES):
        return UnreachableDatabaseError(_TRANSIENT_ERRORS.get(code, f"does not answer: {original}"))
    if isinstance(error, ImportError):
        return UnusableDatabaseError(f"needs the package {error.name}, which is not installed")
    return _revision_refusal(error) or _network_refusal(error) or UnusableDatabaseError(f"cannot be opened: {original}")


def _revision_refusal(error: Exception) -> UnusableDatabaseError | None:
    """Translate a revision that cannot be migrated; return None for other errors."""
    if isinstance(error, OutdatedRevisionError):
        return UnusableDatabaseError(OUTDATED_ADVICE)
    if isinstance(error, UnknownRevisionError):
        return NewerDatabaseError(f"cannot be brought up to date ({error}): {_NEWER}")
    return None


def _network_refusal(error: Exception) -> UnusableDatabaseError | None:
    """Translate an error of the network or of encryption; return None for other errors."""
    if isinstance(error, ssl.SSLError):
        return UnusableDatabaseError(f"the server's certificate or its encryption is not accepted (sslmode=): {error}")
    if isinstance(error, socket.gaierror):
        return UnreachableDatabaseError("no host of this name is found")
    if isinstance(error, ConnectionError) and "SSL" in str(error):
        return UnusableDatabaseError(f"the server does not encrypt, as sslmode= asks: {error}")
    if isinstance(error, ConnectionError):
        return UnreachableDatabaseError(f"nobody answers there: {error.strerror or error}")
    if isinstance(error, UnavailableError):
        return UnreachableDatabaseError(f"does not answer: {error}")
    return None


def back_up(location: str, target: Path, on_progress: OnProgress = lambda _done, _all: None) -> BackupSummary:
    """Copy a database file as it is at one moment, also while the bot writes it.

    The target gets its name only when it is complete.

    Raises:
        UnusableDatabaseError: there is nothing to copy, or the copy is damaged.
        FileExistsError: the target exists.
        OSError: the target cannot be written.
    """
    source = file_of(location)
    if source is None:
        raise UnusableDatabaseError("is no file: back it up with the tools of its database")
    if not holds_games(source):
        raise UnusableDatabaseError("does not exist" if not source.exists() else "holds nothing")
    if target.exists():
        raise FileExistsError(target)
    unfinished = target.with_name(f"{target.name}.part")
    with unfinished.open("xb"):
        pass
    try:
        games, running = _copy(source, unfinished, on_progress)
        unfinished.replace(target)
    except sqlite3.Error as error:
        raise UnusableDatabaseError(f"cannot be copied: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return BackupSummary(target.stat().st_size, games, running)


def _copy(source: Path, unfinished: Path, on_progress: OnProgress) -> tuple[int, int]:
    """Copy and check a file; return the numbers of all its games and of those that run."""
    with closing(_connect(source)) as original, closing(_connect(unfinished)) as copy:
        original.isolation_level = None
        original.execute("BEGIN")  # a snapshot: without it SQLite starts the copy again whenever another process writes
        original.execute("SELECT 1 FROM sqlite_master").fetchone()
        original.backup(
            copy, pages=BACKUP_BATCH_PAGES, progress=lambda _, remaining, total: on_progress(total - remaining, total)
        )
        copy.execute("PRAGMA journal_mode = DELETE")  # no write-ahead log next to the file
        (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise UnusableDatabaseError(f"is damaged: {verdict}")
        counts: tuple[int, int] = copy.execute(
            "SELECT count(*), count(*) FILTER (WHERE status = 'running') FROM games"
        ).fetchone()
    return counts
