"""Whether there is anything to do: one statement for all that is looked for every second, whatever is played."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import cache

from sqlalchemy import Select, or_, select

from store.connection.database import Transaction
from store.records import TimerKind
from store.time import timers
from store.tourneys import events, ladder, tables


async def anything(tx: Transaction, kinds: Collection[TimerKind], now: datetime) -> bool:
    """Whether a timer of these kinds, an event, a table of one or a queue of the ladder is due.

    Of each the first one is asked for: a database that is asked whether there is one that is due goes through all of
    them where it expects many.
    """
    return bool((await tx.execute(_firsts(tuple(kinds)), {"now": now})).scalar_one())


@cache
def _firsts(kinds: tuple[TimerKind, ...]) -> Select[tuple[bool]]:
    """Put together once: it is asked every second, and that costs more than asking."""
    due = (*map(timers.first_due, kinds), events.first_due(), tables.first_due(), ladder.first_due())
    return select(or_(*(first.scalar_subquery().is_not(None) for first in due)))
