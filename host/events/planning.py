"""Planning of events until they start: their plan and organisers, their check-in, and the start itself.

The *plan* is what organisers choose: the format, the game and its options, and times. It can be changed until the
start, which also fixes the *entries*, the players or teams that take part. A *profile* is a ready-made plan for a
typical event. A *season* is one event of a league; the next season continues its divisions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.log import EventLog, check_state
from host.events.reader import ChannelAccess
from host.events.results import ALL_SERVERS
from host.events.stored import SIGN_UP_STATES, StoredEvent
from host.events.views import EventPlan, EventView, computer_key
from host.lobbies import check_rules
from host.naming import new_code
from host.rights import Asker
from host.servers import require_event_creator
from host.settings import HostSettings
from store import event_entries, events, guilds, ratings
from store.connection.database import Store, Transaction
from store.records import Person, clean_text
from store.tourneys.entries import EntryRecord
from store.tourneys.events import EventRecord, EventState, NewEvent
from store.tourneys.posts import EventPostKind
from tournaments.duels import dutch
from tournaments.errors import EventRuleError
from tournaments.formats import PROFILES, SEASON_FORMAT, format_named
from tournaments.lasting.leagues import final_divisions, next_season
from tournaments.lasting.ratings import scale_of
from tournaments.specification import COMPUTERS, Entry, Specification, seeded

PLANNING_STATES: Final = (EventState.DRAFT, *SIGN_UP_STATES)
"""The states in which the plan can be changed."""
MAX_EVENT_NAME_LENGTH: Final = 80
"""The most characters of an event's name."""
MAX_ROUNDS: Final = 32
"""The most rounds that an organiser can choose for the first stage."""
MAX_BOARDS: Final = 20
"""The most boards of a team."""


def profile_plan(name: str) -> EventPlan:
    """Return the plan of the profile with this name.

    Raises:
        HostError: ``bad_plan`` if there is none.
    """
    if name not in PROFILES:
        raise HostError(ErrorCode.BAD_PLAN, reason="unknown-profile", name=name)
    profile = PROFILES[name]
    return EventPlan(format=profile.format, parameters=profile.parameters)


def check_plan(plan: EventPlan) -> None:
    """Check that an event with this plan can be played, if only by the fewest players that its format allows.

    Raises:
        HostError: ``bad_plan``, ``bad_players``, ``bad_options``.
    """
    try:
        event_format = format_named(plan.format)
        stages = event_format.stages(event_format.least, plan.parameters)
    except EventRuleError as error:
        raise HostError(ErrorCode.BAD_PLAN, reason=error.code, **error.values) from error
    if plan.most and not event_format.least <= plan.most <= event_format.most:
        raise HostError(ErrorCode.BAD_PLAN, reason="most", least=event_format.least, most=event_format.most)
    if not dutch.PY4SWISS_INSTALLED and any(stage.kind == "swiss" for stage in stages):
        raise HostError(ErrorCode.BAD_PLAN, reason="no-dutch-pairing")
    if plan.parameters.rounds > MAX_ROUNDS or plan.parameters.boards > MAX_BOARDS:
        raise HostError(ErrorCode.BAD_PLAN, reason="too-large", rounds=MAX_ROUNDS, boards=MAX_BOARDS)
    if plan.computers and event_format.teams:
        raise HostError(ErrorCode.BAD_PLAN, reason="computers-in-teams")
    if plan.computers and plan.format == SEASON_FORMAT:
        raise HostError(ErrorCode.BAD_PLAN, reason="computers-in-seasons")
    if len(plan.computers) >= (places := plan.most or event_format.most):
        raise HostError(ErrorCode.BAD_PLAN, reason="computers-places", places=places)
    hours = (plan.check_in_hours, plan.line_up_hours, plan.moving)
    if min(hours) < 0 or max(hours) > 24 * 14:
        raise HostError(ErrorCode.BAD_PLAN, reason="hours")
    seats = 2 if stages[0].duel else 4
    check_rules(plan.parameters.game, seats, plan.expansions, plan.options)


@dataclass(eq=False)
class Plans:
    """Creates events, and changes their plans and organisers."""

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
        """Create an event as a draft, which only its organisers see. The plan may be the name of a profile.

        The event's messages are in ``language``; empty for that of the plan.

        Raises:
            HostError: ``not_manager``, ``not_event_creator``, ``bad_plan``, ``bad_players``, ``bad_options``,
                ``unknown_season``, ``no_computers``.
        """
        new_plan = profile_plan(plan) if isinstance(plan, str) else plan
        if language:
            new_plan = replace(new_plan, language=language)
        await self._check_plan(new_plan)
        async with self._store.writing(f"events of {asker.guild_id}") as tx:
            require_event_creator(await guilds.get(tx, asker.guild_id), asker)
            code = new_code()
            while await events.is_code_taken(tx, code):
                code = new_code()
            if await self._log.is_repeated(tx, interaction_id):
                newest = await events.newest_of_owner(tx, asker.guild_id, owner.user_id)
                return await self._log.view(tx, newest or code)
            await season_before(tx, new_plan, asker.guild_id, code)
            now = self._clock.now()
            new = NewEvent(
                code=code,
                name=clean_text(name)[:MAX_EVENT_NAME_LENGTH] or code,
                guild_id=asker.guild_id,
                channel_id=channel_id,
                owner=owner,
                plan=new_plan.to_data(),
                seed=self._settings.new_seed(),
            )
            event_id = await events.add(tx, new, now)
            await event_entries.add_organiser(tx, event_id, owner, now)
            await self._log.note(tx, event_id, owner.user_id, "created", format=new_plan.format)
            return await self._log.view(tx, event_id)

    async def set_plan(self, ref: int | str, asker: Asker, plan: EventPlan, interaction_id: int) -> None:
        """Replace the plan of an event that has not started.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``, ``bad_plan``, ``bad_players``,
                ``bad_options``, ``unknown_season``, ``no_computers``.
        """
        await self._check_plan(plan)
        async with self._log.organising(ref, asker) as (tx, stored):
            check_state(stored, ErrorCode.EVENT_STARTED, *PLANNING_STATES)
            if not await self._log.is_repeated(tx, interaction_id):
                await season_before(tx, plan, stored.record.guild_id, stored.record.code)
                before, after = stored.plan.to_data(), plan.to_data()
                changed = _changed_parts(before, after)
                await events.update_event(tx, stored.record.id, {"plan": after})
                if changed:
                    await self._log.note(tx, stored.record.id, asker.user_id, "planned", changed=changed)
                await events.bring_check_forward(tx, stored.record.id, self._clock.now())

    async def rename(self, ref: int | str, asker: Asker, name: str) -> None:
        """Rename an event that has not started.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            check_state(stored, ErrorCode.EVENT_STARTED, *PLANNING_STATES)
            await events.update_event(
                tx, stored.record.id, {"name": clean_text(name)[:MAX_EVENT_NAME_LENGTH] or stored.record.code}
            )

    async def announce(self, ref: int | str, asker: Asker, interaction_id: int) -> None:
        """Open an event for sign-up, and post its announcement.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            if not await self._log.is_repeated(tx, interaction_id):
                check_state(stored, ErrorCode.EVENT_STARTED, EventState.DRAFT)
                await events.update_event(tx, stored.record.id, {"state": EventState.OPEN})
                await self._log.post(tx, stored.record.id, EventPostKind.ANNOUNCED, "card")
                await self._log.note(tx, stored.record.id, asker.user_id, "announced")
                await events.bring_check_forward(tx, stored.record.id, self._clock.now())

    async def add_organiser(self, ref: int | str, asker: Asker, person: Person) -> None:
        """Make a person an organiser of an event.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            await event_entries.add_organiser(tx, stored.record.id, person, self._clock.now())
            await self._log.note(tx, stored.record.id, asker.user_id, "organiser", added=person.user_id)

    async def remove_organiser(self, ref: int | str, asker: Asker, user_id: int) -> None:
        """Remove an organiser, who may be the one who asks; members of the organisers' role keep their rights.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``last_organiser``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            if [person.user_id for person in stored.organisers] == [user_id]:
                raise HostError(ErrorCode.LAST_ORGANISER, code=stored.record.code)
            if await event_entries.remove_organiser(tx, stored.record.id, user_id):
                await self._log.note(tx, stored.record.id, asker.user_id, "organiser", removed=user_id)

    async def set_organiser_role(self, ref: int | str, asker: Asker, role_id: int | None) -> None:
        """Let all members of a role organise an event; None for no role.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            before = stored.plan.organiser_role
            if role_id != before:
                plan = replace(stored.plan, organiser_role=role_id)
                await events.update_event(tx, stored.record.id, {"plan": plan.to_data()})
                details = {"role_removed": before} if role_id is None else {"role_added": role_id}
                await self._log.note(tx, stored.record.id, asker.user_id, "organiser", **details)

    async def _check_plan(self, plan: EventPlan) -> None:
        """Check that an event with this plan can be played with this bot.

        Raises:
            HostError: ``bad_plan``, ``bad_players``, ``bad_options``, ``no_computers``.
        """
        await asyncio.to_thread(check_plan, plan)
        if plan.computers and not self._settings.workers.workers:
            raise HostError(ErrorCode.NO_COMPUTERS)


def _changed_parts(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the names of the fields of a plan that differ, with those of its parameters one by one."""
    changed = [name for name in after if name != "parameters" and after[name] != before.get(name)]
    old_parameters, new_parameters = before["parameters"], after["parameters"]
    return sorted(
        [
            *changed,
            *(f"parameters.{name}" for name in new_parameters if new_parameters[name] != old_parameters.get(name)),
        ]
    )


async def season_before(tx: Transaction, plan: EventPlan, guild_id: int, code: str) -> EventRecord | None:
    """Return the previous season, which the plan of a league names; None if it names none.

    It has to be a league of the same server. Only the start checks that it is over.

    Raises:
        HostError: ``unknown_season``; ``bad_plan`` if one of the two is no league.
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
    """Starts events and their check-in, at the request of an organiser or at the planned time."""

    _store: Store
    _clock: Clock
    _log: EventLog
    _access: ChannelAccess

    async def begin_check_in(self, ref: int | str, asker: Asker, interaction_id: int) -> None:
        """Begin check-in at the request of an organiser: ask all entrants to confirm that they will play.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``.
        """
        async with self._log.organising(ref, asker) as (tx, stored):
            if not await self._log.is_repeated(tx, interaction_id):
                check_state(stored, ErrorCode.EVENT_STARTED, EventState.OPEN)
                await self.ask_to_check_in(tx, stored)
                await self._log.note(tx, stored.record.id, asker.user_id, "check_in")

    async def start(self, ref: int | str, asker: Asker, interaction_id: int) -> EventView:
        """Start an event at the request of an organiser.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``, ``too_few_entries``,
                ``too_many_entries``, ``team_incomplete``, ``unknown_season``, ``bad_plan``.
        """
        without_access = await self.entrants_without_access(ref)
        async with self._log.organising(ref, asker) as (tx, stored):
            if not await self._log.is_repeated(tx, interaction_id):
                await self.start_in(tx, stored, without_access, asker.user_id)
            return await self._log.view(tx, stored.record.id)

    async def ask_to_check_in(self, tx: Transaction, stored: StoredEvent) -> None:
        """Begin check-in in the caller's transaction, and post a message that asks for it."""
        await events.update_event(tx, stored.record.id, {"state": EventState.CHECK_IN}, EventState.OPEN)
        await self._log.post(tx, stored.record.id, EventPostKind.CHECK_IN, "in")
        await events.bring_check_forward(tx, stored.record.id, self._clock.now())

    async def start_in(
        self, tx: Transaction, stored: StoredEvent, without_access: Collection[int], user_id: int
    ) -> None:
        """Start an event in the caller's transaction, without the entrants who cannot see its channel.

        The plan and the entries are fixed from now on. ``user_id`` is the organiser, 0 for a start at the planned time.

        Raises:
            HostError: ``event_started``, ``too_few_entries``, ``too_many_entries``, ``team_incomplete``,
                ``unknown_season``, ``bad_plan``.
        """
        record, plan, now = stored.record, stored.plan, self._clock.now()
        check_state(stored, ErrorCode.EVENT_STARTED, *SIGN_UP_STATES)
        players = [entry for entry in _starting_entries(stored) if entry.person.user_id not in without_access]
        if plan.computers and not players:
            raise HostError(ErrorCode.BAD_PLAN, reason="computers-alone")
        is_team_event = format_named(plan.format).teams
        entries = _team_entries(stored, players) if is_team_event else await self._player_entries(tx, stored, players)
        computers = tuple(Entry(computer_key(computer), None, COMPUTERS) for computer in plan.computers)
        limit = (plan.most or format_named(plan.format).most) - len(computers)
        if not is_team_event and len(entries) > limit:
            entries = entries[:limit]
        entries += computers
        self._check_entry_count(stored, len(entries))

        # The order of the entries is the order of their numbers, by which the rules know them from now on.
        ordered = await self._seat_order(tx, stored, entries)
        parameters = replace(plan.parameters, rated=plan.rated)
        specification = Specification(plan.format, ordered, record.seed, parameters)
        values = {
            "state": EventState.RUNNING,
            "specification": specification.to_json(),
            "started_at": now,
            "look_at": now,
        }
        if not await events.update_event(tx, record.id, values, *SIGN_UP_STATES):
            raise HostError(ErrorCode.EVENT_STARTED, code=record.code)
        for number, entry in enumerate(ordered):
            for key in () if entry in computers else entry.roster or (entry.key,):
                await event_entries.update_entry(tx, record.id, int(key), {"number": number, "waiting": False})
            if entry.roster:
                await event_entries.update_team(tx, record.id, int(entry.key.partition("-")[2]), {"number": number})
        await self._log.post(tx, record.id, EventPostKind.STARTED, "start")
        left_out = sorted(set(without_access) & {entry.person.user_id for entry in stored.entries})
        await self._log.note(tx, record.id, user_id, "started", entries=len(ordered), without_access=left_out)

    async def entrants_without_access(self, ref: int | str) -> frozenset[int]:
        """Return the ids of the entrants who cannot see the event's channel."""
        stored = await self._store.read(self._log.snapshot, ref)
        entrants = [entry.person.user_id for entry in stored.entries]
        return frozenset(await self._access.users_without_access(stored.record, entrants))

    # -- inside ---------------------------------------------------------------------------------------------------

    def _check_entry_count(self, stored: StoredEvent, count: int) -> None:
        """Check that an event can be played by this number of players or teams.

        Raises:
            HostError: ``too_few_entries``, ``too_many_entries``.
        """
        event_format = format_named(stored.plan.format)
        if count < event_format.least:
            raise HostError(ErrorCode.TOO_FEW_ENTRIES, entries=count, least=event_format.least)
        if count > event_format.most:
            raise HostError(ErrorCode.TOO_MANY_ENTRIES, entries=count, most=event_format.most)

    async def _player_entries(
        self, tx: Transaction, stored: StoredEvent, players: Sequence[EntryRecord]
    ) -> tuple[Entry, ...]:
        """Return the entries of single players for the rules, with their ratings over all servers."""
        scale = scale_of(stored.plan.parameters.game, 2 if stored.plan.format.startswith("duel") else 4)
        rated = await ratings.of_users(tx, ALL_SERVERS, scale, [entry.person.user_id for entry in players])
        return tuple(
            Entry(
                str(entry.person.user_id),
                float(rated[entry.person.user_id].shown) if entry.person.user_id in rated else None,
                str(entry.guild_id),
            )
            for entry in players
        )

    async def _seat_order(self, tx: Transaction, stored: StoredEvent, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return the entries in the order of their seeding.

        In a league that continues a season, they are ordered by that season's divisions after promotion and relegation.
        """
        plan, seed = stored.plan, stored.record.seed
        seeded_entries = seeded(entries, seed, by=plan.seeding)
        before = await season_before(tx, plan, stored.record.guild_id, stored.record.code)
        if before is None:
            return seeded_entries
        previous = await self._log.snapshot(tx, before.id)
        if previous.event is None or not previous.event.finished:
            raise HostError(ErrorCode.BAD_PLAN, reason="season-not-over", code=plan.season_of)
        keys = [entry.key for entry in seeded_entries]
        size = plan.parameters.pool or previous.event.plans[0].pool
        divisions = next_season(final_divisions(previous.event), entered=keys, moving=previous.plan.moving, size=size)
        by_key = {entry.key: entry for entry in seeded_entries}
        return tuple(by_key[key] for division in divisions for key in division)


def _starting_entries(stored: StoredEvent) -> list[EntryRecord]:
    """Return the entries that may start, those on the waiting list last; after a check-in only those checked in."""
    has_check_in = stored.record.state is EventState.CHECK_IN
    starting = [entry for entry in stored.entries if not has_check_in or entry.checked_in_at is not None]
    return sorted(starting, key=lambda entry: entry.waiting)


def _team_entries(stored: StoredEvent, players: Sequence[EntryRecord]) -> tuple[Entry, ...]:
    """Return the entries of teams for the rules, the captain first in each roster.

    Raises:
        HostError: ``team_incomplete``.
    """
    entries = []
    for team in stored.teams:
        members = [entry for entry in players if entry.team == team.team]
        members.sort(key=lambda entry: entry.person.user_id != team.captain_id)
        if len(members) < stored.plan.parameters.boards:
            raise HostError(
                ErrorCode.TEAM_INCOMPLETE, team=team.name, members=len(members), boards=stored.plan.parameters.boards
            )
        roster = tuple(str(entry.person.user_id) for entry in members)
        entries.append(Entry(f"team-{team.team}", None, str(team.guild_id), roster))
    return tuple(entries)
