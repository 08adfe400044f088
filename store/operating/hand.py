"""Games that rest because an operator wants it: they do not go on by themselves when they replay."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Column, String, Table, delete, select

from store.columns import Instant, key, metadata
from store.connection.database import Transaction
from store.connection.dialect import upsert

by_hand: Final = Table(
    "frozen_by_hand",
    metadata,
    key("game_id", of="games.id"),
    Column("reason", String(200), nullable=False),
    Column("at", Instant, nullable=False),
)


async def hold(tx: Transaction, game_id: int, reason: str, now: datetime) -> None:
    """Let a game rest until somebody lets it go."""
    await tx.execute(upsert(by_hand, {"game_id": game_id, "reason": reason[:200], "at": now}))


async def let_go(tx: Transaction, game_id: int) -> None:
    """Nobody wants any more that it rests."""
    await tx.execute(delete(by_hand).where(by_hand.c.game_id == game_id))


async def reason_of(tx: Transaction, game_id: int) -> str | None:
    """Why an operator lets a game rest; None when nobody does."""
    found: str | None = await tx.scalar(select(by_hand.c.reason).where(by_hand.c.game_id == game_id))
    return found
