"""Time that players have given each other: what was given, by whom, and when."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, select

from store.connection.database import Transaction
from store.schema import gifts


@dataclass(frozen=True, slots=True, kw_only=True)
class Gift:
    """Somebody has given a seat some milliseconds."""

    id: int = 0
    game_id: int
    user_id: int
    seat: int
    amount: int
    at: datetime
    interaction_id: int


async def add(tx: Transaction, gift: Gift) -> int:
    """Store a gift; its id, which is not the one that it has yet."""
    values = {name: value for name, value in asdict(gift).items() if name != "id"}
    added: int = (await tx.execute(insert(gifts).values(values).returning(gifts.c.id))).scalar_one()
    return added


async def get(tx: Transaction, gift_id: int) -> Gift | None:
    """The gift with this id."""
    return _gift((await tx.execute(select(gifts).where(gifts.c.id == gift_id))).first())


async def last_of(tx: Transaction, game_id: int, user_id: int) -> Gift | None:
    """What somebody gave last in a game."""
    mine = select(gifts).where(gifts.c.game_id == game_id, gifts.c.user_id == user_id)
    return _gift((await tx.execute(mine.order_by(gifts.c.id.desc()).limit(1))).first())


def _gift(row: Row[Any] | None) -> Gift | None:
    return None if row is None else Gift(**{column.name: getattr(row, column.name) for column in gifts.c})
