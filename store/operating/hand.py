"""Games that rest because an operator wants it: they do not go on by themselves when they replay."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import operator_holds


async def hold(tx: Transaction, game_id: int, reason: str, now: datetime) -> None:
    """Let a game rest until somebody lets it go."""
    await tx.execute(upsert(operator_holds, {"game_id": game_id, "reason": reason[:200], "at": now}))


async def let_go(tx: Transaction, game_id: int) -> None:
    """Nobody wants any more that it rests."""
    await tx.execute(delete(operator_holds).where(operator_holds.c.game_id == game_id))


async def reason_of(tx: Transaction, game_id: int) -> str | None:
    """Why an operator lets a game rest; None when nobody does."""
    found: str | None = await tx.scalar(select(operator_holds.c.reason).where(operator_holds.c.game_id == game_id))
    return found
