"""Games of events: those to be opened, their place in the event, and their deadlines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, and_, insert, select, update

from store.connection.database import Transaction
from store.schema import IS_TO_OPEN, event_tables


class TableState(StrEnum):
    """The state of a game of an event."""

    TO_OPEN = "to_open"
    """It is not created yet."""
    OPENING = "opening"
    """It is created, and its thread about to be opened."""
    OPEN = "open"
    DECIDED = "decided"
    VOID = "void"
    """The round was drawn anew."""


class TablePlace(NamedTuple):
    """The place of a game in its event: stages, rounds and tables are counted from 1, drawings from 0."""

    stage: int
    drawing: int
    round: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRecord:
    """A game of an event."""

    event_id: int
    place: TablePlace
    state: TableState
    due_at: datetime
    game_id: int | None = None
    opened_at: datetime | None = None
    deadline: datetime | None = None


async def add(tx: Transaction, tables: Iterable[TableRecord]) -> None:
    """Store tables of a round that are to be opened."""
    rows = [
        {
            "event_id": table.event_id,
            **table.place._asdict(),
            "state": table.state,
            "due_at": table.due_at,
            "game_id": table.game_id,
            "opened_at": table.opened_at,
            "deadline": table.deadline,
        }
        for table in tables
    ]
    if rows:
        await tx.execute(insert(event_tables), rows)


async def of_event(tx: Transaction, event_id: int) -> list[TableRecord]:
    """Return all tables of an event in their order."""
    query = (
        select(event_tables)
        .where(event_tables.c.event_id == event_id)
        .order_by(event_tables.c.stage, event_tables.c.drawing, event_tables.c.round, event_tables.c.number)
    )
    return [_record(row) for row in await tx.execute(query)]


async def of_game(tx: Transaction, game_id: int) -> TableRecord | None:
    """Return the table of a game."""
    row = (await tx.execute(select(event_tables).where(event_tables.c.game_id == game_id))).first()
    return None if row is None else _record(row)


async def to_open(tx: Transaction, now: datetime, limit: int) -> list[TableRecord]:
    """Return the tables whose game is due to be created, the longest due first."""
    query = (
        select(event_tables)
        .where(IS_TO_OPEN, event_tables.c.due_at <= now)
        .order_by(event_tables.c.due_at, event_tables.c.number)
        .limit(limit)
    )
    return [_record(row) for row in await tx.execute(query)]


async def last_due(tx: Transaction, event_id: int) -> datetime | None:
    """Return when the last game of an event that is planned will be created."""
    found: datetime | None = await tx.scalar(
        select(event_tables.c.due_at)
        .where(IS_TO_OPEN, event_tables.c.event_id == event_id)
        .order_by(event_tables.c.due_at.desc())
        .limit(1)
    )
    return found


async def change(tx: Transaction, table: TableRecord, values: Mapping[str, Any]) -> bool:
    """Set columns of a table that is still in the state of ``table``; return False when it is not."""
    changed = await tx.execute(
        update(event_tables)
        .where(_named(table.event_id, table.place), event_tables.c.state == table.state)
        .values(**values)
    )
    return changed.rowcount == 1


async def put_off(tx: Transaction, event_id: int, until: datetime) -> None:
    """Create no game of an event before a time."""
    await tx.execute(
        update(event_tables)
        .where(IS_TO_OPEN, event_tables.c.event_id == event_id, event_tables.c.due_at < until)
        .values(due_at=until)
    )


async def bring_forward(tx: Transaction, event_id: int, to: datetime) -> None:
    """Create the planned games of an event no later than at a time."""
    await tx.execute(
        update(event_tables)
        .where(IS_TO_OPEN, event_tables.c.event_id == event_id, event_tables.c.due_at > to)
        .values(due_at=to)
    )


def _named(event_id: int, place: TablePlace) -> ColumnElement[bool]:
    return and_(
        event_tables.c.event_id == event_id,
        event_tables.c.stage == place.stage,
        event_tables.c.drawing == place.drawing,
        event_tables.c.round == place.round,
        event_tables.c.number == place.number,
    )


def _record(row: Row[Any]) -> TableRecord:
    return TableRecord(
        event_id=row.event_id,
        place=TablePlace(row.stage, row.drawing, row.round, row.number),
        state=TableState(row.state),
        due_at=row.due_at,
        game_id=row.game_id,
        opened_at=row.opened_at,
        deadline=row.deadline,
    )
