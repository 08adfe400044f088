"""Events (tournaments and leagues): their rows, facts and tables, the audit log, and reports to the organisers.

A fact is an entry in the log of an event, from which its rounds and standings are computed. A table is a place for a
game in a round; its game is created when it is due. The *ply* of a game is the number of its actions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, Table, bindparam, func, insert, select, update

from store.connection import dialect
from store.connection.database import Transaction
from store.connection.statements import add_row, change_or_conflict, changes_row, first_record
from store.errors import UnreadableError
from store.records import Person, columns_of, record_of
from store.schema.tourneys import (
    IS_TO_OPEN,
    event_audit,
    event_facts,
    event_organisers,
    event_reports,
    event_tables,
    events,
    ladder_queue,
)


class EventState(StrEnum):
    """The state of an event."""

    DRAFT = "draft"
    """Its organiser is still choosing; nobody else sees it."""
    OPEN = "open"
    """Sign-up is open."""
    CHECK_IN = "check_in"
    """Sign-up is over, and people confirm that they are there."""
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CLOSED = "closed"
    """The event was given up before its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event before it is stored."""

    code: str
    name: str
    guild_id: int
    channel_id: int
    owner: Person
    plan: Mapping[str, Any]
    seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRecord:
    """An event as it is stored; ``specification`` is text, from the start on."""

    id: int
    code: str
    name: str
    guild_id: int
    channel_id: int
    message_id: int | None
    owner_id: int
    state: EventState
    plan_data: Mapping[str, Any]
    """The plan as it is stored."""
    specification: str | None
    seed: str
    facts: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    look_at: datetime | None
    tended_at: datetime
    released: int
    waits_since: datetime | None
    paused_at: datetime | None
    pause_ends_at: datetime | None
    full_until: datetime | None
    renamed: int = 0


class FactRecord(NamedTuple):
    """A fact: its text, the time at which it was added, and the user who added it; 0 for the bot."""

    number: int
    fact: str
    at: datetime
    user_id: int


class AuditRecord(NamedTuple):
    """An action of an organiser, as keys and values."""

    number: int
    at: datetime
    user_id: int
    kind: str
    details: Mapping[str, Any]


class ReportRecord(NamedTuple):
    """A private report to the organisers, with the game it is about and the ply of that game."""

    number: int
    at: datetime
    person: Person
    game_id: int | None
    ply: int | None
    text: str


async def add(tx: Transaction, new: NewEvent, now: datetime) -> int:
    """Store a new event, and return its id."""
    values = {"owner_id": new.owner.user_id, "state": EventState.DRAFT, "plan": dict(new.plan)}
    return await add_row(tx, events, {**columns_of(new, "owner"), **values, "created_at": now, "tended_at": now})


async def get(tx: Transaction, event_id: int) -> EventRecord | None:
    """Return the event with this id.

    Raises:
        UnreadableError: this version cannot read it.
    """
    return await first_record(tx, select(events).where(events.c.id == event_id), _record)


async def by_code(tx: Transaction, code: str) -> EventRecord | None:
    """Return the event with this public code.

    Raises:
        UnreadableError: this version cannot read it.
    """
    return await first_record(tx, select(events).where(events.c.code == code), _record)


async def in_guild(tx: Transaction, guild_id: int, states: Collection[EventState], limit: int) -> list[EventRecord]:
    """Return the newest events of a server that are in these states, newest first."""
    query = (
        select(events)
        .where(events.c.guild_id == guild_id, events.c.state.in_([str(state) for state in states]))
        .order_by(events.c.id.desc())
        .limit(limit)
    )
    return [_record(row) for row in await tx.execute(query)]


async def drafts_of(tx: Transaction, guild_id: int, organiser_id: int, limit: int) -> list[EventRecord]:
    """Return the events of a server that an organiser has planned but not announced, newest first."""
    query = (
        select(events)
        .join(event_organisers, event_organisers.c.event_id == events.c.id)
        .where(events.c.guild_id == guild_id, events.c.state == str(EventState.DRAFT))
        .where(event_organisers.c.user_id == organiser_id)
        .order_by(events.c.id.desc())
        .limit(limit)
    )
    return [_record(row) for row in await tx.execute(query)]


async def newest_of_owner(tx: Transaction, guild_id: int, owner_id: int) -> int | None:
    """Return the newest event that a person has created in a server."""
    query = select(func.max(events.c.id)).where(events.c.guild_id == guild_id, events.c.owner_id == owner_id)
    event_id: int | None = await tx.scalar(query)
    return event_id


async def due(tx: Transaction, now: datetime, limit: int) -> list[int]:
    """Return the events that are due for a check, the longest due first."""
    query = select(events.c.id).where(events.c.look_at <= now).order_by(events.c.look_at).limit(limit)
    return list(await tx.scalars(query))


def first_due() -> tuple[Select[tuple[datetime]], ...]:
    """Return three queries: the first due time of an event, of a table to be opened, and of a queue of the ladder."""
    return tuple(
        select(due_at).where(*conditions, due_at <= bindparam("now")).order_by(due_at).limit(1)
        for due_at, conditions in (
            (events.c.look_at, ()),
            (event_tables.c.due_at, (IS_TO_OPEN,)),
            (ladder_queue.c.look_at, ()),
        )
    )


async def update_event(tx: Transaction, event_id: int, values: Mapping[str, Any], *states: EventState) -> bool:
    """Set columns of an event and return True, if it is in one of these states; without ``states``, in any state."""
    query = update(events).where(events.c.id == event_id)
    if states:
        query = query.where(events.c.state.in_([str(state) for state in states]))
    return await changes_row(tx, query.values(**values))


async def lock(tx: Transaction, event_id: int) -> None:
    """Lock an event until the end of the transaction."""
    await dialect.lock_rows(tx, events, events.c.id == event_id)


async def lock_available(tx: Transaction, event_ids: Collection[int]) -> frozenset[int]:
    """Lock those of these events that are not locked yet, without waiting for the others; return their ids."""
    query = select(events.c.id).where(events.c.id.in_(event_ids)).order_by(events.c.id)
    return frozenset(await tx.scalars(query.with_for_update(key_share=True, skip_locked=True)))


async def bring_check_forward(tx: Transaction, event_id: int, at: datetime) -> None:
    """Make an event due for a check no later than at a time."""
    is_later = events.c.look_at.is_(None) | (events.c.look_at > at)
    await tx.execute(update(events).where(events.c.id == event_id, is_later).values(look_at=at))


async def add_fact(tx: Transaction, event_id: int, number: int, fact: str, now: datetime, user_id: int = 0) -> None:
    """Add the next fact to the log of an event.

    Raises:
        PlyConflictError: another fact has this number already; the transaction has to be given up.
    """
    count = update(events).filter_by(id=event_id, facts=number).values(facts=number + 1)
    await change_or_conflict(tx, count, event_id, number)
    await tx.execute(insert(event_facts).values(event_id=event_id, number=number, fact=fact, at=now, user_id=user_id))


async def facts(tx: Transaction, event_id: int, start: int = 0) -> list[FactRecord]:
    """Return the facts of an event from a number on, in order."""
    query = (
        select(event_facts)
        .where(event_facts.c.event_id == event_id, event_facts.c.number >= start)
        .order_by(event_facts.c.number)
    )
    return [FactRecord(row.number, row.fact, row.at, row.user_id) for row in await tx.execute(query)]


async def is_code_taken(tx: Transaction, code: str) -> bool:
    """Return whether an event has this code."""
    return bool(await tx.scalar(select(func.count()).select_from(events).where(events.c.code == code)))


def _record(row: Row[Any]) -> EventRecord:
    """Read an event from a row."""
    try:
        return record_of(EventRecord, row, state=EventState(row.state), plan_data=dict(row.plan))
    except (TypeError, ValueError) as error:
        raise UnreadableError("events", row.id, error) from error


async def add_audit(
    tx: Transaction, event_id: int, user_id: int, kind: str, details: Mapping[str, Any], now: datetime
) -> int:
    """Add an action of an organiser to the audit log; return its number."""
    values = {"at": now, "user_id": user_id, "kind": kind, "details": dict(details)}
    return await _add_numbered(tx, event_audit, event_id, values)


async def audit_of(tx: Transaction, event_id: int, kind: str | None = None) -> list[AuditRecord]:
    """Return the audit log of an event, the earliest action first; only actions of a kind if that is given."""
    query = select(event_audit).where(event_audit.c.event_id == event_id).order_by(event_audit.c.number)
    if kind is not None:
        query = query.where(event_audit.c.kind == kind)
    return [AuditRecord(row.number, row.at, row.user_id, row.kind, row.details) for row in await tx.execute(query)]


async def add_report(
    tx: Transaction, event_id: int, person: Person, at_game: tuple[int, int] | None, words: str, now: datetime
) -> int:
    """Store a report to the organisers, about a game at a ply or about no game; return its number."""
    game_id, ply = at_game or (None, None)
    about = {"user_id": person.user_id, "name": person.name, "game_id": game_id, "ply": ply}
    return await _add_numbered(tx, event_reports, event_id, {**about, "at": now, "text": words})


async def _add_numbered(tx: Transaction, table: Table, event_id: int, values: Mapping[str, Any]) -> int:
    """Add a row with the next number of its event; return the number."""
    largest = await tx.scalar(select(func.max(table.c.number)).where(table.c.event_id == event_id))
    number = int(largest or 0) + 1
    await tx.execute(insert(table).values(event_id=event_id, number=number, **values))
    return number


async def count_reports(tx: Transaction, event_id: int, user_id: int, since: datetime) -> int:
    """Return the number of reports that a person has made after a time."""
    columns = event_reports.c
    query = select(func.count()).where(columns.event_id == event_id, columns.user_id == user_id, columns.at > since)
    return int(await tx.scalar(query) or 0)


async def reports_of(tx: Transaction, event_id: int) -> list[ReportRecord]:
    """Return all reports to the organisers of an event."""
    query = select(event_reports).where(event_reports.c.event_id == event_id).order_by(event_reports.c.number)
    return [
        ReportRecord(row.number, row.at, Person(row.user_id, row.name), row.game_id, row.ply, row.text)
        for row in await tx.execute(query)
    ]


class TableState(StrEnum):
    """The state of a table: of a game of an event."""

    TO_OPEN = "to_open"
    """The game is not created yet."""
    OPENING = "opening"
    """The game is created, and its thread is being opened."""
    OPEN = "open"
    DECIDED = "decided"
    VOID = "void"
    """The round was undone and drawn again."""


class TablePlace(NamedTuple):
    """The place of a table in its event: stages, rounds and tables are counted from 1, drawings of a round from 0."""

    stage: int
    drawing: int
    round: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecord:
    """A table: a game of an event, which is created when it is due."""

    event_id: int
    place: TablePlace
    state: TableState
    due_at: datetime
    game_id: int | None = None
    opened_at: datetime | None = None
    deadline: datetime | None = None


async def add_tables(tx: Transaction, tables: Iterable[TableRecord]) -> None:
    """Store tables of a round that are to be opened."""
    rows = [{**columns_of(table, "place"), **table.place._asdict()} for table in tables]
    if rows:
        await tx.execute(insert(event_tables), rows)


async def tables_of(tx: Transaction, event_id: int) -> list[TableRecord]:
    """Return all tables of an event, ordered by their places."""
    query = (
        select(event_tables)
        .where(event_tables.c.event_id == event_id)
        .order_by(event_tables.c.stage, event_tables.c.drawing, event_tables.c.round, event_tables.c.number)
    )
    return [_table_record(row) for row in await tx.execute(query)]


async def table_of_game(tx: Transaction, game_id: int) -> TableRecord | None:
    """Return the table of a game."""
    return await first_record(tx, select(event_tables).where(event_tables.c.game_id == game_id), _table_record)


async def tables_to_open(tx: Transaction, now: datetime, limit: int) -> list[TableRecord]:
    """Return the tables whose game is due to be created, the longest due first."""
    query = (
        select(event_tables)
        .where(IS_TO_OPEN, event_tables.c.due_at <= now)
        .order_by(event_tables.c.due_at, event_tables.c.number)
        .limit(limit)
    )
    return [_table_record(row) for row in await tx.execute(query)]


async def last_table_due(tx: Transaction, event_id: int) -> datetime | None:
    """Return the time at which the last planned game of an event will be created; None if none is planned."""
    planned = select(event_tables.c.due_at).where(IS_TO_OPEN, event_tables.c.event_id == event_id)
    return await tx.scalar(planned.order_by(event_tables.c.due_at.desc()).limit(1))


async def update_table(tx: Transaction, table: TableRecord, values: Mapping[str, Any]) -> bool:
    """Set columns of a table that is still in the state of ``table``; return False when it is not."""
    same_table = {"event_id": table.event_id, **table.place._asdict()}
    is_unchanged = update(event_tables).filter_by(**same_table, state=table.state)
    return await changes_row(tx, is_unchanged.values(**values))


async def postpone_tables(tx: Transaction, event_id: int, until: datetime) -> None:
    """Postpone the planned games of an event that are due before a time to that time."""
    planned = update(event_tables).where(IS_TO_OPEN, event_tables.c.event_id == event_id)
    await tx.execute(planned.where(event_tables.c.due_at < until).values(due_at=until))


async def bring_tables_forward(tx: Transaction, event_id: int, to: datetime) -> None:
    """Bring the planned games of an event that are due after a time forward to that time."""
    planned = update(event_tables).where(IS_TO_OPEN, event_tables.c.event_id == event_id)
    await tx.execute(planned.where(event_tables.c.due_at > to).values(due_at=to))


def _table_record(row: Row[Any]) -> TableRecord:
    """Read a table from a row."""
    place = TablePlace(row.stage, row.drawing, row.round, row.number)
    return record_of(TableRecord, row, place=place, state=TableState(row.state))
