"""Results of rated games, and the ratings of players that are computed from them.

A player has a rating on each *scale* (a kind of games that are rated together): one in each server in which they play,
and one for all servers together, which is stored as that of server 0. A rating is an estimated strength (``mean``) and
its uncertainty (``deviation``); players are shown a single number that is computed from both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, delete, insert, select, update

from store.connection.database import Transaction
from store.connection.dialect import lock_name, upsert
from store.connection.statements import add_row
from store.records import Person, columns_of, record_of
from store.schema.tourneys import rated_players, rated_results, ratings


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedResult:
    """The result of a rated game: its players, their places, and the table of the event in which it was played.

    ``places`` has the place of each player, 1 for the winner. ``stage``, ``round`` and ``number`` identify the table; a
    game of the ladder belongs to no event, and has a ``game_id`` instead.
    """

    scale: str
    guild_id: int
    at: datetime
    players: tuple[int, ...]
    places: tuple[int, ...]
    event_id: int | None = None
    stage: int | None = None
    round: int | None = None
    number: int | None = None
    game_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRecord:
    """The rating of a person in a server, or in all servers together (0)."""

    guild_id: int
    scale: str
    person: Person
    mean: float
    deviation: float
    games: int
    before: int
    """The displayed rating before the last game."""
    shown: int
    """The displayed rating."""
    active_at: datetime


_LOCK_NAME: Final = "ratings"
"""The name of the advisory lock of all ratings."""


async def lock(tx: Transaction) -> None:
    """Lock all ratings until the end of the transaction.

    A transaction that also locks an event locks that first, which prevents deadlocks.
    """
    await lock_name(tx, _LOCK_NAME)


async def of_users(tx: Transaction, guild_id: int, scale: str, user_ids: Collection[int]) -> dict[int, RatingRecord]:
    """Return the ratings of these people on a scale."""
    query = select(ratings).where(
        ratings.c.guild_id == guild_id, ratings.c.scale == scale, ratings.c.user_id.in_(user_ids)
    )
    return {row.user_id: _record(row) for row in await tx.execute(query)} if user_ids else {}


async def ratings_of_user(tx: Transaction, guild_id: int, user_id: int) -> list[RatingRecord]:
    """Return the ratings of a person, by scale."""
    query = select(ratings).where(ratings.c.guild_id == guild_id, ratings.c.user_id == user_id)
    return [_record(row) for row in await tx.execute(query.order_by(ratings.c.scale))]


async def best(
    tx: Transaction, guild_id: int, scale: str, least_games: int, active_since: datetime, limit: int
) -> list[RatingRecord]:
    """Return the best ratings of a scale, best first, of players with enough games and a recent one."""
    query = (
        select(ratings)
        .filter_by(guild_id=guild_id, scale=scale)
        .where(ratings.c.games >= least_games, ratings.c.active_at >= active_since)
        .where(ratings.c.user_id > 0)  # erased people have negative numbers
        .order_by(ratings.c.shown.desc(), ratings.c.user_id)
        .limit(limit)
    )
    return [_record(row) for row in await tx.execute(query)]


async def save(tx: Transaction, records: Iterable[RatingRecord]) -> None:
    """Store ratings, in place of earlier ones of the same people."""
    for record in records:
        await tx.execute(upsert(ratings, _values(record)))


async def replace_all(tx: Transaction, guild_id: int, scale: str, records: Iterable[RatingRecord]) -> None:
    """Replace all ratings of a scale in a server, after they were computed again."""
    await tx.execute(delete(ratings).where(ratings.c.guild_id == guild_id, ratings.c.scale == scale))
    rows = [_values(record) for record in records]
    if rows:
        await tx.execute(insert(ratings), rows)


async def results(tx: Transaction, scale: str, guild_id: int | None = None) -> list[RatedResult]:
    """Return all results of a scale, in the order in which they were decided."""
    query = select(rated_results).where(rated_results.c.scale == scale)
    if guild_id:
        query = query.where(rated_results.c.guild_id == guild_id)
    return [_result(row) for row in await tx.execute(query.order_by(rated_results.c.at, rated_results.c.id))]


async def corrected_games(tx: Transaction, scale: str, guild_id: int, since: datetime) -> list[int]:
    """Return the ids of the rated games in a server whose results since a time were corrected."""
    query = select(rated_results.c.game_id).filter_by(scale=scale, guild_id=guild_id)
    query = query.where(
        rated_results.c.at >= since, rated_results.c.corrected > 0, rated_results.c.game_id.is_not(None)
    )
    return list(await tx.scalars(query))


async def results_of_user(tx: Transaction, user_id: int) -> list[RatedResult]:
    """Return the results of a person."""
    query = (
        select(rated_results)
        .where(rated_results.c.id.in_(select(rated_players.c.result_id).where(rated_players.c.user_id == user_id)))
        .order_by(rated_results.c.at, rated_results.c.id)
    )
    return [_result(row) for row in await tx.execute(query)]


async def add_result(tx: Transaction, result: RatedResult) -> None:
    """Store a result."""
    lists = {"players": list(result.players), "places": list(result.places)}
    result_id = await add_row(tx, rated_results, {**columns_of(result), **lists})
    await _add_players(tx, result, result_id)


async def correct_result(tx: Transaction, result: RatedResult) -> None:
    """Replace the result of a table of an event; a result without players is removed, so that it is no longer rated."""
    place = {name: getattr(result, name) for name in ("event_id", "stage", "round", "number")}
    row_id = (await tx.execute(select(rated_results.c.id).filter_by(**place))).scalar_one_or_none()
    if row_id is None:
        if result.players:
            await add_result(tx, result)
        return
    await tx.execute(delete(rated_players).where(rated_players.c.result_id == row_id))
    if not result.players:
        await tx.execute(delete(rated_results).where(rated_results.c.id == row_id))
        return
    values = {"players": list(result.players), "places": list(result.places)}
    await tx.execute(update(rated_results).filter_by(**place).values(**values, corrected=rated_results.c.corrected + 1))
    await _add_players(tx, result, row_id)


async def _add_players(tx: Transaction, result: RatedResult, result_id: int) -> None:
    """Store the players of a result."""
    rows = [{"user_id": user_id, "result_id": result_id} for user_id in result.players]
    await tx.execute(insert(rated_players), rows)


def _values(record: RatingRecord) -> dict[str, Any]:
    """Return the columns of a rating."""
    return {**columns_of(record, "person"), "user_id": record.person.user_id, "name": record.person.name}


def _record(row: Row[Any]) -> RatingRecord:
    """Read a rating from a row."""
    return record_of(RatingRecord, row, person=Person(row.user_id, row.name))


def _result(row: Row[Any]) -> RatedResult:
    """Read a rated result from a row."""
    return record_of(RatedResult, row, players=tuple(row.players), places=tuple(row.places))
