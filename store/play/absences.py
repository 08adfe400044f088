"""Absences for which a game waits: vacations, departures from the server, and places that are closed to the bot.

During a *vacation* the clocks of a player are stopped. A *departure* is noted when a player is found to have left the
server. The *place* of a game is the channel or thread in which its cards (the messages that show the position) are
posted. It is closed when the bot may no longer post there, or when it was deleted; then all clocks stand still until
the place is open again, or the cards are posted elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import Row, bindparam, delete, insert, literal, select, update

from store.connection.database import Transaction
from store.connection.statements import changes_row
from store.records import columns_of
from store.schema.people import departures, vacations
from store.schema.play import closed_places


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacation:
    """An absence from all games, announced in advance: whole days in the time zone of the person."""

    user_id: int
    first: date
    days: int
    starts_at: datetime
    ends_at: datetime

    def covers(self, at: datetime) -> bool:
        """Return whether a time lies within the vacation."""
        return self.starts_at <= at < self.ends_at


VACATION_COLUMNS: Final = tuple(vacations.c[field.name] for field in fields(Vacation))
"""The columns from which a vacation is read."""


async def add_vacation(tx: Transaction, new: Vacation, now: datetime) -> None:
    """Store an announced vacation."""
    await tx.execute(insert(vacations).values({**columns_of(new), "first": new.first.isoformat(), "at": now}))


async def drop_vacation(tx: Transaction, user_id: int, first: date, now: datetime) -> bool:
    """Remove a vacation that has not begun; return False when there is none."""
    upcoming = (vacations.c.user_id == user_id, vacations.c.first == first.isoformat(), vacations.c.starts_at > now)
    return await changes_row(tx, delete(vacations).where(*upcoming))


async def shorten_vacation(tx: Transaction, ended: Vacation) -> None:
    """Store the days and the end of a vacation that its owner has ended early."""
    same_vacation = (vacations.c.user_id == ended.user_id, vacations.c.starts_at == ended.starts_at)
    await tx.execute(update(vacations).where(*same_vacation).values(ends_at=ended.ends_at, days=ended.days))


async def vacations_of(tx: Transaction, user_id: int) -> tuple[Vacation, ...]:
    """Return all vacations that a person has announced, the earliest first."""
    query = select(*VACATION_COLUMNS).where(vacations.c.user_id == user_id).order_by(vacations.c.starts_at)
    return tuple(vacation_of(row) for row in await tx.execute(query))


async def coming_vacations(tx: Transaction, users: Collection[int], now: datetime) -> tuple[Vacation, ...]:
    """Return the current and future vacations of these people, the earliest first."""
    query = select(*VACATION_COLUMNS).where(vacations.c.user_id.in_(users), vacations.c.ends_at > now)
    return tuple(vacation_of(row) for row in await tx.execute(query.order_by(vacations.c.starts_at)))


def vacation_of(row: Row[Any], prefix: str = "") -> Vacation:
    """Read the columns of a vacation from a row, where they may have a prefix."""
    values = {column.name: getattr(row, prefix + column.name) for column in VACATION_COLUMNS}
    return Vacation(**{**values, "first": date.fromisoformat(values["first"])})


async def departed_from(tx: Transaction, game_id: int) -> dict[int, datetime]:
    """Return the players of a game who have left its server, with the time at which that was found."""
    query = select(departures.c.user_id, departures.c.found_at).where(departures.c.game_id == game_id)
    return {row.user_id: row.found_at for row in await tx.execute(query)}


async def add_departure(tx: Transaction, game_id: int, user_id: int, now: datetime) -> None:
    """Store that a player was found to have left the server."""
    await tx.execute(insert(departures).values(game_id=game_id, user_id=user_id, found_at=now))


async def drop_departure(tx: Transaction, game_id: int, user_id: int) -> None:
    """Remove the departure of a player who has come back, or for whom the game no longer waits."""
    await tx.execute(delete(departures).where(departures.c.game_id == game_id, departures.c.user_id == user_id))


async def absences_in_game(
    tx: Transaction, game_id: int, users: Collection[int], now: datetime
) -> tuple[frozenset[int], tuple[Vacation, ...]]:
    """Return the players of a game who have left the server, and the vacations of ``users`` that are not over.

    One statement reads both, since every card needs them.
    """
    # A departure is read as a vacation of no days; the columns of a union have the names of its first query.
    empty = {"user_id": departures.c.user_id, "first": literal(""), "days": literal(0)}
    leavers = select(*(empty.get(column.name, departures.c.found_at).label(column.name) for column in VACATION_COLUMNS))
    current = select(*VACATION_COLUMNS).where(vacations.c.user_id.in_(users), vacations.c.ends_at > now)
    rows = (await tx.execute(leavers.where(departures.c.game_id == game_id).union_all(current))).all()
    absences = sorted((vacation_of(row) for row in rows if row.days), key=lambda vacation: vacation.starts_at)
    return frozenset(row.user_id for row in rows if not row.days), tuple(absences)


_UPDATE: Final = update(closed_places).where(closed_places.c.game_id == bindparam("game"))
"""An update of the closed place of a game."""
_IS_AWAITED: Final = closed_places.c.elsewhere.is_(False)
"""The condition of places for which a game waits: its newest card was not posted elsewhere."""


async def close_place(tx: Transaction, game_id: int, now: datetime, *, anywhere: bool = False) -> bool:
    """Store that the place of a game is closed; return False if nothing changes.

    Nothing changes where that is stored already, or where the newest card was posted in another place, unless
    ``anywhere``.
    """
    stands_elsewhere = await tx.scalar(select(closed_places.c.elsewhere).where(closed_places.c.game_id == game_id))
    if stands_elsewhere is None:
        await tx.execute(insert(closed_places).values(game_id=game_id, since=now, elsewhere=False))
        return True
    if stands_elsewhere and anywhere:
        await tx.execute(_UPDATE.values(since=now, elsewhere=False), {"game": game_id})
        return True
    return False


async def reopen_place(tx: Transaction, game_id: int) -> bool:
    """Store that a card of a game was posted in its place again; return False when the place was not closed."""
    return await changes_row(tx, delete(closed_places).where(closed_places.c.game_id == game_id))


async def mark_posted_elsewhere(tx: Transaction, game_id: int, now: datetime) -> None:
    """Store that the newest card of a game was posted in another place, because its own is closed."""
    changed = await tx.execute(_UPDATE.values(elsewhere=True), {"game": game_id})
    if not changed.rowcount:
        await tx.execute(insert(closed_places).values(game_id=game_id, since=now, elsewhere=True))


async def forget_closed_place(tx: Transaction, game_id: int) -> None:
    """Remove the closed place of a game whose card was posted elsewhere: the other place is its own from now on."""
    await tx.execute(delete(closed_places).where(closed_places.c.game_id == game_id, ~_IS_AWAITED))


async def closed_since(tx: Transaction, game_id: int) -> datetime | None:
    """Return the time at which a game began to wait for its place; None if it does not wait."""
    query = select(closed_places.c.since).where(closed_places.c.game_id == game_id, _IS_AWAITED)
    return await tx.scalar(query)


async def games_with_closed_place(tx: Transaction, game_ids: Collection[int]) -> set[int]:
    """Return the games, among these, that wait for their place."""
    if not game_ids:
        return set()
    query = select(closed_places.c.game_id).where(closed_places.c.game_id.in_(game_ids), _IS_AWAITED)
    return set(await tx.scalars(query))
