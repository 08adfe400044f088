"""Sign-up for events: people and teams enter, leave and check in.

An *entry* is a person who takes part, alone or as a member of a team. If an event is full, further entries go to the
*waiting list*, from which they move up. *Check-in* is a time before the start in which people confirm that they will
play. In some formats people may still enter, or come back, after the start. Everybody has to be able to see the channel
of the event.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.log import EventLog, check_state
from host.events.reader import ChannelAccess, EventReader
from host.events.stored import SIGN_UP_STATES, StoredEvent
from host.events.views import EventView
from host.rights import GameLimits
from store import EntryRecord, EventState, Person, Store, TeamRecord, Transaction, clean_text, event_entries
from tournaments.event import takes_late_entries
from tournaments.facts import LateEntry, Rejoined, Withdrawal
from tournaments.formats import format_named
from tournaments.specification import Entry

_LEAVING_ID_BASE: Final = 2**50
"""The least of the ids that stand in for an interaction's when no user has clicked; other stand-in ids are smaller."""
MAX_TEAM_NAME_LENGTH: Final = 80
"""The most characters of a team's name."""


@dataclass(eq=False)
class SignUp:
    """Enters people and teams into events, and withdraws them."""

    _store: Store
    _clock: Clock
    _log: EventLog
    _reader: EventReader
    _access: ChannelAccess
    _limits: GameLimits

    async def join(
        self, ref: int | str, person: Person, guild_id: int, interaction_id: int, team: int | None = None
    ) -> EventView:
        """Enter a person into an event, or into one of its teams.

        ``guild_id`` is the server from which they enter. A player who has left before plays again from the next round.

        Raises:
            HostError: ``unknown_event``, ``no_access``, ``sign_up_closed``, ``entered_already``, ``unknown_team``,
                ``no_teams``, ``no_late_entries``, ``not_entered`` for a disqualified player; and for the event's
                server ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        await self._require_access(ref, person.user_id)
        async with self._log.changing(ref) as (tx, stored):
            if not await self._log.is_repeated(tx, interaction_id):
                if stored.record.state in SIGN_UP_STATES:
                    _check_team(stored, team)
                    await self._enter(tx, stored, person, guild_id, team)
                elif stored.record.state is EventState.RUNNING:
                    await self._come_late(tx, stored, person, guild_id)
                else:
                    raise HostError(ErrorCode.SIGN_UP_CLOSED, code=stored.record.code)
            return await self._log.view(tx, stored.record.id)

    async def leave(self, ref: int | str, user_id: int, interaction_id: int) -> EventView:
        """Withdraw an entrant from an event at their own request; after the start they leave its games as well.

        Raises:
            HostError: ``unknown_event``, ``not_entered``, ``event_over``.
        """
        async with self._log.changing(ref) as (tx, stored):
            if not await self._log.is_repeated(tx, interaction_id):
                await self.withdraw_in(tx, stored, user_id)
            return await self._log.view(tx, stored.record.id)

    async def leave_all(self, user_id: int) -> None:
        """Withdraw a user from all unfinished events."""
        for summary in await self._reader.of_user(user_id):
            with suppress(HostError):  # the event has ended meanwhile
                await self.leave(summary.id, user_id, -(summary.id + _LEAVING_ID_BASE))

    async def check_in(self, ref: int | str, user_id: int, interaction_id: int) -> EventView:
        """Record that an entrant confirms that they will play.

        Raises:
            HostError: ``unknown_event``, ``no_check_in``, ``not_entered``, ``no_access``, ``kept_out``,
                ``server_kept_out``, ``too_many_games``.
        """
        await self._require_access(ref, user_id)
        async with self._log.changing(ref) as (tx, stored):
            if not await self._log.is_repeated(tx, interaction_id):
                check_state(stored, ErrorCode.NO_CHECK_IN, EventState.CHECK_IN)
                entry = _entry_of(stored, user_id)
                if entry.checked_in_at is None:
                    await self._require_room(tx, stored, entry.person)
                await event_entries.update_entry(tx, stored.record.id, user_id, {"checked_in_at": self._clock.now()})
            return await self._log.view(tx, stored.record.id)

    async def found_team(
        self, ref: int | str, captain: Person, guild_id: int, name: str, interaction_id: int
    ) -> EventView:
        """Enter a new team into an event, with its captain as the first member.

        Raises:
            HostError: ``unknown_event``, ``no_access``, ``sign_up_closed``, ``entered_already``, ``no_teams``,
                ``too_many_entries``, ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        await self._require_access(ref, captain.user_id)
        async with self._log.changing(ref) as (tx, stored):
            if not await self._log.is_repeated(tx, interaction_id):
                event_format = format_named(stored.plan.format)
                if not event_format.teams:
                    raise HostError(ErrorCode.NO_TEAMS, code=stored.record.code)
                check_state(stored, ErrorCode.SIGN_UP_CLOSED, *SIGN_UP_STATES)
                limit = min(stored.plan.most or event_format.most, event_format.most)
                if len(stored.teams) >= limit:
                    raise HostError(ErrorCode.TOO_MANY_ENTRIES, entries=len(stored.teams) + 1, most=limit)
                team_name = clean_text(name)[:MAX_TEAM_NAME_LENGTH] or captain.name
                now = self._clock.now()
                team = await event_entries.add_team(tx, stored.record.id, team_name, guild_id, captain.user_id, now)
                await self._enter(tx, stored, captain, guild_id, team)
            return await self._log.view(tx, stored.record.id)

    async def withdraw_in(self, tx: Transaction, stored: StoredEvent, user_id: int) -> None:
        """Withdraw an entrant in the caller's transaction; before the start, remove their entry, or a captain's team.

        ``reason`` is that of the withdrawal. The first entry on the waiting list moves up.

        Raises:
            HostError: ``not_entered``, ``event_over``.
        """
        state = stored.record.state
        if state in (EventState.FINISHED, EventState.CLOSED):
            raise HostError(ErrorCode.EVENT_OVER, code=stored.record.code)
        if stored.event is not None:
            number = stored.number_of(user_id)
            team = None if number is None else _team_of(stored, number)
            if number is None or number in stored.event.gone or (team and team.captain_id != user_id):
                raise HostError(ErrorCode.NOT_ENTERED, code=stored.record.code)
            await self._log.append(tx, stored, Withdrawal(number), user_id)
            return
        entry = _entry_of(stored, user_id)
        captained = [team for team in stored.teams if team.captain_id == user_id]
        for team in captained:
            await event_entries.remove_team(tx, stored.record.id, team.team)
        if not captained:
            await event_entries.remove(tx, stored.record.id, user_id)
        waiting_list = [other for other in stored.entries if other.waiting]
        if waiting_list and not entry.waiting:
            await event_entries.update_entry(tx, stored.record.id, waiting_list[0].person.user_id, {"waiting": False})

    async def require_players(self, ref: int | str, people: Sequence[Person]) -> None:
        """Check that these people, who are to play, can see the event's channel.

        Raises:
            HostError: ``unknown_event``, ``member_no_access``.
        """
        record = await self._store.read(self._log.find, ref)
        without_access = await self._access.users_without_access(record, [person.user_id for person in people])
        for person in people:
            if person.user_id in without_access:
                name = (await self._reader.view(record.id)).name_of_person(person)
                raise HostError(ErrorCode.MEMBER_NO_ACCESS, player=name, channel=record.channel_id)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _require_access(self, ref: int | str, user_id: int) -> None:
        """Check that a user can see the event's channel; if Discord gives no answer, assume that they can.

        Raises:
            HostError: ``unknown_event``, ``no_access``.
        """
        record = await self._store.read(self._log.find, ref)
        if await self._access.of(record, user_id) is False:
            raise HostError(ErrorCode.NO_ACCESS, channel=record.channel_id)

    async def _require_room(self, tx: Transaction, stored: StoredEvent, person: Person) -> None:
        """Check that a person may play one more game in the event's server, as for any other game.

        It is checked once, when they enter or check in, and not again for each game of the event.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        await self._limits.check_player(tx, stored.record.guild_id, person)

    async def _enter(
        self, tx: Transaction, stored: StoredEvent, person: Person, guild_id: int, team: int | None
    ) -> None:
        """Store an entry before the start; if the event is full, on the waiting list."""
        if any(entry.person.user_id == person.user_id for entry in stored.entries):
            raise HostError(ErrorCode.ENTERED_ALREADY, code=stored.record.code)
        await self._require_room(tx, stored, person)
        now = self._clock.now()
        event_format = format_named(stored.plan.format)
        limit = min(stored.plan.most or event_format.most, event_format.most) - len(stored.plan.computers)
        full = not event_format.teams and sum(not entry.waiting for entry in stored.entries) >= limit
        entry = EntryRecord(
            event_id=stored.record.id,
            person=person,
            guild_id=guild_id,
            joined_at=now,
            checked_in_at=now if stored.record.state is EventState.CHECK_IN else None,
            waiting=full,
            team=team,
        )
        await event_entries.add(tx, entry)

    async def _come_late(self, tx: Transaction, stored: StoredEvent, person: Person, guild_id: int) -> None:
        """Let a person enter after the start, or come back after they have left."""
        event, key = stored.running, str(person.user_id)
        number = stored.number_of(person.user_id)
        if number is not None and number in event.gone:
            if number in event.disqualified:
                raise HostError(ErrorCode.NOT_ENTERED, code=stored.record.code)
            await self._require_room(tx, stored, person)
            await self._log.append(tx, stored, Rejoined(number), person.user_id)
            return
        if any(entry.person.user_id == person.user_id for entry in stored.entries if entry.number is not None):
            raise HostError(ErrorCode.ENTERED_ALREADY, code=stored.record.code)
        event_format = format_named(stored.plan.format)
        most = min(stored.plan.most or event_format.most, event_format.most)
        is_full = event.specification.rules >= 5 and len(event.entries) - len(event.gone) >= most
        if not event_format.teams and (is_full or not takes_late_entries(event)):
            raise HostError(ErrorCode.NO_LATE_ENTRIES, code=stored.record.code)
        await self._require_room(tx, stored, person)
        await self._log.append(tx, stored, LateEntry(Entry(key, party=str(guild_id))), person.user_id)
        await enter_now(tx, stored, person, guild_id, len(event.entries), self._clock.now())


async def enter_now(
    tx: Transaction, stored: StoredEvent, person: Person, guild_id: int, number: int, now: datetime
) -> None:
    """Enter a person under a number of the running event, and take them off its waiting list."""
    await event_entries.remove(tx, stored.record.id, person.user_id)
    entry = EntryRecord(
        event_id=stored.record.id, person=person, guild_id=guild_id, joined_at=now, checked_in_at=now, number=number
    )
    await event_entries.add(tx, entry)


def _entry_of(stored: StoredEvent, user_id: int) -> EntryRecord:
    """Return the entry of a user.

    Raises:
        HostError: ``not_entered``.
    """
    entry = next((entry for entry in stored.entries if entry.person.user_id == user_id), None)
    if entry is None:
        raise HostError(ErrorCode.NOT_ENTERED, code=stored.record.code)
    return entry


def _check_team(stored: StoredEvent, team: int | None) -> None:
    """Check that an entry names a team of the event if, and only if, it is a team event.

    Raises:
        HostError: ``no_teams``, ``unknown_team``.
    """
    is_team_event = format_named(stored.plan.format).teams
    if not is_team_event and team is not None:
        raise HostError(ErrorCode.NO_TEAMS, code=stored.record.code)
    if is_team_event and not any(record.team == team for record in stored.teams):
        raise HostError(ErrorCode.UNKNOWN_TEAM, code=stored.record.code)


def _team_of(stored: StoredEvent, number: int) -> TeamRecord | None:
    """Return the team that plays as the entry with this number; None if that is a single player."""
    return next((team for team in stored.teams if team.number == number), None)
