"""Looking at events: the fold over their facts, who has entered, rounds, standings, the audit log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.refusals import as_refusals
from host.events.rounds import round_view
from host.events.values import (
    INHERITED_AFTER,
    AuditLine,
    EntryView,
    EventPlan,
    EventSummary,
    EventView,
    RoundView,
    StandingView,
    TeamView,
    read_plan,
)
from host.outbox import Outbox
from host.rights import Asker, is_manager
from host.settings import HostSettings
from store import (
    EntryRecord,
    EventRecord,
    EventState,
    FactRecord,
    Interaction,
    Person,
    Store,
    TeamRecord,
    Transaction,
    event_audit,
    event_entries,
    event_tables,
    events,
    games,
    guilds,
    interactions,
)
from tournaments.chance import commitment
from tournaments.errors import RefusedError
from tournaments.event import Event, replay
from tournaments.facts import RoundDrawn, read_fact
from tournaments.formats import format_named
from tournaments.progress import stage_ranking, standings
from tournaments.specification import read_specification
from tournaments.standings import Explanation, explain
from tournaments.weeks import promised

Access = Callable[[int, int, int], Awaitable[bool | None]]
"""Whether somebody (third) sees a channel (second) of a server (first); None where nobody says."""
OVER = (EventState.FINISHED, EventState.CLOSED)
GOING = (EventState.RUNNING, EventState.PAUSED)
GATHERING = (EventState.OPEN, EventState.CHECK_IN)
_KEPT = 64
"""Events of which the fold over their facts is kept in memory."""
_LISTED = 25


async def everybody_sees(_guild_id: int, _channel_id: int, _user_id: int) -> bool | None:
    """What is known without Discord."""
    return None


@dataclass(frozen=True, slots=True)
class Known:
    """All that is stored of an event, at one moment; nobody changes its fold."""

    record: EventRecord
    plan: EventPlan
    organisers: tuple[Person, ...]
    entries: Sequence[EntryRecord]
    teams: Sequence[TeamRecord]
    event: Event | None
    facts: Sequence[FactRecord]

    @property
    def running(self) -> Event:
        """The fold of an event that has begun.

        Raises:
            HostError: ``event_not_running``.
        """
        if self.event is None:
            raise HostError(ErrorCode.EVENT_NOT_RUNNING, code=self.record.code)
        return self.event

    def names(self) -> dict[str, Person]:
        """Everybody by the key under which the rules know them."""
        return {str(entry.person.user_id): entry.person for entry in self.entries}

    def person(self, number: int) -> Person | None:
        """Who plays for an entry now; None for a team."""
        return self.names().get(self.running.persons[number][-1][1])

    def number_of(self, user_id: int) -> int | None:
        """The entry for which somebody plays now; for a team its members'."""
        if self.event is None:
            return None
        for number, persons in enumerate(self.event.persons):
            if persons[-1][1] == str(user_id) or str(user_id) in self.event.entries[number].roster:
                return number
        return None


class Reading:
    """What can be told of events."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, messages: Outbox) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._messages = messages
        self._folds: dict[int, tuple[list[FactRecord], Event]] = {}
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
            found = await events.in_guild(tx, guild_id, (*GATHERING, *GOING), _LISTED)
            return [await _summary(tx, record) for record in found]

    async def over(self, guild_id: int) -> list[EventSummary]:
        """The newest events of a server that were played to their end."""
        async with self._store.reading() as tx:
            found = await events.in_guild(tx, guild_id, (EventState.FINISHED,), _LISTED)
            return [await _summary(tx, record) for record in found]

    async def of_user(self, user_id: int) -> list[EventSummary]:
        """The events that somebody has entered and that are not over."""
        async with self._store.reading() as tx:
            found = [await events.get(tx, event_id) for event_id in await event_entries.events_of(tx, user_id)]
            return [await _summary(tx, record) for record in found if record and record.state not in OVER]

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

    async def standings(self, ref: int | str, stage: int = 0) -> tuple[StandingView, ...]:
        """Everybody, best first; of a stage alone where its number is given.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``no_such_table``.
        """
        async with self._store.reading() as tx:
            known = await self._known(tx, ref)
        event, shown = known.running, self._shown(known)
        if stage > len(event.stages):
            raise HostError(ErrorCode.NO_SUCH_TABLE, stage=stage)
        lines = stage_ranking(event, event.stages[stage - 1]) if stage else standings(event)
        people = {line.player: known.person(line.player) for line in lines}
        return tuple(
            StandingView(
                line.rank,
                line.player,
                getattr(people[line.player], "name", None) or shown.name_of(line.player),
                getattr(people[line.player], "user_id", None),
                line.stage,
                line.values,
                line.player in event.gone,
                line.player in event.disqualified,
            )
            for line in lines
        )

    async def explain(self, ref: int | str, one: int, other: int) -> Explanation:
        """Why one of two players, by number, is before the other.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``not_entered``, ``bad_plan``.
        """
        async with self._store.reading() as tx:
            event = (await self._known(tx, ref)).running
        with as_refusals():
            return explain(standings(event), one, other)

    async def audit(self, ref: int | str) -> tuple[AuditLine, ...]:
        """What the organisers did, for everybody to read.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            record = await self._find(tx, ref)
            return tuple(await event_audit.of_event(tx, record.id))

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

    async def _fold(self, tx: Transaction, record: EventRecord) -> tuple[list[FactRecord], Event | None]:
        """The facts of an event and what follows from them: made anew when there are more, never changed."""
        if record.specification is None:
            return [], None
        log, event = self._folds.get(record.id, ([], None))
        if event is None or len(log) != record.facts:
            log = [*log, *await events.facts(tx, record.id, len(log))][: record.facts]
            event = replay(read_specification(record.specification), (read_fact(fact.fact) for fact in log))
            self._folds.pop(record.id, None)
            self._folds[record.id] = (log, event)
            while len(self._folds) > _KEPT:
                del self._folds[next(iter(self._folds))]
        return log, event

    def _shown(self, known: Known) -> EventView:
        record, plan, event = known.record, known.plan, known.event
        entries = tuple(_entry_view(entry, event) for entry in known.entries)
        teams = tuple(_team_view(team, entries) for team in known.teams)
        played = format_named(plan.format)
        count = len(known.teams) if played.teams else sum(not entry.waiting for entry in entries)
        try:
            stages = event.plans if event else played.stages(count, plan.parameters)
        except RefusedError:
            stages = ()
        size = len(event.specification.entries) if event else count
        five = size == 5 and bool(stages) and stages[0].kind == "tables"
        over = record.state in OVER
        return EventView(
            id=record.id,
            code=record.code,
            name=record.name,
            guild_id=record.guild_id,
            channel_id=record.channel_id,
            message_id=record.message_id,
            owner_id=record.owner_id,
            organisers=known.organisers,
            state=record.state,
            plan=plan,
            commitment=commitment(record.seed),
            seed=record.seed if over and event else "",
            stages=stages,
            promised_weeks=promised(stages, size) if stages else 0,
            least=played.least,
            most=min(plan.most or played.most, played.most),
            warnings=("table-of-five",) if five else (),
            entries=entries,
            teams=teams,
            started_at=record.started_at,
            finished_at=record.finished_at,
            check_in_at=check_in_at(plan),
            waits_since=record.waits_since,
            pause_ends_at=record.pause_ends_at,
            inherited=not over and self._inherited(record),
            event=event,
        )

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
        known = await self._known(tx, ref)
        if not await self._may_organise(tx, known, asker):
            raise HostError(ErrorCode.NOT_EVENT_ORGANISER, code=known.record.code)
        await events.change(tx, known.record.id, {"tended_at": self._clock.now()})
        return known

    async def _repeated(self, tx: Transaction, interaction_id: int) -> bool:
        """Whether an interaction was carried out before; if not, it is now, with this transaction."""
        if await interactions.get(tx, interaction_id) is not None:
            return True
        await interactions.remember(tx, Interaction(id=interaction_id), self._clock.now())
        return False


def check_in_at(plan: EventPlan) -> datetime | None:
    """When check-in begins."""
    if plan.starts_at is None or not plan.check_in_hours:
        return None
    return plan.starts_at - timedelta(hours=plan.check_in_hours)


async def _summary(tx: Transaction, record: EventRecord) -> EventSummary:
    entries = await event_entries.count(tx, record.id)
    kind = str(record.plan.get("format", ""))
    return EventSummary(
        id=record.id,
        code=record.code,
        name=record.name,
        guild_id=record.guild_id,
        state=record.state,
        format=kind,
        entries=entries,
    )


def _entry_view(entry: EntryRecord, event: Event | None) -> EntryView:
    number = entry.number
    gone = False
    if event is not None and number is not None and number < len(event.persons):
        gone = number in event.gone or (
            entry.team is None and event.persons[number][-1][1] != str(entry.person.user_id)
        )
    return EntryView(
        person=entry.person,
        guild_id=entry.guild_id,
        number=number,
        checked_in=entry.checked_in_at is not None,
        waiting=entry.waiting,
        gone=gone,
        team=entry.team,
    )


def _team_view(team: TeamRecord, entries: Sequence[EntryView]) -> TeamView:
    members = tuple(entry for entry in entries if entry.team == team.team)
    return TeamView(
        team=team.team,
        name=team.name,
        guild_id=team.guild_id,
        captain_id=team.captain_id,
        members=members,
        number=team.number,
    )
