"""Which releases may use a database, and which of two is the newer one: told by the migrations that each knows."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from sqlalchemy import inspect

from store import schema
from store.connection.database import Transaction
from store.connection.revisions import known
from store.operating import marks
from store.operating.processes import Process

OLDEST: Final = "0012"
"""The newest migration of the oldest release that may use a database of this one.

Raised by a release that removes, or gives another meaning to, what that one knows.
"""
MARK: Final = "oldest release"


def level() -> int:
    """How new this release is: so many migrations."""
    return len(known())


async def name_oldest(tx: Transaction, now: datetime) -> None:
    """Say which is the oldest release that may use this database, unless a newer one has said so."""
    found = await marks.get(tx, MARK)
    if found is None or (found in known() and known().index(found) < known().index(OLDEST)):
        await marks.put(tx, MARK, OLDEST, now)


async def admits(tx: Transaction) -> bool:
    """Whether a database that a newer release has brought up to date may be used by this one all the same."""
    has_marks = await tx.run_sync(lambda connection: inspect(connection).has_table(schema.marks.name))
    return has_marks and await marks.get(tx, MARK) in known()


def is_newer(other: Process, mine: Process) -> bool:
    """Whether a process is of a newer release than another."""
    return (other.level, _numbers(other.release)) > (mine.level, _numbers(mine.release))


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"\d{1,9}", release))
