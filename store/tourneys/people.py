"""A person in events: everything that is known of them there, or a number in their place.

Events are worked out from their entries and facts, in which a person is an id like any other: the same number takes its
place everywhere, so that rounds, standings and ratings stay as they were.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, delete, select, union, update

from store.connection.database import Transaction
from store.connection.dialect import hold
from store.schema import (
    event_audit,
    event_entries,
    event_facts,
    event_organisers,
    event_posts,
    event_reports,
    event_teams,
    events,
    ladder_games,
    ladder_queue,
    rated_players,
    rated_results,
    ratings,
    seats,
)
from store.tourneys import ratings as ratings_of_all

DELETED: Final[tuple[Column[Any], ...]] = (ladder_queue.c.user_id, event_organisers.c.user_id, event_reports.c.user_id)
"""By these columns rows are found that go."""
RENAMED: Final[tuple[Column[Any], ...]] = (
    events.c.owner_id,
    event_entries.c.user_id,
    event_audit.c.user_id,
    event_facts.c.user_id,
    event_teams.c.captain_id,
    ratings.c.user_id,
    rated_players.c.user_id,
)
"""In these columns the number takes the place of the person."""
_NAMES: Final = {event_entries.c.user_id: event_entries.c.name, ratings.c.user_id: ratings.c.name}


async def rename(tx: Transaction, user_id: int, number: int) -> None:
    """Put a number in the place of a person."""
    found = await _events_of(tx, user_id)
    await hold(tx, events, events.c.id.in_(found))
    await ratings_of_all.hold(tx)
    for column, where in _documents(found, user_id):
        await _rename_in(tx, column, where, user_id, number)
    await tx.execute(update(events).where(events.c.id.in_(found)).values(renamed=events.c.renamed + 1))
    for column in DELETED:
        await tx.execute(delete(column.table).where(column == user_id))
    for column in RENAMED:
        values: dict[Column[Any], Any] = {column: number}
        if column in _NAMES:
            values[_NAMES[column]] = ""
        await tx.execute(update(column.table).where(column == user_id).values(values))


async def documents(tx: Transaction, user_id: int) -> list[tuple[Column[Any], ColumnElement[bool]]]:
    """Columns of JSON in which somebody may stand, each with in which rows."""
    return _documents(await _events_of(tx, user_id), user_id)


def _documents(found: list[int], user_id: int) -> list[tuple[Column[Any], ColumnElement[bool]]]:
    return [
        (events.c.plan, events.c.id.in_(found)),
        (events.c.specification, events.c.id.in_(found)),
        (event_facts.c.fact, event_facts.c.event_id.in_(found)),
        (event_audit.c.details, event_audit.c.event_id.in_(found)),
        (event_posts.c.details, event_posts.c.event_id.in_(found)),
        (rated_results.c.players, rated_results.c.id.in_(_results_of(user_id))),
        (ladder_games.c.players, ladder_games.c.game_id.in_(_games_of(user_id))),
    ]


async def _events_of(tx: Transaction, user_id: int) -> list[int]:
    """The events in which somebody stands."""
    named = (event_entries.c.user_id, event_organisers.c.user_id, event_audit.c.user_id, event_teams.c.captain_id)
    queries = [select(column.table.c.event_id).where(column == user_id) for column in named]
    return list(await tx.scalars(union(*queries, select(events.c.id).where(events.c.owner_id == user_id))))


def _results_of(user_id: int) -> Any:  # noqa: ANN401 - a query
    return select(rated_players.c.result_id).where(rated_players.c.user_id == user_id)


def _games_of(user_id: int) -> Any:  # noqa: ANN401 - a query
    return select(seats.c.game_id).where(seats.c.user_id == user_id)


async def _rename_in(
    tx: Transaction, column: Column[Any], where: ColumnElement[bool], user_id: int, number: int
) -> None:
    """The same in a column of JSON, as a value or as its text."""
    keys = list(column.table.primary_key.columns)
    for row in (await tx.execute(select(*keys, column).where(where))).all():
        *key, value = row
        as_text = isinstance(value, str)
        old = json.loads(value) if as_text else value
        new = _renamed(old, user_id, number)
        if new != old:
            mine = [part == found for part, found in zip(keys, key, strict=True)]
            stored = json.dumps(new, separators=(",", ":")) if as_text else new
            await tx.execute(update(column.table).where(*mine).values({column: stored}))


def _renamed(value: object, user_id: int, number: int) -> object:
    match value:
        case list():
            return [_renamed(entry, user_id, number) for entry in value]
        case Mapping():
            return {name: _renamed(entry, user_id, number) for name, entry in value.items()}
        case _ if value == user_id and not isinstance(value, bool):
            return number
        case _ if value == str(user_id):
            return str(number)
        case _:
            return value
