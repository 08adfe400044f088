"""Vacations: who is away from all games, and when."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select

from store.absence import vacations
from store.database import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacation:
    """So many whole days from the first on, where somebody lives: from one midnight to another."""

    user_id: int
    first: date
    days: int
    starts_at: datetime
    ends_at: datetime

    def holds(self, at: datetime) -> bool:
        """Whether a time lies in it."""
        return self.starts_at <= at < self.ends_at


async def add(tx: Transaction, new: Vacation, now: datetime) -> None:
    """Store one that is announced."""
    days = {"first": new.first.isoformat(), "days": new.days}
    await tx.execute(
        insert(vacations).values(user_id=new.user_id, starts_at=new.starts_at, ends_at=new.ends_at, at=now, **days)
    )


async def drop(tx: Transaction, user_id: int, first: date, now: datetime) -> bool:
    """Forget one that has not begun; False when there is none."""
    mine = (vacations.c.user_id == user_id, vacations.c.first == first.isoformat(), vacations.c.starts_at > now)
    return (await tx.execute(delete(vacations).where(*mine))).rowcount == 1


async def of_user(tx: Transaction, user_id: int) -> tuple[Vacation, ...]:
    """All that somebody has announced, in their order."""
    query = select(vacations).where(vacations.c.user_id == user_id).order_by(vacations.c.starts_at)
    return tuple(_vacation(row) for row in await tx.execute(query))


async def coming(tx: Transaction, users: Collection[int], now: datetime) -> tuple[Vacation, ...]:
    """Those of some people that are not over, in their order."""
    query = select(vacations).where(vacations.c.user_id.in_(users), vacations.c.ends_at > now)
    return tuple(_vacation(row) for row in await tx.execute(query.order_by(vacations.c.starts_at)))


def _vacation(row: Row[Any]) -> Vacation:
    return Vacation(
        user_id=row.user_id,
        first=date.fromisoformat(row.first),
        days=row.days,
        starts_at=row.starts_at,
        ends_at=row.ends_at,
    )
