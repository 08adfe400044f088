"""The queue of the ladder, and the games that it has opened."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, delete, insert, select, update

from store.connection.database import Transaction
from store.person import Person
from store.schema import ladder_games, ladder_queue
from store.tourneys.values import QueueRecord


class LadderGame(NamedTuple):
    """A game that the ladder has opened, and for whom."""

    game_id: int
    guild_id: int
    scale: str
    opened_at: datetime
    players: tuple[int, ...]


async def enter(tx: Transaction, record: QueueRecord, look_at: datetime) -> bool:
    """Somebody waits for a game; False if he does already."""
    mine = _mine(record.guild_id, record.scale, record.person.user_id)
    if (await tx.execute(select(ladder_queue.c.user_id).where(*mine))).first() is not None:
        return False
    await tx.execute(
        insert(ladder_queue).values(
            guild_id=record.guild_id,
            scale=record.scale,
            user_id=record.person.user_id,
            name=record.person.name,
            channel_id=record.channel_id,
            joined_at=record.joined_at,
            waited=record.waited,
            look_at=look_at,
        )
    )
    return True


async def leave(tx: Transaction, guild_id: int, scale: str, user_ids: Collection[int]) -> int:
    """They wait no more; how many did."""
    gone = await tx.execute(
        delete(ladder_queue).where(
            ladder_queue.c.guild_id == guild_id, ladder_queue.c.scale == scale, ladder_queue.c.user_id.in_(user_ids)
        )
    )
    return gone.rowcount


async def due(tx: Transaction, now: datetime) -> list[tuple[int, str]]:
    """The queues, by server and scale, that somebody has to look at now."""
    query = select(ladder_queue.c.guild_id, ladder_queue.c.scale).where(ladder_queue.c.look_at <= now).distinct()
    return [(row.guild_id, row.scale) for row in await tx.execute(query)]


def first_due() -> Select[tuple[datetime]]:
    """When somebody had to look at the first queue of those that are to be looked at ``now``."""
    return (
        select(ladder_queue.c.look_at)
        .where(ladder_queue.c.look_at <= bindparam("now"))
        .order_by(ladder_queue.c.look_at)
        .limit(1)
    )


async def queue(tx: Transaction, guild_id: int, scale: str) -> list[QueueRecord]:
    """Who waits in a queue, the longest first."""
    query = (
        select(ladder_queue)
        .where(ladder_queue.c.guild_id == guild_id, ladder_queue.c.scale == scale)
        .order_by(ladder_queue.c.joined_at, ladder_queue.c.user_id)
    )
    return [
        QueueRecord(
            guild_id=row.guild_id,
            scale=row.scale,
            person=Person(row.user_id, row.name),
            channel_id=row.channel_id,
            joined_at=row.joined_at,
            waited=row.waited,
        )
        for row in await tx.execute(query)
    ]


async def looks(tx: Transaction, guild_id: int, scale: str) -> list[datetime]:
    """When somebody looks for each who waits in a queue."""
    query = select(ladder_queue.c.look_at).where(ladder_queue.c.guild_id == guild_id, ladder_queue.c.scale == scale)
    return list(await tx.scalars(query))


async def waits_on(tx: Transaction, guild_id: int, scale: str, user_id: int, waited: int, look_at: datetime) -> None:
    """Somebody was looked for in vain."""
    mine = _mine(guild_id, scale, user_id)
    await tx.execute(update(ladder_queue).where(*mine).values(waited=waited, look_at=look_at))


async def opened(tx: Transaction, game: LadderGame) -> None:
    """The ladder has opened a game."""
    await tx.execute(insert(ladder_games).values(**{**game._asdict(), "players": list(game.players)}))


async def since(tx: Transaction, guild_id: int, scale: str, at: datetime) -> list[LadderGame]:
    """The games that were opened since a time."""
    query = select(ladder_games).where(
        ladder_games.c.guild_id == guild_id, ladder_games.c.scale == scale, ladder_games.c.opened_at >= at
    )
    return [LadderGame(**{**row._asdict(), "players": tuple(row.players)}) for row in await tx.execute(query)]


async def of_game(tx: Transaction, game_id: int) -> LadderGame | None:
    """What the ladder knows of a game; None if it has not opened it."""
    row = (await tx.execute(select(ladder_games).where(ladder_games.c.game_id == game_id))).first()
    return None if row is None else LadderGame(**{**row._asdict(), "players": tuple(row.players)})


def _mine(guild_id: int, scale: str, user_id: int) -> tuple[ColumnElement[bool], ...]:
    return (ladder_queue.c.guild_id == guild_id, ladder_queue.c.scale == scale, ladder_queue.c.user_id == user_id)
