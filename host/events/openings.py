"""Create the games of a round, each in one transaction with the post that announces it.

The connected client opens the thread under that post and reports it. Only then the game's first card is due, and only
with that card its clocks start.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from host.clock import Clock
from host.events.log import EventLog
from host.events.stored import StoredEvent
from host.events.tables import new_table_game, people_at, table_of
from host.games import end_dates, timekeeping
from host.games.outbox import Outbox, move_post
from host.naming import new_label
from host.observability import game_fields, log_failure
from host.retry import Precomputed, run_with_precomputed
from host.settings import HostSettings
from host.timing.timeouts import MEMBERSHIP_CHECK_INTERVAL
from store import (
    EventPostKind,
    EventState,
    Game,
    GameStatus,
    NewGame,
    NewPost,
    Person,
    PlyConflictError,
    PostKind,
    Store,
    TableRecord,
    TableState,
    Timer,
    TimerKind,
    Transaction,
    UnavailableError,
    events,
    games,
    outbox,
    timers,
)
from tournaments.facts import Result
from tournaments.points import Outcome

log = logging.getLogger(__name__)


THREAD_LIMIT_DELAY: Final = timedelta(minutes=10)
"""Wait before the next game after Discord has refused another thread."""
TABLE_BATCH_SIZE: Final = 20
"""Games created at a time at most."""
PENDING_RETRY_DELAY: Final = timedelta(minutes=1)


def opening_post(game: Game) -> NewPost:
    """Return the message in the event's channel under which a game has its thread."""
    return NewPost(game_id=game.id, from_ply=0, ply=0, kind=PostKind.OPENING, nonce=f"{game.code}-open")


@dataclass(eq=False)
class TableOpenings:
    """Creates the games of the tables of rounds."""

    _store: Store
    _clock: Clock
    _settings: HostSettings
    _outbox: Outbox
    _log: EventLog

    async def open_tables(self) -> int:
        """Create the games that are due; return the number of tables examined."""
        async with self._store.reading() as tx:
            due = await events.tables_to_open(tx, self._clock.now(), TABLE_BATCH_SIZE)
        free = await unlocked_events(self._store, [table.event_id for table in due])
        found = [table for table in due if table.event_id in free]
        for table in found:
            try:
                with suppress(PlyConflictError):  # somebody else was quicker
                    await run_with_precomputed(partial(self._open_table, table))
            except UnavailableError:
                raise  # nothing could be put off either
            except Exception as error:  # noqa: BLE001 - one table must not hold up the others
                log_failure(log, "a table could not be opened", error, {"event": table.event_id})
                async with self._store.writing(event=table.event_id) as tx:
                    await events.change_table(tx, table, {"due_at": self._clock.now() + PENDING_RETRY_DELAY})
        return len(found)

    async def opened(self, game_id: int, thread_id: int) -> None:
        """Record the thread of a table: its cards go there and its time begins. A repeated call changes nothing."""
        now = self._clock.now()
        async with self._outbox.writing() as tx:
            table = await self._held_table(tx, game_id)
            game = await games.get(tx, game_id)
            await games.set_thread(tx, game_id, thread_id)
            await outbox.try_again(tx, now, game_id=game_id)
            if table is None or table.state is not TableState.OPENING:
                return
            known = await self._log.known(tx, table.event_id)
            deadline = self._deadline(known, table, now)
            await events.change_table(tx, table, {"state": TableState.OPEN, "opened_at": now, "deadline": deadline})
            if game.status is not GameStatus.FINISHED:
                await end_dates.put_end_date(tx, game, deadline, now)
            await events.look(tx, table.event_id, now)

    async def no_room(self, game_id: int) -> datetime | None:
        """Pause the opening of an event's games because Discord refused a thread; return until when."""
        now = self._clock.now()
        async with self._store.writing() as tx:
            table = await self._held_table(tx, game_id)
            if table is None:
                return None
            until = now + THREAD_LIMIT_DELAY
            await events.change(tx, table.event_id, {"full_until": until})
            await events.put_off_tables(tx, table.event_id, until)
            place = table.place
            mark = f"{place.stage}.{place.round}.{place.drawing}"
            await self._log.post(tx, table.event_id, EventPostKind.FULL, mark, place.stage, place.round)
            return until

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _held_table(self, tx: Transaction, game_id: int) -> TableRecord | None:
        """Return the table of a game, with its event locked."""
        table = await events.table_of_game(tx, game_id)
        if table is None:
            return None
        await events.lock(tx, table.event_id)
        return await events.table_of_game(tx, game_id)

    def _deadline(self, known: StoredEvent, table: TableRecord, opened_at: datetime) -> datetime:
        event, place = known.running, table.place
        days = event.extended.get((place.stage, place.round), 0)
        return opened_at + timedelta(weeks=event.plans[place.stage - 1].weeks, days=days)

    async def _open_table(self, table: TableRecord, precomputed: Precomputed) -> None:
        async with self._outbox.writing(event=table.event_id) as tx:
            known = await self._log.known(tx, table.event_id)
            if await self._must_wait(tx, known, table):
                return
            drawn = table_of(known, table.place)
            event, place = known.running, table.place
            if event.outcome(place.stage, place.round, place.number) is not None:
                await events.change_table(tx, table, {"state": TableState.DECIDED})
                return
            people = people_at(event, known.names(), place.stage, place.round, drawn, locked=True)
            missing = tuple(
                seat
                for seat, (person, player) in enumerate(zip(people, drawn.seats, strict=True))
                if person is None or player in event.gone
            )
            if missing and len(people) - len(missing) < 2:
                await self._forfeit(tx, known, table, missing, len(people))
                return
            present = tuple(person for person in people if person is not None)
            new = precomputed.of((known.record.code, place, present), lambda: self._drawn_up(known, table, present))
            await self._found(tx, known, table, new)

    async def _must_wait(self, tx: Transaction, known: StoredEvent, table: TableRecord) -> bool:
        """Return whether games of the event have to wait, and store when to try again."""
        now, record = self._clock.now(), known.record
        if record.state is EventState.RUNNING and (record.full_until is None or record.full_until <= now):
            return False
        until = record.full_until if record.state is EventState.RUNNING else record.pause_ends_at
        if record.state in (EventState.CLOSED, EventState.FINISHED):
            await events.change_table(tx, table, {"state": TableState.VOID})
        else:
            await events.put_off_tables(tx, record.id, max(until or now, now + PENDING_RETRY_DELAY))
        return True

    async def _forfeit(
        self, tx: Transaction, known: StoredEvent, table: TableRecord, missing: tuple[int, ...], seats: int
    ) -> None:
        """Forfeit a game that cannot be played because a side is missing or has left."""
        stage, _, number, place = table.place
        outcome = Outcome((0,) * seats, missing, how="forfeited")
        await self._log.append(tx, known, Result(stage, number, place, outcome))
        await events.change_table(tx, table, {"state": TableState.DECIDED})

    def _drawn_up(self, known: StoredEvent, table: TableRecord, people: Sequence[Person]) -> NewGame:
        """Return the game of a table, shuffled, under a provisional label."""
        material = self._settings.material.get(known.running.specification.parameters.game, {})
        return new_table_game(known, table.place, people, new_label(), material)

    async def _found(self, tx: Transaction, known: StoredEvent, table: TableRecord, drawn_up: NewGame) -> None:
        label = new_label()
        while await games.is_taken(tx, label.code):
            label = new_label()
        game = await add_game(tx, replace(drawn_up, code=label.code, name=label.name), self._clock.now())
        if not await events.change_table(tx, table, {"state": TableState.OPENING, "game_id": game.id}):
            raise PlyConflictError(table.event_id, table.place.number)
        place = dict(zip(("stage", "drawing", "round", "table"), table.place, strict=True))
        log.info("table of an event founded", extra={**game_fields(game), "event": known.record.code, **place})


async def add_game(tx: Transaction, new: NewGame, now: datetime) -> Game:
    """Add a game with its clocks and posts: first its place, then its first card."""
    game_id = await games.add(tx, new, now)
    await timekeeping.begin(tx, game_id, new, now)
    game = await games.get(tx, game_id)
    await timekeeping.seat_player(tx, game, now)
    await timers.put(tx, Timer(game_id, TimerKind.PRESENT, now + MEMBERSHIP_CHECK_INTERVAL))
    await outbox.add(tx, opening_post(game), now)
    await outbox.add(tx, move_post(game, 0, 0, PostKind.START), now)
    return game


async def unlocked_events(store: Store, event_ids: Sequence[int]) -> list[int]:
    """Return those of some events that no one is changing at the moment, so that none has to wait for a slow one."""
    if not event_ids:
        return []
    async with store.writing() as tx:
        free = await events.lock_free(tx, event_ids)
    return [event_id for event_id in event_ids if event_id in free]
