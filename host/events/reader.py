"""Read access to events: views, lists, rounds, standings, the audit log, and who may see or organise an event."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Any, Final

from host.errors import ErrorCode, HostError
from host.events.log import EventLog
from host.events.stored import GATHERING, GOING, OVER, StoredEvent, as_refusals
from host.events.tables import people_at
from host.events.views import EventSummary, EventView, RankView, RoundView, TableView
from host.rights import Asker, EventGame
from store import (
    AuditRecord,
    EventRecord,
    EventState,
    Game,
    Person,
    Store,
    TableRecord,
    TableState,
    Transaction,
    UnreadableError,
    columns_of,
    event_entries,
    events,
    games,
)
from tournaments.event import EventFold, stage_ranking, standings
from tournaments.facts import DISQUALIFIED, FACTS, LateEntry, Rejoined, RoundDrawn, Withdrawal, read_fact
from tournaments.points import table_points
from tournaments.ranking import Explanation, explain
from tournaments.states import RoundState

_LISTED = 25
LEFT: Final = "left"
LOST_ACCESS: Final = "lost_access"
CAME_BACK: Final = "came_back"
CAME_LATE: Final = "came_late"
COMING_AND_GOING: Final = frozenset({LEFT, LOST_ACCESS, CAME_BACK, CAME_LATE})
"""The kinds of these lines."""
_TOLD: Final = tuple(f'{{"fact":"{name}"' for name, kind in FACTS.items() if kind in (Withdrawal, Rejoined, LateEntry))
"""The beginnings of the stored facts that have such lines."""


Access = Callable[[int, int, int], Awaitable[bool | None]]
"""Returns whether a user (third) sees a channel (second) of a server (first); None if Discord does not say."""


async def access_unknown(_guild_id: int, _channel_id: int, _user_id: int) -> bool | None:
    """Answer as if Discord did not say."""
    return None


class ChannelAccess:
    """Asks who sees the channel of an event; ``sees`` is set by whoever is connected to Discord."""

    def __init__(self) -> None:
        self.sees: Access = access_unknown

    async def of(self, record: EventRecord, user_id: int) -> bool | None:
        """Return whether somebody sees the event's channel; None if Discord does not say."""
        return await self.sees(record.guild_id, record.channel_id, user_id)

    async def blind(self, record: EventRecord, user_ids: Iterable[int]) -> list[int]:
        """Return those of some users who do not see the event's channel."""
        ids = list(user_ids)
        sees = await asyncio.gather(*(self.of(record, user_id) for user_id in ids))
        return [user_id for user_id, seen in zip(ids, sees, strict=True) if seen is False]


@dataclass(eq=False)
class EventReader:
    """Reads events as they are shown."""

    _store: Store
    _log: EventLog
    _access: ChannelAccess

    async def view(self, ref: int | str) -> EventView:
        """An event by its code, or id.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            return await self._log.view(tx, ref)

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
        """Return whether a user may organise an event.

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
        """Make sure that a user in another server may know of an event: they are known to see its channel.

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
    return [EventSummary(**columns_of(record), entries=entered.get(record.id, 0)) for record in found]


def round_view(
    event: EventFold,
    names: Mapping[str, Person],
    stage: int,
    state: RoundState,
    drawn_at: datetime,
    tables: Sequence[TableRecord],
    its_games: Mapping[int, Game | UnreadableError],
) -> RoundView:
    """The newest drawing of a round."""
    plan = event.plans[stage - 1]
    ordered = sorted(tables, key=lambda each: each.place.drawing)
    rows = {each.place.number: each for each in ordered if each.state is not TableState.VOID}
    shown = []
    for place, (table, outcome) in enumerate(zip(state.tables, state.outcomes, strict=True), 1):
        row = rows.get(place)
        game = None if row is None or row.game_id is None else its_games.get(row.game_id)
        known = game if isinstance(game, Game) else None
        points: tuple[Fraction, ...] = () if outcome is None else table_points(outcome, plan.points, plan.ties)
        shown.append(
            TableView(
                stage=stage,
                round=state.number,
                number=place,
                match=table.match,
                board=table.board,
                seats=table.seats,
                people=people_at(event, names, stage, state.number, table),
                state=TableState.TO_OPEN if row is None else row.state,
                game_id=None if row is None else row.game_id,
                code=known.code if known else "",
                place=known.thread_id if known else None,
                deadline=None if row is None else row.deadline,
                outcome=outcome,
                points=points,
            )
        )
    deadlines = [table.deadline for table in shown if table.deadline is not None]
    return RoundView(
        stage=stage,
        plan=plan,
        number=state.number,
        drawn_at=drawn_at,
        deadline=max(deadlines, default=None),
        extended=event.extended.get((stage, state.number), 0),
        tables=tuple(shown),
        state=state,
    )


def coming_and_going(known: StoredEvent) -> Iterator[AuditRecord]:
    """Yield a line for everybody who left, came back or came late, in the order in which they did.

    A disqualification is an act of an organiser, and stands in the log with its reason already.
    """
    for record in known.facts:
        if not record.fact.startswith(_TOLD):
            continue
        match read_fact(record.fact):
            case Withdrawal(player, reason) if reason != DISQUALIFIED:
                kind = LEFT if record.user_id else LOST_ACCESS
                details = _who(known, player, record.number, named=not record.user_id)
            case Rejoined(player):
                kind, details = CAME_BACK, _who(known, player, record.number, named=False)
            case LateEntry():
                kind, details = CAME_LATE, {}
            case _:
                continue
        yield AuditRecord(record.number, record.at, record.user_id, kind, details)


def _who(known: StoredEvent, player: int, fact: int, *, named: bool) -> Mapping[str, Any]:
    """A team by its name; a player only if nobody else is ``named`` in the line: by who played for the entry then."""
    team = next((team for team in known.teams if team.number == player), None)
    if team is not None:
        return {"team": team.name}
    keys = [key for since, key in known.running.persons[player] if since <= fact]
    return {"user": int(keys[-1])} if named else {}
