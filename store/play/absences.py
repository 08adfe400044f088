"""Absences of players: announced vacations, departures from the server that were found, substitutions in seats."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, insert, literal, select, update

from store.connection.database import Transaction
from store.errors import PlyConflictError
from store.person import Person
from store.play.moves import waits_for
from store.records import GameStatus, Stamp
from store.schema import departures, games, plans, playing, seats, substitutions, vacations


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


_VACATION: Final = (
    vacations.c.user_id,
    vacations.c.starts_at,
    vacations.c.ends_at,
    vacations.c.first,
    vacations.c.days,
)


async def add_vacation(tx: Transaction, new: Vacation, now: datetime) -> None:
    """Store a vacation that is announced."""
    days = {"first": new.first.isoformat(), "days": new.days}
    await tx.execute(
        insert(vacations).values(user_id=new.user_id, starts_at=new.starts_at, ends_at=new.ends_at, at=now, **days)
    )


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
    query = select(*_VACATION).where(vacations.c.user_id == user_id).order_by(vacations.c.starts_at)
    return tuple(vacation_of(row) for row in await tx.execute(query))


async def coming_vacations(tx: Transaction, users: Collection[int], now: datetime) -> tuple[Vacation, ...]:
    """Return the vacations of some people that are not over, in their order."""
    query = select(*_VACATION).where(vacations.c.user_id.in_(users), vacations.c.ends_at > now)
    return tuple(vacation_of(row) for row in await tx.execute(query.order_by(vacations.c.starts_at)))


def vacation_of(row: Sequence[Any]) -> Vacation:
    """Read a row: person, beginning, end, first day and days."""
    user_id, starts_at, ends_at, first, days = row
    return Vacation(user_id=user_id, first=date.fromisoformat(first), days=days, starts_at=starts_at, ends_at=ends_at)


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
    since = departures.c.found_at
    gone = select(departures.c.user_id, since.label("starts_at"), since.label("ends_at"), literal(""), literal(0))
    coming = select(*_VACATION).where(vacations.c.user_id.in_(users), vacations.c.ends_at > now)
    rows = (await tx.execute(gone.where(departures.c.game_id == game_id).union_all(coming))).all()
    found = sorted((vacation_of(row) for row in rows if row[4]), key=lambda entry: entry.starts_at)
    return frozenset(row.user_id for row in rows if not row[4]), tuple(found)


class Substitution(NamedTuple):
    """A person who has taken over a seat from another, and the revision and ply of the game then."""

    revision: int
    ply: int
    seat: int
    before: Person
    after: Person
    at: datetime


async def substitute(
    tx: Transaction, game_id: int, at: Stamp, seat: int, before: Person, after: Person, now: datetime
) -> Stamp:
    """Let a person take over a seat of a game that stands at a stamp; return its stamp after that.

    Plans of the person before are dropped; notes stay with their writer.

    Raises:
        PlyConflictError: the game has moved on, or a move is pending; the transaction has to be given up.
    """
    stamp = at._replace(taken_back=at.taken_back + 1)
    stands = (games.c.ply == at.ply, games.c.epoch == at.epoch, games.c.taken_back == at.taken_back)
    going = (games.c.id == game_id, games.c.status == GameStatus.RUNNING, ~waits_for(games.c.id))
    moved = await tx.execute(update(games).where(*going, *stands).values(taken_back=stamp.taken_back, updated_at=now))
    if moved.rowcount != 1:
        raise PlyConflictError(game_id, at.ply)
    mine = (seats.c.game_id == game_id, seats.c.seat == seat)
    await tx.execute(update(seats).where(*mine).values(user_id=after.user_id, name=after.name))
    for table in (playing, plans):
        await tx.execute(delete(table).where(table.c.game_id == game_id, table.c.user_id == before.user_id))
    await tx.execute(insert(playing).values(user_id=after.user_id, game_id=game_id))
    kept = {
        "before_id": before.user_id,
        "before_name": before.name,
        "after_id": after.user_id,
        "after_name": after.name,
    }
    await tx.execute(
        insert(substitutions).values(game_id=game_id, revision=stamp.revision, ply=stamp.ply, seat=seat, at=now, **kept)
    )
    return stamp


async def substitutions_in(tx: Transaction, game_id: int) -> tuple[Substitution, ...]:
    """Return all substitutions of a game, in their order."""
    query = select(substitutions).where(substitutions.c.game_id == game_id).order_by(substitutions.c.revision)
    return tuple(
        Substitution(
            revision=row.revision,
            ply=row.ply,
            seat=row.seat,
            before=Person(row.before_id, row.before_name),
            after=Person(row.after_id, row.after_name),
            at=row.at,
        )
        for row in await tx.execute(query)
    )
