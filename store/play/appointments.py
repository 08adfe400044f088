"""Appointments: times at which the people of a table want to meet, to play live.

The table is a lobby or a game. Somebody proposes a time, and the others accept it or not. A table has at most one
appointment that is *current*, proposed or agreed on; a new proposal replaces it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, bindparam, delete, insert, select, tuple_, update

from store.connection.database import Transaction
from store.connection.statements import add_row, changes_row
from store.records import columns_of, record_of
from store.schema.columns import ROW_ID, Instant
from store.schema.play import IS_AGREED, IS_OPEN, appointment_answers, appointments, lobbies


class AppointmentState(StrEnum):
    """The state of an appointment."""

    PROPOSED = "proposed"
    AGREED = "agreed"
    DECLINED = "declined"
    """Somebody cannot come; an agreed one was called off."""
    REPLACED = "replaced"
    """Somebody has proposed another time."""
    OVER = "over"
    """Its time has come, and everybody was told."""
    CLOSED = "closed"
    """Before its time its table was closed, its game ended, or its place was deleted."""


CURRENT: Final = (AppointmentState.PROPOSED, AppointmentState.AGREED)
"""The states of appointments that can still take place."""
WITHDRAWN: Final = (AppointmentState.DECLINED, AppointmentState.REPLACED, AppointmentState.CLOSED)
"""The states of appointments that will not take place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """A time for the people of a lobby or game; one that became a game has both."""

    id: int = 0
    guild_id: int
    channel_id: int
    """The channel or thread in which the message about it is posted."""
    lobby_id: int | None = None
    game_id: int | None = None
    user_id: int
    """The person who has proposed it."""
    at: datetime
    state: AppointmentState = AppointmentState.PROPOSED
    message_id: int | None = None
    scheduled_id: int | None = None
    """The id of Discord's scheduled event."""
    pinged_at: datetime | None = None
    """The time at which its message pinged people; None if it has none, or pinged nobody."""
    accepted: tuple[int, ...] = ()
    """The people who have accepted it, the one who has proposed it among them."""


async def add(tx: Transaction, new: Appointment) -> int:
    """Store a new appointment, which the person who proposes it accepts; return its id."""
    appointment_id = await add_row(tx, appointments, columns_of(new, "id", "accepted"))
    await accept(tx, appointment_id, new.user_id)
    return appointment_id


async def get(tx: Transaction, appointment_id: int) -> Appointment | None:
    """Return the appointment with this id."""
    row = (await tx.execute(select(appointments).where(appointments.c.id == appointment_id))).first()
    return None if row is None else await _appointment(tx, row)


async def current(tx: Transaction, *, lobby_id: int | None = None, game_id: int | None = None) -> Appointment | None:
    """Return the current appointment of a lobby or game."""
    query = select(appointments).where(_of_table(lobby_id, game_id), appointments.c.state.in_(CURRENT))
    row = (await tx.execute(query.order_by(appointments.c.id.desc()).limit(1))).first()
    return None if row is None else await _appointment(tx, row)


def _of_table(lobby_id: int | None, game_id: int | None) -> ColumnElement[bool]:
    """Return the condition that an appointment is one of this lobby, or without one of this game."""
    return appointments.c.game_id == game_id if lobby_id is None else appointments.c.lobby_id == lobby_id


async def accept(tx: Transaction, appointment_id: int, user_id: int) -> None:
    """Store that a person accepts an appointment, which they have not done before."""
    await tx.execute(insert(appointment_answers).values(appointment_id=appointment_id, user_id=user_id))


async def set_state(tx: Transaction, appointment: Appointment, state: AppointmentState) -> bool:
    """Store another state of an appointment; return False when it has changed meanwhile."""
    unchanged = update(appointments).filter_by(id=appointment.id, state=appointment.state)
    if not await changes_row(tx, unchanged.values(state=state)):
        return False
    if appointment.lobby_id is not None:
        meets_at = appointment.at if state is AppointmentState.AGREED else None
        await tx.execute(update(lobbies).where(lobbies.c.id == appointment.lobby_id).values(meets_at=meets_at))
    return True


async def set_message(tx: Transaction, appointment_id: int, message_id: int, pinged_at: datetime | None) -> None:
    """Store the message that shows an appointment, and when it pinged people, if it did."""
    values = {"message_id": message_id, "pinged_at": pinged_at}
    await tx.execute(update(appointments).filter_by(id=appointment_id).values(values))


async def pinging_since(
    tx: Transaction, since: datetime, *, lobby_id: int | None = None, game_id: int | None = None
) -> set[int]:
    """Return who proposed the appointments of a lobby or game whose messages have pinged people since a time."""
    pinged_since = appointments.c.pinged_at > since
    query = select(appointments.c.user_id).where(_of_table(lobby_id, game_id), pinged_since).distinct()
    return set(await tx.scalars(query))


async def set_scheduled(tx: Transaction, appointment_id: int, scheduled_id: int | None) -> None:
    """Store Discord's scheduled event of an appointment; None when it was deleted."""
    await tx.execute(update(appointments).filter_by(id=appointment_id).values(scheduled_id=scheduled_id))


async def move_to_game(tx: Transaction, lobby_id: int, game_id: int) -> None:
    """Let the current appointment of a lobby be one of the game that the lobby has become."""
    current_ones = (appointments.c.lobby_id == lobby_id, appointments.c.state.in_(CURRENT))
    await tx.execute(update(appointments).where(*current_ones).values(game_id=game_id))


async def due(tx: Transaction, at: datetime, appointment_id: int, until: datetime, limit: int) -> list[Appointment]:
    """Return agreed appointments up to a time, in order of time and id after these."""
    query = _in_order(IS_AGREED, appointments.c.at <= until, after=(at, appointment_id), limit=limit)
    return [await _appointment(tx, row) for row in (await tx.execute(query)).all()]


async def current_in(tx: Transaction, channel_id: int) -> list[Appointment]:
    """Return the current appointments whose message is in a channel or thread."""
    query = select(appointments).filter_by(channel_id=channel_id).where(appointments.c.state.in_(CURRENT))
    return [await _appointment(tx, row) for row in (await tx.execute(query)).all()]


async def open_after(tx: Transaction, at: datetime, appointment_id: int, limit: int) -> list[Appointment]:
    """Return appointments that can still take place or are still scheduled, in order of time and id after these."""
    query = _in_order(IS_OPEN, after=(at, appointment_id), limit=limit)
    return [await _appointment(tx, row) for row in (await tx.execute(query)).all()]


def _in_order(*conditions: ColumnElement[bool], after: tuple[datetime, int], limit: int) -> Select[Any]:
    """Return the query for the next appointments in order of time and id."""
    start = tuple_(bindparam("after", after[0], Instant), bindparam("after_id", after[1], ROW_ID))
    query = select(appointments).where(*conditions, tuple_(appointments.c.at, appointments.c.id) > start)
    return query.order_by(appointments.c.at, appointments.c.id).limit(limit)


async def drop_old(tx: Transaction, before: datetime, limit: int) -> int:
    """Delete appointments for times before ``before``, up to a limit; return how many."""
    query = select(appointments.c.id).where(appointments.c.at < before).order_by(appointments.c.at).limit(limit)
    ids = list(await tx.scalars(query))
    await tx.execute(delete(appointment_answers).where(appointment_answers.c.appointment_id.in_(ids)))
    return (await tx.execute(delete(appointments).where(appointments.c.id.in_(ids)))).rowcount


async def _appointment(tx: Transaction, row: Row[Any]) -> Appointment:
    """Read an appointment from its row and the answers."""
    answers = select(appointment_answers.c.user_id).filter_by(appointment_id=row.id)
    accepted = tuple(await tx.scalars(answers.order_by(appointment_answers.c.user_id)))
    return record_of(Appointment, row, state=AppointmentState(row.state), accepted=accepted)
