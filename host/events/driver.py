"""Run events: do automatically whatever is due, such as starting an event, drawing a round and creating its games.

An event is a log of *facts* (:mod:`host.events.log`). :class:`Driver` asks the rules which fact is due, and appends
facts one by one until games have to be played. Then it stores the time at which the event has to be checked next.

Each *table* of a round becomes a game (:class:`TableOpenings`). The game is stored together with a post; the bot sends
it, opens the game's thread under it, and reports the thread. Only then is the game's first card posted, and only then
do its clocks start.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, assert_never

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.log import NO_PEOPLE, OPEN_STATES, EventLog, new_table_game, people_at, table_of
from host.events.organising import Deadlines
from host.events.planning import Starts
from host.events.reader import ChannelAccess
from host.events.results import Results
from host.events.seasons import SeasonGames, season_check_times
from host.events.stored import ENDED_STATES, SIGN_UP_STATES, StoredEvent, check_in_at
from host.events.views import ORGANISER_ABSENCE, REFUSAL_DETAIL, computer_key
from host.games import end_dates
from host.games.moves import Moves
from host.games.outbox import Outbox
from host.naming import new_label
from host.new_games import add_game, free_label
from host.observability import game_fields, log_failure
from host.retry import Precomputed, run_with_precomputed
from host.settings import HostSettings
from host.votes.seats import Seats
from store import events, games, outbox, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError, UnavailableError
from store.records import Game, GameStatus, NewGame, Player, Timer, TimerKind
from store.tourneys.events import EventState, TableRecord, TableState
from store.tourneys.posts import EventPostKind
from tournaments.event import due
from tournaments.facts import Fact, Result, RoundDrawn, StageEnded, Withdrawal
from tournaments.points import Outcome
from tournaments.states import SEASON

THREAD_LIMIT_DELAY: Final = timedelta(minutes=10)
"""The delay before the next game is created after Discord has refused to open another thread."""
TABLE_BATCH_SIZE: Final = 20
"""The most games that are created at a time."""
PENDING_RETRY_DELAY: Final = timedelta(minutes=1)
"""The delay before a table that could not be opened is tried again."""


@dataclass(eq=False)
class TableOpenings:
    """Creates the games of drawn tables, and records the threads in which they are played."""

    _store: Store
    _clock: Clock
    _settings: HostSettings
    _outbox: Outbox
    _log: EventLog

    async def open_tables(self) -> int:
        """Create the games that are due; return the number of tables dealt with."""
        due_tables = await self._store.read(events.tables_to_open, self._clock.now(), TABLE_BATCH_SIZE)
        unlocked = await unlocked_events(self._store, [table.event_id for table in due_tables])
        tables = [table for table in due_tables if table.event_id in unlocked]
        for table in tables:
            try:
                with suppress(PlyConflictError):  # another process was quicker
                    await run_with_precomputed(partial(self._open_table, table))
            except UnavailableError:
                raise  # the table could not be postponed either
            except Exception as error:  # noqa: BLE001 - one table must not hold up the others
                log_failure(log, "a table could not be opened", error, {"event": table.event_id})
                async with self._store.writing(event=table.event_id) as tx:
                    await events.update_table(tx, table, {"due_at": self._clock.now() + PENDING_RETRY_DELAY})
        return len(tables)

    async def record_thread(self, game_id: int, thread_id: int) -> None:
        """Record the thread that was opened for a game; from now on its cards are posted and its deadline counts.

        A repeated call changes nothing.
        """
        now = self._clock.now()
        async with self._outbox.writing() as tx:
            table = await self._lock_table(tx, game_id)
            game = await games.get(tx, game_id)
            await games.set_thread(tx, game_id, thread_id)
            await outbox.retry_refused(tx, now, game_id=game_id)
            if table is None or table.state is not TableState.OPENING:
                return
            stored = await self._log.snapshot(tx, table.event_id)
            deadline = self._deadline(stored, table, now)
            await events.update_table(tx, table, {"state": TableState.OPEN, "opened_at": now, "deadline": deadline})
            if game.status is not GameStatus.FINISHED:
                await end_dates.store_end_date(tx, game, deadline, now)
            await events.bring_check_forward(tx, table.event_id, now)

    async def pause_openings(self, game_id: int) -> datetime | None:
        """Pause opening the games of an event because Discord has refused a thread for this one; return until when.

        None if the game belongs to no event.
        """
        now = self._clock.now()
        async with self._store.writing() as tx:
            table = await self._lock_table(tx, game_id)
            if table is None:
                return None
            until = now + THREAD_LIMIT_DELAY
            await events.update_event(tx, table.event_id, {"full_until": until})
            await events.postpone_tables(tx, table.event_id, until)
            place = table.place
            mark = f"{place.stage}.{place.round}.{place.drawing}"
            await self._log.post(tx, table.event_id, EventPostKind.FULL, mark, place.stage, place.round)
            return until

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _lock_table(self, tx: Transaction, game_id: int) -> TableRecord | None:
        """Lock the event of a game, and return its table; None if the game belongs to no event."""
        table = await events.table_of_game(tx, game_id)
        if table is None:
            return None
        await events.lock(tx, table.event_id)
        return await events.table_of_game(tx, game_id)

    def _deadline(self, stored: StoredEvent, table: TableRecord, opened_at: datetime) -> datetime:
        """Return the deadline of a table that was opened at this time."""
        event, place = stored.running, table.place
        days = event.extended.get((place.stage, place.round), 0)
        return opened_at + timedelta(weeks=event.plans[place.stage - 1].weeks, days=days)

    async def _open_table(self, table: TableRecord, precomputed: Precomputed) -> None:
        """Create the game of a table, or forfeit it if too few of its players are there."""
        async with self._outbox.writing(event=table.event_id) as tx:
            stored = await self._log.snapshot(tx, table.event_id)
            if await self._must_wait(tx, stored, table):
                return
            drawn = table_of(stored, table.place)
            event, place = stored.running, table.place
            if event.outcome(place.stage, place.round, place.number) is not None:
                await events.update_table(tx, table, {"state": TableState.DECIDED})
                return
            players = people_at(event, stored.players(), place.stage, place.round, drawn, locked=True)
            missing = tuple(
                seat
                for seat, (player, number) in enumerate(zip(players, drawn.seats, strict=True))
                if player is None or number in event.gone
            )
            if missing and len(players) - len(missing) < 2:
                await self._forfeit(tx, stored, table, missing, len(players))
                return
            present = tuple(player for player in players if player is not None)
            new = precomputed.of(
                (stored.record.code, place, present), lambda: self._shuffled_game(stored, table, present)
            )
            await self._create_game(tx, stored, table, new)

    async def _must_wait(self, tx: Transaction, stored: StoredEvent, table: TableRecord) -> bool:
        """Return whether an event is not being played now; if so, postpone its tables, or void them if it is over."""
        now, record = self._clock.now(), stored.record
        if record.state is EventState.RUNNING and (record.full_until is None or record.full_until <= now):
            return False
        until = record.full_until if record.state is EventState.RUNNING else record.pause_ends_at
        if record.state in (EventState.CLOSED, EventState.FINISHED):
            await events.update_table(tx, table, {"state": TableState.VOID})
        else:
            await events.postpone_tables(tx, record.id, max(until or now, now + PENDING_RETRY_DELAY))
        return True

    async def _forfeit(
        self, tx: Transaction, stored: StoredEvent, table: TableRecord, missing: tuple[int, ...], seats: int
    ) -> None:
        """Decide a game without playing it, because the players in the ``missing`` seats are absent or have left."""
        stage, _, number, place = table.place
        outcome = Outcome((0,) * seats, missing, how="forfeited")
        await self._log.append(tx, stored, Result(stage, number, place, outcome))
        await events.update_table(tx, table, {"state": TableState.DECIDED})

    def _shuffled_game(self, stored: StoredEvent, table: TableRecord, players: Sequence[Player]) -> NewGame:
        """Return the game of a table, shuffled, with a provisional label."""
        material = self._settings.material.get(stored.running.specification.parameters.game, {})
        return new_table_game(stored, table.place, players, new_label(), material)

    async def _create_game(self, tx: Transaction, stored: StoredEvent, table: TableRecord, shuffled: NewGame) -> None:
        """Store the game of a table, and link the two.

        Raises:
            PlyConflictError: another process has created it.
        """
        label = await free_label(tx)
        new = replace(shuffled, code=label.code, name=label.name)
        game = await add_game(tx, new, self._clock.now(), opening=True)
        if not await events.update_table(tx, table, {"state": TableState.OPENING, "game_id": game.id}):
            raise PlyConflictError(table.event_id, table.place.number)
        place = dict(zip(("stage", "drawing", "round", "table"), table.place, strict=True))
        log.info("game of an event created", extra={**game_fields(game), "event": stored.record.code, **place})


async def unlocked_events(store: Store, event_ids: Sequence[int]) -> list[int]:
    """Return those of these events that no process is changing now, so that the caller does not have to wait."""
    if not event_ids:
        return []
    unlocked = await store.write(events.lock_available, event_ids)
    return [event_id for event_id in event_ids if event_id in unlocked]


log = logging.getLogger(__name__)


MAX_CHECK_SPACING: Final = timedelta(days=1)
"""The longest time between two checks of an event that is not over."""
DEADLINE_NOTICE: Final = timedelta(hours=72)
"""The time before a deadline at which the organisers are told which games are open."""
RETRY_DELAY: Final = timedelta(minutes=1)
"""The delay before an event whose check has failed is checked again."""
EVENT_BATCH_SIZE: Final = 20
"""The most events that are checked at a time."""
NO_ACCESS: Final = "no-access"
"""The reason for withdrawing a player who cannot see the event's channel any more."""


@dataclass(eq=False)
class EventGameSync:
    """Keeps the running games of an event in step with it: their players, and their results."""

    _store: Store
    _clock: Clock
    _log: EventLog
    _results: Results
    _moves: Moves
    _seats: Seats
    _seasons: SeasonGames

    async def settle(self, stored: StoredEvent) -> bool:
        """Update the players of the running games, and take missed results; return whether anything has changed.

        A player who has left the event leaves its games. A substitute takes over the seats of the player they replace.
        The games of a season of the ladder are not its own.
        """
        if await self._seasons.settle(stored):
            return True
        async with self._store.reading() as tx:
            tables = {
                table.game_id: table
                for table in await events.tables_of(tx, stored.record.id)
                if table.state in OPEN_STATES and table.game_id is not None
            }
            games_by_id = await games.by_ids(tx, tables)
        changed = False
        for game_id, table in tables.items():
            game = games_by_id.get(game_id)
            if isinstance(game, Game) and game.status is GameStatus.FINISHED:
                changed |= await self._take_missed_result(stored, game_id)
            elif isinstance(game, Game) and game.status is GameStatus.RUNNING:
                changed |= await self._settle_seats(stored, table, game)
        return changed

    async def _settle_seats(self, stored: StoredEvent, table: TableRecord, game: Game) -> bool:
        """Update the players of a running game; return whether any has changed."""
        drawn, event, changed = table_of(stored, table.place), stored.running, False
        people = people_at(event, stored.names(), table.place.stage, table.place.round, drawn)
        for seat, (player, person) in enumerate(zip(drawn.seats, people, strict=True)):
            user_id = game.seats[seat].user_id
            with suppress(HostError):
                if user_id is None:  # a computer has no substitute
                    if player in event.gone:
                        changed |= await self._seats.withdraw_computer(game.id, seat)
                    continue
                if player in event.gone:
                    if game.plays(user_id):
                        # No user has clicked: a negative id stands in for that of an interaction, so that repeating
                        # this is safe.
                        await self._moves.resign(game.id, user_id, -(game.id * 8 + seat + 1))
                        changed = True
                elif person is not None and person.user_id != user_id and game.plays(user_id):
                    await self._seats.take_over(game.id, user_id, person)
                    changed = True
        return changed

    async def _take_missed_result(self, stored: StoredEvent, game_id: int) -> bool:
        """Record the result of a finished game that is still open in the event; return True."""
        async with self._store.writing(event=stored.record.id) as tx:
            if await timers.due_at(tx, game_id, TimerKind.EVENT) is None:
                await timers.save(tx, Timer(game_id, TimerKind.EVENT, self._clock.now()))
        at = await self._store.read(timers.due_at, game_id, TimerKind.EVENT)
        if at is None:
            return True
        await self._results.take_result(Timer(game_id, TimerKind.EVENT, at))
        return True


@dataclass(eq=False)
class Driver:
    """Does automatically whatever is due in events."""

    _store: Store
    _clock: Clock
    _log: EventLog
    _starts: Starts
    _deadlines: Deadlines
    _game_sync: EventGameSync
    _access: ChannelAccess

    async def work(self) -> int:
        """Do what is due in all events; return the number of events checked."""
        due_events = await self._store.read(events.due, self._clock.now(), EVENT_BATCH_SIZE)
        unlocked = await unlocked_events(self._store, due_events)
        for event_id in unlocked:
            try:
                with suppress(PlyConflictError):  # another process was quicker; the event is checked again later
                    await self.drive(event_id)
            except UnavailableError:
                raise  # the event could not be postponed either
            except Exception as error:  # noqa: BLE001 - one event must not hold up the others
                log_failure(log, "an event could not be driven", error, {"event": event_id})
                async with self._store.writing(event=event_id) as tx:
                    await events.update_event(tx, event_id, {"look_at": self._clock.now() + RETRY_DELAY})
        return len(unlocked)

    async def drive(self, event_id: int) -> None:
        """Do what is due in one event, step by step, and store when to check it again.

        Raises:
            PlyConflictError: another process has changed the event.
        """
        while True:
            stored = await self._store.read(self._log.snapshot, event_id)
            match stored.record.state:
                case EventState.OPEN | EventState.CHECK_IN:
                    done = await self._check_start(stored)
                case EventState.PAUSED:
                    done = await self._deadlines.end_pause(stored)
                case EventState.RUNNING:
                    done = await self._progress(stored)
                case EventState.DRAFT | EventState.FINISHED | EventState.CLOSED:
                    done = True
                case never:
                    assert_never(never)
            if done and await self._schedule_check(stored):
                return

    # -- before the start -----------------------------------------------------------------------------------------

    async def _check_start(self, stored: StoredEvent) -> bool:
        """Begin check-in or the event itself if it is time; return True if there is nothing left to do now.

        If the event cannot start, for example with too few entries, the organisers are told once a day.
        """
        now, plan, record = self._clock.now(), stored.plan, stored.record
        check_in_time = check_in_at(plan)
        if record.state is EventState.OPEN and check_in_time is not None and check_in_time <= now:
            async with self._store.writing(event=stored.record.id) as tx:
                await self._starts.ask_to_check_in(tx, stored)
            return False
        if plan.starts_at is None or plan.starts_at > now:
            return True
        without_access = await self._starts.entrants_without_access(record.id)
        try:
            async with self._store.writing(event=stored.record.id) as tx:
                await self._starts.start_in(tx, await self._log.lock(tx, record.id), without_access, 0)
        except HostError as error:
            if error.code is ErrorCode.EVENT_STARTED:
                return False  # an organiser was quicker
            details = {name: value for name, value in error.values.items() if isinstance(value, int | str)}
            async with self._store.writing(event=stored.record.id) as tx:
                mark = f"few{now.date().isoformat()}"
                details[REFUSAL_DETAIL] = str(error.code)
                await self._log.post(tx, record.id, EventPostKind.TOO_FEW, mark, details=details)
            return True
        return False

    # -- while it is played ---------------------------------------------------------------------------------------

    async def _progress(self, stored: StoredEvent) -> bool:
        """Do the next thing that is due in a running event; return True if there is nothing left to do now."""
        if await self._game_sync.settle(stored) or await self._withdraw_lonely_computers(stored):
            return False
        event = stored.running
        fact = await asyncio.to_thread(due, event)
        if fact is None:
            if event.finished:
                await self._finish(stored)
                return False
            await self._announce_deadlines(stored)
            return True
        if isinstance(fact, RoundDrawn) and not self._may_open(stored, fact):
            await self._ask_for_opening(stored, fact)
            return True
        if isinstance(fact, RoundDrawn) and await self._withdraw_without_access(stored):
            return False
        async with self._store.writing(event=stored.record.id) as tx:
            await self._post_results(tx, stored, fact)
            after = await self._log.append(tx, stored, fact)
            await events.update_event(tx, stored.record.id, {"waits_since": None})
        log.info(
            "fact added", extra={"event": stored.record.code, "facts": len(after.facts), "fact": type(fact).__name__}
        )
        return False

    def _may_open(self, stored: StoredEvent, fact: RoundDrawn) -> bool:
        """Return whether a round may open now, depending on the plan.

        Rounds open automatically, or when an organiser releases them. If no organiser is active, a round opens after
        ``ORGANISER_ABSENCE``. A stage may open its rounds in blocks of several (``together``); then only the first of a
        block has to wait.
        """
        record, plan = stored.record, stored.running.plans[fact.stage - 1]
        if plan.kind == SEASON:  # its round has no games yet
            return True
        together = plan.together
        earlier_rounds = fact.round - 1
        is_first_of_block = earlier_rounds % together == 0 if together else earlier_rounds == 0
        if not is_first_of_block:
            return True
        waited = record.waits_since is not None and self._clock.now() - record.waits_since >= ORGANISER_ABSENCE
        return stored.plan.rounds == "auto" or record.released == len(stored.facts) or waited

    async def _ask_for_opening(self, stored: StoredEvent, fact: RoundDrawn) -> None:
        """Ask the organisers, once, to open a round."""
        if stored.record.waits_since is None:
            async with self._store.writing(event=stored.record.id) as tx:
                await events.update_event(tx, stored.record.id, {"waits_since": self._clock.now()})
                await self._post_results(tx, stored, fact)
                await self._log.post(
                    tx, stored.record.id, EventPostKind.NEEDED, len(stored.facts), fact.stage, fact.round
                )

    async def _post_results(self, tx: Transaction, stored: StoredEvent, fact: Fact) -> None:
        """Post the standings after a round, if a fact is the next draw or the end of the stage."""
        state = stored.running.stage
        if not isinstance(fact, RoundDrawn | StageEnded) or state is None or not state.rounds or not state.decided:
            return
        last = state.rounds[-1].number
        await self._log.post(tx, stored.record.id, EventPostKind.RESULTS, f"{state.number}.{last}", state.number, last)

    async def _withdraw_without_access(self, stored: StoredEvent) -> bool:
        """Withdraw players who cannot see the event's channel any more; return whether there were any.

        This happens before each draw. Teams are not affected, since their members can replace each other.
        """
        event = stored.running
        if event.specification.entries[0].roster:
            return False
        people = {number: stored.person(number) for number in range(len(event.entries)) if number not in event.gone}
        number_of_user = {person.user_id: number for number, person in people.items() if person is not None}
        without_access = await self._access.users_without_access(stored.record, number_of_user)
        if not without_access:
            return False
        async with self._store.writing(event=stored.record.id) as tx:
            for number in [number_of_user[user_id] for user_id in without_access]:
                stored = await self._log.append(tx, stored, Withdrawal(number, NO_ACCESS))
        return True

    async def _withdraw_lonely_computers(self, stored: StoredEvent) -> bool:
        """Withdraw the computers of a practice event when all people have left it; return whether there were any."""
        event, computers = stored.running, {computer_key(computer) for computer in stored.plan.computers}
        left = [number for number in range(len(event.entries)) if number not in event.gone]
        if not left or not all(event.entries[number].key in computers for number in left):
            return False
        async with self._store.writing(event=stored.record.id) as tx:
            for number in left:
                stored = await self._log.append(tx, stored, Withdrawal(number, NO_PEOPLE))
        return True

    async def _announce_deadlines(self, stored: StoredEvent) -> None:
        """Tell the organisers before the deadline of a round (``DEADLINE_NOTICE``) which of its games are open."""
        now, event = self._clock.now(), stored.running
        async with self._store.writing(event=stored.record.id) as tx:
            open_by_round: dict[tuple[int, int], list[tuple[int, datetime]]] = {}
            for table in await events.tables_of(tx, stored.record.id):
                if table.state is TableState.OPEN and table.deadline is not None:
                    place = table.place
                    open_by_round.setdefault((place.stage, place.round), []).append((place.number, table.deadline))
            for (stage, number), open_tables in open_by_round.items():
                last_deadline = max(deadline for _, deadline in open_tables)
                if last_deadline - DEADLINE_NOTICE <= now:
                    mark = f"{stage}.{number}.{event.extended.get((stage, number), 0)}"
                    details = {"tables": [place for place, _ in open_tables], "until": int(last_deadline.timestamp())}
                    await self._log.post(
                        tx, stored.record.id, EventPostKind.DEADLINE, mark, stage, number, details=details
                    )

    async def _finish(self, stored: StoredEvent) -> None:
        """Finish an event whose games are all decided, and post its winners; this reveals its seed."""
        now = self._clock.now()
        async with self._store.writing(event=stored.record.id) as tx:
            values = {"state": EventState.FINISHED, "finished_at": now, "look_at": None}
            if await events.update_event(tx, stored.record.id, values, EventState.RUNNING):
                await self._log.post(tx, stored.record.id, EventPostKind.FINISHED, "end")
        log.info("event finished", extra={"event": stored.record.code, "facts": len(stored.facts)})

    # -- when to look again ---------------------------------------------------------------------------------------

    async def _schedule_check(self, stored: StoredEvent) -> bool:
        """Store when to check an event again; return False if it has changed since it was read."""
        now = self._clock.now()
        async with self._store.writing(event=stored.record.id) as tx:
            record = await self._log.find(tx, stored.record.id)
            unchanged = (record.facts, record.state, record.released) == (
                stored.record.facts,
                stored.record.state,
                stored.record.released,
            )
            if not unchanged:
                return False
            await events.update_event(tx, record.id, {"look_at": await self._next_check(tx, stored, now)})
            if stored.record.state not in ENDED_STATES and self._log.is_inherited(stored.record):
                mark = int(stored.record.tended_at.timestamp()) // 60
                await self._log.post(tx, stored.record.id, EventPostKind.INHERITED, mark)
        return True

    async def _next_check(self, tx: Transaction, stored: StoredEvent, now: datetime) -> datetime | None:
        """Return the next time at which something may be due in an event; None if only a user can cause it."""
        record, plan = stored.record, stored.plan
        if record.state in ENDED_STATES or record.state is EventState.DRAFT:
            return None
        times: list[datetime | None] = [
            now + MAX_CHECK_SPACING,
            record.pause_ends_at,
            record.tended_at + ORGANISER_ABSENCE,
        ]
        if record.state in SIGN_UP_STATES:
            times += [check_in_at(plan) if record.state is EventState.OPEN else None, plan.starts_at]
        if record.waits_since is not None:
            times.append(record.waits_since + ORGANISER_ABSENCE)
        for table in await events.tables_of(tx, record.id):
            if table.state is TableState.OPEN and table.deadline is not None:
                times.append(table.deadline - DEADLINE_NOTICE)
        times += season_check_times(stored, now)
        return min(time for time in times if time is not None and time > now)
