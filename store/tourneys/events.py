"""Events themselves: what was chosen, where they stand, and the log of facts that nobody adds to twice."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, bindparam, func, insert, select, update

from store.connection import dialect
from store.connection.database import Transaction
from store.errors import PlyConflictError, UnreadableError
from store.schema import event_facts, events
from store.tourneys.values import EventRecord, EventState, FactRecord, NewEvent


async def add(tx: Transaction, new: NewEvent, now: datetime) -> int:
    """Store an event that nobody knows of yet; its id."""
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
    """The event with this id.

    Raises:
        UnreadableError: this version cannot read it.
    """
    row = (await tx.execute(select(events).where(events.c.id == event_id))).first()
    return None if row is None else _record(row)


async def by_code(tx: Transaction, code: str) -> EventRecord | None:
    """The event with this public code.

    Raises:
        UnreadableError: this version cannot read it.
    """
    row = (await tx.execute(select(events).where(events.c.code == code))).first()
    return None if row is None else _record(row)


async def in_guild(tx: Transaction, guild_id: int, states: Collection[EventState], limit: int) -> list[EventRecord]:
    """The newest events of a server that stand so."""
    query = (
        select(events)
        .where(events.c.guild_id == guild_id, events.c.state.in_([str(state) for state in states]))
        .order_by(events.c.id.desc())
        .limit(limit)
    )
    return [_record(row) for row in await tx.execute(query)]


async def newest_of(tx: Transaction, guild_id: int, owner_id: int) -> int | None:
    """The newest event that somebody has created in a server."""
    query = select(func.max(events.c.id)).where(events.c.guild_id == guild_id, events.c.owner_id == owner_id)
    found: int | None = await tx.scalar(query)
    return found


async def due(tx: Transaction, now: datetime, limit: int) -> list[int]:
    """Which events somebody has to look at now, the longest due first."""
    query = select(events.c.id).where(events.c.look_at <= now).order_by(events.c.look_at).limit(limit)
    return list(await tx.scalars(query))


def first_due() -> Select[tuple[datetime]]:
    """When somebody had to look at the first event of those that are to be looked at ``now``."""
    return select(events.c.look_at).where(events.c.look_at <= bindparam("now")).order_by(events.c.look_at).limit(1)


async def change(tx: Transaction, event_id: int, values: Mapping[str, Any], *states: EventState) -> bool:
    """Set columns of an event, if it still stands in one of these states (in any, where none is given)."""
    query = update(events).where(events.c.id == event_id)
    if states:
        query = query.where(events.c.state.in_([str(state) for state in states]))
    return (await tx.execute(query.values(**values))).rowcount == 1


async def hold(tx: Transaction, event_id: int) -> None:
    """Let nobody else change an event until the end of the transaction: what is read of it from now on stays so."""
    await dialect.hold(tx, events, events.c.id == event_id)


async def hold_free(tx: Transaction, event_ids: Collection[int]) -> frozenset[int]:
    """The same for those of some events that nobody else has now: the others are not waited for."""
    query = select(events.c.id).where(events.c.id.in_(event_ids)).order_by(events.c.id)
    return frozenset(await tx.scalars(query.with_for_update(key_share=True, skip_locked=True)))


async def look(tx: Transaction, event_id: int, at: datetime) -> None:
    """Have somebody look at an event, no later than at a time."""
    later = events.c.look_at.is_(None) | (events.c.look_at > at)
    await tx.execute(update(events).where(events.c.id == event_id, later).values(look_at=at))


async def append(tx: Transaction, event_id: int, number: int, fact: str, now: datetime, user_id: int = 0) -> None:
    """Add the next fact to the log of an event.

    Raises:
        PlyConflictError: somebody else has added one since; the transaction has to be given up.
    """
    mine = (events.c.id == event_id, events.c.facts == number)
    counted = await tx.execute(update(events).where(*mine).values(facts=number + 1))
    if counted.rowcount != 1:
        raise PlyConflictError(event_id, number)
    await tx.execute(insert(event_facts).values(event_id=event_id, number=number, fact=fact, at=now, user_id=user_id))


async def facts(tx: Transaction, event_id: int, start: int = 0) -> list[FactRecord]:
    """The log of an event, from a number on."""
    query = (
        select(event_facts)
        .where(event_facts.c.event_id == event_id, event_facts.c.number >= start)
        .order_by(event_facts.c.number)
    )
    return [FactRecord(row.number, row.fact, row.at, row.user_id) for row in await tx.execute(query)]


async def is_taken(tx: Transaction, code: str) -> bool:
    """Whether an event has this code."""
    return bool(await tx.scalar(select(func.count()).select_from(events).where(events.c.code == code)))


def _record(row: Row[Any]) -> EventRecord:
    try:
        return EventRecord(**{**row._asdict(), "state": EventState(row.state), "plan": dict(row.plan)})
    except (TypeError, ValueError) as error:
        raise UnreadableError("events", row.id, error) from error
