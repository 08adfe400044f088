"""Databases as operators name them: their locations, opening one with every failure in words, backing up a file."""

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
from store.connection.dialect import POOL, POSTGRESQL, url_of
from store.errors import StoreError, UnavailableError, UnknownRevisionError

_PERHAPS: Final = {
    sqlite3.SQLITE_CANTOPEN: " (the bot has to be able to write its directory, even to read it)",
    sqlite3.SQLITE_IOERR: " (is the disk full?)",
}
"""Likely causes of errors of SQLite."""
_KIND: Final = 0xFF
"""The bits of its codes that tell the error; the others tell its sort."""
_MAGIC: Final = b"SQLite format 3\0"
PAGES: Final = 2500
"""Pages of a file that are copied at once: ten MiB."""
_SECONDS: Final = 30.0
"""Seconds to wait for a writer."""

_LOGIN: Final = (
    "the server does not let this user in: check user and password (in an address @ is written %40, / is %2F, # is %23)"
)
_SAID: Final = {
    "28P01": _LOGIN,
    "3D000": "the server has no database of this name: create it, or correct the name",
    "42501": "the user may not make tables there: make it the owner of the database",
    "53300": "the server has no connection left: let each process keep fewer (CASTELLAN_DATABASE_POOL)",
}
"""Errors of a server that do not pass by themselves, and what to do."""
_NOT_ADMITTED: Final = "28000"
"""No password would help: the user may be refused, the address, or a connection without encryption."""
_PASSING: Final = ("08", "53", "57", "25006")
"""Codes of errors that pass begin so."""
_PASSING_SAID: Final = {"57P03": "the server is starting or stopping", "25006": "the server may only be read"}
_OTHER_DRIVER: Final = (
    "is no database that the bot can use: write postgresql://user:password@host/name, or the path of a file"
)
_NEWER: Final = "was it written by a newer version? Then start that one"

OnProgress = Callable[[int, int], None]
"""Called with how many pages of how many are copied."""


class UnusableDatabaseError(StoreError):
    """A database that cannot be opened, or copied; its text tells why."""


class UnreachableDatabaseError(UnusableDatabaseError):
    """A database that does not answer now, but may in a while."""


class NewerDatabaseError(UnusableDatabaseError):
    """A database whose tables this release does not know."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy that was made: its size, and what is in it."""

    size: int
    games: int
    running: int


def file_of(location: str) -> Path | None:
    """Return the file that a location means; None when it is no file.

    Raises:
        UnusableDatabaseError: it cannot be read.
    """
    try:
        url = url_of(location)
    except ArgumentError as error:
        raise UnusableDatabaseError("is no address of a database") from error
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def named(location: str) -> str:
    """Return a location in words: a whole path, or an address without its password."""
    file = file_of(location)
    if file is not None:
        return str(file.absolute())
    url = url_of(location)
    return url.set(drivername=url.get_backend_name(), query={}).render_as_string(hide_password=True)


def holds_games(file: Path) -> bool:
    """Return whether there is a file with games; False when there is none, or nothing in it.

    Raises:
        UnusableDatabaseError: it is something else.
    """
    if file.is_dir():
        raise UnusableDatabaseError("is a directory; name a file in it")
    try:
        with file.open("rb") as opened:
            head = opened.read(len(_MAGIC))
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UnusableDatabaseError(f"cannot be read: {error.strerror}") from error
    if head and head != _MAGIC:
        raise UnusableDatabaseError("is no SQLite database; name the bot's own file")
    return bool(head) and _is_ours(file)


def _is_ours(file: Path) -> bool:
    try:
        with closing(_connect(file)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as error:
        perhaps = _PERHAPS.get(error.sqlite_errorcode & _KIND, "")
        raise UnusableDatabaseError(f"cannot be read: {error}{perhaps}") from error
    if tables and "alembic_version" not in tables:
        raise UnusableDatabaseError("is the database of another program; name the bot's own file")
    return bool(tables)


def _connect(file: Path) -> sqlite3.Connection:
    """Connect to a file that exists; never create one."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=_SECONDS)


async def open_store(location: str, *, migrate: bool = True, pool: int = POOL, whole: bool = False) -> Store:
    """Open a database and bring it up to date, unless it is to stay as it is; ``whole`` to work on all of it at once.

    Raises:
        UnusableDatabaseError: that is not possible; says why.
        UnreachableDatabaseError: it does not answer; perhaps in a while.
    """
    shared = file_of(location) is None
    if shared and url_of(location).get_backend_name() != POSTGRESQL:
        raise UnusableDatabaseError(_OTHER_DRIVER)
    try:
        return await Store.open(location, migrate=migrate, pool=pool, whole=whole)
    except TimeoutError as error:
        raise (
            _unreachable() if shared else UnusableDatabaseError("cannot be opened: another program holds it")
        ) from error
    except (ImportError, SQLAlchemyError, OSError, StoreError) as error:
        raise _refusal(error) from error


def _refusal(error: Exception) -> UnusableDatabaseError:
    """Return what an error at opening a database means."""
    original = error.orig if isinstance(error, DBAPIError) else error
    code = str(getattr(original, "sqlstate", None) or "")
    if code in _SAID:
        return UnusableDatabaseError(_SAID[code])
    if code == _NOT_ADMITTED:
        return UnusableDatabaseError(f"the server does not let this user in: {original} (sslmode=require encrypts)")
    if code.startswith(_PASSING):
        return UnreachableDatabaseError(_PASSING_SAID.get(code, f"does not answer: {original}"))
    if isinstance(error, UnknownRevisionError):
        return NewerDatabaseError(f"cannot be brought up to date ({error}): {_NEWER}")
    if isinstance(error, ImportError):
        return UnusableDatabaseError(f"needs the package {error.name}, which is not installed")
    return _of_network(error) or UnusableDatabaseError(f"cannot be opened: {original}")


def _of_network(error: Exception) -> UnusableDatabaseError | None:
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


def _unreachable() -> UnusableDatabaseError:
    """Return the error of a server that does not answer in time."""
    return UnreachableDatabaseError("does not answer in time")


def back_up(location: str, target: Path, told: OnProgress = lambda _done, _all: None) -> Copied:
    """Copy a file of games, whoever plays meanwhile: all that was stored when it began, in one file.

    The target has its name only when it is complete. ``told`` is called with the progress.

    Raises:
        UnusableDatabaseError: there is nothing to copy.
        FileExistsError: the target is there already.
        OSError: it cannot be written.
    """
    source = file_of(location)
    if source is None:
        raise UnusableDatabaseError("is no file: back it up with the tools of its database")
    if not holds_games(source):
        raise UnusableDatabaseError("does not exist" if not source.exists() else "holds nothing")
    if target.exists():
        raise FileExistsError(target)
    part = target.with_name(f"{target.name}.part")
    with part.open("xb"):
        pass
    try:
        games, running = _copy(source, part, told)
        part.replace(target)
    except sqlite3.Error as error:
        raise UnusableDatabaseError(f"cannot be copied: {error}") from error
    finally:
        part.unlink(missing_ok=True)
    return Copied(target.stat().st_size, games, running)


def _copy(source: Path, part: Path, told: OnProgress) -> tuple[int, int]:
    """Copy and check a file; return the numbers of all its games and of those that run."""
    with closing(_connect(source)) as original, closing(_connect(part)) as copy:
        original.isolation_level = None
        original.execute("BEGIN")  # one moment: SQLite would begin anew whenever somebody else writes
        original.execute("SELECT 1 FROM sqlite_master").fetchone()
        original.backup(copy, pages=PAGES, progress=lambda _, left, all_of_them: told(all_of_them - left, all_of_them))
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
        (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise UnusableDatabaseError(f"is damaged: {verdict}")
        counted: tuple[int, int] = copy.execute(
            "SELECT count(*), count(*) FILTER (WHERE status = 'running') FROM games"
        ).fetchone()
    return counted
