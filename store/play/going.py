"""The games that go on in a place or a server: looked for at every click, and never among those that are over."""

from __future__ import annotations

from typing import Final

from sqlalchemy import ColumnElement, and_, bindparam, func, select

from store.connection.database import Transaction
from store.errors import UnreadableError
from store.play.games import LINE, in_place, lines
from store.play.pending import waits_for
from store.records import GameLine, GameStatus, NextGame
from store.schema import IS_UNFINISHED, games, outbox, playing, seats

_NEWEST: Final = (games.c.id + 0).desc()
"""Not the order of the ids themselves: following that, what goes on is looked for among all that is over."""

_LAST_MESSAGE: Final = (
    select(outbox.c.message_id)
    .where(outbox.c.game_id == games.c.id, outbox.c.message_id.is_not(None))
    .order_by(outbox.c.id.desc())
    .limit(1)
    .scalar_subquery()
    .label("message_id")
)
"""The message of the newest post of a game that was sent."""


async def around(tx: Transaction, place_id: int, limit: int) -> list[GameLine | UnreadableError]:
    """The games that go on in a channel or thread or were opened there, newest first; else the last one over."""
    found: set[int] = set()
    for column in (games.c.thread_id, games.c.channel_id):
        here = select(games.c.id).where(column == place_id, IS_UNFINISHED)
        found |= set(await tx.scalars(here.order_by(_NEWEST).limit(limit)))
    if not found:
        over = await in_place(tx, place_id)
        found = set() if over is None else {over.id}
    if not found:
        return []
    return await lines(tx, select(*LINE).where(games.c.id.in_(found)).order_by(_NEWEST).limit(limit))


async def count(tx: Transaction, guild_id: int, user_id: int | None = None) -> int:
    """How many games go on in a server, of all or of one player who has not left them."""
    query = select(func.count()).select_from(games).where(_in(guild_id))
    if user_id is not None:
        query = query.where(games.c.id.in_(select(playing.c.game_id).where(playing.c.user_id == user_id)))
    return (await tx.execute(query)).scalar_one()


async def by_status(tx: Transaction) -> dict[str, int]:
    """How many games are not over, by where they stand; found by index, however many are."""
    going = games.c.status.in_([GameStatus.RUNNING, GameStatus.FROZEN])
    query = select(games.c.status, func.count().label("number")).where(going).group_by(games.c.status)
    return {row.status: row.number for row in await tx.execute(query)}


async def ids_of(tx: Transaction, user_id: int) -> list[int]:
    """The games that somebody plays that are not over."""
    return list(await tx.scalars(select(playing.c.game_id).where(playing.c.user_id == user_id)))


async def next_for(tx: Transaction, user_id: int, *, but: int) -> NextGame | None:
    """The running game that waits for somebody longest, one left out; none in which a move of theirs waits."""
    row = (await tx.execute(_WAITING, {"user_id": user_id, "but": but})).first()
    return None if row is None else NextGame(row.guild_id, row.place, row.message_id, row.waiting)


_WAITING: Final = (
    select(
        games.c.guild_id,
        func.coalesce(games.c.thread_id, games.c.channel_id).label("place"),
        _LAST_MESSAGE,
        func.count().over().label("waiting"),
    )
    .select_from(playing)
    .join(games, games.c.id == playing.c.game_id)
    .join(seats, and_(seats.c.game_id == games.c.id, seats.c.user_id == bindparam("user_id")))
    .where(playing.c.user_id == bindparam("user_id"), playing.c.game_id != bindparam("but"))
    .where(games.c.seat_to_act == seats.c.seat, games.c.status.in_([GameStatus.RUNNING]))
    .where(~waits_for(games.c.id))
    .order_by(games.c.updated_at, games.c.id)
    .limit(1)
)


async def newest(
    tx: Transaction, guild_id: int, limit: int, before: int | None = None
) -> list[GameLine | UnreadableError]:
    """The games that go on in a server, newest first; those older than one when that is given."""
    query = select(*LINE).where(_in(guild_id)).order_by(_NEWEST).limit(limit)
    if before is not None:
        query = query.where(games.c.id + 0 < before)
    return await lines(tx, query)


def _in(guild_id: int) -> ColumnElement[bool]:
    return and_(games.c.guild_id == guild_id, IS_UNFINISHED)
