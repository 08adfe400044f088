"""Planning of events before they start: the plan, the organisers, check-in, and freezing everything at the start."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.log import EventLog
from host.events.reader import ChannelAccess
from host.events.results import ALL_SERVERS
from host.events.stored import SIGN_UP_STATES, StoredEvent
from host.events.views import EventPlan, EventView
from host.lobbies import check_rules
from host.naming import new_code
from host.rights import Asker
from host.servers import require_event_creator
from host.settings import HostSettings
from store import event_entries, events, guilds, ratings
from store.connection.database import Store, Transaction
from store.records import Person, cleaned
from store.tourneys.entries import EntryRecord
from store.tourneys.events import EventRecord, EventState, NewEvent
from store.tourneys.posts import EventPostKind
from tournaments.duels import dutch
from tournaments.errors import EventRuleError
from tournaments.formats import PROFILES, format_named
from tournaments.lasting.leagues import final_divisions, next_season
from tournaments.lasting.ratings import scale_of
from tournaments.specification import Entry, Specification, seeded

PLANNING_STATES: Final = (EventState.DRAFT, *SIGN_UP_STATES)
"""States in which the plan can be changed."""
MAX_EVENT_NAME_LENGTH: Final = 80
MAX_ROUNDS: Final = 32
MAX_BOARDS: Final = 20
"""The most boards of a team."""


def profile_plan(name: str) -> EventPlan:
    """Return the plan of a profile.

    Raises:
        HostError: ``bad_plan``.
    """
    if name not in PROFILES:
        raise HostError(ErrorCode.BAD_PLAN, reason="unknown-profile", name=name)
    profile = PROFILES[name]
    return EventPlan(format=profile.format, parameters=profile.parameters)


def check_plan(plan: EventPlan) -> None:
    """Check that an event with this plan can be played by the fewest players of its format.

    Raises:
        HostError: ``bad_plan``, ``bad_players``, ``bad_options``.
    """
    try:
        known = format_named(plan.format)
        stages = known.stages(known.least, plan.parameters)
    except EventRuleError as error:
        raise HostError(ErrorCode.BAD_PLAN, reason=error.code, **error.values) from error
    if plan.most and not known.least <= plan.most <= known.most:
        raise HostError(ErrorCode.BAD_PLAN, reason="most", least=known.least, most=known.most)
    if not dutch.PY4SWISS_INSTALLED and any(stage.kind == "swiss" for stage in stages):
        raise HostError(ErrorCode.BAD_PLAN, reason="no-dutch-pairing")
    if plan.parameters.rounds > MAX_ROUNDS or plan.parameters.boards > MAX_BOARDS:
        raise HostError(ErrorCode.BAD_PLAN, reason="too-large", rounds=MAX_ROUNDS, boards=MAX_BOARDS)
    hours = (plan.check_in_hours, plan.line_up_hours, plan.moving)
    if min(hours) < 0 or max(hours) > 24 * 14:
        raise HostError(ErrorCode.BAD_PLAN, reason="hours")
    seats = 2 if stages[0].duel else 4
    check_rules(plan.parameters.game, seats, plan.expansions, plan.options)


@dataclass(eq=False)
class Plans:
    """Creates events and changes what is planned."""

    _store: Store
    _clock: Clock
    _settings: HostSettings
    _log: EventLog

    async def create(
        self,
        name: str,
        plan: EventPlan | str,
        owner: Person,
        asker: Asker,
        channel_id: int,
        interaction_id: int,
        *,
        language: str = "",
    ) -> EventView:
        """Create an event as a draft; the plan may be the name of a profile.

        It is told in ``language``, if one is given.

        Raises:
            HostError: ``not_manager``, ``not_event_creator``, ``bad_plan``, ``bad_players``, ``bad_options``,
                ``unknown_season``.
        """
        wanted = profile_plan(plan) if isinstance(plan, str) else plan
        if language:
            wanted = replace(wanted, language=language)
        await asyncio.to_thread(check_plan, wanted)
        async with self._store.writing(f"events of {asker.guild_id}") as tx:
            require_event_creator(await guilds.get(tx, asker.guild_id), asker)
            code = new_code()
            while await events.is_taken(tx, code):
                code = new_code()
            if await self._log.repeated(tx, interaction_id):
                newest = await events.newest_of(tx, asker.guild_id, owner.user_id)
                return await self._log.view(tx, newest or code)
            await season_before(tx, wanted, asker.guild_id, code)
            now = self._clock.now()
            new = NewEvent(
                code=code,
                name=cleaned(name)[:MAX_EVENT_NAME_LENGTH] or code,
                guild_id=asker.guild_id,
                channel_id=channel_id,
                owner=owner,
                plan=wanted.to_data(),
                seed=self._settings.new_seed(),
            )
            event_id = await events.add(tx, new, now)
            await event_entries.add_organiser(tx, event_id, owner, now)
            await self._log.note(tx, event_id, owner.user_id, "created", format=wanted.format)
            return await self._log.view(tx, event_id)

    async def set_plan(self, ref: int | str, asker: Asker, plan: EventPlan, interaction_id: int) -> EventView:
        """Change the plan, until the start.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``, ``bad_plan``, ``bad_players``,
                ``bad_options``, ``unknown_season``.
        """
        await asyncio.to_thread(check_plan, plan)
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if known.record.state not in PLANNING_STATES:
                raise HostError(ErrorCode.EVENT_STARTED, code=known.record.code)
            if not await self._log.repeated(tx, interaction_id):
                await season_before(tx, plan, known.record.guild_id, known.record.code)
                before, after = known.plan.to_data(), plan.to_data()
                changed = _changed_parts(before, after)
                await events.change(tx, known.record.id, {"plan": after})
                if changed:
                    await self._log.note(tx, known.record.id, asker.user_id, "planned", changed=changed)
                await events.look(tx, known.record.id, self._clock.now())
            return await self._log.view(tx, known.record.id)

    async def rename(self, ref: int | str, asker: Asker, name: str) -> EventView:
        """Rename an event, until the start.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if known.record.state not in PLANNING_STATES:
                raise HostError(ErrorCode.EVENT_STARTED, code=known.record.code)
            await events.change(
                tx, known.record.id, {"name": cleaned(name)[:MAX_EVENT_NAME_LENGTH] or known.record.code}
            )
            return await self._log.view(tx, known.record.id)

    async def announce(self, ref: int | str, asker: Asker, interaction_id: int) -> EventView:
        """Open sign-up, and post the announcement.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if not await self._log.repeated(tx, interaction_id):
                if known.record.state is not EventState.DRAFT:
                    raise HostError(ErrorCode.EVENT_STARTED, code=known.record.code)
                await events.change(tx, known.record.id, {"state": EventState.OPEN})
                await self._log.post(tx, known.record.id, EventPostKind.ANNOUNCED, "card")
                await self._log.note(tx, known.record.id, asker.user_id, "announced")
                await events.look(tx, known.record.id, self._clock.now())
            return await self._log.view(tx, known.record.id)

    async def add_organiser(self, ref: int | str, asker: Asker, person: Person) -> EventView:
        """Add an organiser.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            await event_entries.add_organiser(tx, known.record.id, person, self._clock.now())
            await self._log.note(tx, known.record.id, asker.user_id, "organiser", added=person.user_id)
            return await self._log.view(tx, known.record.id)

    async def remove_organiser(self, ref: int | str, asker: Asker, user_id: int) -> EventView:
        """Remove an organiser, perhaps the asking one; members of the organisers' role keep their rights.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``last_organiser``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if [person.user_id for person in known.organisers] == [user_id]:
                raise HostError(ErrorCode.LAST_ORGANISER, code=known.record.code)
            if await event_entries.remove_organiser(tx, known.record.id, user_id):
                await self._log.note(tx, known.record.id, asker.user_id, "organiser", removed=user_id)
            return await self._log.view(tx, known.record.id)

    async def set_organiser_role(self, ref: int | str, asker: Asker, role_id: int | None) -> EventView:
        """Let all members of a role organise an event, or no role.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            before = known.plan.organiser_role
            if role_id != before:
                plan = replace(known.plan, organiser_role=role_id)
                await events.change(tx, known.record.id, {"plan": plan.to_data()})
                details = {"role_removed": before} if role_id is None else {"role_added": role_id}
                await self._log.note(tx, known.record.id, asker.user_id, "organiser", **details)
            return await self._log.view(tx, known.record.id)


def _changed_parts(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the parts of a plan that differ, each parameter for itself."""
    found = [name for name in after if name != "parameters" and after[name] != before.get(name)]
    was, now = before["parameters"], after["parameters"]
    return sorted([*found, *(f"parameters.{name}" for name in now if now[name] != was.get(name))])


async def season_before(tx: Transaction, plan: EventPlan, guild_id: int, code: str) -> EventRecord | None:
    """Return the previous season, another league of the same server; the start checks that it is over.

    Raises:
        HostError: ``unknown_season``, ``bad_plan`` where either is no league.
    """
    if not plan.season_of:
        return None
    if not format_named(plan.format).seasons:
        raise HostError(ErrorCode.BAD_PLAN, reason="no-seasons", code=plan.season_of)
    before = None if plan.season_of == code else await events.by_code(tx, plan.season_of)
    if before is None or before.guild_id != guild_id:
        raise HostError(ErrorCode.UNKNOWN_SEASON, season=plan.season_of)
    if not format_named(str(before.plan_data["format"])).seasons:
        raise HostError(ErrorCode.BAD_PLAN, reason="no-season", code=plan.season_of)
    return before


@dataclass(eq=False)
class Starts:
    """Starts events, on an organiser's order or at their time."""

    _store: Store
    _clock: Clock
    _log: EventLog
    _access: ChannelAccess

    async def begin_check_in(self, ref: int | str, asker: Asker, interaction_id: int) -> EventView:
        """Ask all entrants to check in.

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
            return await self._log.view(tx, known.record.id)

    async def start(self, ref: int | str, asker: Asker, interaction_id: int) -> EventView:
        """Freeze the plan and the entries, and begin.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``, ``too_few_entries``,
                ``too_many_entries``, ``team_incomplete``, ``unknown_season``, ``bad_plan``.
        """
        blind = await self.blind(ref)
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if not await self._log.repeated(tx, interaction_id):
                await self.start_in(tx, known, blind, asker.user_id)
            return await self._log.view(tx, known.record.id)

    async def ask_to_check_in(self, tx: Transaction, known: StoredEvent) -> None:
        """Begin check-in, and post it."""
        await events.change(tx, known.record.id, {"state": EventState.CHECK_IN}, EventState.OPEN)
        await self._log.post(tx, known.record.id, EventPostKind.CHECK_IN, "in")
        await events.look(tx, known.record.id, self._clock.now())

    async def start_in(self, tx: Transaction, known: StoredEvent, blind: Collection[int], user_id: int) -> None:
        """Start an event without the entrants who cannot see its channel (``blind``).

        Raises:
            HostError: ``event_started``, ``too_few_entries``, ``too_many_entries``, ``team_incomplete``,
                ``unknown_season``, ``bad_plan``.
        """
        record, plan, now = known.record, known.plan, self._clock.now()
        if record.state not in SIGN_UP_STATES:
            raise HostError(ErrorCode.EVENT_STARTED, code=record.code)
        players = [entry for entry in _starting_entries(known) if entry.person.user_id not in blind]
        teams = format_named(plan.format).teams
        entries = _team_entries(known, players) if teams else await self._player_entries(tx, known, players)
        most = plan.most or format_named(plan.format).most
        if not teams and len(entries) > most:
            entries = entries[:most]
        self._check_field(known, len(entries))
        ordered = await self._seat_order(tx, known, entries)
        specification = Specification(plan.format, ordered, record.seed, plan.parameters)
        values = {
            "state": EventState.RUNNING,
            "specification": specification.to_json(),
            "started_at": now,
            "look_at": now,
        }
        if not await events.change(tx, record.id, values, *SIGN_UP_STATES):
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
        """Return the entrants who cannot see the event's channel."""
        async with self._store.reading() as tx:
            known = await self._log.known(tx, ref)
        entered = [entry.person.user_id for entry in known.entries]
        return frozenset(await self._access.blind(known.record, entered))

    # -- inside ---------------------------------------------------------------------------------------------------

    def _check_field(self, known: StoredEvent, count: int) -> None:
        played = format_named(known.plan.format)
        if count < played.least:
            raise HostError(ErrorCode.TOO_FEW_ENTRIES, entries=count, least=played.least)
        if count > played.most:
            raise HostError(ErrorCode.TOO_MANY_ENTRIES, entries=count, most=played.most)

    async def _player_entries(
        self, tx: Transaction, known: StoredEvent, players: Sequence[EntryRecord]
    ) -> tuple[Entry, ...]:
        scale = scale_of(known.plan.parameters.game, 2 if known.plan.format.startswith("duel") else 4)
        rated = await ratings.some(tx, ALL_SERVERS, scale, [entry.person.user_id for entry in players])
        return tuple(
            Entry(
                str(entry.person.user_id),
                float(rated[entry.person.user_id].shown) if entry.person.user_id in rated else None,
                str(entry.guild_id),
            )
            for entry in players
        )

    async def _seat_order(self, tx: Transaction, known: StoredEvent, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return the entries in seeding order, or by the previous season's divisions after promotion and relegation."""
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


def _starting_entries(known: StoredEvent) -> list[EntryRecord]:
    """Return the entries that start, those from the waiting list last; after a check-in only those checked in."""
    checked = known.record.state is EventState.CHECK_IN
    there = [entry for entry in known.entries if not checked or entry.checked_in_at is not None]
    return sorted(there, key=lambda entry: entry.waiting)


def _team_entries(known: StoredEvent, players: Sequence[EntryRecord]) -> tuple[Entry, ...]:
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
