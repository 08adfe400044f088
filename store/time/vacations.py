"""Vacations: who is away from all games, and when."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import delete, insert, select, update

from store.connection.database import Transaction
from store.schema import vacations


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


_COLUMNS: Final = (vacations.c.user_id, vacations.c.starts_at, vacations.c.ends_at, vacations.c.first, vacations.c.days)


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


async def shorten(tx: Transaction, ended: Vacation) -> None:
    """Store the days and the end of a vacation that somebody has ended early."""
    its = (vacations.c.user_id == ended.user_id, vacations.c.starts_at == ended.starts_at)
    await tx.execute(update(vacations).where(*its).values(ends_at=ended.ends_at, days=ended.days))


async def of_user(tx: Transaction, user_id: int) -> tuple[Vacation, ...]:
    """All that somebody has announced, in their order."""
    query = select(*_COLUMNS).where(vacations.c.user_id == user_id).order_by(vacations.c.starts_at)
    return tuple(vacation_of(row) for row in await tx.execute(query))


async def coming(tx: Transaction, users: Collection[int], now: datetime) -> tuple[Vacation, ...]:
    """Those of some people that are not over, in their order."""
    query = select(*_COLUMNS).where(vacations.c.user_id.in_(users), vacations.c.ends_at > now)
    return tuple(vacation_of(row) for row in await tx.execute(query.order_by(vacations.c.starts_at)))


def vacation_of(row: Sequence[Any]) -> Vacation:
    """What a row says: person, beginning, end, first day and days."""
    user_id, starts_at, ends_at, first, days = row
    return Vacation(user_id=user_id, first=date.fromisoformat(first), days=days, starts_at=starts_at, ends_at=ends_at)
