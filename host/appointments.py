"""Appointments: the people of a lobby or game agree on a time at which they play live.

One of them proposes a time, and it is agreed on when all others have accepted. Anybody may propose another time, which
replaces the one before, or call it off. Shortly before an agreed time everybody is told.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.lobbies import open_lobby
from host.notifications import OCCASIONS, Occasion
from host.observability import UnreadableRows
from host.retry import retried
from host.settings import HostSettings
from host.timing.reminders import quiet_ends
from store import (
    AnsweredInteraction,
    Appointment,
    AppointmentState,
    Game,
    GameStatus,
    Lobby,
    LobbyState,
    Person,
    Store,
    Transaction,
    UnreadableError,
    appointments,
    games,
    lobbies,
    moves,
)

log = logging.getLogger(__name__)

LEAST_AHEAD: Final = timedelta(minutes=5)
"""The least time between a proposal and its appointment."""
MAX_DAYS_AHEAD: Final = 30
"""The most days between a proposal and its appointment."""
NOTICE: Final = timedelta(minutes=10)
"""The time before an appointment at which its people are told."""
MAX_DELAY: Final = timedelta(hours=1)
"""The time after an appointment from which nobody is told any more, as after a downtime."""
BATCH_SIZE: Final = 25
"""The most appointments that are read at a time."""
FIRST: Final = (datetime.fromtimestamp(0, UTC), 0)
"""A time and an id before those of any appointment."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """An appointment with its table and the people who are to meet."""

    appointment: Appointment
    lobby: Lobby | None
    game: Game | None

    @property
    def people(self) -> tuple[Person, ...]:
        """The people who are to meet: those who play, or have joined or are challenged."""
        if self.game is not None:
            return self.game.players
        return () if self.lobby is None else (*self.lobby.members, *self.lobby.challenged)

    @property
    def unanswered(self) -> tuple[Person, ...]:
        """The people who have not accepted."""
        return tuple(person for person in self.people if person.user_id not in self.appointment.accepted)

    @property
    def is_agreed(self) -> bool:
        """True if everybody has accepted, and nobody has called it off."""
        return self.appointment.state is AppointmentState.AGREED

    @property
    def language(self) -> str:
        """The language of the table."""
        table = self.game or self.lobby
        return "" if table is None else table.settings.language

    @property
    def places(self) -> tuple[int, ...]:
        """The channels and threads for messages to its people, the second for when the first is closed."""
        if self.game is None:
            return (self.appointment.channel_id,)
        return tuple(dict.fromkeys((self.game.place, self.game.channel_id)))

    @property
    def is_open(self) -> bool:
        """True if the table still waits or plays."""
        if self.game is not None:
            return self.game.status is not GameStatus.FINISHED
        return self.lobby is not None and self.lobby.state is LobbyState.OPEN

    @property
    def is_obsolete(self) -> bool:
        """True if it takes place no more, or its game is over, and it is still shown as open or scheduled."""
        if self.game is not None:
            has_ended = self.game.status is GameStatus.FINISHED
        else:
            has_ended = self.lobby is None or self.lobby.state in (LobbyState.CLOSED, LobbyState.EXPIRED)
        state, is_scheduled = self.appointment.state, self.appointment.scheduled_id is not None
        if state in appointments.WITHDRAWN:
            return is_scheduled
        return has_ended and (is_scheduled or state in appointments.CURRENT)


@dataclass(frozen=True, slots=True)
class TableRef:
    """A lobby, or a game, for which people meet."""

    lobby_id: int | None = None
    game_id: int | None = None


class Appointments:
    """Stores proposals and the answers to them, and finds those whose time comes."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, unreadable: UnreadableRows) -> None:
        self._store = store
        self._clock = clock
        self._unreadable = unreadable
        self.patience = settings.patience
        self._looked_at = FIRST
        """Time and id of the appointment up to which :meth:`obsolete` has looked."""

    async def get(self, appointment_id: int) -> Meeting:
        """Return an appointment with its table.

        Raises:
            HostError: ``appointment_gone``.
        """
        async with self._store.reading() as tx:
            return await _meeting(tx, await _require(tx, appointment_id))

    async def current(self, table: TableRef) -> Meeting | None:
        """Return the appointment of a table that is proposed or agreed on; None if there is none."""
        async with self._store.reading() as tx:
            current = await _current(tx, table)
            return None if current is None else await _meeting(tx, current)

    @retried
    async def propose(
        self, table: TableRef, user_id: int, at: datetime, interaction_id: int
    ) -> tuple[Meeting, Meeting | None]:
        """Propose a time to the people of a table; return the proposal, and the one that it replaces.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``unknown_game``, ``game_over``,
                ``not_in_lobby``, ``not_a_player``, ``bad_appointment``, ``nobody_to_meet``.
        """
        now = self._clock.now()
        async with self._store.writing(lobby=table.lobby_id, game=table.game_id) as tx:
            current = await _current(tx, table)
            former = None if current is None else await _meeting(tx, current)
            if former is not None and await moves.interaction_by_id(tx, interaction_id) is not None:
                return former, None
            new = await self._new(tx, table, user_id, at)
            _require_participant(new, user_id)
            if not now + LEAST_AHEAD <= at <= now + timedelta(days=MAX_DAYS_AHEAD):
                least = LEAST_AHEAD // timedelta(minutes=1)
                raise HostError(ErrorCode.BAD_APPOINTMENT, least=least, most=MAX_DAYS_AHEAD)
            if not new.unanswered:
                raise HostError(ErrorCode.NOBODY_TO_MEET)
            if former is not None:
                await appointments.set_state(tx, former.appointment, AppointmentState.REPLACED)
            appointment_id = await appointments.add(tx, new.appointment)
            await _remember(tx, table, interaction_id, now)
            proposed = await _meeting(tx, await _require(tx, appointment_id))
        log.info("appointment proposed", extra={"appointment": appointment_id, "user": user_id})
        return proposed, former

    @retried
    async def answer(self, appointment_id: int, user_id: int, interaction_id: int, *, accepts: bool) -> Meeting:
        """Accept an appointment, or decline or call it off; the last one to accept makes it agreed.

        Raises:
            HostError: ``appointment_gone``, ``not_in_lobby``, ``not_a_player``.
        """
        table = await self._table(appointment_id)
        async with self._store.writing(lobby=table.lobby_id, game=table.game_id) as tx:
            meeting = await _meeting(tx, appointment := await _require(tx, appointment_id))
            if await moves.interaction_by_id(tx, interaction_id) is not None:
                return meeting
            if appointment.state not in appointments.CURRENT or not meeting.is_open:
                raise HostError(ErrorCode.APPOINTMENT_GONE)
            _require_participant(meeting, user_id)
            await _remember(tx, table, interaction_id, self._clock.now())
            if not accepts:
                await appointments.set_state(tx, appointment, AppointmentState.DECLINED)
            elif user_id not in appointment.accepted:
                await appointments.accept(tx, appointment_id, user_id)
            meeting = await _meeting(tx, await _require(tx, appointment_id))
            if accepts and not meeting.unanswered:
                await appointments.set_state(tx, meeting.appointment, AppointmentState.AGREED)
                meeting = await _meeting(tx, await _require(tx, appointment_id))
        log.info("appointment answered", extra={"appointment": appointment_id, "user": user_id, "accepts": accepts})
        return meeting

    async def not_to_ping(self, meeting: Meeting) -> list[int]:
        """Return those of the people of a proposal whom its message must not ping.

        They have quiet hours now, or an earlier proposal at their table has just pinged them.
        """
        users, now, place = [person.user_id for person in meeting.people], self._clock.now(), meeting.appointment
        since = now - OCCASIONS[Occasion.APPOINTMENT].spacing
        async with self._store.reading() as tx:
            quiet = await quiet_ends(tx, users, now)
            proposers = await appointments.pinging_since(tx, since, lobby_id=place.lobby_id, game_id=place.game_id)
        return [user for user in users if user in quiet or proposers - {user}]  # each has pinged all the others

    async def due(self) -> list[Meeting]:
        """Return the agreed appointments of open tables that begin soon, a limited number at a time.

        Those whose time has long passed are ended here; those of closed tables are :meth:`obsolete`.
        """
        now, due, after = self._clock.now(), list[Meeting](), FIRST
        while len(due) < BATCH_SIZE:
            async with self._store.reading() as tx:
                agreed = await appointments.due(tx, *after, now + NOTICE, BATCH_SIZE)
                meetings = await self._meetings(tx, agreed)
            missed = [appointment for appointment in agreed if appointment.at < now - MAX_DELAY]
            for appointment in missed:
                await self._store.write(appointments.set_state, appointment, AppointmentState.OVER)
            due += [meeting for meeting in meetings if meeting.is_open and meeting.appointment not in missed]
            if len(agreed) < BATCH_SIZE:
                break
            after = (agreed[-1].at, agreed[-1].id)
        return due

    async def obsolete(self) -> list[Meeting]:
        """Return appointments that take place no more, as they are to be shown.

        Their scheduled events are to be deleted, because their game is over, their table is closed, their place is
        gone, or they were called off while Discord could not be reached. They are returned until :meth:`close` is
        called. Each call looks at a limited number of those that are open, and the next call at the following ones.
        """
        async with self._store.reading() as tx:
            found = await appointments.open_after(tx, *self._looked_at, BATCH_SIZE)
            meetings = await self._meetings(tx, found)
        self._looked_at = (found[-1].at, found[-1].id) if len(found) == BATCH_SIZE else FIRST
        return [_closed(meeting) for meeting in meetings if meeting.is_obsolete]

    async def close(self, meeting: Meeting) -> None:
        """Store that an obsolete appointment is shown as such and has no scheduled event any more."""
        async with self._store.writing() as tx:
            stored = await appointments.get(tx, meeting.appointment.id)
            if stored is None:
                return
            if meeting.appointment.scheduled_id is not None:
                await appointments.set_scheduled(tx, stored.id, None)
            if stored.state in appointments.CURRENT:
                await appointments.set_state(tx, stored, AppointmentState.CLOSED)

    async def close_in(self, channel_id: int) -> None:
        """Call off the appointments in a deleted channel or thread, except those of games that have moved elsewhere."""
        async with self._store.writing() as tx:
            for meeting in await self._meetings(tx, await appointments.current_in(tx, channel_id)):
                if channel_id == meeting.places[0]:
                    await appointments.set_state(tx, meeting.appointment, AppointmentState.CLOSED)

    async def end(self, meeting: Meeting) -> None:
        """Store that the people of an appointment were told, or need not be."""
        await self._store.write(appointments.set_state, meeting.appointment, AppointmentState.OVER)

    async def set_message(self, meeting: Meeting, message_id: int, *, pings: bool) -> None:
        """Store the message that shows an appointment; ``pings`` says whether it has pinged somebody."""
        pinged_at = self._clock.now() if pings else None
        await self._store.write(appointments.set_message, meeting.appointment.id, message_id, pinged_at)

    async def set_scheduled(self, meeting: Meeting, scheduled_id: int | None) -> None:
        """Store Discord's scheduled event of an appointment; None when it was deleted."""
        await self._store.write(appointments.set_scheduled, meeting.appointment.id, scheduled_id)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _meetings(self, tx: Transaction, found: Sequence[Appointment]) -> list[Meeting]:
        """Return these appointments with their tables; those whose table cannot be read are reported and left out."""
        meetings = []
        for appointment in found:
            try:
                meetings.append(await _meeting(tx, appointment))
            except UnreadableError as error:
                self._unreadable.report(error)
        return meetings

    async def _table(self, appointment_id: int) -> TableRef:
        """Return the table of an appointment: its game if there is one, else its lobby.

        Raises:
            HostError: ``appointment_gone``.
        """
        async with self._store.reading() as tx:
            appointment = await _require(tx, appointment_id)
        if appointment.game_id is not None:
            return TableRef(game_id=appointment.game_id)
        return TableRef(lobby_id=appointment.lobby_id)

    async def _new(self, tx: Transaction, table: TableRef, user_id: int, at: datetime) -> Meeting:
        """Return an appointment at a table that waits or plays, before it is stored.

        Raises:
            HostError: as :meth:`propose`.
        """
        if table.game_id is not None:
            game = await games.get(tx, table.game_id)
            if game.status is GameStatus.FINISHED:
                raise HostError(ErrorCode.GAME_OVER, code=game.code)
            new = Appointment(guild_id=game.guild_id, channel_id=game.place, game_id=game.id, user_id=user_id, at=at)
            return Meeting(replace(new, accepted=(user_id,)), None, game)
        lobby = await open_lobby(tx, table.lobby_id or 0)
        new = Appointment(
            guild_id=lobby.guild_id, channel_id=lobby.channel_id, lobby_id=lobby.id, user_id=user_id, at=at
        )
        return Meeting(replace(new, accepted=(user_id,)), lobby, None)


async def _require(tx: Transaction, appointment_id: int) -> Appointment:
    """Return the appointment with this id.

    Raises:
        HostError: ``appointment_gone``.
    """
    appointment = await appointments.get(tx, appointment_id)
    if appointment is None:
        raise HostError(ErrorCode.APPOINTMENT_GONE)
    return appointment


async def _current(tx: Transaction, table: TableRef) -> Appointment | None:
    """Return the appointment of a table that is proposed or agreed on."""
    return await appointments.current(tx, lobby_id=table.lobby_id, game_id=table.game_id)


async def _meeting(tx: Transaction, appointment: Appointment) -> Meeting:
    """Return an appointment with its table; without one if it was deleted.

    Raises:
        UnreadableError: this version cannot read the table.
    """
    if appointment.game_id is not None:
        return Meeting(appointment, None, await games.by_id(tx, appointment.game_id))
    return Meeting(appointment, await lobbies.get(tx, appointment.lobby_id or 0), None)


def _closed(meeting: Meeting) -> Meeting:
    """Return an appointment as closed, unless its time has come before or people have called it off."""
    if meeting.appointment.state not in appointments.CURRENT:
        return meeting
    return replace(meeting, appointment=replace(meeting.appointment, state=AppointmentState.CLOSED))


async def _remember(tx: Transaction, table: TableRef, interaction_id: int, now: datetime) -> None:
    """Record that an interaction was carried out, so that it does nothing when it is repeated."""
    answered = AnsweredInteraction(id=interaction_id, game_id=table.game_id, lobby_id=table.lobby_id)
    await moves.add_interaction(tx, answered, now)


def _require_participant(meeting: Meeting, user_id: int) -> None:
    """Check that a user is one of those who are to meet.

    Raises:
        HostError: ``not_in_lobby``, ``not_a_player``.
    """
    if any(person.user_id == user_id for person in meeting.people):
        return
    if meeting.game is not None:
        raise HostError(ErrorCode.NOT_A_PLAYER, code=meeting.game.code)
    raise HostError(ErrorCode.NOT_IN_LOBBY)
