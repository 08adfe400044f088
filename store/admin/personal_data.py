"""Personal data: exporting and erasing everything that is stored about a person.

:func:`erase` deletes rows that are about one person alone. Rows that belong to a game have to stay, so that the game
can be replayed; there a negative number of the seat replaces the person's id. Events (tournaments and leagues) are
computed from their entries and facts; there one random negative number replaces the id everywhere, so that rounds,
standings and ratings stay as they were. A keyed hash of each erased id is kept: when an older copy of the database is
restored, these people are found by it and erased again.

Every column that holds ids of people says in ``store/schema`` how its values are erased. A test fails if one does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from secrets import randbelow
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    CompoundSelect,
    Table,
    and_,
    cast,
    delete,
    func,
    insert,
    select,
    union,
    update,
)

from store.connection.database import Transaction
from store.connection.dialect import lock_rows
from store.guilds import BanKind
from store.play import moves
from store.schema import metadata
from store.schema.admin import bans, forgotten, operator_log
from store.schema.columns import ERASURE, Erasure
from store.schema.people import avoided, departures, drafts, notes, plans
from store.schema.play import (
    IS_WITHDRAWAL,
    actions,
    games,
    gifts,
    pauses,
    pending,
    requests,
    seats,
    substitutions,
    timers,
    turns,
)
from store.schema.tourneys import (
    event_audit,
    event_entries,
    event_facts,
    event_organisers,
    event_posts,
    event_teams,
    events,
    ladder_games,
    rated_players,
    rated_results,
    ratings,
)
from store.tourneys import ratings as ratings_of_all

NOBODY: Final = 0
"""The id of an erased person who had no seat."""
_FIRST_IN_EVENTS: Final = 2**40
"""The least absolute value of an erased person's random number in events: large, so that no two people get the same."""
_FIRST_SEAT: Final = -101
"""The id of an erased person in the first seat of a game; lower by one for each seat that follows."""

PERSON_COLUMNS: Final[tuple[Column[Any], ...]] = tuple(
    column for table in metadata.sorted_tables for column in table.columns if ERASURE in column.info
)
"""All columns that hold nothing but ids of people."""
_SEARCHED_BY_GAME: Final = frozenset({actions, plans, notes, drafts, departures, turns, pending, timers, gifts})
"""Tables that are searched by the person's games, for which they have an index; only people with a seat are named."""
_KNOWN_TO_OTHERS_ALONE: Final = frozenset({avoided.c.avoided_id})
"""Columns that are erased, but not exported: they would tell a person what somebody else keeps to themselves."""
_NAME_COLUMNS: Final = {
    seats.c.user_id: seats.c.name,
    substitutions.c.before_id: substitutions.c.before_name,
    substitutions.c.after_id: substitutions.c.after_name,
    event_entries.c.user_id: event_entries.c.name,
    ratings.c.user_id: ratings.c.name,
}
"""The column with the person's name, by the column with their id; both are erased."""


def _erased_by(erasure: Erasure) -> list[Column[Any]]:
    """Return the columns of people that are erased in this way."""
    return [column for column in PERSON_COLUMNS if column.info[ERASURE] is erasure]


async def known_people(tx: Transaction) -> list[int]:
    """Return the ids of all people about whom the database has any row."""
    numbers = [cast(column, BigInteger) for column in PERSON_COLUMNS]
    return sorted(await tx.scalars(union(*(select(number).where(number > 0) for number in numbers))))


async def rows_about(tx: Transaction, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return every row that names a person, by table."""
    rows_by_table: dict[str, list[dict[str, Any]]] = {}
    for column in PERSON_COLUMNS:
        if column in _KNOWN_TO_OTHERS_ALONE:
            continue
        table = column.table
        for conditions in _rows(column, user_id):
            rows = (await tx.execute(select(table).where(*conditions))).mappings().all()
            if rows:
                rows_by_table.setdefault(table.name, []).extend(dict(row) for row in rows)
    columns = (games.c.id, games.c.code, games.c.name, games.c.status, games.c.created_at, games.c.updated_at)
    rows = (await tx.execute(select(*columns).where(games.c.id.in_(_games_with_seat(user_id))))).mappings().all()
    rows_by_table["games"] = [dict(row) for row in rows]
    for column, where in await _documents(tx, user_id):
        for row in (await tx.execute(select(column.table).where(where))).mappings():
            if _contains_id(row[column.name], user_id) and dict(row) not in rows_by_table.get(column.table.name, []):
                rows_by_table.setdefault(column.table.name, []).append(dict(row))
    return rows_by_table


def _games_of(user_id: int) -> CompoundSelect[int]:
    """Select the games in which a person has, or had, a seat."""
    return union(
        select(seats.c.game_id).where(seats.c.user_id == user_id),
        select(substitutions.c.game_id).where(substitutions.c.before_id == user_id),
    )


def _rows(column: Column[Any], user_id: int) -> list[tuple[ColumnElement[bool], ...]]:
    """Return the conditions that find a person by a column: one for each statement, so that each can use an index."""
    is_person, table = column == user_id, column.table
    if table not in _SEARCHED_BY_GAME:
        return [(is_person,)]
    played = (table.c.game_id.in_(_games_of(user_id)), is_person)
    return [(*played, ~IS_WITHDRAWAL), (is_person, IS_WITHDRAWAL)] if table is actions else [played]


async def _documents(tx: Transaction, user_id: int) -> list[tuple[Column[Any], ColumnElement[bool]]]:
    """Return the JSON columns that may name a person, each with a condition of its rows."""
    banned = and_(bans.c.kind == BanKind.USER, bans.c.subject == user_id)
    return [
        *_vote_documents(user_id),
        (bans.c.subject, banned),
        (operator_log.c.details, operator_log.c.what.in_(("ban", "unban"))),
        *_event_documents(await _events_of(tx, user_id), user_id),
    ]


def _contains_id(value: object, user_id: int) -> bool:
    """Return whether a JSON value, or the text of one, contains a person's id."""
    if isinstance(value, str) and value != str(user_id):
        try:
            value = json.loads(value)
        except ValueError:
            return False
    return value != _with_number(value, user_id, NOBODY)


async def games_of(tx: Transaction, user_id: int) -> list[int]:
    """Return the games in which a person has, or had, a seat."""
    return list(await tx.scalars(_games_of(user_id)))


async def erase(tx: Transaction, user_id: int) -> None:
    """Erase a person; their games stay playable under an empty name, and replay as before."""
    # One number for all events, whose rounds, standings and ratings depend on each other; never one of a seat.
    await _replace_in_events(tx, user_id, -(_FIRST_IN_EVENTS + randbelow(_FIRST_IN_EVENTS)))
    for column, condition in _vote_documents(user_id):
        await _replace_in_documents(tx, column, condition, user_id, NOBODY)
    for game_id in await tx.scalars(select(pending.c.game_id).where(*_rows(pending.c.user_id, user_id)[0])):
        await moves.drop_pending(tx, game_id)
    for column in (timers.c.subject, *_erased_by(Erasure.DELETE)):
        for where in _rows(column, user_id):
            await tx.execute(delete(column.table).where(*where))
    for column in _erased_by(Erasure.NOBODY):
        await tx.execute(update(column.table).where(column == user_id).values({column: NOBODY}))
    by_seat = _erased_by(Erasure.SEAT)
    places = (substitutions, seats)  # last: the others find the person's games and seats there
    for column in sorted(by_seat, key=lambda column: column.table in places and 1 + places.index(column.table)):
        values: dict[Column[Any], Any] = {column: _replacement(column.table, user_id)}
        if column in _NAME_COLUMNS:
            values[_NAME_COLUMNS[column]] = ""
        for where in _rows(column, user_id):
            await tx.execute(update(column.table).where(*where).values(values))


def _replacement(table: Table, user_id: int) -> Any:  # noqa: ANN401 - an expression of SQL
    """Return an expression for the number that replaces a person: that of their seat if they have or had one."""
    if table in {seats, substitutions}:
        return _FIRST_SEAT - table.c.seat
    own_seats = seats.alias("own_seats")
    seat = select(_FIRST_SEAT - own_seats.c.seat).where(
        own_seats.c.game_id == table.c.game_id, own_seats.c.user_id == user_id
    )
    former_seat = select(func.max(_FIRST_SEAT - substitutions.c.seat)).where(
        substitutions.c.game_id == table.c.game_id, substitutions.c.before_id == user_id
    )
    return func.coalesce(seat.scalar_subquery(), former_seat.scalar_subquery(), NOBODY)


async def _replace_in_events(tx: Transaction, user_id: int, number: int) -> None:
    """Replace a person in events by a number."""
    event_ids = await _events_of(tx, user_id)
    await lock_rows(tx, events, events.c.id.in_(event_ids))
    await ratings_of_all.lock(tx)
    for column, where in _event_documents(event_ids, user_id):
        await _replace_in_documents(tx, column, where, user_id, number)
    await tx.execute(update(events).where(events.c.id.in_(event_ids)).values(renamed=events.c.renamed + 1))
    for column in _erased_by(Erasure.NUMBER):
        values: dict[Column[Any], Any] = {column: number}
        if column in _NAME_COLUMNS:
            values[_NAME_COLUMNS[column]] = ""
        await tx.execute(update(column.table).where(column == user_id).values(values))


def _vote_documents(user_id: int) -> list[tuple[Column[Any], ColumnElement[bool]]]:
    """Return the JSON columns of requests and pauses that may name a person, each with a condition of its rows."""
    columns = (requests.c.voters, requests.c.details, pauses.c.users)
    return [(column, column.table.c.game_id.in_(_games_of(user_id))) for column in columns]


def _event_documents(event_ids: list[int], user_id: int) -> list[tuple[Column[Any], ColumnElement[bool]]]:
    """Return the JSON columns of events that may name a person, each with a condition of its rows."""
    return [
        (events.c.plan, events.c.id.in_(event_ids)),
        (events.c.specification, events.c.id.in_(event_ids)),
        (event_facts.c.fact, event_facts.c.event_id.in_(event_ids)),
        (event_audit.c.details, event_audit.c.event_id.in_(event_ids)),
        (event_posts.c.details, event_posts.c.event_id.in_(event_ids)),
        (rated_results.c.players, rated_results.c.id.in_(_results_of(user_id))),
        (ladder_games.c.players, ladder_games.c.game_id.in_(_games_with_seat(user_id))),
    ]


async def _events_of(tx: Transaction, user_id: int) -> list[int]:
    """Return the events that name a person."""
    named = (event_entries.c.user_id, event_organisers.c.user_id, event_audit.c.user_id, event_teams.c.captain_id)
    queries = [select(column.table.c.event_id).where(column == user_id) for column in named]
    return list(await tx.scalars(union(*queries, select(events.c.id).where(events.c.owner_id == user_id))))


def _results_of(user_id: int) -> Any:  # noqa: ANN401 - a query
    """Select the rated results of a person."""
    return select(rated_players.c.result_id).where(rated_players.c.user_id == user_id)


def _games_with_seat(user_id: int) -> Any:  # noqa: ANN401 - a query
    """Select the games in which a person has a seat."""
    return select(seats.c.game_id).where(seats.c.user_id == user_id)


async def _replace_in_documents(
    tx: Transaction, column: Column[Any], where: ColumnElement[bool], user_id: int, number: int
) -> None:
    """Replace a person in a JSON column, which holds a value or its text."""
    keys = list(column.table.primary_key.columns)
    for row in (await tx.execute(select(*keys, column).where(where))).all():
        *key, value = row
        as_text = isinstance(value, str)
        old = json.loads(value) if as_text else value
        new = _with_number(old, user_id, number)
        if new != old:
            same_row = [key_column == key_value for key_column, key_value in zip(keys, key, strict=True)]
            stored = json.dumps(new, separators=(",", ":")) if as_text else new
            await tx.execute(update(column.table).where(*same_row).values({column: stored}))


def _with_number(value: object, user_id: int, number: int) -> object:
    """Return a JSON value in which a number replaces an id."""
    match value:
        case list():
            return [_with_number(entry, user_id, number) for entry in value]
        case Mapping():
            return {name: _with_number(entry, user_id, number) for name, entry in value.items()}
        case _ if value == user_id and not isinstance(value, bool):
            return number
        case _ if value == str(user_id):
            return str(number)
        case _:
            return value


async def forgotten_keys(tx: Transaction) -> dict[str, datetime]:
    """Return the keyed hashes of erased people, which find them again in a restored copy, with the times of erasure."""
    return {row.key: row.at for row in await tx.execute(select(forgotten))}


async def add_forgotten_keys(tx: Transaction, keys: Iterable[str], now: datetime) -> None:
    """Store keyed hashes of erased people; those that are stored already keep their times."""
    stored = await forgotten_keys(tx)
    rows = [{"key": key, "at": now} for key in dict.fromkeys(keys) if key not in stored]
    if rows:
        await tx.execute(insert(forgotten), rows)
