"""What a card tells of a game beside its position: the narrow row, clocks, who is away; one statement reads it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import and_, bindparam

from store.connection.database import Transaction
from store.play.glances import ASKED, Glance, glance_of
from store.schema import clocks, departures, games, seats, vacations
from store.time.clocks import clock_of
from store.time.seat_clock import SeatClock
from store.time.vacations import Vacation, vacation_of


@dataclass(frozen=True, slots=True)
class Around:
    """The clocks of a game by seat, who of its people has left the server, and their vacations that are not over."""

    seats: tuple[SeatClock, ...]
    gone: frozenset[int]
    away: tuple[Vacation, ...]


_AT: Final = seats.alias("at")
_VACATION: Final = (
    vacations.c.user_id.label("away_id"),
    vacations.c.starts_at,
    vacations.c.ends_at.label("away_until"),
    vacations.c.first,
    vacations.c.days,
)
_CLOCK: Final = tuple(column.label(f"clock_{column.name}") for column in clocks.c)
_AROUND: Final = (
    ASKED.add_columns(departures.c.user_id.label("gone_id"), *_VACATION, *_CLOCK)
    .outerjoin(_AT, _AT.c.game_id == games.c.id)
    .outerjoin(clocks, and_(clocks.c.game_id == games.c.id, clocks.c.seat == _AT.c.seat))
    .outerjoin(departures, and_(departures.c.game_id == games.c.id, departures.c.user_id == _AT.c.user_id))
    .outerjoin(vacations, and_(vacations.c.user_id == _AT.c.user_id, vacations.c.ends_at > bindparam("now")))
    .order_by(_AT.c.seat, vacations.c.starts_at)
)


async def get(tx: Transaction, game_id: int, user_id: int, now: datetime) -> tuple[Glance, Around] | None:
    """The narrow row of a game for who is asked, as far as this version can read it, and what is around it."""
    rows = (await tx.execute(_AROUND, {"game_id": game_id, "user_id": user_id, "now": now})).all()
    glance = glance_of(rows[0]) if rows else None
    if glance is None:
        return None
    by_seat = {row.clock_seat: clock_of(row, "clock_") for row in rows if row.clock_seat is not None}
    away = {(row.away_id, row.starts_at): row for row in rows if row.away_id is not None}
    found = [vacation_of((row.away_id, row.starts_at, row.away_until, row.first, row.days)) for row in away.values()]
    found.sort(key=lambda entry: entry.starts_at)
    gone = frozenset(row.gone_id for row in rows if row.gone_id is not None)
    return glance, Around(tuple(by_seat.values()), gone, tuple(found))
