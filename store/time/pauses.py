"""Pauses of games: until when the clocks of one stand still, and who has wanted that."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select

from store.connection.database import Transaction
from store.schema import pauses


@dataclass(frozen=True, slots=True)
class Pause:
    """The clocks of a game stand still until then, or until one of the users lets them go on."""

    game_id: int
    ends_at: datetime
    users: tuple[int, ...]


async def get(tx: Transaction, game_id: int) -> Pause | None:
    """The pause of a game, if there is one."""
    row = (await tx.execute(select(pauses).where(pauses.c.game_id == game_id))).first()
    return None if row is None else Pause(row.game_id, row.ends_at, tuple(row.users))


async def add(tx: Transaction, pause: Pause) -> None:
    """A pause begins."""
    await tx.execute(insert(pauses).values(game_id=pause.game_id, ends_at=pause.ends_at, users=list(pause.users)))


async def end(tx: Transaction, game_id: int) -> None:
    """It is over."""
    await tx.execute(delete(pauses).where(pauses.c.game_id == game_id))
