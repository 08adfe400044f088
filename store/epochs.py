"""Games that went back: their epochs."""

from __future__ import annotations

from sqlalchemy import select, update

from store.database import Transaction
from store.schema import games


async def begin(tx: Transaction, game_id: int, old: int, new: int) -> bool:
    """Begin a new epoch of a game; False when somebody else has begun one."""
    changed = await tx.execute(update(games).where(games.c.id == game_id, games.c.epoch == old).values(epoch=new))
    return changed.rowcount == 1


async def of_code(tx: Transaction, code: str) -> tuple[int, int] | None:
    """The id and the epoch of the game with this code, if it ever went back."""
    query = select(games.c.id, games.c.epoch).where(games.c.code == code, games.c.epoch != 0)
    row = (await tx.execute(query)).first()
    return None if row is None else (row.id, row.epoch)
