"""The ladder, which finds opponents of similar strength for single rated games: its queues, and its games.

A *scale* is a kind of games that are rated together. Each server has one queue for each scale. A search looks for
opponents in a queue. People for whom it finds none wait for the next one, at the time ``look_at``, which accepts a
wider range of ratings.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Row, delete, exists, insert, select, update

from store.connection.database import Transaction
from store.connection.statements import first_record
from store.records import Person, columns_of, record_of
from store.schema.play import games
from store.schema.tourneys import event_organisers, event_tables, events, ladder_games, ladder_queue
from store.tourneys.events import TableState


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRecord:
    """A person who waits in a queue of the ladder."""

    guild_id: int
    scale: str
    person: Person
    channel_id: int
    joined_at: datetime
    waited: int = 0
    """The number of searches that found no opponents; each widens the range of ratings that is accepted."""


class LadderGame(NamedTuple):
    """A game that the ladder has opened, with its players."""

    game_id: int
    guild_id: int
    scale: str
    opened_at: datetime
    players: tuple[int, ...]


class FoundGame(NamedTuple):
    """A rated game whose players have found each other: on the ladder's queue or by a challenge."""

    game_id: int
    code: str
    begun_at: datetime


async def join_queue(tx: Transaction, record: QueueRecord, look_at: datetime) -> bool:
    """Add a person to a queue; return False if they are in it already."""
    same_place = {"guild_id": record.guild_id, "scale": record.scale, "user_id": record.person.user_id}
    if (await tx.execute(select(ladder_queue.c.user_id).filter_by(**same_place))).first() is not None:
        return False
    values = {**columns_of(record, "person"), **same_place, "name": record.person.name, "look_at": look_at}
    await tx.execute(insert(ladder_queue).values(values))
    return True


async def leave_queue(tx: Transaction, guild_id: int, scale: str, user_ids: Collection[int]) -> int:
    """Remove people from a queue; return the number of those who were in it."""
    queue = delete(ladder_queue).filter_by(guild_id=guild_id, scale=scale)
    return (await tx.execute(queue.where(ladder_queue.c.user_id.in_(user_ids)))).rowcount


async def due_queues(tx: Transaction, now: datetime) -> list[tuple[int, str]]:
    """Return the server and the scale of each queue that is due for a search."""
    query = select(ladder_queue.c.guild_id, ladder_queue.c.scale).where(ladder_queue.c.look_at <= now).distinct()
    return [(row.guild_id, row.scale) for row in await tx.execute(query)]


async def queue(tx: Transaction, guild_id: int, scale: str) -> list[QueueRecord]:
    """Return the people in a queue, the longest waiting first."""
    query = (
        select(ladder_queue)
        .where(ladder_queue.c.guild_id == guild_id, ladder_queue.c.scale == scale)
        .order_by(ladder_queue.c.joined_at, ladder_queue.c.user_id)
    )
    return [record_of(QueueRecord, row, person=Person(row.user_id, row.name)) for row in await tx.execute(query)]


async def search_times(tx: Transaction, guild_id: int, scale: str) -> list[datetime]:
    """Return the time of the next search for each person in a queue."""
    query = select(ladder_queue.c.look_at).where(ladder_queue.c.guild_id == guild_id, ladder_queue.c.scale == scale)
    return list(await tx.scalars(query))


async def postpone(tx: Transaction, guild_id: int, scale: str, user_id: int, waited: int, look_at: datetime) -> None:
    """Let a person wait for the next search; ``waited`` is the number of searches that have found nothing."""
    same_place = update(ladder_queue).filter_by(guild_id=guild_id, scale=scale, user_id=user_id)
    await tx.execute(same_place.values(waited=waited, look_at=look_at))


async def add_game(tx: Transaction, game: LadderGame) -> None:
    """Store a game that the ladder has opened."""
    await tx.execute(insert(ladder_games).values(**{**game._asdict(), "players": list(game.players)}))


async def games_since(tx: Transaction, guild_id: int, scale: str, at: datetime) -> list[LadderGame]:
    """Return the games of a scale that were opened in a server since a time."""
    query = select(ladder_games).filter_by(guild_id=guild_id, scale=scale).where(ladder_games.c.opened_at >= at)
    return [_game(row) for row in await tx.execute(query)]


async def found_games(
    tx: Transaction, guild_id: int, scale: str, match_format: str, since: datetime
) -> list[FoundGame]:
    """Return the rated games that players of a server have found themselves since a time, in the order of beginning.

    These are the games of the ladder on this scale, and those of matches of any scale, which are events of
    ``match_format`` that nobody organises.
    """
    of_queue = select(ladder_games.c.game_id).filter_by(guild_id=guild_id, scale=scale)
    of_matches = (
        select(event_tables.c.game_id, events.c.plan)
        .join(events, events.c.id == event_tables.c.event_id)
        .where(events.c.guild_id == guild_id, events.c.started_at >= since, event_tables.c.game_id.is_not(None))
        .where(
            event_tables.c.state != str(TableState.VOID), ~exists().where(event_organisers.c.event_id == events.c.id)
        )
    )
    ids = list(await tx.scalars(of_queue.where(ladder_games.c.opened_at >= since)))
    matches = [row for row in await tx.execute(of_matches) if row.plan["format"] == match_format]
    ids += [row.game_id for row in matches if row.plan["parameters"]["rated"]]
    query = select(games.c.id, games.c.code, games.c.created_at).where(games.c.id.in_(ids))
    return [FoundGame(*row) for row in await tx.execute(query.order_by(games.c.created_at, games.c.id))] if ids else []


async def game_by_id(tx: Transaction, game_id: int) -> LadderGame | None:
    """Return a game that the ladder has opened; None for other games."""
    return await first_record(tx, select(ladder_games).where(ladder_games.c.game_id == game_id), _game)


def _game(row: Row[Any]) -> LadderGame:
    """Read a game of the ladder from a row."""
    return LadderGame(**{**row._asdict(), "players": tuple(row.players)})
