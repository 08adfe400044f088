"""What organisers of events did, for everybody to read, and what they were told in private."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select

from store.connection.database import Transaction
from store.person import Person
from store.schema import event_audit, event_reports
from store.tourneys.values import AuditRecord, ReportRecord


async def add(
    tx: Transaction, event_id: int, user_id: int, kind: str, details: Mapping[str, Any], now: datetime
) -> int:
    """Note what somebody did; its number."""
    query = select(func.max(event_audit.c.number)).where(event_audit.c.event_id == event_id)
    number = int(await tx.scalar(query) or 0) + 1
    await tx.execute(
        insert(event_audit).values(
            event_id=event_id, number=number, at=now, user_id=user_id, kind=kind, details=dict(details)
        )
    )
    return number


async def of_event(tx: Transaction, event_id: int, kind: str | None = None) -> list[AuditRecord]:
    """Everything that was done, in its order; of one kind alone where that is given."""
    query = select(event_audit).where(event_audit.c.event_id == event_id).order_by(event_audit.c.number)
    if kind is not None:
        query = query.where(event_audit.c.kind == kind)
    return [AuditRecord(row.number, row.at, row.user_id, row.kind, row.details) for row in await tx.execute(query)]


async def report(
    tx: Transaction, event_id: int, person: Person, at_game: tuple[int, int] | None, words: str, now: datetime
) -> int:
    """Keep what somebody tells the organisers, about a game at a ply or about none; its number."""
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


async def reported(tx: Transaction, event_id: int, user_id: int, since: datetime) -> int:
    """How often somebody has told the organisers something since a time."""
    its = event_reports.c
    query = select(func.count()).where(its.event_id == event_id, its.user_id == user_id, its.at > since)
    return int(await tx.scalar(query) or 0)


async def reports(tx: Transaction, event_id: int) -> list[ReportRecord]:
    """Everything that the organisers were told."""
    query = select(event_reports).where(event_reports.c.event_id == event_id).order_by(event_reports.c.number)
    return [
        ReportRecord(row.number, row.at, Person(row.user_id, row.name), row.game_id, row.ply, row.text)
        for row in await tx.execute(query)
    ]
