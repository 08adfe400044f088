"""Absences for which a game waits: vacations, departures from the server, and places that are closed to the bot."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import Row, bindparam, delete, insert, literal, select, update

from store.connection.database import Transaction
from store.records import columns_of
from store.schema.people import departures, vacations
from store.schema.play import closed_places


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacation:
    """An absence from all games: whole days from the first on, from midnight to midnight where the person lives."""

    user_id: int
    first: date
    days: int
    starts_at: datetime
    ends_at: datetime

    def holds(self, at: datetime) -> bool:
        """Return whether a time lies in it."""
        return self.starts_at <= at < self.ends_at


VACATION: Final = tuple(vacations.c[field.name] for field in fields(Vacation))
"""The columns from which a vacation is read."""


async def add_vacation(tx: Transaction, new: Vacation, now: datetime) -> None:
    """Store a vacation that is announced."""
    await tx.execute(insert(vacations).values({**columns_of(new), "first": new.first.isoformat(), "at": now}))


async def drop_vacation(tx: Transaction, user_id: int, first: date, now: datetime) -> bool:
    """Remove a vacation that has not begun; return False when there is none."""
    mine = (vacations.c.user_id == user_id, vacations.c.first == first.isoformat(), vacations.c.starts_at > now)
    return (await tx.execute(delete(vacations).where(*mine))).rowcount == 1


async def shorten_vacation(tx: Transaction, ended: Vacation) -> None:
    """Store the days and the end of a vacation that its owner has ended early."""
    its = (vacations.c.user_id == ended.user_id, vacations.c.starts_at == ended.starts_at)
    await tx.execute(update(vacations).where(*its).values(ends_at=ended.ends_at, days=ended.days))


async def vacations_of(tx: Transaction, user_id: int) -> tuple[Vacation, ...]:
    """Return all vacations that a person has announced, in their order."""
    query = select(*VACATION).where(vacations.c.user_id == user_id).order_by(vacations.c.starts_at)
    return tuple(vacation_of(row) for row in await tx.execute(query))


async def coming_vacations(tx: Transaction, users: Collection[int], now: datetime) -> tuple[Vacation, ...]:
    """Return the vacations of some people that are not over, in their order."""
    query = select(*VACATION).where(vacations.c.user_id.in_(users), vacations.c.ends_at > now)
    return tuple(vacation_of(row) for row in await tx.execute(query.order_by(vacations.c.starts_at)))


def vacation_of(row: Row[Any], prefix: str = "") -> Vacation:
    """Read the columns of a vacation from a row, where they may have a prefix."""
    values = {column.name: getattr(row, prefix + column.name) for column in VACATION}
    return Vacation(**{**values, "first": date.fromisoformat(values["first"])})


async def departed_from(tx: Transaction, game_id: int) -> dict[int, datetime]:
    """Return the players of a game who have left its server, and since when that is known."""
    query = select(departures.c.user_id, departures.c.found_at).where(departures.c.game_id == game_id)
    return {row.user_id: row.found_at for row in await tx.execute(query)}


async def add_departure(tx: Transaction, game_id: int, user_id: int, now: datetime) -> None:
    """Store that a player was found to have left the server."""
    await tx.execute(insert(departures).values(game_id=game_id, user_id=user_id, found_at=now))


async def drop_departure(tx: Transaction, game_id: int, user_id: int) -> None:
    """Remove the departure of a player who is there again, or is not waited for any more."""
    await tx.execute(delete(departures).where(departures.c.game_id == game_id, departures.c.user_id == user_id))


async def of_game(
    tx: Transaction, game_id: int, users: Collection[int], now: datetime
) -> tuple[frozenset[int], tuple[Vacation, ...]]:
    """Return who of a game has left, and the vacations of its people that are not over, in one statement."""
    # A departure is read as a vacation of no days; the columns of a union have the names of its first query.
    empty = {"user_id": departures.c.user_id, "first": literal(""), "days": literal(0)}
    gone = select(*(empty.get(column.name, departures.c.found_at).label(column.name) for column in VACATION))
    coming = select(*VACATION).where(vacations.c.user_id.in_(users), vacations.c.ends_at > now)
    rows = (await tx.execute(gone.where(departures.c.game_id == game_id).union_all(coming))).all()
    found = sorted((vacation_of(row) for row in rows if row.days), key=lambda entry: entry.starts_at)
    return frozenset(row.user_id for row in rows if not row.days), tuple(found)


_OF: Final = update(closed_places).where(closed_places.c.game_id == bindparam("game"))
_WAITS: Final = closed_places.c.elsewhere.is_(False)


async def close_place(tx: Transaction, game_id: int, now: datetime, *, anywhere: bool = False) -> bool:
    """Store that the place of a game is closed.

    Return False where that is known, or where its card stands elsewhere, unless ``anywhere``.
    """
    known: bool | None = await tx.scalar(select(closed_places.c.elsewhere).where(closed_places.c.game_id == game_id))
    if known is None:
        await tx.execute(insert(closed_places).values(game_id=game_id, since=now, elsewhere=False))
        return True
    if known and anywhere:
        await tx.execute(_OF.values(since=now, elsewhere=False), {"game": game_id})
        return True
    return False


async def reopen_place(tx: Transaction, game_id: int) -> bool:
    """Store that a card of a game stands in its place again; return False when that was not closed."""
    found = await tx.execute(delete(closed_places).where(closed_places.c.game_id == game_id))
    return found.rowcount == 1


async def stand_elsewhere(tx: Transaction, game_id: int, now: datetime) -> None:
    """Store that the newest card of a game stands in another place, its own being closed."""
    changed = await tx.execute(_OF.values(elsewhere=True), {"game": game_id})
    if not changed.rowcount:
        await tx.execute(insert(closed_places).values(game_id=game_id, since=now, elsewhere=True))


async def forget_closed_place(tx: Transaction, game_id: int) -> None:
    """Forget the closed place of a game whose card stands elsewhere: that is its place from now on."""
    await tx.execute(delete(closed_places).where(closed_places.c.game_id == game_id, ~_WAITS))


async def closed_since(tx: Transaction, game_id: int) -> datetime | None:
    """Return since when a game waits for its place; None where it does not."""
    query = select(closed_places.c.since).where(closed_places.c.game_id == game_id, _WAITS)
    found: datetime | None = await tx.scalar(query)
    return found


async def with_closed_place(tx: Transaction, game_ids: Collection[int]) -> set[int]:
    """Return those of the games that wait for their place."""
    if not game_ids:
        return set()
    query = select(closed_places.c.game_id).where(closed_places.c.game_id.in_(game_ids), _WAITS)
    return set(await tx.scalars(query))
