"""Private records of players about their games, which nobody else ever reads: notes, and plans for a decision."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, select

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.preferences import of_row
from store.schema import notes, plans, preferences, seats


class StandingOrders(NamedTuple):
    """The decisions that a player has made beforehand: for all games by name, and as a plan for this one."""

    choices: Mapping[str, str]
    plan: str


_ORDERS: Final = (
    select(seats.c.user_id, preferences.c.confirm, preferences.c.choices, plans.c.text)
    .select_from(seats)
    .outerjoin(preferences, preferences.c.user_id == seats.c.user_id)
    .outerjoin(plans, and_(plans.c.game_id == seats.c.game_id, plans.c.user_id == seats.c.user_id))
    .where(seats.c.game_id == bindparam("game_id"))
)


async def plan_of(tx: Transaction, game_id: int, user_id: int) -> str:
    """Return the plan of a player for a game; empty for none."""
    return (await tx.scalar(select(plans.c.text).where(*_plan(game_id, user_id)))) or ""


async def put_plan(tx: Transaction, game_id: int, user_id: int, plan: str, now: datetime) -> None:
    """Store the plan of a player in place of the one before; an empty one removes it."""
    if plan:
        await tx.execute(upsert(plans, {"game_id": game_id, "user_id": user_id, "text": plan, "at": now}))
    else:
        await tx.execute(delete(plans).where(*_plan(game_id, user_id)))


async def drop_plans(tx: Transaction, game_id: int) -> None:
    """Remove all plans for a game."""
    await tx.execute(delete(plans).where(plans.c.game_id == game_id))


async def standing_orders(tx: Transaction, game_id: int) -> Mapping[int, StandingOrders]:
    """Return what the players of a game have decided beforehand, by their ids."""
    rows = await tx.execute(_ORDERS, {"game_id": game_id})
    return {
        row.user_id: StandingOrders(
            {} if row.confirm is None else of_row(row.confirm, row.choices).choices, row.text or ""
        )
        for row in rows
    }


def _plan(game_id: int, user_id: int) -> tuple[ColumnElement[bool], ...]:
    return plans.c.game_id == game_id, plans.c.user_id == user_id


async def note_of(tx: Transaction, game_id: int, user_id: int) -> str:
    """Return the notes of a player about a game; empty for none."""
    return (await tx.scalar(select(notes.c.text).where(*_note(game_id, user_id)))) or ""


async def put_note(tx: Transaction, game_id: int, user_id: int, text: str, now: datetime) -> None:
    """Store the notes of a player in place of those before; empty ones remove them."""
    if text:
        await tx.execute(upsert(notes, {"game_id": game_id, "user_id": user_id, "text": text, "at": now}))
    else:
        await tx.execute(delete(notes).where(*_note(game_id, user_id)))


def _note(game_id: int, user_id: int) -> tuple[ColumnElement[bool], ...]:
    return notes.c.game_id == game_id, notes.c.user_id == user_id
