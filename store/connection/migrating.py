"""Migrations of the tables, and the copy of an SQLite file that is kept before each upgrade.

A migration changes the tables from one *revision* to the next, and a database stores the name of its revision.
:func:`upgrade` runs the missing migrations with Alembic. Before that, an SQLite file ``games.sqlite3`` is copied to
``games.sqlite3.before-0024``, so that the previous release can be started again with it.

Importing Alembic takes longer than everything else at a start, and the tables are nearly always up to date. Therefore
the revisions are read from the files of the migrations, without Alembic.
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

from store.errors import OutdatedRevisionError, UnknownRevisionError

log = logging.getLogger(__name__)

MIGRATIONS: Final = Path(__file__).parents[1] / "migrations"
"""The directory of Alembic's migrations."""
LAST_COMMIT_BEFORE_BASELINE: Final = "828ad3be"
"""The last commit with the migrations from before version 1.0.0; it brings any older database to the baseline."""
REVISION_TABLE: Final = "alembic_version"
"""The table in which Alembic stores the revision of a database."""
_REVISION_LINES: Final = re.compile(r'^(?:down_)?revision = (?:"(\w+)"|None)$', re.MULTILINE)
"""The two lines of a migration's file that name its revision and the previous one."""


@cache
def known_revisions() -> tuple[str, ...]:
    """Return the revisions of all migrations, the oldest first."""
    next_revision: dict[str, str] = {}
    for path in (MIGRATIONS / "versions").glob("*.py"):
        name, previous = _REVISION_LINES.findall(path.read_text(encoding="utf-8"))
        next_revision[previous] = name
    chain, last = list[str](), ""
    while last in next_revision:
        last = next_revision[last]
        chain.append(last)
    return tuple(chain)


def revision_of(connection: Connection) -> str | None:
    """Return the revision of a database; None if it is empty."""
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    stored: str | None = connection.scalar(select(column("version_num")).select_from(table(REVISION_TABLE)))
    return stored


def has_revision(connection: Connection, revision: str) -> bool:
    """Return whether a database is at a revision; ``head`` means the newest one."""
    return revision_of(connection) == _revision_name(revision)


def is_before_baseline(revision: str) -> bool:
    """Return whether a revision is older than the first one that this release can migrate; they are named by number."""
    return revision.isdecimal() and int(revision) < int(known_revisions()[0])


def _revision_name(revision: str) -> str:
    """Return the name of a revision; that of the newest one for ``head``."""
    return known_revisions()[-1] if revision == "head" else revision


def upgrade(connection: Connection, revision: str) -> None:
    """Migrate the tables to a revision, unless the database is at it already; a copy of an SQLite file is kept.

    Raises:
        OutdatedRevisionError: the tables are from before the baseline, the first migration of version 1.0.0.
        UnknownRevisionError: the tables have a revision that this release does not know.
    """
    if has_revision(connection, revision):
        return
    stored = revision_of(connection)
    if stored is not None and is_before_baseline(stored):
        raise OutdatedRevisionError(f"{stored} is older than {known_revisions()[0]}")
    from alembic import command, config, util  # noqa: PLC0415 - takes longer to load than all else of a start

    _keep_copy_before_upgrade(connection, stored, _revision_name(revision))
    settings = config.Config()
    settings.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    settings.attributes["connection"] = connection
    try:
        command.upgrade(settings, revision)
    except util.CommandError as error:
        raise UnknownRevisionError(str(error)) from error


def _keep_copy_before_upgrade(connection: Connection, old: str | None, new: str) -> None:
    """Keep a copy of an SQLite file before its tables change; the caller's transaction keeps other writers out."""
    file = connection.engine.url.database if connection.dialect.name == "sqlite" else None
    if file and old and Path(file).is_file() and old in known_revisions():
        keep_copy(Path(file), old, new)


def keep_copy(file: Path, old: str, new: str) -> None:
    """Copy a file that is about to be migrated, and delete the copies that earlier upgrades have left.

    Other processes may read and write the file meanwhile; all committed rows are copied.

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
    log.warning("the tables are migrated from %s to %s; a copy of the old file is kept as %s", old, new, copy)
