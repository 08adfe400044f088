"""Idempotency of clicks and commands: one that is delivered twice is answered, not repeated."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import insert, select

from store.connection.database import Transaction
from store.records import AnsweredInteraction
from store.schema import processed_interactions

_REMEMBER: Final = insert(processed_interactions)


async def remember(tx: Transaction, interaction: AnsweredInteraction, now: datetime) -> None:
    """Store an interaction with its outcome."""
    await tx.execute(
        _REMEMBER,
        {
            "id": interaction.id,
            "game_id": interaction.game_id,
            "lobby_id": interaction.lobby_id,
            "before_ply": interaction.before_ply,
            "ply": interaction.ply,
            "taken_back": interaction.taken_back,
            "at": now,
        },
    )


async def get(tx: Transaction, interaction_id: int) -> AnsweredInteraction | None:
    """Return the interaction with this id if it was carried out."""
    table = processed_interactions
    row = (await tx.execute(select(table).where(table.c.id == interaction_id))).first()
    if row is None:
        return None
    return AnsweredInteraction(
        id=row.id,
        game_id=row.game_id,
        lobby_id=row.lobby_id,
        before_ply=row.before_ply,
        ply=row.ply,
        taken_back=row.taken_back,
    )
