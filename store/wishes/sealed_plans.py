"""What players have decided beforehand: their plans in a game, and what they chose for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import plans, preferences, seats
from store.wishes.preferences import chosen


class Preordered(NamedTuple):
    """What a player has decided beforehand: for all games by name, and as a plan for this one."""

    choices: Mapping[str, str]
    plan: str


_ORDERS: Final = (
    select(seats.c.user_id, preferences.c.confirm, preferences.c.choices, plans.c.text)
    .select_from(seats)
    .outerjoin(preferences, preferences.c.user_id == seats.c.user_id)
    .outerjoin(plans, and_(plans.c.game_id == seats.c.game_id, plans.c.user_id == seats.c.user_id))
    .where(seats.c.game_id == bindparam("game_id"))
)


async def get(tx: Transaction, game_id: int, user_id: int) -> str:
    """What somebody has planned in a game; empty for nothing."""
    return (await tx.scalar(select(plans.c.text).where(*_of(game_id, user_id)))) or ""


async def put(tx: Transaction, game_id: int, user_id: int, plan: str, now: datetime) -> None:
    """Store what somebody plans, in place of what he planned before; empty for nothing any more."""
    if plan:
        await tx.execute(upsert(plans, {"game_id": game_id, "user_id": user_id, "text": plan, "at": now}))
    else:
        await tx.execute(delete(plans).where(*_of(game_id, user_id)))


async def void(tx: Transaction, game_id: int) -> None:
    """Nobody has planned anything in a game any more."""
    await tx.execute(delete(plans).where(plans.c.game_id == game_id))


async def of_game(tx: Transaction, game_id: int) -> Mapping[int, Preordered]:
    """What the players of a game have decided beforehand, by their ids."""
    rows = await tx.execute(_ORDERS, {"game_id": game_id})
    return {
        row.user_id: Preordered({} if row.confirm is None else chosen(row.confirm, row.choices).choices, row.text or "")
        for row in rows
    }


def _of(game_id: int, user_id: int) -> tuple[ColumnElement[bool], ...]:
    return plans.c.game_id == game_id, plans.c.user_id == user_id
