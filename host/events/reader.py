"""Read access to events: their views, lists, rounds and standings, their audit log, and who may see or organise them.

Methods that take a ``ref`` accept the id of an event or its public code. A *stage* is a sequence of rounds of one
format, and a *table* is a game of a round. The *audit log* lists what organisers have done; everybody can read it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final

from host.errors import ErrorCode, HostError
from host.events.log import NO_PEOPLE, EventLog, people_at
from host.events.seasons import season_tables, seasons_until
from host.events.stored import ACTIVE_STATES, ENDED_STATES, SIGN_UP_STATES, StoredEvent, translating_refusals
from host.events.views import AllTimeView, EventSummary, EventView, RankView, RoundView, TableView
from host.naming import unique_names
from host.rights import Asker, EventGame
from store import event_entries, events, games
from store.connection.database import Store, Transaction
from store.errors import UnreadableError
from store.records import Game, Person, columns_of
from store.tourneys.events import AuditRecord, EventRecord, EventState, TableRecord, TableState
from tournaments.event import EventFold, stage_ranking, standings
from tournaments.facts import DISQUALIFIED, FACTS, LateEntry, Rejoined, Withdrawal, read_fact
from tournaments.lasting.leagues import all_time_table
from tournaments.points import table_points
from tournaments.ranking import Explanation, explain
from tournaments.states import RoundState

MAX_LISTED_EVENTS = 25
"""The most events in a list."""

# The kinds of attendance lines in the audit log: a player has left, lost access, come back or entered late.
LEFT: Final = "left"
LOST_ACCESS: Final = "lost_access"
CAME_BACK: Final = "came_back"
CAME_LATE: Final = "came_late"
_ATTENDANCE_FACT_PREFIXES: Final = tuple(
    f'{{"fact":"{name}"' for name, kind in FACTS.items() if kind in (Withdrawal, Rejoined, LateEntry)
)
"""The beginnings of the stored facts that have attendance lines; the others need not be parsed."""


AccessCheck = Callable[[int, int, int], Awaitable[bool | None]]
"""Returns whether in a server (first argument) a channel (second) is visible to a user (third); None if unknown."""


async def access_unknown(_guild_id: int, _channel_id: int, _user_id: int) -> bool | None:
    """Return None, for unknown: the default without Discord."""
    return None


class ChannelAccess:
    """Asks Discord which users can see the channel of an event."""

    def __init__(self) -> None:
        self.sees: AccessCheck = access_unknown
        """Asks about one user; set by the code that is connected to Discord."""

    async def of(self, record: EventRecord, user_id: int) -> bool | None:
        """Return whether a user can see the event's channel; None if unknown."""
        return await self.sees(record.guild_id, record.channel_id, user_id)

    async def users_without_access(self, record: EventRecord, user_ids: Iterable[int]) -> list[int]:
        """Return those of these users who certainly cannot see the event's channel."""
        ids = list(user_ids)
        answers = await asyncio.gather(*(self.of(record, user_id) for user_id in ids))
        return [user_id for user_id, answer in zip(ids, answers, strict=True) if answer is False]


@dataclass(eq=False)
class EventReader:
    """Reads events and everything about them that users can see."""

    _store: Store
    _log: EventLog
    _access: ChannelAccess

    async def view(self, ref: int | str) -> EventView:
        """Return the view of an event.

        Raises:
            HostError: ``unknown_event``.
        """
        return await self._store.read(self._log.view, ref)

    async def unfinished(self, guild_id: int) -> list[EventSummary]:
        """Return the newest events of a server that are open for sign-up or being played."""
        async with self._store.reading() as tx:
            return await _summaries(
                tx, await events.in_guild(tx, guild_id, (*SIGN_UP_STATES, *ACTIVE_STATES), MAX_LISTED_EVENTS)
            )

    async def drafts(self, guild_id: int, user_id: int) -> list[EventSummary]:
        """Return the events of a server that a user organises and has not announced; nobody else may learn of them."""
        async with self._store.reading() as tx:
            return await _summaries(tx, await events.drafts_of(tx, guild_id, user_id, MAX_LISTED_EVENTS))

    async def finished(self, guild_id: int) -> list[EventSummary]:
        """Return the newest finished events of a server."""
        async with self._store.reading() as tx:
            return await _summaries(tx, await events.in_guild(tx, guild_id, (EventState.FINISHED,), MAX_LISTED_EVENTS))

    async def of_user(self, user_id: int) -> list[EventSummary]:
        """Return the unfinished events that a user has entered."""
        async with self._store.reading() as tx:
            records = [await events.get(tx, event_id) for event_id in await event_entries.entered_events(tx, user_id)]
            return await _summaries(tx, [record for record in records if record and record.state not in ENDED_STATES])

    async def round(self, ref: int | str, stage: int = 0, number: int = 0) -> RoundView:
        """Return a round with its tables, given the numbers of its stage and of the round; 0 for the newest.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``no_such_table``.
        """
        async with self._store.reading() as tx:
            stored = await self._log.snapshot(tx, ref)
            event = stored.running
            stage = stage or len(event.stages)
            if not number:
                number = len(event.stages[stage - 1].rounds) if 1 <= stage <= len(event.stages) else 0
            with translating_refusals():
                state = event.round(stage, number)
            tables = [
                table
                for table in await events.tables_of(tx, stored.record.id)
                if table.place[:3] == (stage, event.stages[stage - 1].undone, number)
                or (table.place.stage, table.place.round) == (stage, number)
            ]
            games_by_id = await games.by_ids(tx, [table.game_id for table in tables if table.game_id is not None])
            season_rows, season_games = await season_tables(tx, stored)
        rows, games_by_id = [*tables, *season_rows], {**games_by_id, **season_games}
        return round_view(event, stored.names(), stage, state, rows, games_by_id)

    async def standings(self, ref: int | str, stage: int = 0) -> tuple[RankView, ...]:
        """Return the standings of an event, best first; those of a single stage if its number is given.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``no_such_table``.
        """
        stored = await self._store.read(self._log.snapshot, ref)
        event, view = stored.running, self._log.view_of(stored)
        if stage > len(event.stages):
            raise HostError(ErrorCode.NO_SUCH_TABLE, stage=stage)
        ranked = partial(stage_ranking, event, event.stages[stage - 1]) if stage else partial(standings, event)
        lines = await asyncio.to_thread(ranked)
        names = stored.names()
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
                event.penalties.get((line.stage, line.player), Fraction(0)),
                event.warnings[line.player],
            )
            for line, person in zip(lines, people, strict=True)
        )

    async def all_time(self, ref: int | str) -> tuple[AllTimeView, ...]:
        """Return the table of a season and of all seasons before it, best first.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``.
        """
        async with self._store.reading() as tx:
            seasons = await seasons_until(tx, self._log, await self._log.snapshot(tx, ref))
        players = {key: player for stored in seasons for key, player in stored.players().items()}
        lines = await asyncio.to_thread(all_time_table, [stored.running for stored in seasons])
        names = dict(zip(players, unique_names(list(players.values())), strict=True))
        ranks: dict[object, int] = {}
        return tuple(
            AllTimeView(ranks.setdefault(line.order, number), names.get(line.key, f"#{number}"), line)
            for number, line in enumerate(lines, 1)
        )

    async def explain(self, ref: int | str, first: int, second: int) -> Explanation:
        """Explain which tie-break ranks one of two players before the other; both are given by their numbers.

        Raises:
            HostError: ``unknown_event``, ``event_not_running``, ``not_entered``, ``bad_plan``.
        """
        event = (await self._store.read(self._log.snapshot, ref)).running
        lines = await asyncio.to_thread(standings, event)
        with translating_refusals():
            return explain(lines, first, second, event.disqualified)

    async def audit(self, ref: int | str) -> tuple[AuditRecord, ...]:
        """Return the audit log, oldest line first: actions of organisers, and players who left, came back or came late.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            stored = await self._log.snapshot(tx, ref)
            lines = [*await events.audit_of(tx, stored.record.id), *attendance_lines(stored)]
        lines.sort(key=lambda line: line.at)
        return tuple(line._replace(number=number) for number, line in enumerate(lines, 1))

    async def set_message(self, event_id: int, message_id: int) -> None:
        """Store the id of the message that announces an event."""
        await self._store.write(events.update_event, event_id, {"message_id": message_id})

    async def organises(self, ref: int | str, asker: Asker) -> bool:
        """Return whether a user may organise an event.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.reading() as tx:
            return await self._log.may_organise(tx, await self._log.snapshot(tx, ref), asker)

    async def view_for(self, ref: int | str, asker: Asker) -> EventView:
        """Return the view of an event for a member of its server; that of a draft only for its organisers.

        Raises:
            HostError: ``unknown_event``, also if the user may not see the event.
        """
        view = await self.view(ref)
        hidden = view.state == EventState.DRAFT and not await self.organises(ref, asker)
        if view.guild_id != asker.guild_id or hidden:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=ref)
        return view

    async def check_open_to(self, view: EventView, user_id: int) -> None:
        """Check that a user may see an event from another server, because they can see the event's channel.

        Raises:
            HostError: ``unknown_event``.
        """
        if (
            view.state == EventState.DRAFT
            or await self._access.sees(view.guild_id, view.channel_id, user_id) is not True
        ):
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=view.code)

    async def check_organiser(self, view: EventView, asker: Asker) -> None:
        """Check that a user may organise an event.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        if not await self.organises(view.code, asker):
            raise HostError(ErrorCode.NOT_EVENT_ORGANISER, code=view.code)

    async def candidates(self, guild_id: int, user_id: int) -> list[EventSummary]:
        """Return the events that a user in a server may mean without naming one.

        These are the unfinished events, else the user's own drafts, else the newest event that is over.

        Raises:
            HostError: ``unknown_event`` if there is none.
        """
        candidates = await self.unfinished(guild_id) or await self.drafts(guild_id, user_id)
        candidates = candidates or (await self.finished(guild_id))[:1]
        if not candidates:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref="")
        return candidates

    async def event_of(self, game: Game) -> EventGame | None:
        """Return the facts about the event of a game on which permissions depend; None if it belongs to no event."""
        async with self._store.reading() as tx:
            table = await events.table_of_game(tx, game.id)
            if table is None:
                return None
            stored = await self._log.snapshot(tx, table.event_id)
            rated = stored.running.specification.parameters.rated
            inherited = self._log.is_inherited(stored.record)
        organisers = {person.user_id for person in stored.organisers}

        def organises(asker: Asker) -> bool:
            has_role = stored.plan.organiser_role is not None and stored.plan.organiser_role in asker.roles
            in_server = asker.guild_id == stored.record.guild_id
            return in_server and (asker.user_id in organisers or has_role or (inherited and asker.manages))

        going = stored.record.state in ACTIVE_STATES
        return EventGame(stored.record.code, rated=rated, going=going, organises=organises)


async def _summaries(tx: Transaction, records: Sequence[EventRecord]) -> list[EventSummary]:
    """Return events for a list, with the numbers of their entries."""
    entry_counts = await event_entries.count_by_event(tx, [record.id for record in records])
    computer_counts = {record.id: len(record.plan_data.get("computers", ())) for record in records}
    return [
        EventSummary(**columns_of(record), entries=entry_counts.get(record.id, 0) + computer_counts[record.id])
        for record in records
    ]


def round_view(
    event: EventFold,
    names: Mapping[str, Person],
    stage: int,
    state: RoundState,
    tables: Sequence[TableRecord],
    games_by_id: Mapping[int, Game | UnreadableError],
) -> RoundView:
    """Return the view of a round.

    ``names`` are the event's people by key, and ``tables`` the stored rows. If the round was drawn more than once,
    there are rows of each drawing, of which the newest counts.
    """
    plan = event.plans[stage - 1]
    oldest_first = sorted(tables, key=lambda row: row.place.drawing)
    rows = {row.place.number: row for row in oldest_first if row.state is not TableState.VOID}
    table_views = []
    for number, (table, outcome) in enumerate(zip(state.tables, state.outcomes, strict=True), 1):
        row = rows.get(number)
        game = None if row is None or row.game_id is None else games_by_id.get(row.game_id)
        opened_game = game if isinstance(game, Game) else None
        points: tuple[Fraction, ...] = () if outcome is None else table_points(outcome, plan.points, plan.ties)
        table_views.append(
            TableView(
                stage=stage,
                round=state.number,
                number=number,
                **columns_of(table),
                people=people_at(event, names, stage, state.number, table),
                state=TableState.TO_OPEN if row is None else row.state,
                game_id=None if row is None else row.game_id,
                code=opened_game.code if opened_game else "",
                place=opened_game.thread_id if opened_game else None,
                deadline=None if row is None else row.deadline,
                outcome=outcome,
                points=points,
            )
        )
    deadlines = [table.deadline for table in table_views if table.deadline is not None]
    return RoundView(
        stage=stage,
        plan=plan,
        number=state.number,
        deadline=max(deadlines, default=None),
        extended=event.extended.get((stage, state.number), 0),
        tables=tuple(table_views),
        state=state,
    )


def attendance_lines(stored: StoredEvent) -> Iterator[AuditRecord]:
    """Yield a line of the audit log for each time that a player left, came back or came late, in order.

    A disqualification is left out: as an organiser's action it is in the log already, with its reason. Computers, which
    leave only after all people, are left out as well.
    """
    for record in stored.facts:
        if not record.fact.startswith(_ATTENDANCE_FACT_PREFIXES):
            continue
        match read_fact(record.fact):
            case Withdrawal(player, reason) if reason not in {DISQUALIFIED, NO_PEOPLE}:
                kind = LEFT if record.user_id else LOST_ACCESS
                details = _entrant_name(stored, player, record.number, named=not record.user_id)
            case Rejoined(player):
                kind, details = CAME_BACK, _entrant_name(stored, player, record.number, named=False)
            case LateEntry():
                kind, details = CAME_LATE, {}
            case _:
                continue
        yield AuditRecord(record.number, record.at, record.user_id, kind, details)


def _entrant_name(stored: StoredEvent, player: int, fact: int, *, named: bool) -> Mapping[str, Any]:
    """Return the details that name the entrant of a line: a team by its name, a player by their user id.

    A player is only included if ``named``, since otherwise the line belongs to their user id already. It is the person
    who played for the entry when the fact with this number was added.
    """
    team = next((team for team in stored.teams if team.number == player), None)
    if team is not None:
        return {"team": team.name}
    keys = [key for since, key in stored.running.persons[player] if since <= fact]
    return {"user": int(keys[-1])} if named else {}
