"""Everything that is known of a person, wherever it stands: shown to them, or taken out.

What is theirs alone is deleted. What belongs to a game stays, under a number that says no more than which seat it was.
Every column with somebody's id is named here; a test looks for those that are not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from secrets import randbelow
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    CompoundSelect,
    Table,
    Text,
    and_,
    cast,
    delete,
    func,
    select,
    union,
    update,
)

from store.connection.database import Transaction
from store.operating.bans import BanKind
from store.play.pending import drop as drop_pending
from store.schema import (
    IS_WITHDRAWAL,
    Document,
    actions,
    answers,
    bans,
    calls,
    departures,
    drafts,
    games,
    gifts,
    lobbies,
    lobby_barred,
    lobby_members,
    locales,
    metadata,
    notes,
    operator_log,
    pauses,
    pending,
    plans,
    playing,
    preferences,
    requests,
    seats,
    shares,
    substitutions,
    timers,
    turns,
    undone,
    vacations,
)
from store.tourneys import people as event_people

NOBODY: Final = 0
"""In the place of a forgotten person who had no seat."""
_EVENTS: Final = 2**40
"""Numbers in events are beyond this, of which nobody guesses two alike."""
_FIRST_SEAT: Final = -101
"""In the place of a forgotten person at the first seat; lower by one for each that follows."""

DELETED: Final[tuple[Column[Any], ...]] = (
    preferences.c.user_id,
    locales.c.user_id,
    plans.c.user_id,
    notes.c.user_id,
    drafts.c.user_id,
    vacations.c.user_id,
    departures.c.user_id,
    calls.c.user_id,
    turns.c.user_id,
    playing.c.user_id,
    lobby_members.c.user_id,
    lobby_barred.c.user_id,
    answers.c.user_id,
    pending.c.user_id,
    shares.c.user_id,
)
"""By these columns rows are found that go."""
RENAMED: Final[tuple[Column[Any], ...]] = (
    actions.c.user_id,
    undone.c.user_id,
    gifts.c.user_id,
    requests.c.user_id,
    requests.c.subject,
    substitutions.c.before_id,
    substitutions.c.after_id,
    seats.c.user_id,  # the last one: by it the others know which seat it was
)
"""In these columns of what belongs to games a seat takes the place of the person."""
OWNED: Final = (lobbies.c.owner_id,)
"""In these nobody takes it."""
ALL: Final = (*DELETED, *OWNED, *RENAMED, *event_people.DELETED, *event_people.RENAMED)
KEPT: Final = ("bans.subject", "timers.subject")
"""Columns that are looked after otherwise: bans survive, timers about a person go."""
IN_DOCUMENTS: Final = frozenset(
    {
        "requests.voters",
        "requests.details",
        "pauses.users",
        "operator_log.details",
        "events.plan",
        "events.specification",
        "event_facts.fact",
        "event_audit.details",
        "event_posts.details",
        "rated_results.players",
        "ladder_games.players",
    }
)
"""Columns of JSON in which ids stand; what operators did survives, as bans do."""
_BY_GAME: Final = frozenset({actions, plans, notes, drafts, departures, turns, pending, timers, gifts})
"""Of these only the games are looked through in which somebody has, or had, a seat: nobody else stands there."""
_NAMES: Final = {
    seats.c.user_id: seats.c.name,
    substitutions.c.before_id: substitutions.c.before_name,
    substitutions.c.after_id: substitutions.c.after_name,
}
"""The name that stands beside an id."""


async def known(tx: Transaction) -> list[int]:
    """The ids of all persons of whom something is known."""
    found = await tx.scalars(union(*(select(cast(column, BigInteger)) for column in ALL)))
    return sorted(user_id for user_id in found if user_id > 0)


async def everything(tx: Transaction, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Every row in which somebody stands, by table."""
    found: dict[str, list[dict[str, Any]]] = {}
    for column in ALL:
        table = column.table
        for its in _rows(column, user_id):
            rows = (await tx.execute(select(table).where(*its))).mappings().all()
            if rows:
                found.setdefault(table.name, []).extend(dict(row) for row in rows)
    mine = select(seats.c.game_id).where(seats.c.user_id == user_id)
    shown = (games.c.id, games.c.code, games.c.name, games.c.status, games.c.created_at, games.c.updated_at)
    rows = (await tx.execute(select(*shown).where(games.c.id.in_(mine)))).mappings().all()
    found["games"] = [dict(row) for row in rows]
    for column, where in await _documents(tx, user_id):
        for row in (await tx.execute(select(column.table).where(where))).mappings():
            if _names(row[column.name], user_id) and dict(row) not in found.get(column.table.name, []):
                found.setdefault(column.table.name, []).append(dict(row))
    return found


def _games_of(user_id: int) -> CompoundSelect[int]:
    """The games in which somebody has, or had, a seat."""
    return union(
        select(seats.c.game_id).where(seats.c.user_id == user_id),
        select(substitutions.c.game_id).where(substitutions.c.before_id == user_id),
    )


def _rows(column: Column[Any], user_id: int) -> list[tuple[ColumnElement[bool], ...]]:
    """Which rows are found by a column with an id, and in how many goes, so that each finds them by index."""
    its, table = column == user_id, column.table
    if table not in _BY_GAME:
        return [(its,)]
    played = (table.c.game_id.in_(_games_of(user_id)), its)
    return [(*played, ~IS_WITHDRAWAL), (its, IS_WITHDRAWAL)] if table is actions else [played]


async def _documents(tx: Transaction, user_id: int) -> list[tuple[Column[Any], ColumnElement[bool]]]:
    """Columns of JSON in which somebody may stand, each with in which rows; what operators did among them."""
    mine = select(seats.c.game_id).where(seats.c.user_id == user_id)
    banned = and_(bans.c.kind == BanKind.USER, bans.c.subject == user_id)
    return [
        (requests.c.voters, requests.c.game_id.in_(mine)),
        (requests.c.details, requests.c.game_id.in_(mine)),
        (pauses.c.users, pauses.c.game_id.in_(mine)),
        (bans.c.subject, banned),
        (operator_log.c.details, operator_log.c.what.in_(("ban", "unban"))),
        *await event_people.documents(tx, user_id),
    ]


def _names(value: object, user_id: int) -> bool:
    """Whether JSON, or its text, holds an id."""
    if isinstance(value, str) and value != str(user_id):
        try:
            value = json.loads(value)
        except ValueError:
            return False
    return value != _without(value, user_id)


async def games_of(tx: Transaction, user_id: int) -> list[int]:
    """The games in which somebody has, or had, a seat."""
    return list(await tx.scalars(_games_of(user_id)))


async def forget(tx: Transaction, user_id: int) -> None:
    """Take a person out. Games of theirs go on with an empty name, and replay as before."""
    # One number for all events: their rounds, standings and ratings hang together. It is never one of a seat.
    await event_people.rename(tx, user_id, -(_EVENTS + randbelow(_EVENTS)))
    await _forget_votes(tx, user_id)
    for game_id in await tx.scalars(select(pending.c.game_id).where(*_rows(pending.c.user_id, user_id)[0])):
        await drop_pending(tx, game_id)
    for column in (timers.c.subject, *DELETED):
        for where in _rows(column, user_id):
            await tx.execute(delete(column.table).where(*where))
    for column in OWNED:
        await tx.execute(update(column.table).where(column == user_id).values({column: NOBODY}))
    for column in RENAMED:
        values: dict[Column[Any], Any] = {column: _instead(column.table, user_id)}
        if column in _NAMES:
            values[_NAMES[column]] = ""
        for where in _rows(column, user_id):
            await tx.execute(update(column.table).where(*where).values(values))


def _instead(table: Table, user_id: int) -> Any:  # noqa: ANN401 - an expression of SQL
    """The number of a seat, where a row says or a game knows which it was."""
    if table in {seats, substitutions}:
        return _FIRST_SEAT - table.c.seat
    mine = seats.alias("mine")
    seat = select(_FIRST_SEAT - mine.c.seat).where(mine.c.game_id == table.c.game_id, mine.c.user_id == user_id)
    return func.coalesce(seat.scalar_subquery(), NOBODY)


async def _forget_votes(tx: Transaction, user_id: int) -> None:
    """Who was asked, and who has agreed to a pause, stands in a list, whom it is about in details: of his games."""
    mine = select(seats.c.game_id).where(seats.c.user_id == user_id)
    query = select(requests.c.id, requests.c.voters, requests.c.details).where(requests.c.game_id.in_(mine))
    for row in (await tx.execute(query)).all():
        values = {"voters": _without(row.voters, user_id), "details": _without(row.details, user_id)}
        await tx.execute(update(requests).where(requests.c.id == row.id).values(values))
    for paused in (await tx.execute(select(pauses.c.game_id, pauses.c.users).where(pauses.c.game_id.in_(mine)))).all():
        values = {"users": _without(paused.users, user_id)}
        await tx.execute(update(pauses).where(pauses.c.game_id == paused.game_id).values(values))


def _without(value: object, user_id: int) -> object:
    """JSON without an id."""
    match value:
        case list():
            return [_without(entry, user_id) for entry in value]
        case Mapping():
            return {name: _without(entry, user_id) for name, entry in value.items()}
        case _:
            return NOBODY if value in {user_id, str(user_id)} else value


def columns_of_persons() -> tuple[set[str], set[str]]:
    """The columns of all tables in which somebody's id may stand: as a number of its own, and within JSON or a text."""
    numbers, documents = set(), set()
    for table in metadata.sorted_tables:
        for column in table.columns:
            place = f"{table.name}.{column.name}"
            if isinstance(column.type, Document | Text):
                documents.add(place)
            elif isinstance(column.type, BigInteger) and not column.foreign_keys and column is not table.c.get("id"):
                numbers.add(place)
    return numbers, documents
