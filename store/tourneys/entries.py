"""The people of an event (a tournament or a league): its organisers, the entries of its players, and its teams.

An *entry* is a player's sign-up. When the event begins, every entry gets a number, or every team in an event of teams.
From then on the event's log refers to people only by these numbers, so that pairings and standings can be computed
without knowing who they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from store.connection.database import Transaction
from store.connection.statements import changes_row
from store.records import Person, columns_of, record_of
from store.schema.tourneys import event_entries, event_organisers, event_teams


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRecord:
    """The entry of a person in an event; it has a ``number`` once the event has begun."""

    event_id: int
    person: Person
    guild_id: int
    """The server in which they signed up."""
    joined_at: datetime
    checked_in_at: datetime | None = None
    """The time at which they confirmed, shortly before the start, that they will play."""
    waiting: bool = False
    """True while they are on the waiting list."""
    number: int | None = None
    team: int | None = None
    """The number of their team; None in an event without teams, or before they have joined one."""

    @property
    def checked_in(self) -> bool:
        """True once they have confirmed that they will play."""
        return self.checked_in_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRecord:
    """A team in an event; it has the ``number`` of an entry once the event has begun."""

    event_id: int
    team: int
    name: str
    guild_id: int
    captain_id: int
    joined_at: datetime
    number: int | None = None


async def organisers(tx: Transaction, event_id: int) -> tuple[Person, ...]:
    """Return the organisers of an event, the earliest first."""
    query = (
        select(event_organisers)
        .where(event_organisers.c.event_id == event_id)
        .order_by(event_organisers.c.added_at, event_organisers.c.user_id)
    )
    return tuple(Person(row.user_id, row.name) for row in await tx.execute(query))


async def add_organiser(tx: Transaction, event_id: int, person: Person, now: datetime) -> None:
    """Make a person an organiser; nothing changes if they are one already."""
    organiser_ids = {organiser.user_id for organiser in await organisers(tx, event_id)}
    if person.user_id not in organiser_ids:
        await tx.execute(
            insert(event_organisers).values(event_id=event_id, user_id=person.user_id, name=person.name, added_at=now)
        )


async def remove_organiser(tx: Transaction, event_id: int, user_id: int) -> bool:
    """Remove an organiser; return False if the person was not one."""
    return await changes_row(tx, delete(event_organisers).filter_by(event_id=event_id, user_id=user_id))


async def entries_of(tx: Transaction, event_id: int) -> list[EntryRecord]:
    """Return all entries of an event, the earliest first."""
    query = (
        select(event_entries).filter_by(event_id=event_id).order_by(event_entries.c.joined_at, event_entries.c.user_id)
    )
    return [record_of(EntryRecord, row, person=Person(row.user_id, row.name)) for row in await tx.execute(query)]


async def count_by_event(tx: Transaction, event_ids: Collection[int]) -> dict[int, int]:
    """Return the number of entries by event, including the waiting lists; events without entries are left out."""
    event_id = event_entries.c.event_id
    query = select(event_id, func.count().label("entries")).where(event_id.in_(event_ids)).group_by(event_id)
    return {row.event_id: row.entries for row in await tx.execute(query)} if event_ids else {}


async def entered_events(tx: Transaction, user_id: int) -> list[int]:
    """Return the events that a person has entered."""
    query = select(event_entries.c.event_id).where(event_entries.c.user_id == user_id)
    return list(await tx.scalars(query))


async def add(tx: Transaction, entry: EntryRecord) -> None:
    """Store a new entry."""
    person = {"user_id": entry.person.user_id, "name": entry.person.name}
    await tx.execute(insert(event_entries).values(**columns_of(entry, "person"), **person))


async def update_entry(tx: Transaction, event_id: int, user_id: int, values: Mapping[str, Any]) -> bool:
    """Set columns of an entry; return False if there is none."""
    return await changes_row(tx, update(event_entries).filter_by(event_id=event_id, user_id=user_id).values(**values))


async def remove(tx: Transaction, event_id: int, user_id: int) -> bool:
    """Remove an entry before the start; return False if there is none."""
    return await changes_row(tx, delete(event_entries).filter_by(event_id=event_id, user_id=user_id))


async def teams(tx: Transaction, event_id: int) -> list[TeamRecord]:
    """Return the teams of an event, in the order of their numbers."""
    query = select(event_teams).where(event_teams.c.event_id == event_id).order_by(event_teams.c.team)
    return [record_of(TeamRecord, row) for row in await tx.execute(query)]


async def add_team(tx: Transaction, event_id: int, name: str, guild_id: int, captain_id: int, now: datetime) -> int:
    """Add a team, and return its number."""
    query = select(func.max(event_teams.c.team)).where(event_teams.c.event_id == event_id)
    number = int(await tx.scalar(query) or 0) + 1
    about = {"name": name, "guild_id": guild_id, "captain_id": captain_id, "joined_at": now}
    await tx.execute(insert(event_teams).values(event_id=event_id, team=number, **about))
    return number


async def update_team(tx: Transaction, event_id: int, team: int, values: Mapping[str, Any]) -> bool:
    """Set columns of a team; return False if there is none."""
    return await changes_row(tx, update(event_teams).filter_by(event_id=event_id, team=team).values(**values))


async def remove_team(tx: Transaction, event_id: int, team: int) -> None:
    """Remove a team before the start, with the entries of its members."""
    await tx.execute(delete(event_entries).where(event_entries.c.event_id == event_id, event_entries.c.team == team))
    await tx.execute(delete(event_teams).where(event_teams.c.event_id == event_id, event_teams.c.team == team))
