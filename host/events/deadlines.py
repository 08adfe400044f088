"""Deadlines of rounds and games that organisers move, and pauses of whole events."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.log import EventLog
from host.events.stored import StoredEvent
from host.events.tables import (
    EXTENDED_GAME,
    OPEN_STATES,
    check_running,
    extended_games,
    open_rows,
    plays,
    rows_of,
    running_games,
)
from host.events.views import MAX_EVENT_PAUSE_DAYS, MAX_EXTENSION_DAYS, EventView
from host.games import end_dates, timekeeping
from host.games.outbox import Outbox
from host.rights import Asker
from store import (
    EventPostKind,
    EventState,
    Game,
    GameStatus,
    Pause,
    Store,
    TableRecord,
    Timer,
    TimerKind,
    Transaction,
    clocks,
    events,
    games,
    outbox,
    timers,
)
from tournaments.facts import Extended


@dataclass(eq=False)
class Deadlines:
    """Gives rounds and games more time, and pauses events."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _log: EventLog

    async def extend(
        self, ref: int | str, asker: Asker, at: tuple[int, int], days: int, reason: str, interaction_id: int
    ) -> EventView:
        """Move the deadline of a round (stage, number), once and with a reason; games extended before are left alone.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``bad_extension``,
                ``no_such_table``, ``extended_already``, ``own_game``.
        """
        async with self._outbox.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if await self._log.repeated(tx, interaction_id):
                return self._log.shown(known)
            check_running(known)
            if not (0 < days <= MAX_EXTENSION_DAYS and reason.strip()):
                raise HostError(ErrorCode.BAD_EXTENSION, most=MAX_EXTENSION_DAYS)
            stage, number = at
            rows = [row for row in await rows_of(tx, known, stage, number) if row.state in OPEN_STATES]
            known.running.round(stage, number) if rows else None
            if any(plays(known, row.place, asker.user_id) for row in rows):
                raise HostError(ErrorCode.OWN_GAME, code=known.record.code)
            await self._log.append(tx, known, Extended(stage, number, days, reason.strip()), asker.user_id)
            await self._shift(tx, rows, timedelta(days=days), but=await extended_games(tx, known))
            details = {"days": days, "reason": reason.strip()}
            await self._log.post(
                tx, known.record.id, EventPostKind.EXTENDED, f"{stage}.{number}", stage, number, details=details
            )
            await self._log.note(tx, known.record.id, asker.user_id, "extended", stage=stage, round=number, **details)
            return await self._log.view(tx, known.record.id)

    async def extend_game(
        self, game: Game, asker: Asker, ends_at: datetime | None, reason: str, interaction_id: int
    ) -> None:
        """Extend one game, once and with a reason; its players are told.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``game_over``, ``own_game``,
                ``bad_extension``, ``game_extended``.
        """
        async with self._store.reading() as tx:
            row = await events.table_of_game(tx, game.id)
        if row is None:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=game.code)
        async with self._outbox.writing(event=row.event_id, game=game.id) as tx:
            row = await events.table_of_game(tx, game.id) or row
            known = await self._log.organised(tx, row.event_id, asker)
            if await self._log.repeated(tx, interaction_id):
                return
            check_running(known)
            later = await self._more_time(tx, known, row, asker, ends_at, reason)
            now, game = self._clock.now(), await games.get(tx, game.id)
            await events.change_table(tx, row, {"deadline": ends_at})
            await end_dates.put_end_date(tx, game, ends_at, now)
            await outbox.add(tx, end_dates.ending_notice(await games.get(tx, game.id), now), now)
            place = {"stage": row.place.stage, "round": row.place.round, "table": row.place.number}
            details = {**place, "game": game.code, "hours": later // timedelta(hours=1), "reason": reason.strip()}
            await self._log.note(tx, row.event_id, asker.user_id, EXTENDED_GAME, **details)

    async def pause(self, ref: int | str, asker: Asker, days: int, interaction_id: int) -> EventView:
        """Pause an event for some days: no round opens, and the clocks of its games stop.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``event_paused``,
                ``bad_extension``.
        """
        async with self._store.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if await self._log.repeated(tx, interaction_id):
                return self._log.shown(known)
            if known.record.state is EventState.PAUSED:
                raise HostError(ErrorCode.EVENT_PAUSED, code=known.record.code)
            check_running(known)
            if not 0 < days <= MAX_EVENT_PAUSE_DAYS:
                raise HostError(ErrorCode.BAD_EXTENSION, most=MAX_EVENT_PAUSE_DAYS)
            now = self._clock.now()
            until = now + timedelta(days=days)
            values = {"state": EventState.PAUSED, "paused_at": now, "pause_ends_at": until}
            await events.change(tx, known.record.id, values, EventState.RUNNING)
            await events.put_off_tables(tx, known.record.id, until)
            for _, game in await running_games(tx, known):
                await clocks.end_pause(tx, game.id)
                await clocks.begin_pause(tx, Pause(game.id, until, (asker.user_id,)))
                await timers.put(tx, Timer(game.id, TimerKind.RESUME, until))
                await timekeeping.settle_clocks(tx, game, now)
            await self._shift(tx, await open_rows(tx, known), until - now)
            await events.look(tx, known.record.id, now)
            await self._log.post(
                tx,
                known.record.id,
                EventPostKind.PAUSED,
                int(now.timestamp()) // 60,
                details={"until": int(until.timestamp())},
            )
            await self._log.note(tx, known.record.id, asker.user_id, "paused", days=days)
            return await self._log.view(tx, known.record.id)

    async def resume(self, ref: int | str, asker: Asker, interaction_id: int) -> EventView:
        """Resume a paused event.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_paused``.
        """
        async with self._outbox.writing() as tx:
            known = await self._log.organised(tx, ref, asker)
            if not await self._log.repeated(tx, interaction_id):
                if known.record.state is not EventState.PAUSED:
                    raise HostError(ErrorCode.EVENT_NOT_PAUSED, code=known.record.code)
                await self._resume(tx, known)
                await self._log.note(tx, known.record.id, asker.user_id, "resumed")
            return await self._log.view(tx, known.record.id)

    async def end_pause(self, known: StoredEvent) -> bool:
        """Resume an event whose pause is over; return True if nothing is left to do."""
        ends_at = known.record.pause_ends_at
        if ends_at is not None and ends_at > self._clock.now():
            return True
        async with self._outbox.writing(event=known.record.id) as tx:
            await self._resume(tx, await self._log.known(tx, known.record.id))
        return False

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _more_time(
        self, tx: Transaction, known: StoredEvent, row: TableRecord, asker: Asker, ends_at: datetime | None, reason: str
    ) -> timedelta:
        """Return the time by which a game is extended; a game is extended once, alone or with its round.

        Raises:
            HostError: ``game_over``, ``own_game``, ``bad_extension``, ``game_extended``.
        """
        game, place = await games.get(tx, row.game_id or 0), row.place
        if row.state not in OPEN_STATES or game.status is GameStatus.FINISHED:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if plays(known, place, asker.user_id):
            raise HostError(ErrorCode.OWN_GAME, code=known.record.code)
        with_its_round = (place.stage, place.round) in known.running.extended
        if with_its_round or game.code in await extended_games(tx, known):
            raise HostError(ErrorCode.GAME_EXTENDED, code=game.code)
        later = timedelta(0) if ends_at is None or row.deadline is None else ends_at - row.deadline
        if not (timedelta(0) < later <= timedelta(days=MAX_EXTENSION_DAYS) and reason.strip()):
            raise HostError(ErrorCode.BAD_EXTENSION, most=MAX_EXTENSION_DAYS)
        return later

    async def _shift(self, tx: Transaction, rows: list[TableRecord], by: timedelta, but: Collection[str] = ()) -> None:
        """Move the deadlines of open tables, those of some games (by their codes) left as they are."""
        for row in rows:
            if row.deadline is None or row.game_id is None:
                continue
            game = await games.get(tx, row.game_id)
            if game.code in but:
                continue
            deadline = row.deadline + by
            await events.change_table(tx, row, {"deadline": deadline})
            if game.status is not GameStatus.FINISHED:
                await end_dates.put_end_date(tx, game, deadline, self._clock.now())

    async def _resume(self, tx: Transaction, known: StoredEvent) -> None:
        if known.record.state is not EventState.PAUSED:
            return
        now = self._clock.now()
        ends_at: datetime = known.record.pause_ends_at or now
        values = {"state": EventState.RUNNING, "paused_at": None, "pause_ends_at": None, "look_at": now}
        await events.change(tx, known.record.id, values, EventState.PAUSED)
        await self._shift(tx, await open_rows(tx, known), min(now - ends_at, timedelta(0)))
        await events.bring_tables_forward(tx, known.record.id, now)
        for _, game in await running_games(tx, known):
            await clocks.end_pause(tx, game.id)
            await timers.stop(tx, game.id, [TimerKind.RESUME])
            await timekeeping.settle_clocks(tx, game, now)
        await self._log.post(tx, known.record.id, EventPostKind.RESUMED, int(ends_at.timestamp()) // 60)
