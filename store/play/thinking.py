"""The time for which computers think, by day, and the games that wait for one.

Of each server and each person only the last day on which computers thought for them is stored. Days begin at midnight,
by UTC.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Table, case, delete, select
from sqlalchemy.dialects.postgresql import insert

from store.connection.database import Transaction
from store.records import GameStatus, TimerKind
from store.schema.admin import thinking_for_servers
from store.schema.people import thinking_for_people
from store.schema.play import games, timers

_MILLISECOND: Final = timedelta(milliseconds=1)


class Spent(NamedTuple):
    """The time for which computers have thought on a day: for a server, and for people by their ids."""

    server: timedelta
    people: Mapping[int, timedelta]


async def spent_on(tx: Transaction, day: datetime, guild_id: int, user_ids: Collection[int]) -> Spent:
    """Return the time for which computers have thought on a day for a server and for these people."""
    of_server, of_people = thinking_for_servers.c, thinking_for_people.c
    server = await tx.scalar(select(of_server.spent).where(of_server.guild_id == guild_id, of_server.day == day))
    query = select(of_people.user_id, of_people.spent).where(of_people.user_id.in_(user_ids), of_people.day == day)
    people = {user_id: timedelta(0) for user_id in user_ids}
    people |= {row.user_id: row.spent * _MILLISECOND for row in await tx.execute(query)}
    return Spent((server or 0) * _MILLISECOND, people)


async def add_spent(tx: Transaction, day: datetime, guild_id: int, spent: timedelta) -> None:
    """Add to the time for which computers have thought for a server on a day."""
    await _add(tx, thinking_for_servers, guild_id, day, spent)


async def add_spent_by(tx: Transaction, day: datetime, user_id: int, spent: timedelta) -> None:
    """Add to the time for which computers have thought for a person on a day."""
    await _add(tx, thinking_for_people, user_id, day, spent)


async def _add(tx: Transaction, table: Table, subject: int, day: datetime, spent: timedelta) -> None:
    """Add to a row, or begin it anew where it is of an earlier day; a single statement, so that no time gets lost."""
    (subject_column,) = table.primary_key
    new = insert(table).values({subject_column.name: subject, "day": day, "spent": spent // _MILLISECOND})
    same_day = table.c.day == new.excluded.day
    total = case((same_day, table.c.spent + new.excluded.spent), else_=new.excluded.spent)
    await tx.execute(new.on_conflict_do_update(index_elements=[subject_column], set_={"spent": total, "day": day}))


async def drop_days(tx: Transaction, before: datetime, limit: int) -> int:
    """Delete what was counted on days before a time, up to a limit for each kind; return how many rows."""
    count = 0
    for table in (thinking_for_servers, thinking_for_people):
        (subject,) = table.primary_key
        old = select(subject).where(table.c.day < before).order_by(table.c.day).limit(limit)
        count += (await tx.execute(delete(table).where(subject.in_(old)))).rowcount
    return count


class WaitingGame(NamedTuple):
    """A game that waits for a computer, by its code, since its last move."""

    code: str
    since: datetime


async def waiting_longest(tx: Transaction, limit: int) -> list[WaitingGame]:
    """Return the running games that have waited longest for a computer, longest first."""
    is_waiting = (timers.c.kind == TimerKind.THINK, games.c.status == GameStatus.RUNNING)
    query = (
        select(games.c.code, games.c.updated_at)
        .join(timers, timers.c.game_id == games.c.id)
        .where(*is_waiting)
        .order_by(games.c.updated_at)
        .limit(limit)
    )
    return [WaitingGame(row.code, row.updated_at) for row in await tx.execute(query)]
