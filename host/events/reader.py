"""Reading events: views, lists, rounds, standings, the audit log, and who may see or organise one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from host.errors import ErrorCode, HostError
from host.events.access import ChannelAccess
from host.events.log import EventLog
from host.events.views.coming_and_going import coming_and_going
from host.events.views.known import GATHERING, GOING, OVER
from host.events.views.refusals import as_refusals
from host.events.views.rounds import round_view
from host.events.views.values import EventSummary, EventView, RankView, RoundView
from host.games.organisers import EventGame
from host.rights import Asker
from store import AuditRecord, EventRecord, EventState, Game, Store, Transaction, event_entries, events, games
from tournaments.event import stage_ranking, standings
from tournaments.facts import RoundDrawn, read_fact
from tournaments.ranking import Explanation, explain

_LISTED = 25


class EventReader:
    """Reads events as they are shown."""

    def __init__(self, store: Store, log: EventLog, access: ChannelAccess) -> None:
        self._store = store
        self._log = log
        self._access = access

    async def view(self, ref: int | str) -> EventView:
        """An event by its code, or id.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            return self._log.shown(await self._log.known(tx, ref))

    async def listed(self, guild_id: int) -> list[EventSummary]:
        """The newest events of a server that gather, or are played."""
        async with self._store.reading() as tx:
            return await _summaries(tx, await events.in_guild(tx, guild_id, (*GATHERING, *GOING), _LISTED))

    async def over(self, guild_id: int) -> list[EventSummary]:
        """The newest events of a server that were played to their end."""
        async with self._store.reading() as tx:
            return await _summaries(tx, await events.in_guild(tx, guild_id, (EventState.FINISHED,), _LISTED))

    async def of_user(self, user_id: int) -> list[EventSummary]:
        """The events that somebody has entered and that are not over."""
        async with self._store.reading() as tx:
            found = [await events.get(tx, event_id) for event_id in await event_entries.events_of(tx, user_id)]
            return await _summaries(tx, [record for record in found if record and record.state not in OVER])

    async def round(self, ref: int | str, stage: int = 0, number: int = 0) -> RoundView:
        """A round with its tables; without numbers the newest one.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``no_such_table``.
        """
        async with self._store.reading() as tx:
            known = await self._log.known(tx, ref)
            event = known.running
            stage = stage or len(event.stages)
            if not number:
                number = len(event.stages[stage - 1].rounds) if 1 <= stage <= len(event.stages) else 0
            with as_refusals():
                state = event.round(stage, number)
            tables = [
                table
                for table in await events.tables_of(tx, known.record.id)
                if table.place[:3] == (stage, event.stages[stage - 1].undone, number)
                or (table.place.stage, table.place.round) == (stage, number)
            ]
            its = await games.some(tx, [table.game_id for table in tables if table.game_id is not None])
        at = known.record.started_at or known.record.created_at
        for fact in known.facts:
            read = read_fact(fact.fact) if '"round-drawn"' in fact.fact else None
            if isinstance(read, RoundDrawn) and (read.stage, read.round) == (stage, number):
                at = fact.at
        return round_view(event, known.names(), stage, state, at, tables, its)

    async def standings(self, ref: int | str, stage: int = 0) -> tuple[RankView, ...]:
        """Everybody, best first; of a stage alone where its number is given.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``no_such_table``.
        """
        async with self._store.reading() as tx:
            known = await self._log.known(tx, ref)
        event, view = known.running, self._log.shown(known)
        if stage > len(event.stages):
            raise HostError(ErrorCode.NO_SUCH_TABLE, stage=stage)
        ranked = partial(stage_ranking, event, event.stages[stage - 1]) if stage else partial(standings, event)
        lines = await asyncio.to_thread(ranked)
        names = known.names()
        people = [names.get(event.persons[line.player][-1][1]) for line in lines]
        return tuple(
            RankView(
                line.rank,
                line.player,
                view.name_of(line.player),
                None if person is None else person.user_id,
                line.stage,
                line.values,
                line.player in event.gone,
                line.player in event.disqualified,
            )
            for line, person in zip(lines, people, strict=True)
        )

    async def explain(self, ref: int | str, one: int, other: int) -> Explanation:
        """Why one of two players, by number, is before the other.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``not_entered``, ``bad_plan``.
        """
        async with self._store.reading() as tx:
            event = (await self._log.known(tx, ref)).running
        lines = await asyncio.to_thread(standings, event)
        with as_refusals():
            return explain(lines, one, other, event.disqualified)

    async def audit(self, ref: int | str) -> tuple[AuditRecord, ...]:
        """Return what the organisers did, and who left, came back or came late, for everybody to read.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            known = await self._log.known(tx, ref)
            lines = [*await events.audit_of(tx, known.record.id), *coming_and_going(known)]
        lines.sort(key=lambda line: line.at)
        return tuple(line._replace(number=number) for number, line in enumerate(lines, 1))

    async def set_message(self, event_id: int, message_id: int) -> None:
        """Remember the announcement."""
        async with self._store.writing() as tx:
            await events.change(tx, event_id, {"message_id": message_id})

    async def organises(self, ref: int | str, asker: Asker) -> bool:
        """Whether somebody may organise an event.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            return await self._log.may_organise(tx, await self._log.known(tx, ref), asker)

    async def view_for(self, ref: int | str, asker: Asker) -> EventView:
        """An event as it is seen in its own server; one that is still being planned only by its organisers.

        Raises:
            HostError: ``unknown_event``, for all others, too.
        """
        view = await self.view(ref)
        hidden = view.state == EventState.DRAFT and not await self.organises(ref, asker)
        if view.guild_id != asker.guild_id or hidden:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=ref)
        return view

    async def check_open_to(self, view: EventView, user_id: int) -> None:
        """Make sure that somebody in another server may know of an event: he is known to see where it is played.

        Raises:
            HostError: ``unknown_event``.
        """
        if (
            view.state == EventState.DRAFT
            or await self._access.sees(view.guild_id, view.channel_id, user_id) is not True
        ):
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=view.code)

    async def check_organiser(self, view: EventView, asker: Asker) -> None:
        """Make sure that somebody may organise an event.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        if not await self.organises(view.code, asker):
            raise HostError(ErrorCode.NOT_EVENT_ORGANISER, code=view.code)

    async def meant_in(self, guild_id: int) -> list[EventSummary]:
        """The events of a server that somebody may mean who names none: those not over, else the newest that is.

        Raises:
            HostError: ``unknown_event``: there is none.
        """
        found = await self.listed(guild_id) or (await self.over(guild_id))[:1]
        if not found:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref="")
        return found

    async def event_of(self, game: Game) -> EventGame | None:
        """The event of a game, for whoever may undo there or move its end."""
        async with self._store.reading() as tx:
            table = await events.table_of_game(tx, game.id)
            if table is None:
                return None
            known = await self._log.known(tx, table.event_id)
            rated = known.running.specification.parameters.rated
            inherited = self._log.inherited(known.record)
        organisers = {person.user_id for person in known.organisers}

        def organises(asker: Asker) -> bool:
            has_role = known.plan.organiser_role is not None and known.plan.organiser_role in asker.roles
            here = asker.guild_id == known.record.guild_id
            return here and (asker.user_id in organisers or has_role or (inherited and asker.manages))

        going = known.record.state in GOING
        return EventGame(known.record.code, rated=rated, going=going, organises=organises)


async def _summaries(tx: Transaction, found: Sequence[EventRecord]) -> list[EventSummary]:
    entered = await event_entries.counts(tx, [record.id for record in found])
    return [
        EventSummary(
            id=record.id,
            code=record.code,
            name=record.name,
            guild_id=record.guild_id,
            state=record.state,
            format=str(record.plan.get("format", "")),
            entries=entered.get(record.id, 0),
        )
        for record in found
    ]
