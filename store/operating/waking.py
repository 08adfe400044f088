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
    """Whether a timer of these kinds, an event, a table of one or a queue of the ladder is due.

    Of each the first one is asked for: a database that is asked whether there is one that is due goes through all of
    them where it expects many.
    """
    firsts = (timers.first_due(kind, now) for kind in kinds)
    due = (*firsts, events.first_due(now), tables.first_due(now), ladder.first_due(now))
    query = select(or_(*(first.scalar_subquery().is_not(None) for first in due)))
    return bool((await tx.execute(query)).scalar_one())
