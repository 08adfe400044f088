"""End dates: a game ends on its date, whatever is left to be played; no gift, pause or vacation moves the date.

The players are notified a week and a day before. Then the game is adjudicated, by an action of the log that no player
decides: the final scoring of the current position ranks them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from engine import Adjudicate
from engine.actions import Seat
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.games import timekeeping
from host.games.cache import PlayedGame
from host.games.end_dates import Wait, ending_notice, is_due, next_check_time, slowest_seat, store_end_date, waits_of
from host.games.move import TIMEOUT_USER_ID, Move, log_move
from host.games.moves import Moves
from host.games.outbox import Outbox, storing
from host.games.reader import GameReader
from host.observability import game_fields
from host.rights import Asker, Organisers
from host.values import Consequence
from store import games, moves, outbox, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.moves import PendingMove
from store.records import Game, GameStatus, Timer, TimerKind

log = logging.getLogger(__name__)

MIN_NOTICE_HOURS: Final = 24
"""Hours between an organiser's decision and the new end date at the least, so that nobody is surprised."""
MAX_DAYS_AHEAD: Final = 730
"""Days between an organiser's decision and the new end date at the most."""
FROZEN_RETRY_INTERVAL: Final = timedelta(hours=1)
"""Delay before ending a frozen game is retried."""

ExtendGame = Callable[[Game, Asker, datetime | None, str, int], Awaitable[None]]
"""Moves the end of an event's game, as its organiser says, for a reason (fourth), by an interaction (last)."""


@dataclass(eq=False)
class Endings:
    """Ends games on their date, or when an event says so."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader
    _moves: Moves

    async def set_end(self, game_id: int, ends_at: datetime | None) -> Game:
        """Set or clear a game's end date and tell everybody; setting the same date again does nothing.

        Call this for somebody who may decide it; see :class:`EndDates`.

        Raises:
            HostError: ``unknown_game``, ``game_over``.
        """
        async with self._games.locks.hold(game_id), self._outbox.writing(game=game_id) as tx:
            game, now = await self._games.find(tx, game_id), self._clock.now()
            if game.status is GameStatus.FINISHED:
                raise HostError(ErrorCode.GAME_OVER, code=game.code)
            if game.ends_at != ends_at:
                await store_end_date(tx, game, ends_at, now)
                await outbox.add(tx, ending_notice(game, now), now)
        return await self._games.get(game_id)

    async def adjudicate(self, ref: int | str) -> Consequence:
        """End a game as it stands: the final scoring of what lies there decides.

        Of those who play on, who has used more than 60 % of the time since the game began ranks last. A pending move
        is published before: it was confirmed in time. Calling this again is refused: a game ends once.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``unreadable``.
        """
        game_id = await self._games.id_of(ref)
        async with self._games.locks.hold(game_id):
            while True:
                with suppress(PlyConflictError):
                    return await self._adjudicate(game_id, None)

    async def end_due(self, timer: Timer) -> None:
        """End a game whose date has come, or tell its players that it is near."""
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
        if game.status is GameStatus.FINISHED or game.ends_at is None:
            async with self._store.writing() as tx:
                await timers.claim(tx, timer)
        elif is_due(game.ends_at, self._clock.now()):
            await self._end(timer)
        else:
            await self._announce(timer)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _announce(self, timer: Timer) -> None:
        """Tell when the game ends, and set the next timer."""
        async with self._outbox.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game, now = await games.get(tx, timer.game_id), self._clock.now()
            if game.status is GameStatus.FINISHED or game.ends_at is None:
                return
            await outbox.add(tx, ending_notice(game, now), now)
            await timers.put(tx, Timer(game.id, TimerKind.END, next_check_time(game.ends_at, now)))

    async def _end(self, timer: Timer) -> None:
        """End a game once, in whichever process; one that is frozen is ended when it is thawed."""
        async with self._games.locks.hold(timer.game_id):
            try:
                await self._adjudicate(timer.game_id, timer)
            except PlyConflictError:
                log.debug("moved or ended elsewhere", extra={"game_id": timer.game_id})  # the timer is there if needed
            except HostError as error:
                if error.code not in {ErrorCode.FROZEN, ErrorCode.UNREADABLE, ErrorCode.GAME_OVER}:
                    raise
                async with self._store.writing() as tx:
                    await timers.lease(tx, timer, self._clock.now() + FROZEN_RETRY_INTERVAL)

    async def _adjudicate(self, game_id: int, timer: Timer | None) -> Consequence:
        game, _, waiting = await self._games.current(game_id)
        if game.status is GameStatus.FINISHED:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if waiting is not None:
            await self._publish_or_drop(game, waiting)
            return await self._adjudicate(game_id, timer)
        game, played = await self._games.load_to_move(game)
        waited = await asyncio.to_thread(waits_of, game, played.log)
        async with storing(self._outbox, game.id) as stored:
            await _claim(stored.tx, timer)
            move, outcome = await self._write_end(stored.tx, game, played, waited)
            stored.begun = outcome.begun
        self._games.cache.store(outcome.game, move.after)
        log_move(move, outcome, TIMEOUT_USER_ID)
        return outcome

    async def _write_end(
        self, tx: Transaction, game: Game, played: PlayedGame, waited: Sequence[Wait]
    ) -> tuple[Move, Consequence]:
        now = self._clock.now()
        end = now if game.ends_at is None else min(now, game.ends_at)
        last = await slowest_seat(tx, game, waited, end)
        adjudicate = Adjudicate(None if last is None else Seat(last))
        move = Move.judge(game, played, played.position.player, [adjudicate], now, by=TIMEOUT_USER_ID)
        outcome = await move.write(tx, self._outbox, None, now)
        await timekeeping.stop_at_end(tx, game, end)
        await timers.stop(tx, game.id, [TimerKind.END])
        return move, outcome

    async def _publish_or_drop(self, game: Game, waiting: PendingMove) -> None:
        """Publish a pending move, or drop one that is not legal any more."""
        try:
            await self._moves.publish(game, waiting)
        except HostError as error:
            if error.code is not ErrorCode.ILLEGAL:
                raise
            async with self._store.writing(game=game.id) as tx:
                await moves.drop_pending(tx, game.id)
                await timers.stop(tx, game.id, [TimerKind.PUBLISH])


@dataclass(eq=False)
class EndDates:
    """Lets organisers move the end date of a game."""

    _clock: Clock
    _games: GameReader
    _organisers: Organisers
    _endings: Endings
    _extend_event_game: ExtendGame

    async def move(
        self, ref: int | str, asker: Asker, ends_at: datetime | None, reason: str = "", interaction_id: int = 0
    ) -> Game:
        """Set or clear a game's end date, as an organiser; everybody is told.

        A game of an event ends later once, for a reason.

        Raises:
            HostError: ``unknown_game``, ``only_organiser``, ``game_over``, ``bad_end``; in an event instead of the
                last ``bad_extension``, ``game_extended``, ``own_game``.
        """
        game = await self._games.get(ref)
        if not await self._organisers.organises(game, asker):
            raise HostError(ErrorCode.ONLY_ORGANISER, code=game.code)
        event = await self._organisers.event_of(game)
        if event is not None and event.going:
            await self._extend_event_game(game, asker, ends_at, reason, interaction_id)
            return await self._games.get(game.id)
        now = self._clock.now()
        ahead = None if ends_at is None else ends_at - now
        if ahead is not None and not timedelta(hours=MIN_NOTICE_HOURS) <= ahead <= timedelta(days=MAX_DAYS_AHEAD):
            raise HostError(ErrorCode.BAD_END, code=game.code, least=MIN_NOTICE_HOURS, most=MAX_DAYS_AHEAD)
        moved = await self._endings.set_end(game.id, ends_at)
        log.info("end date moved", extra={**game_fields(game), "user": asker.user_id, "ends_at": str(ends_at)})
        return moved


async def _claim(tx: Transaction, timer: Timer | None) -> None:
    """Claim a timer, if there is one, so that this transaction alone does what it is for.

    Raises:
        PlyConflictError: another process has claimed it.
    """
    if timer is not None and not await timers.claim(tx, timer):
        raise PlyConflictError(timer.game_id, TIMEOUT_USER_ID)
