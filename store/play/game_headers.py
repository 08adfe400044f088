"""Headers of games: the one row that is read to check whether a game in memory is still valid.

Replaying a game is expensive, so processes keep games in memory. The log, the position and the seats of a game change
only together with its *stamp* (its version: the number of actions, of undos, and of restored databases). As long as the
stamp is the same, the press of a button reads nothing but this row. :func:`with_timing` also reads the clocks and
absences, which cards (the messages that show a game) need.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from sqlalchemy import Row, and_, bindparam, select

from store.connection.database import Transaction
from store.play.absences import VACATION_COLUMNS, Vacation, vacation_of
from store.play.clocks import SeatClock, clock_of
from store.preferences import Preferences, from_row
from store.records import GameStatus, Stamp
from store.schema.people import departures, preferences, vacations
from store.schema.play import clocks, games, pending, seats


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHeader:
    """The state of a game in the database, which decides whether a game in memory is valid for a viewer.

    A game in memory with the same ``stamp`` has the same log, position and withdrawals. Its seats are the same, too, if
    the viewer still has the same ``seat``.
    """

    game_id: int
    stamp: Stamp
    status: GameStatus
    place: tuple[int, int, int | None]
    """The server, the channel in which the game was opened, and where its cards go instead."""
    ends_at: datetime | None
    seat: int | None
    """The viewer's seat; None for a person without one."""
    name: str | None
    """The name of the viewer in that seat."""
    preferences: Preferences
    """The preferences of the viewer."""
    waits: bool = False
    """True while a move of the viewer is pending."""


@dataclass(frozen=True, slots=True)
class GameTiming:
    """The clocks of a game by seat, the people who have left the server, and all vacations that are not over."""

    seats: tuple[SeatClock, ...]
    gone: frozenset[int]
    away: tuple[Vacation, ...]


_HEADER: Final = (
    select(
        games.c.id,
        games.c.ply,
        games.c.epoch,
        games.c.taken_back,
        games.c.status,
        games.c.guild_id,
        games.c.channel_id,
        games.c.thread_id,
        games.c.ends_at,
        seats.c.seat,
        seats.c.name,
        preferences.c.confirm,
        preferences.c.choices,
        pending.c.ply.label("waits"),
    )
    .select_from(games)
    .outerjoin(seats, and_(seats.c.game_id == games.c.id, seats.c.user_id == bindparam("user_id")))
    .outerjoin(preferences, preferences.c.user_id == bindparam("user_id"))
    .outerjoin(
        pending,
        and_(pending.c.game_id == games.c.id, pending.c.user_id == bindparam("user_id"), pending.c.ply == games.c.ply),
    )
    .where(games.c.id == bindparam("game_id"))
)
_OCCUPIED: Final = seats.alias("occupied")
"""All seats of the game; :data:`_HEADER` joins only the viewer's."""
_VACATION: Final = tuple(column.label(f"away_{column.name}") for column in VACATION_COLUMNS)
_CLOCK: Final = tuple(column.label(f"clock_{column.name}") for column in clocks.c)
_WITH_TIMING: Final = (
    _HEADER.add_columns(departures.c.user_id.label("gone_id"), *_VACATION, *_CLOCK)
    .outerjoin(_OCCUPIED, _OCCUPIED.c.game_id == games.c.id)
    .outerjoin(clocks, and_(clocks.c.game_id == games.c.id, clocks.c.seat == _OCCUPIED.c.seat))
    .outerjoin(departures, and_(departures.c.game_id == games.c.id, departures.c.user_id == _OCCUPIED.c.user_id))
    .outerjoin(vacations, and_(vacations.c.user_id == _OCCUPIED.c.user_id, vacations.c.ends_at > bindparam("now")))
    .order_by(_OCCUPIED.c.seat, vacations.c.starts_at)
)


async def get(tx: Transaction, game_id: int, user_id: int) -> GameHeader | None:
    """Return the header of a game for a viewer; None if there is no such game or this version cannot read it."""
    row = (await tx.execute(_HEADER, {"game_id": game_id, "user_id": user_id})).first()
    return None if row is None else _header(cast("Row[Any]", row))


async def with_timing(
    tx: Transaction, game_id: int, user_id: int, now: datetime
) -> tuple[GameHeader, GameTiming] | None:
    """Return the header of a game for a viewer together with its clocks and absences, in one statement."""
    rows = (await tx.execute(_WITH_TIMING, {"game_id": game_id, "user_id": user_id, "now": now})).all()
    header = _header(rows[0]) if rows else None
    if header is None:
        return None
    # The joins return a row for every pair of a seat and a vacation, so that each of them occurs in several rows.
    by_seat = {row.clock_seat: clock_of(row, "clock_") for row in rows if row.clock_seat is not None}
    away = {(row.away_user_id, row.away_starts_at): row for row in rows if row.away_user_id is not None}
    absences = [vacation_of(row, "away_") for row in away.values()]
    absences.sort(key=lambda vacation: vacation.starts_at)
    gone = frozenset(row.gone_id for row in rows if row.gone_id is not None)
    return header, GameTiming(tuple(by_seat.values()), gone, tuple(absences))


def _header(row: Row[Any]) -> GameHeader | None:
    """Read a header from a row; return None if the game has a status that this version does not know."""
    try:
        status = GameStatus(row.status)
    except ValueError:
        return None
    return GameHeader(
        game_id=row.id,
        stamp=Stamp(row.ply, row.epoch, row.taken_back),
        status=status,
        place=(row.guild_id, row.channel_id, row.thread_id),
        ends_at=row.ends_at,
        seat=row.seat,
        name=row.name,
        preferences=Preferences() if row.confirm is None else from_row(row.confirm, row.choices),
        waits=row.waits is not None,
    )
