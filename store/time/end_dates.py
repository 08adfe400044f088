"""When games end, whatever is left to be played."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import update

from store.connection.database import Transaction
from store.records import GameStatus
from store.schema import games


async def put(tx: Transaction, game_id: int, ends_at: datetime | None) -> bool:
    """Say when a game ends that goes on, in place of what was said before; False where it does not go on."""
    going = (games.c.id == game_id, games.c.status != GameStatus.FINISHED)
    return (await tx.execute(update(games).where(*going).values(ends_at=ends_at))).rowcount == 1
