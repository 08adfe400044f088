"""Who asked to be forgotten, as keyed hashes: after a copy was restored they are found in it and taken out again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import insert, select

from store.connection.database import Transaction
from store.schema import forgotten


async def keys(tx: Transaction) -> dict[str, datetime]:
    """All hashes, each with when they were forgotten."""
    return {row.key: row.at for row in await tx.execute(select(forgotten))}


async def add(tx: Transaction, new: Iterable[str], now: datetime) -> None:
    """Remember hashes; those that are known stay as they are."""
    known = await keys(tx)
    rows = [{"key": key, "at": now} for key in dict.fromkeys(new) if key not in known]
    if rows:
        await tx.execute(insert(forgotten), rows)
