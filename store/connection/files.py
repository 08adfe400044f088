"""The file of games from outside: what it is, opening it with every failure in words, copying it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from store.connection.database import Store
from store.connection.dialect import POOL, POSTGRESQL, url_of
from store.connection.refusals import OTHER_DRIVER, UnusableDatabaseError, refusal, unreachable
from store.errors import StoreError

_PERHAPS: Final = {
    sqlite3.SQLITE_CANTOPEN: " (the bot has to be able to write its directory, even to read it)",
    sqlite3.SQLITE_IOERR: " (is the disk full?)",
}
"""What may be the cause of what SQLite says."""
_KIND: Final = 0xFF
"""These bits of its codes say which of its errors it is, the others which sort of that."""
_MAGIC: Final = b"SQLite format 3\0"
PAGES: Final = 2500
"""Of a file, so many are copied at once: ten MiB."""
_SECONDS: Final = 30.0
"""How long to wait for whoever writes at the moment."""


OnProgress = Callable[[int, int], None]
"""Who is told how many pages of how many are copied."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy that was made: how large it is, and what is in it."""

    size: int
    games: int
    running: int


def file_of(location: str) -> Path | None:
    """The file that a location means; None when it is no file.

    Raises:
        UnusableDatabaseError: it cannot be read.
    """
    try:
        url = url_of(location)
    except ArgumentError as error:
        raise UnusableDatabaseError("is no address of a database") from error
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def named(location: str) -> str:
    """A location in words: a whole path, or an address without its password."""
    file = file_of(location)
    if file is not None:
        return str(file.absolute())
    url = url_of(location)
    return url.set(drivername=url.get_backend_name(), query={}).render_as_string(hide_password=True)


def holds_games(file: Path) -> bool:
    """Whether there is a file with games; False when there is none, or nothing in it.

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
    """A connection to a file that exists; never makes one."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=_SECONDS)


async def open_store(location: str, *, migrate: bool = True, pool: int = POOL, whole: bool = False) -> Store:
    """Open a database and bring it up to date, unless it is to stay as it is; ``whole`` to work on all of it at once.

    Raises:
        UnusableDatabaseError: that is not possible; says why.
        UnreachableDatabaseError: it does not answer; perhaps in a while.
    """
    shared = file_of(location) is None
    if shared and url_of(location).get_backend_name() != POSTGRESQL:
        raise UnusableDatabaseError(OTHER_DRIVER)
    try:
        return await Store.open(location, migrate=migrate, pool=pool, whole=whole)
    except TimeoutError as error:
        raise (
            unreachable() if shared else UnusableDatabaseError("cannot be opened: another program holds it")
        ) from error
    except (ImportError, SQLAlchemyError, OSError, StoreError) as error:
        raise refusal(error) from error


def back_up(location: str, target: Path, told: OnProgress = lambda _done, _all: None) -> Copied:
    """Copy a file of games, whoever plays meanwhile: all that was stored when it began, in one file.

    The target has its name only when it is complete. ``told`` is told how far it is.

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
    """The numbers of all games and of those that run, in a copy that was looked through."""
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
