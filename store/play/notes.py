"""What players have written down about their games; nobody else ever reads it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, delete, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import notes


async def get(tx: Transaction, game_id: int, user_id: int) -> str:
    """What somebody has written down about a game; empty for nothing."""
    return (await tx.scalar(select(notes.c.text).where(*_of(game_id, user_id)))) or ""


async def put(tx: Transaction, game_id: int, user_id: int, text: str, now: datetime) -> None:
    """Store what somebody writes down, in place of what stood there; empty for nothing any more."""
    if text:
        await tx.execute(upsert(notes, {"game_id": game_id, "user_id": user_id, "text": text, "at": now}))
    else:
        await tx.execute(delete(notes).where(*_of(game_id, user_id)))


def _of(game_id: int, user_id: int) -> tuple[ColumnElement[bool], ...]:
    return notes.c.game_id == game_id, notes.c.user_id == user_id
