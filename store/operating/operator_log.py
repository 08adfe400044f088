"""What operators did by hand, by whom and when: it is only ever added to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select

from store.connection.database import Transaction
from store.schema import operator_log


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that was done by hand."""

    at: datetime
    by: str
    what: str
    details: Mapping[str, Any]


async def add(tx: Transaction, deed: Deed) -> None:
    """Store what was done."""
    await tx.execute(
        insert(operator_log).values(at=deed.at, by=deed.by[:100], what=deed.what, details=dict(deed.details))
    )


async def newest(tx: Transaction, limit: int) -> list[Deed]:
    """The last of them, newest first."""
    query = select(operator_log).order_by(operator_log.c.id.desc()).limit(limit)
    return [Deed(row.at, row.by, row.what, row.details) for row in await tx.execute(query)]
