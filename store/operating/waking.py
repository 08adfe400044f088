"""Whether there is anything to do: one statement for all that is looked for every second, whatever is played."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import or_, select

from store.connection.database import Transaction
from store.records import TimerKind
from store.time import timers
from store.tourneys import events, ladder, tables


async def anything(tx: Transaction, kinds: Collection[TimerKind], now: datetime) -> bool:
    """Whether a timer of these kinds, an event, a table of one or a queue of the ladder is due."""
    due = (timers.is_due(kinds, now), events.is_due(now), tables.is_to_open(now), ladder.is_due(now))
    found: bool = (await tx.execute(select(or_(*(select(1).where(which).exists() for which in due))))).scalar_one()
    return bool(found)
