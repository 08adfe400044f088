"""Pauses of events, deadlines that are moved, and the tables that they concern."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from host.agreements import end_dates
from host.errors import ErrorCode, HostError
from host.events.games.results import Results
from host.events.games.tables import table_of
from host.events.views.known import Known
from host.events.views.values import MOST_EXTENSION, MOST_PAUSE, EventView
from host.play import holding
from host.rights import Asker
from store import (
    EventPostKind,
    EventState,
    Game,
    GameStatus,
    Pause,
    TablePlace,
    TableRecord,
    TableState,
    Timer,
    TimerKind,
    Transaction,
    clocks,
    event_tables,
    events,
    games,
    outbox,
    timers,
)
from tournaments.facts import Extended

OPEN = (TableState.OPENING, TableState.OPEN)
"""States of tables at which somebody plays."""
EXTENDED_GAME: Final = "extended_game"
"""What the audit log calls it when the deadline of a single game is moved."""


class Resting(Results):
    """Events that rest, or are given more time."""

    async def extend(
        self, ref: int | str, asker: Asker, at: tuple[int, int], days: int, reason: str, interaction_id: int
    ) -> EventView:
        """Move the deadline of a round (stage, number), once, with a reason; not of games that had more time already.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``bad_extension``,
                ``no_such_table``, ``extended_already``, ``own_game``.
        """
        async with self._messages.writing() as tx:
            known = await self._organised(tx, ref, asker)
            if await self._repeated(tx, interaction_id):
                return self._shown(known)
            self._check_going(known)
            if not (0 < days <= MOST_EXTENSION and reason.strip()):
                raise HostError(ErrorCode.BAD_EXTENSION, most=MOST_EXTENSION)
            stage, number = at
            rows = [row for row in await self._rows(tx, known, stage, number) if row.state in OPEN]
            known.running.round(stage, number) if rows else None
            if any(self._plays(known, row.place, asker.user_id) for row in rows):
                raise HostError(ErrorCode.OWN_GAME, code=known.record.code)
            await self._append(tx, known, Extended(stage, number, days, reason.strip()), asker.user_id)
            await self._shift(tx, rows, timedelta(days=days), but=await self._extended_games(tx, known))
            details = {"days": days, "reason": reason.strip()}
            await self._post(
                tx, known.record.id, EventPostKind.EXTENDED, f"{stage}.{number}", stage, number, details=details
            )
            await self._note(tx, known.record.id, asker.user_id, "extended", stage=stage, round=number, **details)
            return self._shown(await self._known(tx, known.record.id))

    async def extend_game(
        self, game: Game, asker: Asker, ends_at: datetime | None, reason: str, interaction_id: int
    ) -> None:
        """Let one game end later, once, with a reason; those who play it are told.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``game_over``, ``own_game``,
                ``bad_extension``, ``game_extended``.
        """
        async with self._store.reading() as tx:
            row = await event_tables.of_game(tx, game.id)
        if row is None:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=game.code)
        async with self._messages.writing(event=row.event_id, game=game.id) as tx:
            row = await event_tables.of_game(tx, game.id) or row
            known = await self._organised(tx, row.event_id, asker)
            if await self._repeated(tx, interaction_id):
                return
            self._check_going(known)
            later = await self._more_time(tx, known, row, asker, ends_at, reason)
            now, game = self._clock.now(), await games.get(tx, game.id)
            await event_tables.change(tx, row, {"deadline": ends_at})
            await end_dates.put(tx, game, ends_at, now)
            await outbox.add(tx, end_dates.told(await games.get(tx, game.id), now), now)
            place = {"stage": row.place.stage, "round": row.place.round, "table": row.place.number}
            details = {**place, "game": game.code, "hours": later // timedelta(hours=1), "reason": reason.strip()}
            await self._note(tx, row.event_id, asker.user_id, EXTENDED_GAME, **details)

    async def pause(self, ref: int | str, asker: Asker, days: int, interaction_id: int) -> EventView:
        """Let an event rest for some days: no round opens, and the clocks of its games stand still.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_running``, ``event_paused``,
                ``bad_extension``.
        """
        async with self._store.writing() as tx:
            known = await self._organised(tx, ref, asker)
            if await self._repeated(tx, interaction_id):
                return self._shown(known)
            if known.record.state is EventState.PAUSED:
                raise HostError(ErrorCode.EVENT_PAUSED, code=known.record.code)
            self._check_going(known)
            if not 0 < days <= MOST_PAUSE:
                raise HostError(ErrorCode.BAD_EXTENSION, most=MOST_PAUSE)
            now = self._clock.now()
            until = now + timedelta(days=days)
            values = {"state": EventState.PAUSED, "paused_at": now, "pause_ends_at": until}
            await events.change(tx, known.record.id, values, EventState.RUNNING)
            await event_tables.put_off(tx, known.record.id, until)
            for _, game in await self._running_games(tx, known):
                await clocks.end_pause(tx, game.id)
                await clocks.begin_pause(tx, Pause(game.id, until, (asker.user_id,)))
                await timers.put(tx, Timer(game.id, TimerKind.RESUME, until))
                await holding.settle(tx, game, now)
            await self._shift(tx, await self._open_rows(tx, known), until - now)
            await events.look(tx, known.record.id, now)
            await self._post(
                tx,
                known.record.id,
                EventPostKind.PAUSED,
                int(now.timestamp()) // 60,
                details={"until": int(until.timestamp())},
            )
            await self._note(tx, known.record.id, asker.user_id, "paused", days=days)
            return self._shown(await self._known(tx, known.record.id))

    async def resume(self, ref: int | str, asker: Asker, interaction_id: int) -> EventView:
        """Let an event go on that rests.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``, ``event_not_paused``.
        """
        async with self._messages.writing() as tx:
            known = await self._organised(tx, ref, asker)
            if not await self._repeated(tx, interaction_id):
                if known.record.state is not EventState.PAUSED:
                    raise HostError(ErrorCode.EVENT_NOT_PAUSED, code=known.record.code)
                await self._resume(tx, known)
                await self._note(tx, known.record.id, asker.user_id, "resumed")
            return self._shown(await self._known(tx, known.record.id))

    # -- inside ---------------------------------------------------------------------------------------------------

    def _check_going(self, known: Known) -> None:
        if known.record.state is not EventState.RUNNING:
            raise HostError(ErrorCode.EVENT_NOT_RUNNING, code=known.record.code)

    async def _more_time(
        self, tx: Transaction, known: Known, row: TableRecord, asker: Asker, ends_at: datetime | None, reason: str
    ) -> timedelta:
        """How much longer a game is to be played; once, be it with its round.

        Raises:
            HostError: ``game_over``, ``own_game``, ``bad_extension``, ``game_extended``.
        """
        game, place = await games.get(tx, row.game_id or 0), row.place
        if row.state not in OPEN or game.status is GameStatus.FINISHED:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if self._plays(known, place, asker.user_id):
            raise HostError(ErrorCode.OWN_GAME, code=known.record.code)
        with_its_round = (place.stage, place.round) in known.running.extended
        if with_its_round or game.code in await self._extended_games(tx, known):
            raise HostError(ErrorCode.GAME_EXTENDED, code=game.code)
        later = timedelta(0) if ends_at is None or row.deadline is None else ends_at - row.deadline
        if not (timedelta(0) < later <= timedelta(days=MOST_EXTENSION) and reason.strip()):
            raise HostError(ErrorCode.BAD_EXTENSION, most=MOST_EXTENSION)
        return later

    async def _extended_games(self, tx: Transaction, known: Known) -> set[str]:
        """The games, by their codes, that were given more time each by itself."""
        return {str(line.details["game"]) for line in await events.audit_of(tx, known.record.id, EXTENDED_GAME)}

    def _plays(self, known: Known, place: TablePlace, user_id: int) -> bool:
        """Whether somebody plays at a table himself."""
        number = known.number_of(user_id)
        return number is not None and number in table_of(known, place).seats

    async def _check_not_own(self, tx: Transaction, known: Known, asker: Asker, user_id: int) -> None:
        """Make sure that who organises does not sit at a table now with somebody about whom he decides, nor is it he.

        Raises:
            HostError: ``own_game``.
        """
        other = known.number_of(user_id)
        for row in await self._open_rows(tx, known):
            if self._plays(known, row.place, asker.user_id) and other in table_of(known, row.place).seats:
                raise HostError(ErrorCode.OWN_GAME, code=known.record.code)

    async def _rows(self, tx: Transaction, known: Known, stage: int, number: int) -> list[TableRecord]:
        rows = await event_tables.of_event(tx, known.record.id)
        return [
            row
            for row in rows
            if (row.place.stage, row.place.round) == (stage, number) and row.state is not TableState.VOID
        ]

    async def _open_rows(self, tx: Transaction, known: Known) -> list[TableRecord]:
        return [row for row in await event_tables.of_event(tx, known.record.id) if row.state in OPEN]

    async def _running_games(self, tx: Transaction, known: Known) -> list[tuple[TableRecord, Game]]:
        rows = [row for row in await self._open_rows(tx, known) if row.game_id is not None]
        found = await games.some(tx, [row.game_id for row in rows if row.game_id is not None])
        pairs = [(row, found.get(row.game_id or 0)) for row in rows]
        return [(row, game) for row, game in pairs if isinstance(game, Game) and game.status is not GameStatus.FINISHED]

    async def _shift(self, tx: Transaction, rows: list[TableRecord], by: timedelta, but: Collection[str] = ()) -> None:
        """Move the deadlines of open tables, those of some games (by their codes) left as they are."""
        for row in rows:
            if row.deadline is None or row.game_id is None:
                continue
            game = await games.get(tx, row.game_id)
            if game.code in but:
                continue
            deadline = row.deadline + by
            await event_tables.change(tx, row, {"deadline": deadline})
            if game.status is not GameStatus.FINISHED:
                await end_dates.put(tx, game, deadline, self._clock.now())

    async def _end_pause(self, known: Known) -> bool:
        """Let an event go on whose pause has lasted long enough; whether nothing is left to do."""
        ends_at = known.record.pause_ends_at
        if ends_at is not None and ends_at > self._clock.now():
            return True
        async with self._messages.writing(event=known.record.id) as tx:
            await self._resume(tx, await self._known(tx, known.record.id))
        return False

    async def _resume(self, tx: Transaction, known: Known) -> None:
        if known.record.state is not EventState.PAUSED:
            return
        now = self._clock.now()
        ends_at: datetime = known.record.pause_ends_at or now
        values = {"state": EventState.RUNNING, "paused_at": None, "pause_ends_at": None, "look_at": now}
        await events.change(tx, known.record.id, values, EventState.PAUSED)
        await self._shift(tx, await self._open_rows(tx, known), min(now - ends_at, timedelta(0)))
        await event_tables.bring_forward(tx, known.record.id, now)
        for _, game in await self._running_games(tx, known):
            await clocks.end_pause(tx, game.id)
            await timers.stop(tx, game.id, [TimerKind.RESUME])
            await holding.settle(tx, game, now)
        await self._post(tx, known.record.id, EventPostKind.RESUMED, int(ends_at.timestamp()) // 60)
