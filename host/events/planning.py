"""Planning events: what is to be played, and how, open to the organisers until the start."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.log import EventLog
from host.events.views.known import GATHERING
from host.events.views.values import EventPlan, EventView
from host.lobby.founding import new_code
from host.lobby.lobbies import check_rules
from host.people.servers import require_event_creator
from host.rights import Asker
from host.settings import HostSettings
from store import (
    EventPostKind,
    EventRecord,
    EventState,
    NewEvent,
    Person,
    Store,
    Transaction,
    cleaned,
    event_entries,
    events,
    guilds,
)
from tournaments.duels import dutch
from tournaments.errors import EventRuleError
from tournaments.formats import PROFILES, format_named

BEFORE: Final = (EventState.DRAFT, *GATHERING)
"""States in which the plan is open."""
LONGEST_NAME: Final = 80
MOST_ROUNDS: Final = 32
MOST_BOARDS: Final = 20
"""More of them no organiser means."""


def profile_plan(name: str) -> EventPlan:
    """The plan of a usual case.

    Raises:
        HostError: ``bad_plan``.
    """
    if name not in PROFILES:
        raise HostError(ErrorCode.BAD_PLAN, reason="unknown-profile", name=name)
    profile = PROFILES[name]
    return EventPlan(format=profile.format, parameters=profile.parameters)


def check_plan(plan: EventPlan) -> None:
    """Make sure that an event can be played so, with as few as its format takes.

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
    if not dutch.AVAILABLE and any(stage.kind == "swiss" for stage in stages):
        raise HostError(ErrorCode.BAD_PLAN, reason="no-dutch-pairing")
    if plan.parameters.rounds > MOST_ROUNDS or plan.parameters.boards > MOST_BOARDS:
        raise HostError(ErrorCode.BAD_PLAN, reason="too-large", rounds=MOST_ROUNDS, boards=MOST_BOARDS)
    hours = (plan.check_in_hours, plan.line_up_hours, plan.moving)
    if min(hours) < 0 or max(hours) > 24 * 14:
        raise HostError(ErrorCode.BAD_PLAN, reason="hours")
    seats = 2 if stages[0].duel else 4
    check_rules(plan.parameters.game, seats, plan.expansions, plan.options)


class Plans:
    """Creates events and changes what is planned."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, log: EventLog) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._log = log

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
        """A new event that nobody else knows of yet; the plan may be the name of a profile.

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
                return self._log.shown(await self._log.known(tx, newest or code))
            await season_before(tx, wanted, asker.guild_id, code)
            now = self._clock.now()
            new = NewEvent(
                code=code,
                name=cleaned(name)[:LONGEST_NAME] or code,
                guild_id=asker.guild_id,
                channel_id=channel_id,
                owner=owner,
                plan=wanted.to_data(),
                seed=self._settings.new_seed(),
            )
            event_id = await events.add(tx, new, now)
            await event_entries.add_organiser(tx, event_id, owner, now)
            await self._log.note(tx, event_id, owner.user_id, "created", format=wanted.format)
            return self._log.shown(await self._log.known(tx, event_id))

    async def set_plan(self, ref: int | str, asker: Asker, plan: EventPlan, interaction_id: int) -> EventView:
        """Change what is to be played, until the start.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``, ``bad_plan``, ``bad_players``,
                ``bad_options``, ``unknown_season``.
        """
        await asyncio.to_thread(check_plan, plan)
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if known.record.state not in BEFORE:
                raise HostError(ErrorCode.EVENT_STARTED, code=known.record.code)
            if not await self._log.repeated(tx, interaction_id):
                await season_before(tx, plan, known.record.guild_id, known.record.code)
                before, after = known.plan.to_data(), plan.to_data()
                changed = _changed(before, after)
                await events.change(tx, known.record.id, {"plan": after})
                if changed:
                    await self._log.note(tx, known.record.id, asker.user_id, "planned", changed=changed)
                await events.look(tx, known.record.id, self._clock.now())
            return self._log.shown(await self._log.known(tx, known.record.id))

    async def rename(self, ref: int | str, asker: Asker, name: str) -> EventView:
        """Call an event something else, until the start.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_started``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if known.record.state not in BEFORE:
                raise HostError(ErrorCode.EVENT_STARTED, code=known.record.code)
            await events.change(tx, known.record.id, {"name": cleaned(name)[:LONGEST_NAME] or known.record.code})
            return self._log.shown(await self._log.known(tx, known.record.id))

    async def announce(self, ref: int | str, asker: Asker, interaction_id: int) -> EventView:
        """Open sign-up, and have it announced.

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
            return self._log.shown(await self._log.known(tx, known.record.id))

    async def add_organiser(self, ref: int | str, asker: Asker, person: Person) -> EventView:
        """Let somebody more organise an event.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            await event_entries.add_organiser(tx, known.record.id, person, self._clock.now())
            await self._log.note(tx, known.record.id, asker.user_id, "organiser", added=person.user_id)
            return self._log.shown(await self._log.known(tx, known.record.id))

    async def remove_organiser(self, ref: int | str, asker: Asker, user_id: int) -> EventView:
        """Let somebody organise an event no more, be it oneself; who has the organisers' role does so still.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``last_organiser``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if [person.user_id for person in known.organisers] == [user_id]:
                raise HostError(ErrorCode.LAST_ORGANISER, code=known.record.code)
            if await event_entries.remove_organiser(tx, known.record.id, user_id):
                await self._log.note(tx, known.record.id, asker.user_id, "organiser", removed=user_id)
            return self._log.shown(await self._log.known(tx, known.record.id))

    async def set_organiser_role(self, ref: int | str, asker: Asker, role_id: int | None) -> EventView:
        """Let all who have a role of the server organise an event, at any time, or nobody for having one.

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
            return self._log.shown(await self._log.known(tx, known.record.id))


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The parts of a plan that are others now, each parameter for itself."""
    found = [name for name in after if name != "parameters" and after[name] != before.get(name)]
    was, now = before["parameters"], after["parameters"]
    return sorted([*found, *(f"parameters.{name}" for name in now if now[name] != was.get(name))])


async def season_before(tx: Transaction, plan: EventPlan, guild_id: int, code: str) -> EventRecord | None:
    """The season before, another league of the same server; whether it is over is asked at the start.

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
    if not format_named(str(before.plan["format"])).seasons:
        raise HostError(ErrorCode.BAD_PLAN, reason="no-season", code=plan.season_of)
    return before
