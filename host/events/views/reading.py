"""Looking at events: the fold over their facts, who has entered, rounds, standings, the audit log."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.views.coming_and_going import coming_and_going
from host.events.views.known import GATHERING, GOING, OVER, Access, Known, everybody_sees, shown
from host.events.views.refusals import as_refusals
from host.events.views.rounds import round_view
from host.events.views.values import INHERITED_AFTER, AuditLine, EventSummary, EventView, RankView, RoundView, read_plan
from host.play.outbox import Outbox
from host.rights import Asker, is_manager
from host.settings import HostSettings
from store import (
    AnsweredInteraction,
    EventRecord,
    EventState,
    FactRecord,
    Store,
    Transaction,
    event_entries,
    event_tables,
    events,
    games,
    guilds,
    interactions,
    is_writing,
)
from tournaments.event import EventFold
from tournaments.facts import RoundDrawn, read_fact
from tournaments.progress import stage_ranking, standings
from tournaments.ranking.standings import Explanation, explain
from tournaments.specification import read_specification

_KEPT = 64
"""Events of which the fold over their facts is kept in memory."""
_LISTED = 25
_FINISHED = (EventState.FINISHED,)


class Reading:
    """What can be told of events."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, messages: Outbox) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._messages = messages
        self._folds: dict[int, tuple[int, list[FactRecord], EventFold]] = {}
        """By event: how often somebody was taken out of it, its facts, and what follows from them."""
        self.access: Access = everybody_sees
        """Set by whoever is connected: whether somebody sees the channel of an event."""

    async def view(self, ref: int | str) -> EventView:
        """An event by its code, or id.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            return self._shown(await self._known(tx, ref))

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
            known = await self._known(tx, ref)
            event = known.running
            stage = stage or len(event.stages)
            if not number:
                number = len(event.stages[stage - 1].rounds) if 1 <= stage <= len(event.stages) else 0
            with as_refusals():
                state = event.round(stage, number)
            tables = [
                table
                for table in await event_tables.of_event(tx, known.record.id)
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
            known = await self._known(tx, ref)
        event, view = known.running, self._shown(known)
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
            event = (await self._known(tx, ref)).running
        lines = await asyncio.to_thread(standings, event)
        with as_refusals():
            return explain(lines, one, other, event.disqualified)

    async def audit(self, ref: int | str) -> tuple[AuditLine, ...]:
        """Return what the organisers did, and who left, came back or came late, for everybody to read.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            known = await self._known(tx, ref)
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
            return await self._may_organise(tx, await self._known(tx, ref), asker)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _find(self, tx: Transaction, ref: int | str) -> EventRecord:
        found = await (events.get(tx, ref) if isinstance(ref, int) else events.by_code(tx, ref.upper()))
        if found is None:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=ref)
        return found

    async def _known(self, tx: Transaction, ref: int | str) -> Known:
        """All that is stored of an event.

        Raises:
            HostError: ``unknown_event``.
        """
        record = await self._find(tx, ref)
        log, event = await self._fold(tx, record)
        return Known(
            record,
            read_plan(record.plan),
            await event_entries.organisers(tx, record.id),
            await event_entries.of_event(tx, record.id),
            await event_entries.teams(tx, record.id),
            event,
            log,
        )

    async def _held(self, tx: Transaction, ref: int | str) -> Known:
        """The same for whoever changes it: nobody else does meanwhile.

        Raises:
            HostError: ``unknown_event``.
        """
        record = await self._find(tx, ref)
        await events.hold(tx, record.id)
        return await self._known(tx, record.id)

    async def _fold(self, tx: Transaction, record: EventRecord) -> tuple[list[FactRecord], EventFold | None]:
        """The facts of an event and what follows from them: what is kept goes on in a copy, and is never changed."""
        if record.specification is None:
            return [], None
        renamed, log, event = self._folds.get(record.id, (record.renamed, [], None))
        if renamed != record.renamed:
            log, event = [], None
        if event is None or len(log) != record.facts:
            if len(log) > record.facts:  # the database is an older one
                log, event = [], None
            more = (await events.facts(tx, record.id, len(log)))[: record.facts - len(log)]
            event = EventFold(read_specification(record.specification)) if event is None else event.copy()
            for fact in more:
                event.apply(read_fact(fact.fact))
            log = [*log, *more]
            if is_writing(tx):
                return log, event  # not kept: it may be given up
            self._folds.pop(record.id, None)
            self._folds[record.id] = (record.renamed, log, event)
            while len(self._folds) > _KEPT:
                del self._folds[next(iter(self._folds))]
        return log, event

    def _shown(self, known: Known) -> EventView:
        return shown(known, inherited=self._inherited(known.record))

    def _inherited(self, record: EventRecord) -> bool:
        return self._clock.now() - record.tended_at >= INHERITED_AFTER

    async def _may_organise(self, tx: Transaction, known: Known, asker: Asker) -> bool:
        if asker.guild_id != known.record.guild_id:
            return False
        if any(asker.user_id == person.user_id for person in known.organisers):
            return True
        if known.plan.organiser_role is not None and known.plan.organiser_role in asker.roles:
            return True
        return self._inherited(known.record) and is_manager(asker, await guilds.get(tx, known.record.guild_id))

    async def _organised(self, tx: Transaction, ref: int | str, asker: Asker) -> Known:
        """An event for one of its organisers, who has done something for it now.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        known = await self._held(tx, ref)
        if not await self._may_organise(tx, known, asker):
            raise HostError(ErrorCode.NOT_EVENT_ORGANISER, code=known.record.code)
        await events.change(tx, known.record.id, {"tended_at": self._clock.now()})
        return known

    async def _repeated(self, tx: Transaction, interaction_id: int) -> bool:
        """Whether an interaction was carried out before; if not, it is now, with this transaction."""
        if await interactions.get(tx, interaction_id) is not None:
            return True
        await interactions.remember(tx, AnsweredInteraction(id=interaction_id), self._clock.now())
        return False


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
