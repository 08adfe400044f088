"""Players who have left the server of their game, as far as that was found."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import delete, insert, literal, select

from store.connection.database import Transaction
from store.schema import departures, vacations
from store.time.vacations import Vacation, vacation_of


async def of_game(tx: Transaction, game_id: int) -> dict[int, datetime]:
    """Who has left, and since when that is known."""
    query = select(departures.c.user_id, departures.c.found_at).where(departures.c.game_id == game_id)
    return {row.user_id: row.found_at for row in await tx.execute(query)}


async def absences(
    tx: Transaction, game_id: int, users: Collection[int], now: datetime
) -> tuple[frozenset[int], tuple[Vacation, ...]]:
    """Who of a game has left, and the vacations of these people that are not over; one statement reads both."""
    since = departures.c.found_at
    gone = select(departures.c.user_id, since.label("starts_at"), since.label("ends_at"), literal(""), literal(0))
    away = select(vacations.c.user_id, vacations.c.starts_at, vacations.c.ends_at, vacations.c.first, vacations.c.days)
    coming = away.where(vacations.c.user_id.in_(users), vacations.c.ends_at > now)
    rows = (await tx.execute(gone.where(departures.c.game_id == game_id).union_all(coming))).all()
    found = sorted((vacation_of(row) for row in rows if row[4]), key=lambda entry: entry.starts_at)
    return frozenset(row.user_id for row in rows if not row[4]), tuple(found)


async def add(tx: Transaction, game_id: int, user_id: int, now: datetime) -> None:
    """Somebody was found to have left."""
    await tx.execute(insert(departures).values(game_id=game_id, user_id=user_id, found_at=now))


async def drop(tx: Transaction, game_id: int, user_id: int) -> None:
    """Somebody is there again, or was not to be waited for any more."""
    await tx.execute(delete(departures).where(departures.c.game_id == game_id, departures.c.user_id == user_id))
