"""Migrations of the tables: the revisions that this release knows, and the copy of a file that is kept before.

Alembic runs the migrations. Importing it takes longer than the rest of a start, at which the tables are nearly always
up to date; so that is checked by the names in the migrations' files alone.
"""

from __future__ import annotations

import logging
import re
import sqlite3
from contextlib import closing
from functools import cache
from glob import escape
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, column, inspect, select, table

from store.errors import UnknownRevisionError

log = logging.getLogger(__name__)

MIGRATIONS: Final = Path(__file__).parents[1] / "migrations"
REVISION_TABLE: Final = "alembic_version"
_REVISION_LINES: Final = re.compile(r'^(?:down_)?revision = (?:"(\w+)"|None)$', re.MULTILINE)


@cache
def known() -> tuple[str, ...]:
    """Return the revisions of all migrations, the oldest first."""
    after: dict[str, str] = {}
    for path in (MIGRATIONS / "versions").glob("*.py"):
        name, before = _REVISION_LINES.findall(path.read_text(encoding="utf-8"))
        after[before] = name
    chain, last = list[str](), ""
    while last in after:
        last = after[last]
        chain.append(last)
    return tuple(chain)


def revision_of(connection: Connection) -> str | None:
    """Return the revision of a database; None where it is empty."""
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    found: str | None = connection.scalar(select(column("version_num")).select_from(table(REVISION_TABLE)))
    return found


def stands_at(connection: Connection, revision: str) -> bool:
    """Return whether the tables are of a revision."""
    return revision_of(connection) == _resolve(revision)


def _resolve(revision: str) -> str:
    return known()[-1] if revision == "head" else revision


def upgrade(connection: Connection, revision: str) -> None:
    """Bring the tables to a revision if they are not; a copy of an SQLite file is kept.

    Raises:
        UnknownRevisionError: the tables are of a release that this one does not know.
    """
    if stands_at(connection, revision):
        return
    from alembic import command, config, util  # noqa: PLC0415 - takes longer to load than all else of a start

    _copy_first(connection, revision_of(connection), _resolve(revision))
    settings = config.Config()
    settings.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    settings.attributes["connection"] = connection
    try:
        command.upgrade(settings, revision)
    except util.CommandError as error:
        raise UnknownRevisionError(str(error)) from error


def _copy_first(connection: Connection, old: str | None, new: str) -> None:
    """Keep a copy of an SQLite file before its tables change; the caller's transaction keeps other writers out."""
    file = connection.engine.url.database if connection.dialect.name == "sqlite" else None
    if file and old and Path(file).is_file() and old in known():
        keep_copy(Path(file), old, new)


def keep_copy(file: Path, old: str, new: str) -> Path:
    """Copy a file before it is brought from one revision to another, and delete older such copies.

    Others may read and write the file meanwhile: what was committed is copied.

    Raises:
        OSError: the copy cannot be written.
        sqlite3.Error: the copy cannot be written.
    """
    copy = file.with_name(f"{file.name}.before-{new}")
    unfinished = file.with_name(f"{copy.name}.part")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(unfinished)) as target:
        source.backup(target)
    unfinished.replace(copy)
    for older in file.parent.glob(f"{escape(file.name)}.before-*"):
        if older != copy:
            older.unlink()
    log.warning("the tables change from %s to %s; the file as it was is kept as %s", old, new, copy)
    return copy
