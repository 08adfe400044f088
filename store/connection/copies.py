"""The copy of a file that is made before its tables are changed."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from glob import escape
from pathlib import Path

log = logging.getLogger(__name__)


def keep_copy(file: Path, old: str, new: str) -> Path:
    """Copy a file as it stands before it is brought from one revision to another; older such copies go.

    Others may read and write the file meanwhile: what is copied is what was committed.

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
