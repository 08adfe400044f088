"""The start of an event: check-in, seeding, and what is frozen from then on."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.access import ChannelAccess
from host.events.log import EventLog
from host.events.planning import season_before
from host.events.views.known import GATHERING, Known
from host.events.views.values import EventView
from host.rights import Asker
from store import EntryRecord, EventPostKind, EventState, Store, Transaction, event_entries, events, ratings
from tournaments.formats import format_named
from tournaments.lasting.leagues import final_divisions, next_season
from tournaments.lasting.ratings import scale_of
from tournaments.specification import Entry, Specification, seeded

EVERYWHERE = 0
"""Instead of a server's id, for ratings of all servers together."""


class Starts:
    """Starts events, by an organiser or when their time has come."""

    def __init__(self, store: Store, clock: Clock, log: EventLog, access: ChannelAccess) -> None:
        self._store = store
        self._clock = clock
        self._log = log
        self._access = access

    async def begin_check_in(self, ref: int | str, asker: Asker, interaction_id: int) -> EventView:
        """Ask all who have entered whether they are there.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if not await self._log.repeated(tx, interaction_id):
                if known.record.state is not EventState.OPEN:
                    raise HostError(ErrorCode.EVENT_STARTED, code=known.record.code)
                await self.ask_to_check_in(tx, known)
                await self._log.note(tx, known.record.id, asker.user_id, "check_in")
            return self._log.shown(await self._log.known(tx, known.record.id))

    async def start(self, ref: int | str, asker: Asker, interaction_id: int) -> EventView:
        """Freeze what was chosen and who has entered, and begin.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``, ``too_few_entries``,
                ``too_many_entries``, ``team_incomplete``, ``unknown_season``, ``bad_plan``.
        """
        blind = await self.blind(ref)
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if not await self._log.repeated(tx, interaction_id):
                await self.start_in(tx, known, blind, asker.user_id)
            return self._log.shown(await self._log.known(tx, known.record.id))

    async def ask_to_check_in(self, tx: Transaction, known: Known) -> None:
        """Begin check-in, and have it announced."""
        await events.change(tx, known.record.id, {"state": EventState.CHECK_IN}, EventState.OPEN)
        await self._log.post(tx, known.record.id, EventPostKind.CHECK_IN, "in")
        await events.look(tx, known.record.id, self._clock.now())

    async def start_in(self, tx: Transaction, known: Known, blind: Collection[int], user_id: int) -> None:
        """Start an event without those who do not see its channel (``blind``).

        Raises:
            HostError: ``event_started``, ``too_few_entries``, ``too_many_entries``, ``team_incomplete``,
                ``unknown_season``, ``bad_plan``.
        """
        record, plan, now = known.record, known.plan, self._clock.now()
        if record.state not in GATHERING:
            raise HostError(ErrorCode.EVENT_STARTED, code=record.code)
        players = [entry for entry in _there(known) if entry.person.user_id not in blind]
        teams = format_named(plan.format).teams
        entries = _team_entries(known, players) if teams else await self._player_entries(tx, known, players)
        most = plan.most or format_named(plan.format).most
        if not teams and len(entries) > most:
            entries = entries[:most]
        self._check_field(known, len(entries))
        ordered = await self._ordered(tx, known, entries)
        specification = Specification(plan.format, ordered, record.seed, plan.parameters)
        values = {
            "state": EventState.RUNNING,
            "specification": specification.to_json(),
            "started_at": now,
            "look_at": now,
        }
        if not await events.change(tx, record.id, values, *GATHERING):
            raise HostError(ErrorCode.EVENT_STARTED, code=record.code)
        for number, entry in enumerate(ordered):
            for key in entry.roster or (entry.key,):
                await event_entries.change(tx, record.id, int(key), {"number": number, "waiting": False})
            if entry.roster:
                await event_entries.change_team(tx, record.id, int(entry.key.partition("-")[2]), {"number": number})
        await self._log.post(tx, record.id, EventPostKind.STARTED, "start")
        without = sorted(set(blind) & {entry.person.user_id for entry in known.entries})
        await self._log.note(tx, record.id, user_id, "started", entries=len(ordered), without_access=without)

    async def blind(self, ref: int | str) -> frozenset[int]:
        """Who has entered and does not see the event's channel."""
        async with self._store.reading() as tx:
            known = await self._log.known(tx, ref)
        entered = [entry.person.user_id for entry in known.entries]
        return frozenset(await self._access.blind(known.record, entered))

    # -- inside ---------------------------------------------------------------------------------------------------

    def _check_field(self, known: Known, count: int) -> None:
        played = format_named(known.plan.format)
        if count < played.least:
            raise HostError(ErrorCode.TOO_FEW_ENTRIES, entries=count, least=played.least)
        if count > played.most:
            raise HostError(ErrorCode.TOO_MANY_ENTRIES, entries=count, most=played.most)

    async def _player_entries(self, tx: Transaction, known: Known, players: Sequence[EntryRecord]) -> tuple[Entry, ...]:
        scale = scale_of(known.plan.parameters.game, 2 if known.plan.format.startswith("duel") else 4)
        rated = await ratings.some(tx, EVERYWHERE, scale, [entry.person.user_id for entry in players])
        return tuple(
            Entry(
                str(entry.person.user_id),
                float(rated[entry.person.user_id].shown) if entry.person.user_id in rated else None,
                str(entry.guild_id),
            )
            for entry in players
        )

    async def _ordered(self, tx: Transaction, known: Known, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """In seat order: seeded, or by the divisions of the season before, from which move as many as its card said."""
        plan, seed = known.plan, known.record.seed
        inorder = seeded(entries, seed, by=plan.seeding)
        before = await season_before(tx, plan, known.record.guild_id, known.record.code)
        if before is None:
            return inorder
        past = await self._log.known(tx, before.id)
        if past.event is None or not past.event.finished:
            raise HostError(ErrorCode.BAD_PLAN, reason="season-not-over", code=plan.season_of)
        keys = [entry.key for entry in inorder]
        size = plan.parameters.pool or past.event.plans[0].pool
        divisions = next_season(final_divisions(past.event), entered=keys, moving=past.plan.moving, size=size)
        by_key = {entry.key: entry for entry in inorder}
        return tuple(by_key[key] for division in divisions for key in division)


def _there(known: Known) -> list[EntryRecord]:
    """Who starts: where there was a check-in, who has checked in; then as many of those who waited as there is room."""
    checked = known.record.state is EventState.CHECK_IN
    there = [entry for entry in known.entries if not checked or entry.checked_in_at is not None]
    return sorted(there, key=lambda entry: entry.waiting)


def _team_entries(known: Known, players: Sequence[EntryRecord]) -> tuple[Entry, ...]:
    found = []
    for team in known.teams:
        members = [entry for entry in players if entry.team == team.team]
        members.sort(key=lambda entry: entry.person.user_id != team.captain_id)
        if len(members) < known.plan.parameters.boards:
            raise HostError(
                ErrorCode.TEAM_INCOMPLETE, team=team.name, members=len(members), boards=known.plan.parameters.boards
            )
        roster = tuple(str(entry.person.user_id) for entry in members)
        found.append(Entry(f"team-{team.team}", None, str(team.guild_id), roster))
    return tuple(found)
