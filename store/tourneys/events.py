"""Events: their rows, the log of their facts, the audit log of their organisers, and private reports to these."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, bindparam, func, insert, select, update

from store.connection import dialect
from store.connection.database import Transaction
from store.errors import PlyConflictError, UnreadableError
from store.person import Person
from store.schema import IS_TO_OPEN, event_audit, event_facts, event_reports, event_tables, events, ladder_queue


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
    """It was given up before its end."""


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
    plan: Mapping[str, Any]
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
    """A fact: its text, when it was added and by whom; 0 for what happens by itself."""

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
    """A private report to the organisers, and where its game stood."""

    number: int
    at: datetime
    person: Person
    game_id: int | None
    ply: int | None
    text: str


async def add(tx: Transaction, new: NewEvent, now: datetime) -> int:
    """Store a new event, and return its id."""
    result = await tx.execute(
        insert(events)
        .values(
            code=new.code,
            name=new.name,
            guild_id=new.guild_id,
            channel_id=new.channel_id,
            owner_id=new.owner.user_id,
            state=EventState.DRAFT,
            plan=dict(new.plan),
            seed=new.seed,
            created_at=now,
            tended_at=now,
        )
        .returning(events.c.id)
    )
    event_id: int = result.scalar_one()
    return event_id


async def get(tx: Transaction, event_id: int) -> EventRecord | None:
    """Return the event with this id.

    Raises:
        UnreadableError: this version cannot read it.
    """
    row = (await tx.execute(select(events).where(events.c.id == event_id))).first()
    return None if row is None else _record(row)


async def by_code(tx: Transaction, code: str) -> EventRecord | None:
    """Return the event with this public code.

    Raises:
        UnreadableError: this version cannot read it.
    """
    row = (await tx.execute(select(events).where(events.c.code == code))).first()
    return None if row is None else _record(row)


async def in_guild(tx: Transaction, guild_id: int, states: Collection[EventState], limit: int) -> list[EventRecord]:
    """Return the newest events of a server in these states."""
    query = (
        select(events)
        .where(events.c.guild_id == guild_id, events.c.state.in_([str(state) for state in states]))
        .order_by(events.c.id.desc())
        .limit(limit)
    )
    return [_record(row) for row in await tx.execute(query)]


async def newest_of(tx: Transaction, guild_id: int, owner_id: int) -> int | None:
    """Return the newest event that a person has created in a server."""
    query = select(func.max(events.c.id)).where(events.c.guild_id == guild_id, events.c.owner_id == owner_id)
    found: int | None = await tx.scalar(query)
    return found


async def due(tx: Transaction, now: datetime, limit: int) -> list[int]:
    """Return the events that are due to be looked at, the longest due first."""
    query = select(events.c.id).where(events.c.look_at <= now).order_by(events.c.look_at).limit(limit)
    return list(await tx.scalars(query))


def first_due() -> tuple[Select[tuple[datetime]], ...]:
    """Select, each by itself, the first due time of an event, of a table to be opened and of a queue of the ladder."""
    return tuple(
        select(due_at).where(*its, due_at <= bindparam("now")).order_by(due_at).limit(1)
        for due_at, its in (
            (events.c.look_at, ()),
            (event_tables.c.due_at, (IS_TO_OPEN,)),
            (ladder_queue.c.look_at, ()),
        )
    )


async def change(tx: Transaction, event_id: int, values: Mapping[str, Any], *states: EventState) -> bool:
    """Set columns of an event, if it is in one of these states (in any, where none is given)."""
    query = update(events).where(events.c.id == event_id)
    if states:
        query = query.where(events.c.state.in_([str(state) for state in states]))
    return (await tx.execute(query.values(**values))).rowcount == 1


async def hold(tx: Transaction, event_id: int) -> None:
    """Lock an event until the end of the transaction."""
    await dialect.hold(tx, events, events.c.id == event_id)


async def hold_free(tx: Transaction, event_ids: Collection[int]) -> frozenset[int]:
    """Lock and return those of the events that are free; locked ones are not waited for."""
    query = select(events.c.id).where(events.c.id.in_(event_ids)).order_by(events.c.id)
    return frozenset(await tx.scalars(query.with_for_update(key_share=True, skip_locked=True)))


async def look(tx: Transaction, event_id: int, at: datetime) -> None:
    """Let an event be looked at no later than at a time."""
    later = events.c.look_at.is_(None) | (events.c.look_at > at)
    await tx.execute(update(events).where(events.c.id == event_id, later).values(look_at=at))


async def append(tx: Transaction, event_id: int, number: int, fact: str, now: datetime, user_id: int = 0) -> None:
    """Add the next fact to the log of an event.

    Raises:
        PlyConflictError: another one was added since; the transaction has to be given up.
    """
    mine = (events.c.id == event_id, events.c.facts == number)
    counted = await tx.execute(update(events).where(*mine).values(facts=number + 1))
    if counted.rowcount != 1:
        raise PlyConflictError(event_id, number)
    await tx.execute(insert(event_facts).values(event_id=event_id, number=number, fact=fact, at=now, user_id=user_id))


async def facts(tx: Transaction, event_id: int, start: int = 0) -> list[FactRecord]:
    """Return the log of an event, from a number on."""
    query = (
        select(event_facts)
        .where(event_facts.c.event_id == event_id, event_facts.c.number >= start)
        .order_by(event_facts.c.number)
    )
    return [FactRecord(row.number, row.fact, row.at, row.user_id) for row in await tx.execute(query)]


async def is_taken(tx: Transaction, code: str) -> bool:
    """Return whether an event has this code."""
    return bool(await tx.scalar(select(func.count()).select_from(events).where(events.c.code == code)))


def _record(row: Row[Any]) -> EventRecord:
    try:
        return EventRecord(**{**row._asdict(), "state": EventState(row.state), "plan": dict(row.plan)})
    except (TypeError, ValueError) as error:
        raise UnreadableError("events", row.id, error) from error


async def add_audit(
    tx: Transaction, event_id: int, user_id: int, kind: str, details: Mapping[str, Any], now: datetime
) -> int:
    """Add an action of an organiser to the audit log; return its number."""
    query = select(func.max(event_audit.c.number)).where(event_audit.c.event_id == event_id)
    number = int(await tx.scalar(query) or 0) + 1
    await tx.execute(
        insert(event_audit).values(
            event_id=event_id, number=number, at=now, user_id=user_id, kind=kind, details=dict(details)
        )
    )
    return number


async def audit_of(tx: Transaction, event_id: int, kind: str | None = None) -> list[AuditRecord]:
    """Return the audit log of an event in its order; actions of one kind alone where that is given."""
    query = select(event_audit).where(event_audit.c.event_id == event_id).order_by(event_audit.c.number)
    if kind is not None:
        query = query.where(event_audit.c.kind == kind)
    return [AuditRecord(row.number, row.at, row.user_id, row.kind, row.details) for row in await tx.execute(query)]


async def add_report(
    tx: Transaction, event_id: int, person: Person, at_game: tuple[int, int] | None, words: str, now: datetime
) -> int:
    """Store a report to the organisers, about a game at a ply or about none; return its number."""
    query = select(func.max(event_reports.c.number)).where(event_reports.c.event_id == event_id)
    number = int(await tx.scalar(query) or 0) + 1
    game_id, ply = at_game or (None, None)
    await tx.execute(
        insert(event_reports).values(
            event_id=event_id,
            number=number,
            at=now,
            user_id=person.user_id,
            name=person.name,
            game_id=game_id,
            ply=ply,
            text=words,
        )
    )
    return number


async def count_reports(tx: Transaction, event_id: int, user_id: int, since: datetime) -> int:
    """Return how many reports a person has made since a time."""
    its = event_reports.c
    query = select(func.count()).where(its.event_id == event_id, its.user_id == user_id, its.at > since)
    return int(await tx.scalar(query) or 0)


async def reports_of(tx: Transaction, event_id: int) -> list[ReportRecord]:
    """Return all reports to the organisers of an event."""
    query = select(event_reports).where(event_reports.c.event_id == event_id).order_by(event_reports.c.number)
    return [
        ReportRecord(row.number, row.at, Person(row.user_id, row.name), row.game_id, row.ply, row.text)
        for row in await tx.execute(query)
    ]
