"""What players have put together and not confirmed yet: it outlives the private message that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, insert, select

from store.database import Transaction
from store.records import Draft
from store.schema import drafts


async def get(tx: Transaction, game_id: int, user_id: int) -> Draft | None:
    """The draft of a player of a game; None also where it cannot be read."""
    query = select(drafts.c.ply, drafts.c.data).where(drafts.c.game_id == game_id, drafts.c.user_id == user_id)
    row = (await tx.execute(query)).first()
    return Draft(game_id, user_id, row.ply, row.data) if row is not None and isinstance(row.data, Mapping) else None


async def put(tx: Transaction, draft: Draft, now: datetime) -> None:
    """Store a draft in place of the player's former one."""
    await drop(tx, draft.game_id, draft.user_id)
    await tx.execute(
        insert(drafts).values(
            game_id=draft.game_id, user_id=draft.user_id, ply=draft.ply, data=dict(draft.data), updated_at=now
        )
    )


async def drop(tx: Transaction, game_id: int, user_id: int) -> None:
    """Throw a draft away, if there is one."""
    await tx.execute(delete(drafts).where(drafts.c.game_id == game_id, drafts.c.user_id == user_id))
