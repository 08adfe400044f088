"""How much of what takes long somebody has asked for lately, in all processes: when all of it counts as done."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import shares


async def get(tx: Transaction, user_id: int) -> datetime | None:
    """When all that somebody has asked for counts as done; None for long ago."""
    found: datetime | None = await tx.scalar(select(shares.c.free_at).where(shares.c.user_id == user_id))
    return found


async def put(tx: Transaction, user_id: int, free_at: datetime) -> None:
    """Say when all that somebody has asked for counts as done."""
    await tx.execute(upsert(shares, {"user_id": user_id, "free_at": free_at}))
