"""Personal data: everything that is stored of a person, exported or erased, and hashes of people who were erased.

What is theirs alone is deleted. What belongs to a game stays, under a number that tells no more than which seat it was.
Events are computed from their entries and facts, in which a person is an id like any other: there one number takes its
place everywhere, so that rounds, standings and ratings stay as they were. Every column with an id of a person is named
here; a test looks for those that are not.
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
from store.schema.admin import bans, forgotten, operator_log
from store.schema.people import departures, drafts, locales, notes, plans, preferences, shares, vacations
from store.schema.play import (
    IS_WITHDRAWAL,
    actions,
    answers,
    calls,
    games,
    gifts,
    lobbies,
    lobby_barred,
    lobby_members,
    pauses,
    pending,
    playing,
    requests,
    seats,
    substitutions,
    timers,
    turns,
    undone,
)
from store.schema.tourneys import (
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
)
from store.tourneys import ratings as ratings_of_all

NOBODY: Final = 0
"""The id of an erased person who had no seat."""
_FIRST_IN_EVENTS: Final = 2**40
"""Numbers of erased people in events are random and beyond this, so that no two are alike."""
_FIRST_SEAT: Final = -101
"""The id of an erased person at the first seat; lower by one for each that follows."""

DELETED: Final[tuple[Column[Any], ...]] = (
    preferences.c.user_id,
    locales.c.user_id,
    plans.c.user_id,
    notes.c.user_id,
    drafts.c.user_id,
    vacations.c.user_id,
    departures.c.user_id,
    calls.c.user_id,
    turns.c.user_id,
    playing.c.user_id,
    lobby_members.c.user_id,
    lobby_barred.c.user_id,
    answers.c.user_id,
    pending.c.user_id,
    shares.c.user_id,
)
"""Columns by which rows to delete are found."""
RENAMED: Final[tuple[Column[Any], ...]] = (
    actions.c.user_id,
    undone.c.user_id,
    gifts.c.user_id,
    requests.c.user_id,
    requests.c.subject,
    substitutions.c.before_id,
    substitutions.c.after_id,
    seats.c.user_id,  # the last one: by it the others know which seat it was
)
"""Columns of games in which the number of the seat replaces the person."""
OWNED: Final = (lobbies.c.owner_id,)
"""Columns in which nobody replaces the person."""
DELETED_IN_EVENTS: Final[tuple[Column[Any], ...]] = (
    ladder_queue.c.user_id,
    event_organisers.c.user_id,
    event_reports.c.user_id,
)
RENAMED_IN_EVENTS: Final[tuple[Column[Any], ...]] = (
    events.c.owner_id,
    event_entries.c.user_id,
    event_audit.c.user_id,
    event_facts.c.user_id,
    event_teams.c.captain_id,
    ratings.c.user_id,
    rated_players.c.user_id,
)
ALL: Final = (*DELETED, *OWNED, *RENAMED, *DELETED_IN_EVENTS, *RENAMED_IN_EVENTS)
KEPT: Final = ("bans.subject", "timers.subject")
"""Columns that are handled otherwise: bans survive, timers about a person are deleted."""
IN_DOCUMENTS: Final = frozenset(
    {
        "requests.voters",
        "requests.details",
        "pauses.users",
        "operator_log.details",
        "events.plan",
        "events.specification",
        "event_facts.fact",
        "event_audit.details",
        "event_posts.details",
        "rated_results.players",
        "ladder_games.players",
    }
)
"""JSON columns with ids; the actions of operators survive, as bans do."""
_BY_GAME: Final = frozenset({actions, plans, notes, drafts, departures, turns, pending, timers, gifts})
"""Tables that are searched only for games in which the person has, or had, a seat: nobody else stands there."""
_NAMES: Final = {
    seats.c.user_id: seats.c.name,
    substitutions.c.before_id: substitutions.c.before_name,
    substitutions.c.after_id: substitutions.c.after_name,
    event_entries.c.user_id: event_entries.c.name,
    ratings.c.user_id: ratings.c.name,
}
"""Names beside the ids."""


async def known_people(tx: Transaction) -> list[int]:
    """Return the ids of all people of whom something is stored."""
    found = await tx.scalars(union(*(select(cast(column, BigInteger)) for column in ALL)))
    return sorted(user_id for user_id in found if user_id > 0)


async def everything(tx: Transaction, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return every row that names a person, by table."""
    found: dict[str, list[dict[str, Any]]] = {}
    for column in ALL:
        table = column.table
        for its in _rows(column, user_id):
            rows = (await tx.execute(select(table).where(*its))).mappings().all()
            if rows:
                found.setdefault(table.name, []).extend(dict(row) for row in rows)
    mine = select(seats.c.game_id).where(seats.c.user_id == user_id)
    shown = (games.c.id, games.c.code, games.c.name, games.c.status, games.c.created_at, games.c.updated_at)
    rows = (await tx.execute(select(*shown).where(games.c.id.in_(mine)))).mappings().all()
    found["games"] = [dict(row) for row in rows]
    for column, where in await _documents(tx, user_id):
        for row in (await tx.execute(select(column.table).where(where))).mappings():
            if _names(row[column.name], user_id) and dict(row) not in found.get(column.table.name, []):
                found.setdefault(column.table.name, []).append(dict(row))
    return found


def _games_of(user_id: int) -> CompoundSelect[int]:
    """Select the games in which a person has, or had, a seat."""
    return union(
        select(seats.c.game_id).where(seats.c.user_id == user_id),
        select(substitutions.c.game_id).where(substitutions.c.before_id == user_id),
    )


def _rows(column: Column[Any], user_id: int) -> list[tuple[ColumnElement[bool], ...]]:
    """Return the conditions that find a person by a column, in as many statements as it takes to use indexes."""
    its, table = column == user_id, column.table
    if table not in _BY_GAME:
        return [(its,)]
    played = (table.c.game_id.in_(_games_of(user_id)), its)
    return [(*played, ~IS_WITHDRAWAL), (its, IS_WITHDRAWAL)] if table is actions else [played]


async def _documents(tx: Transaction, user_id: int) -> list[tuple[Column[Any], ColumnElement[bool]]]:
    """Return the JSON columns that may name a person, each with a condition of its rows."""
    mine = select(seats.c.game_id).where(seats.c.user_id == user_id)
    banned = and_(bans.c.kind == BanKind.USER, bans.c.subject == user_id)
    return [
        (requests.c.voters, requests.c.game_id.in_(mine)),
        (requests.c.details, requests.c.game_id.in_(mine)),
        (pauses.c.users, pauses.c.game_id.in_(mine)),
        (bans.c.subject, banned),
        (operator_log.c.details, operator_log.c.what.in_(("ban", "unban"))),
        *_event_documents(await _events_of(tx, user_id), user_id),
    ]


def _names(value: object, user_id: int) -> bool:
    """Return whether JSON, or its text, holds an id."""
    if isinstance(value, str) and value != str(user_id):
        try:
            value = json.loads(value)
        except ValueError:
            return False
    return value != _without(value, user_id)


async def games_of(tx: Transaction, user_id: int) -> list[int]:
    """Return the games in which a person has, or had, a seat."""
    return list(await tx.scalars(_games_of(user_id)))


async def forget(tx: Transaction, user_id: int) -> None:
    """Erase a person. Games of theirs go on with an empty name, and replay as before."""
    # One number for all events, whose rounds, standings and ratings depend on each other; never one of a seat.
    await _rename_in_events(tx, user_id, -(_FIRST_IN_EVENTS + randbelow(_FIRST_IN_EVENTS)))
    await _forget_votes(tx, user_id)
    for game_id in await tx.scalars(select(pending.c.game_id).where(*_rows(pending.c.user_id, user_id)[0])):
        await moves.drop_pending(tx, game_id)
    for column in (timers.c.subject, *DELETED):
        for where in _rows(column, user_id):
            await tx.execute(delete(column.table).where(*where))
    for column in OWNED:
        await tx.execute(update(column.table).where(column == user_id).values({column: NOBODY}))
    for column in RENAMED:
        values: dict[Column[Any], Any] = {column: _instead(column.table, user_id)}
        if column in _NAMES:
            values[_NAMES[column]] = ""
        for where in _rows(column, user_id):
            await tx.execute(update(column.table).where(*where).values(values))


def _instead(table: Table, user_id: int) -> Any:  # noqa: ANN401 - an expression of SQL
    """Return the number of a seat, where a row or a game tells which it was."""
    if table in {seats, substitutions}:
        return _FIRST_SEAT - table.c.seat
    mine = seats.alias("mine")
    seat = select(_FIRST_SEAT - mine.c.seat).where(mine.c.game_id == table.c.game_id, mine.c.user_id == user_id)
    return func.coalesce(seat.scalar_subquery(), NOBODY)


async def _forget_votes(tx: Transaction, user_id: int) -> None:
    """Erase a person from requests and pauses of their games, where ids stand in lists and details."""
    mine = select(seats.c.game_id).where(seats.c.user_id == user_id)
    query = select(requests.c.id, requests.c.voters, requests.c.details).where(requests.c.game_id.in_(mine))
    for row in (await tx.execute(query)).all():
        values = {"voters": _without(row.voters, user_id), "details": _without(row.details, user_id)}
        await tx.execute(update(requests).where(requests.c.id == row.id).values(values))
    for paused in (await tx.execute(select(pauses.c.game_id, pauses.c.users).where(pauses.c.game_id.in_(mine)))).all():
        values = {"users": _without(paused.users, user_id)}
        await tx.execute(update(pauses).where(pauses.c.game_id == paused.game_id).values(values))


def _without(value: object, user_id: int) -> object:
    """Return JSON without an id."""
    match value:
        case list():
            return [_without(entry, user_id) for entry in value]
        case Mapping():
            return {name: _without(entry, user_id) for name, entry in value.items()}
        case _:
            return NOBODY if value in {user_id, str(user_id)} else value


async def _rename_in_events(tx: Transaction, user_id: int, number: int) -> None:
    """Replace a person in events by a number."""
    found = await _events_of(tx, user_id)
    await lock_rows(tx, events, events.c.id.in_(found))
    await ratings_of_all.lock(tx)
    for column, where in _event_documents(found, user_id):
        await _rename_in(tx, column, where, user_id, number)
    await tx.execute(update(events).where(events.c.id.in_(found)).values(renamed=events.c.renamed + 1))
    for column in DELETED_IN_EVENTS:
        await tx.execute(delete(column.table).where(column == user_id))
    for column in RENAMED_IN_EVENTS:
        values: dict[Column[Any], Any] = {column: number}
        if column in _NAMES:
            values[_NAMES[column]] = ""
        await tx.execute(update(column.table).where(column == user_id).values(values))


def _event_documents(found: list[int], user_id: int) -> list[tuple[Column[Any], ColumnElement[bool]]]:
    return [
        (events.c.plan, events.c.id.in_(found)),
        (events.c.specification, events.c.id.in_(found)),
        (event_facts.c.fact, event_facts.c.event_id.in_(found)),
        (event_audit.c.details, event_audit.c.event_id.in_(found)),
        (event_posts.c.details, event_posts.c.event_id.in_(found)),
        (rated_results.c.players, rated_results.c.id.in_(_results_of(user_id))),
        (ladder_games.c.players, ladder_games.c.game_id.in_(_games_with(user_id))),
    ]


async def _events_of(tx: Transaction, user_id: int) -> list[int]:
    """Return the events that name a person."""
    named = (event_entries.c.user_id, event_organisers.c.user_id, event_audit.c.user_id, event_teams.c.captain_id)
    queries = [select(column.table.c.event_id).where(column == user_id) for column in named]
    return list(await tx.scalars(union(*queries, select(events.c.id).where(events.c.owner_id == user_id))))


def _results_of(user_id: int) -> Any:  # noqa: ANN401 - a query
    return select(rated_players.c.result_id).where(rated_players.c.user_id == user_id)


def _games_with(user_id: int) -> Any:  # noqa: ANN401 - a query
    return select(seats.c.game_id).where(seats.c.user_id == user_id)


async def _rename_in(
    tx: Transaction, column: Column[Any], where: ColumnElement[bool], user_id: int, number: int
) -> None:
    """Replace a person in a JSON column, which holds a value or its text."""
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


async def forgotten_keys(tx: Transaction) -> dict[str, datetime]:
    """Return the keyed hashes of erased people: by them they are found again in a restored copy."""
    return {row.key: row.at for row in await tx.execute(select(forgotten))}


async def add_forgotten_keys(tx: Transaction, new: Iterable[str], now: datetime) -> None:
    """Store hashes of erased people; known ones stay as they are."""
    known = await forgotten_keys(tx)
    rows = [{"key": key, "at": now} for key in dict.fromkeys(new) if key not in known]
    if rows:
        await tx.execute(insert(forgotten), rows)
