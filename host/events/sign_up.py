"""Sign-up: joining, leaving, check-in, waiting list and teams; late entries, too, if the format allows them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.log import EventLog
from host.events.reader import ChannelAccess, EventReader
from host.events.stored import SIGN_UP_STATES, StoredEvent
from host.events.views import EventView
from host.rights import GameLimits
from store import EntryRecord, EventState, Person, Store, TeamRecord, Transaction, clean_text, event_entries
from tournaments.facts import DISQUALIFIED, LateEntry, Rejoined, Withdrawal
from tournaments.formats import format_named
from tournaments.specification import Entry

_LEAVING_ID_BASE: Final = 2**50
"""Base of the ids that stand in for interactions when no user clicked, beyond all others."""
MAX_TEAM_NAME_LENGTH: Final = 80
"""Characters of a team's name."""


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
        """Enter an event, or a team of it, from a server. A player who left plays again from the next round on.

        Raises:
            HostError: ``unknown_event``, ``no_access``, ``sign_up_closed``, ``entered_already``, ``unknown_team``,
                ``no_teams``, ``not_entered`` for who was disqualified; of the event's server ``kept_out``,
                ``server_kept_out``, ``too_many_games``.
        """
        await self._require_access(ref, person.user_id)
        async with self._store.writing() as tx:
            stored = await self._log.held(tx, ref)
            if not await self._log.repeated(tx, interaction_id):
                if stored.record.state in SIGN_UP_STATES:
                    _check_team(stored, team)
                    await self._enter(tx, stored, person, guild_id, team)
                elif stored.record.state is EventState.RUNNING:
                    await self._come_late(tx, stored, person, guild_id)
                else:
                    raise HostError(ErrorCode.SIGN_UP_CLOSED, code=stored.record.code)
            return await self._log.view(tx, stored.record.id)

    async def leave(self, ref: int | str, user_id: int, interaction_id: int) -> EventView:
        """Leave an event, and its games once it has begun.

        Raises:
            HostError: ``unknown_event``, ``not_entered``, ``event_over``.
        """
        async with self._store.writing() as tx:
            stored = await self._log.held(tx, ref)
            if not await self._log.repeated(tx, interaction_id):
                await self.leave_in(tx, stored, user_id)
            return await self._log.view(tx, stored.record.id)

    async def leave_all(self, user_id: int) -> None:
        """Leave all unfinished events."""
        for summary in await self._reader.of_user(user_id):
            with suppress(HostError):  # it has ended meanwhile
                await self.leave(summary.id, user_id, -(summary.id + _LEAVING_ID_BASE))

    async def check_in(self, ref: int | str, user_id: int, interaction_id: int) -> EventView:
        """Check a user in.

        Raises:
            HostError: ``unknown_event``, ``no_check_in``, ``not_entered``, ``no_access``, ``kept_out``,
                ``server_kept_out``, ``too_many_games``.
        """
        await self._require_access(ref, user_id)
        async with self._store.writing() as tx:
            stored = await self._log.held(tx, ref)
            if not await self._log.repeated(tx, interaction_id):
                if stored.record.state is not EventState.CHECK_IN:
                    raise HostError(ErrorCode.NO_CHECK_IN, code=stored.record.code)
                mine = next((entry for entry in stored.entries if entry.person.user_id == user_id), None)
                if mine is None:
                    raise HostError(ErrorCode.NOT_ENTERED, code=stored.record.code)
                if mine.checked_in_at is None:
                    await self._require_room(tx, stored, mine.person)
                await event_entries.update_entry(tx, stored.record.id, user_id, {"checked_in_at": self._clock.now()})
            return await self._log.view(tx, stored.record.id)

    async def found_team(
        self, ref: int | str, captain: Person, guild_id: int, name: str, interaction_id: int
    ) -> EventView:
        """Enter an event with a team, as its captain.

        Raises:
            HostError: ``unknown_event``, ``no_access``, ``sign_up_closed``, ``entered_already``, ``no_teams``,
                ``too_many_entries``, ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        await self._require_access(ref, captain.user_id)
        async with self._store.writing() as tx:
            stored = await self._log.held(tx, ref)
            if not await self._log.repeated(tx, interaction_id):
                played = format_named(stored.plan.format)
                if not played.teams:
                    raise HostError(ErrorCode.NO_TEAMS, code=stored.record.code)
                if stored.record.state not in SIGN_UP_STATES:
                    raise HostError(ErrorCode.SIGN_UP_CLOSED, code=stored.record.code)
                most = min(stored.plan.most or played.most, played.most)
                if len(stored.teams) >= most:
                    raise HostError(ErrorCode.TOO_MANY_ENTRIES, entries=len(stored.teams) + 1, most=most)
                called = clean_text(name)[:MAX_TEAM_NAME_LENGTH] or captain.name
                now = self._clock.now()
                team = await event_entries.add_team(tx, stored.record.id, called, guild_id, captain.user_id, now)
                await self._enter(tx, stored, captain, guild_id, team)
            return await self._log.view(tx, stored.record.id)

    async def leave_in(self, tx: Transaction, stored: StoredEvent, user_id: int, reason: str = "left") -> None:
        """Withdraw an entrant, or remove them before the start.

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
            await self._log.append(tx, stored, Withdrawal(number, reason), user_id if reason != DISQUALIFIED else 0)
            return
        mine = next((entry for entry in stored.entries if entry.person.user_id == user_id), None)
        if mine is None:
            raise HostError(ErrorCode.NOT_ENTERED, code=stored.record.code)
        captained = [team for team in stored.teams if team.captain_id == user_id]
        for team in captained:
            await event_entries.remove_team(tx, stored.record.id, team.team)
        if not captained:
            await event_entries.remove(tx, stored.record.id, user_id)
        waiting = [entry for entry in stored.entries if entry.waiting]
        if waiting and not mine.waiting:
            await event_entries.update_entry(tx, stored.record.id, waiting[0].person.user_id, {"waiting": False})

    async def require_players(self, ref: int | str, people: Sequence[Person]) -> None:
        """Check that the people who are to play can see the event's channel.

        Raises:
            HostError: ``unknown_event``, ``member_no_access``.
        """
        async with self._store.reading() as tx:
            record = await self._log.find(tx, ref)
        blind = await self._access.blind(record, [person.user_id for person in people])
        for person in people:
            if person.user_id in blind:
                called = (await self._reader.view(record.id)).called(person)
                raise HostError(ErrorCode.MEMBER_NO_ACCESS, player=called, channel=record.channel_id)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _require_access(self, ref: int | str, user_id: int) -> None:
        async with self._store.reading() as tx:
            record = await self._log.find(tx, ref)
        if await self._access.of(record, user_id) is False:
            raise HostError(ErrorCode.NO_ACCESS, channel=record.channel_id)

    async def _require_room(self, tx: Transaction, stored: StoredEvent, person: Person) -> None:
        """Check that a person may play one more game in the event's server, as at any table.

        This is checked once: an entrant plays all games of the event.

        Raises:
            HostError: ``kept_out``, ``server_kept_out``, ``too_many_games``.
        """
        await self._limits.check_player(tx, stored.record.guild_id, person)

    async def _enter(
        self, tx: Transaction, stored: StoredEvent, person: Person, guild_id: int, team: int | None
    ) -> None:
        if any(entry.person.user_id == person.user_id for entry in stored.entries):
            raise HostError(ErrorCode.ENTERED_ALREADY, code=stored.record.code)
        await self._require_room(tx, stored, person)
        now = self._clock.now()
        played = format_named(stored.plan.format)
        most = min(stored.plan.most or played.most, played.most)
        full = not played.teams and sum(not entry.waiting for entry in stored.entries) >= most
        here = now if stored.record.state is EventState.CHECK_IN else None
        entry = EntryRecord(
            event_id=stored.record.id,
            person=person,
            guild_id=guild_id,
            joined_at=now,
            checked_in_at=here,
            waiting=full,
            team=team,
        )
        await event_entries.add(tx, entry)

    async def _come_late(self, tx: Transaction, stored: StoredEvent, person: Person, guild_id: int) -> None:
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
        await self._require_room(tx, stored, person)
        await self._log.append(tx, stored, LateEntry(Entry(key, party=str(guild_id))), person.user_id)
        await event_entries.remove(tx, stored.record.id, person.user_id)  # from the waiting list
        now, number = self._clock.now(), len(event.entries)
        late = EntryRecord(
            event_id=stored.record.id, person=person, guild_id=guild_id, joined_at=now, checked_in_at=now, number=number
        )
        await event_entries.add(tx, late)


def _check_team(stored: StoredEvent, team: int | None) -> None:
    teams = format_named(stored.plan.format).teams
    if not teams and team is not None:
        raise HostError(ErrorCode.NO_TEAMS, code=stored.record.code)
    if teams and not any(each.team == team for each in stored.teams):
        raise HostError(ErrorCode.UNKNOWN_TEAM, code=stored.record.code)


def _team_of(stored: StoredEvent, number: int) -> TeamRecord | None:
    return next((team for team in stored.teams if team.number == number), None)
