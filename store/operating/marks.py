"""What is known of a database as a whole, by name: that its games have moved elsewhere, whose key its hashes have."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import marks

MOVED: Final = "moved"
"""The games of this database go on in another one; the value says in which."""


async def get(tx: Transaction, name: str) -> Any:  # noqa: ANN401 - JSON
    """What is known under a name; None for nothing."""
    return await tx.scalar(select(marks.c.value).where(marks.c.name == name))


async def put(tx: Transaction, name: str, value: object, now: datetime) -> None:
    """Store it, in place of what was known."""
    await tx.execute(upsert(marks, {"name": name, "value": value, "at": now}))


async def take(tx: Transaction, name: str) -> None:
    """Forget it."""
    await tx.execute(delete(marks).where(marks.c.name == name))
