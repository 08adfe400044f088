"""The narrow row: what may have changed of a game since somebody saw it, and of who asks; one statement reads it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from sqlalchemy import Row, and_, bindparam, select

from store.connection.database import Transaction
from store.records import GameStatus, Stamp
from store.schema import games, pending, preferences, seats
from store.wishes.preference_values import Preferences
from store.wishes.preferences import chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """All that has to be asked of a game that was seen before.

    Everything else hangs on its ``stamp``: whoever knows the game under the same one knows its log, its position and
    who has left it; who sits where, as far as the seat of who asks has not changed.
    """

    game_id: int
    stamp: Stamp
    status: GameStatus
    place: tuple[int, int, int | None]
    """The server, the channel in which the game was opened, and where its cards go instead."""
    ends_at: datetime | None
    seat: int | None
    """Of who asks; None for somebody who has none."""
    name: str | None
    """Under which that person sits there."""
    preferences: Preferences
    """How that person wants to play."""
    waits: bool = False
    """Whether a move of that person waits to be published."""


ASKED: Final = (
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


async def get(tx: Transaction, game_id: int, user_id: int) -> Glance | None:
    """The narrow row of a game, as far as this version can read it."""
    row = (await tx.execute(ASKED, {"game_id": game_id, "user_id": user_id})).first()
    return None if row is None else glance_of(cast("Row[Any]", row))


def glance_of(row: Row[Any]) -> Glance | None:
    """What a row says; None for what this version cannot read."""
    try:
        status = GameStatus(row.status)
    except ValueError:
        return None
    return Glance(
        game_id=row.id,
        stamp=Stamp(row.ply, row.epoch, row.taken_back),
        status=status,
        place=(row.guild_id, row.channel_id, row.thread_id),
        ends_at=row.ends_at,
        seat=row.seat,
        name=row.name,
        preferences=Preferences() if row.confirm is None else chosen(row.confirm, row.choices),
        waits=row.waits is not None,
    )
