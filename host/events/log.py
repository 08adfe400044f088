"""The log of an event: a sequence of facts, from which the state of the event is computed.

A *fact* is something that has happened, such as the draw of a round, or a result (:mod:`tournaments.facts`). The state
is the *fold* over all facts: each is applied in turn (:class:`~tournaments.event.EventFold`). Appending a fact also
stores what it causes: messages to post, and a row for each table of a drawn round. A *table* becomes a game; its row
links the two.

A *stage* of an event is a sequence of rounds of the same format. A *board* is the place of a member in a team's match.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, TypeVar, assert_never

from engine import GAMES, INTERVENTIONS, Adjudicate, Position, Resign
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.stored import StoredEvent, event_view, translating_refusals
from host.events.views import ORGANISER_ABSENCE, EntrantKey, EventView, read_plan
from host.games.move import DEPARTED_USER_ID, TIMEOUT_USER_ID
from host.naming import Label
from host.new_games import new_game
from host.rights import Asker, is_manager
from host.values import LoggedAction
from store import event_entries, event_posts, events, games, guilds, moves
from store.connection.database import Store, Transaction, is_writing
from store.records import AnsweredInteraction, Game, GameStatus, NewGame, Player, TableSettings
from store.tourneys.events import EventRecord, EventState, FactRecord, TablePlace, TableRecord, TableState
from store.tourneys.posts import EventPostKind, NewEventPost
from tournaments import facts
from tournaments.event import EventFold
from tournaments.points import Outcome
from tournaments.specification import read_specification
from tournaments.states import SEASON

OPEN_STATES = (TableState.OPENING, TableState.OPEN)
"""The states of tables whose game is being played or opened."""
EXTENDED_GAME: Final = "extended_game"
"""The kind of audit lines about an extended single game."""
NO_PEOPLE: Final = "no-people"
"""The reason for withdrawing the computers of a practice event when no person is left in it."""


def table_of(stored: StoredEvent, place: TablePlace) -> facts.DrawnTable:
    """Return the table at a place, as it was drawn."""
    return stored.running.round(place.stage, place.round).tables[place.number - 1]


def new_table_game(
    stored: StoredEvent, place: TablePlace, players: Sequence[Player], label: Label, material: Mapping[str, Any]
) -> NewGame:
    """Return the game of a table: seated as drawn, and shuffled by a seed derived from the event's.

    ``material`` holds further setup fields.
    """
    parameters, plan = stored.running.specification.parameters, stored.plan
    game = GAMES[parameters.game]
    edition = game.presets.get(parameters.preset)
    options = {**({} if edition is None else edition.differences()), **plan.options}
    setup = game.new_setup(
        players=len(players),
        # A hash of the event's seed and the place: the seed of a game, which is revealed at its end, reveals no other.
        seed=sha256(f"{stored.record.seed}/game/{'/'.join(map(str, place))}".encode()).hexdigest()[:32],
        options=game.options.of(options),
        expansions=plan.expansions,
        **material,
    )
    settings = TableSettings(hints=not parameters.purist, pace=parameters.pace, language=plan.language)
    return new_game(setup, label, players, stored.record.guild_id, stored.record.channel_id, settings)


def outcome_of(position: Position, log: Sequence[LoggedAction]) -> Outcome:
    """Return the outcome of a finished game; a game that was ended early is scored at its last position."""
    end = position if position.is_over else position.concluded()[0]
    out = tuple(seat for seat, has_left in enumerate(position.withdrawn) if has_left)
    last = log[-1].action if log else None
    scores = tuple(end.scores)
    stalled = last.ranked_last if isinstance(last, Adjudicate) and last.ranked_last is not None else -1
    absent = absent_seats(log, stalled)
    if out and all(isinstance(entry.action, INTERVENTIONS) for entry in log):
        return Outcome((0,) * len(scores), out, how="forfeited", absent=absent)
    adjudicated = isinstance(last, Adjudicate) or not position.is_over
    return Outcome(scores, out, stalled, "adjudicated" if adjudicated else "played", absent)


def absent_seats(log: Sequence[LoggedAction], stalled: int) -> tuple[int, ...]:
    """Return the seats of players who never moved and whose time ran out, or who stalled until the deadline."""
    nobody = (TIMEOUT_USER_ID, DEPARTED_USER_ID)
    moved = {entry.seat for entry in log if entry.user_id not in nobody}
    timed_out = {entry.seat for entry in log if isinstance(entry.action, Resign) and entry.user_id == TIMEOUT_USER_ID}
    return tuple(sorted((timed_out | {stalled}) - moved - {-1}))


NamedPlayer = TypeVar("NamedPlayer", bound=Player)


def people_at(
    event: EventFold,
    names: Mapping[str, NamedPlayer],
    stage: int,
    number: int,
    table: facts.DrawnTable,
    *,
    locked: bool = False,
) -> tuple[NamedPlayer | None, ...]:
    """Return those at a table whom ``names`` names, by seat.

    ``names`` are the event's people by key, or its people and computers. The members of teams are None until both teams
    have handed in their line-ups, or these are ``locked``.
    """
    if not table.board:
        return tuple(names.get(event.persons[player][-1][1]) for player in table.seats)
    people: list[NamedPlayer | None] = []
    revealed = locked or all((stage, number, team) in event.line_ups for team in table.seats)
    for team in table.seats:
        members = event.line_ups.get((stage, number, team), ()) if revealed else ()
        people.append(names.get(members[table.board - 1]) if len(members) >= table.board else None)
    return tuple(people)


# -- rows -------------------------------------------------------------------------------------------------------------


def check_state(stored: StoredEvent, refusal: ErrorCode, *allowed: EventState) -> None:
    """Check that an event is in one of the allowed states.

    Raises:
        HostError: with the code ``refusal``.
    """
    if stored.record.state not in allowed:
        raise HostError(refusal, code=stored.record.code)


def check_running(stored: StoredEvent) -> None:
    """Check that an event is being played.

    Raises:
        HostError: ``event_not_running``.
    """
    check_state(stored, ErrorCode.EVENT_NOT_RUNNING, EventState.RUNNING)


async def extended_games(tx: Transaction, stored: StoredEvent) -> set[str]:
    """Return the codes of the games whose deadline was extended on their own, not with their round."""
    return {str(line.details["game"]) for line in await events.audit_of(tx, stored.record.id, EXTENDED_GAME)}


def open_season_seats(event: EventFold) -> list[tuple[int, ...]]:
    """Return the players of each open game of a season of the ladder, for whose games no rows are stored."""
    state = event.stage
    rounds = state.rounds if state is not None and state.plan.kind == SEASON else ()
    tables = (pair for drawn in rounds for pair in zip(drawn.tables, drawn.outcomes, strict=True))
    return [table.seats for table, outcome in tables if outcome is None]


def plays(stored: StoredEvent, place: TablePlace, user_id: int) -> bool:
    """Return whether a user plays at a table."""
    number = stored.number_of(user_id)
    return number is not None and number in table_of(stored, place).seats


async def check_not_own(tx: Transaction, stored: StoredEvent, asker: Asker, entrant: EntrantKey) -> None:
    """Check that an organiser decides neither about themselves nor about somebody at their own table.

    Raises:
        HostError: ``own_game``.
    """
    numbers = {stored.number_of(asker.user_id), stored.number_of(entrant)}
    own_seats = [table_of(stored, row.place).seats for row in await open_rows(tx, stored)]
    if any(numbers <= set(seats) for seats in (*own_seats, *open_season_seats(stored.running))):
        raise HostError(ErrorCode.OWN_GAME, code=stored.record.code)


async def rows_of(tx: Transaction, stored: StoredEvent, stage: int, number: int) -> list[TableRecord]:
    """Return the rows of a round, without those of draws that were undone."""
    rows = await events.tables_of(tx, stored.record.id)
    return [
        row
        for row in rows
        if (row.place.stage, row.place.round) == (stage, number) and row.state is not TableState.VOID
    ]


async def open_rows(tx: Transaction, stored: StoredEvent) -> list[TableRecord]:
    """Return the rows of tables whose game is being played or opened."""
    return [row for row in await events.tables_of(tx, stored.record.id) if row.state in OPEN_STATES]


async def running_games(tx: Transaction, stored: StoredEvent) -> list[tuple[TableRecord, Game]]:
    """Return the running games, with their rows."""
    rows = [row for row in await open_rows(tx, stored) if row.game_id is not None]
    games_by_id = await games.by_ids(tx, [row.game_id for row in rows if row.game_id is not None])
    pairs = [(row, games_by_id.get(row.game_id or 0)) for row in rows]
    return [(row, game) for row, game in pairs if isinstance(game, Game) and game.status is not GameStatus.FINISHED]


MAX_CACHED_EVENTS = 64
"""The most events whose state is kept in memory."""


GAME_CREATION_SPACING: Final = timedelta(seconds=2)
"""The time between the creation of two games of a round, since Discord limits how fast threads can be opened."""
AUTOMATIC_USER_ID: Final = 0
"""The user id of facts that no user has added."""


class EventLog:
    """Reads events and appends facts to their logs, in the caller's transaction."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._folds: dict[int, tuple[int, list[FactRecord], EventFold]] = {}
        """A cache by event: the number of people erased from it, its facts, and the state after them."""

    async def find(self, tx: Transaction, ref: int | str) -> EventRecord:
        """Read the row of an event, given its id or code.

        Raises:
            HostError: ``unknown_event``.
        """
        record = await (events.get(tx, ref) if isinstance(ref, int) else events.by_code(tx, ref.upper()))
        if record is None:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=ref)
        return record

    async def snapshot(self, tx: Transaction, ref: int | str) -> StoredEvent:
        """Read everything about an event at one moment.

        Raises:
            HostError: ``unknown_event``.
        """
        record = await self.find(tx, ref)
        log, event = await self._fold(tx, record)
        return StoredEvent(
            record,
            read_plan(record.plan_data),
            await event_entries.organisers(tx, record.id),
            await event_entries.entries_of(tx, record.id),
            await event_entries.teams(tx, record.id),
            event,
            log,
        )

    async def lock(self, tx: Transaction, ref: int | str) -> StoredEvent:
        """Lock an event for a change, and read a snapshot of it.

        Raises:
            HostError: ``unknown_event``.
        """
        record = await self.find(tx, ref)
        await events.lock(tx, record.id)
        return await self.snapshot(tx, record.id)

    def view_of(self, stored: StoredEvent) -> EventView:
        """Return the view of an event that was read before."""
        return event_view(stored, inherited=self.is_inherited(stored.record))

    async def view(self, tx: Transaction, ref: int | str) -> EventView:
        """Read the view of an event.

        Raises:
            HostError: ``unknown_event``.
        """
        return self.view_of(await self.snapshot(tx, ref))

    def is_inherited(self, record: EventRecord) -> bool:
        """Return whether the organisers have been inactive for so long that managers of the server may act for them."""
        return self._clock.now() - record.tended_at >= ORGANISER_ABSENCE

    async def may_organise(self, tx: Transaction, stored: StoredEvent, asker: Asker) -> bool:
        """Return whether a user may organise an event."""
        if asker.guild_id != stored.record.guild_id:
            return False
        if any(asker.user_id == person.user_id for person in stored.organisers):
            return True
        if stored.plan.organiser_role is not None and stored.plan.organiser_role in asker.roles:
            return True
        return self.is_inherited(stored.record) and is_manager(asker, await guilds.get(tx, stored.record.guild_id))

    @asynccontextmanager
    async def changing(self, ref: int | str) -> AsyncIterator[tuple[Transaction, StoredEvent]]:
        """Open a transaction that changes an event, and lock it there; yield both.

        Raises:
            HostError: ``unknown_event``.
        """
        async with self._store.writing() as tx:
            yield tx, await self.lock(tx, ref)

    @asynccontextmanager
    async def organising(self, ref: int | str, asker: Asker) -> AsyncIterator[tuple[Transaction, StoredEvent]]:
        """Open a transaction like :meth:`changing`, but only for an organiser; see :meth:`lock_for_organiser`.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        async with self._store.writing() as tx:
            yield tx, await self.lock_for_organiser(tx, ref, asker)

    async def lock_for_organiser(self, tx: Transaction, ref: int | str, asker: Asker) -> StoredEvent:
        """Lock an event for a change by one of its organisers, and record that they were active.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        stored = await self.lock(tx, ref)
        if not await self.may_organise(tx, stored, asker):
            raise HostError(ErrorCode.NOT_EVENT_ORGANISER, code=stored.record.code)
        await events.update_event(tx, stored.record.id, {"tended_at": self._clock.now()})
        return stored

    async def is_repeated(self, tx: Transaction, interaction_id: int) -> bool:
        """Return whether an interaction was carried out before; if not, record in this transaction that it is now."""
        if await moves.interaction_by_id(tx, interaction_id) is not None:
            return True
        await moves.add_interaction(tx, AnsweredInteraction(id=interaction_id), self._clock.now())
        return False

    async def append(
        self, tx: Transaction, stored: StoredEvent, fact: facts.Fact, user_id: int = AUTOMATIC_USER_ID
    ) -> StoredEvent:
        """Append a fact, with the rows and posts that it causes; return the event after it.

        Raises:
            HostError: ``event_not_running``, or the code for the rule that does not allow the fact.
            PlyConflictError: another fact was added meanwhile; the transaction has to be rolled back.
        """
        record, now = stored.record, self._clock.now()
        event = stored.running.copy()
        with translating_refusals():
            event.apply(fact)
        text = facts.to_json(fact)
        await events.add_fact(tx, record.id, len(stored.facts), text, now, user_id)
        await events.bring_check_forward(tx, record.id, now)
        after = replace(
            stored,
            record=replace(record, facts=record.facts + 1),
            event=event,
            facts=[*stored.facts, FactRecord(len(stored.facts), text, now, user_id)],
        )
        await self._add_consequences(tx, after, fact, now)
        return after

    async def post(
        self,
        tx: Transaction,
        event_id: int,
        kind: EventPostKind,
        mark: object,
        stage: int = 0,
        number: int = 0,
        *,
        details: Mapping[str, Any] | None = None,
    ) -> bool:
        """Add a post about an event; return False if there is one of the same kind and ``mark`` already."""
        post = NewEventPost(
            event_id=event_id,
            kind=kind,
            nonce=f"E{event_id}.{mark}.{kind[:8]}"[:25],
            stage=stage,
            round=number,
            details=details or {},
        )
        return await event_posts.add(tx, post, self._clock.now())

    async def note(self, tx: Transaction, event_id: int, user_id: int, kind: str, **details: object) -> int:
        """Add a line about an organiser's action to the audit log, which everybody can read; return its number."""
        return await events.add_audit(tx, event_id, user_id, kind, details, self._clock.now())

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _fold(self, tx: Transaction, record: EventRecord) -> tuple[list[FactRecord], EventFold | None]:
        """Return the facts of an event and the state after them; None for an event that has not begun.

        The cached state is used if it is current, else continued in a copy. Erasing a person changes facts that are
        stored already, which ``record.renamed`` counts; then the cached state is of no use.
        """
        if record.specification is None:
            return [], None
        renamed, log, event = self._folds.get(record.id, (record.renamed, [], None))
        if renamed != record.renamed:
            log, event = [], None
        if event is None or len(log) != record.facts:
            if len(log) > record.facts:  # the database was restored from a backup
                log, event = [], None
            new_facts = (await events.facts(tx, record.id, len(log)))[: record.facts - len(log)]
            event = EventFold(read_specification(record.specification)) if event is None else event.copy()
            for fact in new_facts:
                event.apply(facts.read_fact(fact.fact))
            log = [*log, *new_facts]
            if is_writing(tx):
                return log, event  # not cached, since the transaction may be rolled back
            self._folds.pop(record.id, None)
            self._folds[record.id] = (record.renamed, log, event)
            while len(self._folds) > MAX_CACHED_EVENTS:
                del self._folds[next(iter(self._folds))]
        return log, event

    async def _add_consequences(self, tx: Transaction, stored: StoredEvent, fact: facts.Fact, now: datetime) -> None:
        """Add the rows of tables and the posts that a fact causes."""
        event_id = stored.record.id
        match fact:
            case facts.RoundDrawn():
                if stored.running.plans[fact.stage - 1].kind == SEASON:
                    return  # its start is announced already, and its round has no games yet
                await self._add_tables(tx, stored, fact, 1, now)
                await self.post(tx, event_id, EventPostKind.ROUND, len(stored.facts), fact.stage, fact.round)
                if stored.running.plans[fact.stage - 1].boards:
                    until = {"until": int((now + timedelta(hours=stored.plan.line_up_hours)).timestamp())}
                    mark = len(stored.facts)
                    await self.post(tx, event_id, EventPostKind.LINE_UPS, mark, fact.stage, fact.round, details=until)
            case facts.GamesAdded():
                drawn = stored.running.round(fact.stage, fact.round)
                await self._add_tables(tx, stored, fact, len(drawn.tables) - len(fact.tables) + 1, now)
                details: dict[str, object] = {"tables": len(fact.tables)}
                await self.post(
                    tx, event_id, EventPostKind.GAMES, len(stored.facts), fact.stage, fact.round, details=details
                )
            case facts.StageEnded():
                details = {"reason": fact.reason}
                await self.post(tx, event_id, EventPostKind.STAGE, len(stored.facts), fact.stage, details=details)
            case (
                facts.StageBegun()
                | facts.RoundUndone()
                | facts.Result()
                | facts.Correction()
                | facts.DeadlineExtended()
                | facts.LineUp()
                | facts.SeatExchange()
                | facts.Penalty()
                | facts.Warned()
                | facts.SeasonGame()
            ):
                pass
            case facts.Withdrawal() | facts.Rejoined() | facts.LateEntry() | facts.EntrySubstitution():
                pass
            case never:
                assert_never(never)

    async def _add_tables(
        self, tx: Transaction, stored: StoredEvent, fact: facts.RoundDrawn | facts.GamesAdded, first: int, now: datetime
    ) -> None:
        """Add the rows of new tables, numbered from ``first`` on; their games become due one after the other.

        A round of team matches first waits for the line-ups.
        """
        state = stored.running.stages[fact.stage - 1]
        awaits_line_ups = bool(state.plan.boards) and isinstance(fact, facts.RoundDrawn)
        start = now + timedelta(hours=stored.plan.line_up_hours) if awaits_line_ups else now
        last_due = await events.last_table_due(tx, stored.record.id)
        start = start if last_due is None else max(start, last_due + GAME_CREATION_SPACING)
        await events.add_tables(
            tx,
            [
                TableRecord(
                    event_id=stored.record.id,
                    place=TablePlace(fact.stage, state.undone, fact.round, first + number),
                    state=TableState.TO_OPEN,
                    due_at=start + number * GAME_CREATION_SPACING,
                )
                for number in range(len(fact.tables))
            ],
        )
