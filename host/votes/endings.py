"""End dates: a game that is not over on its end date ends there and is adjudicated.

To *adjudicate* a game is to score its present position as if it were the last one. This is an action in the game's
log, but no player decides it. The players are notified a week and a day before. No pause, vacation or extension of
time moves the date; organisers may (:class:`EndDates`), and the rules of events do.
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
from host.votes.votes import claim_timer
from store import games, moves, outbox, timers
from store.connection.database import Store, Transaction
from store.errors import PlyConflictError
from store.play.moves import PendingMove
from store.records import Game, GameStatus, Timer, TimerKind

log = logging.getLogger(__name__)

MIN_NOTICE_HOURS: Final = 24
"""The least hours from an organiser's decision to the new end date, so that nobody is surprised."""
MAX_DAYS_AHEAD: Final = 730
"""The most days from an organiser's decision to the new end date."""
FROZEN_RETRY_INTERVAL: Final = timedelta(hours=1)
"""The time after which ending a frozen game is tried again."""

ExtendGame = Callable[[Game, Asker, datetime | None, str, int], Awaitable[None]]
"""Moves the end date of an event's game: called with the game, its organiser, the new date, the reason, and the id of
the interaction."""


@dataclass(eq=False)
class Endings:
    """Sets end dates, and ends games on their date or when an event says so."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader
    _moves: Moves

    async def set_end(self, game_id: int, ends_at: datetime | None) -> Game:
        """Set or clear a game's end date, and post a notice of it; the same date again changes nothing.

        The caller checks who may do this; see :class:`EndDates`.

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
        """End a game now, and score its present position.

        A player who has used most of the game's time ranks last; see :func:`~host.games.end_dates.slowest_seat`. A
        pending move is published first, because it was confirmed in time.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``unreadable``.
        """
        async with self._games.holding(ref) as game_id:
            while True:
                with suppress(PlyConflictError):
                    return await self._adjudicate(game_id, None)

    async def end_due(self, timer: Timer) -> None:
        """End a game whose date has come, or tell its players that it is near; handles timers of this kind."""
        game = await self._store.read(games.get, timer.game_id)
        if game.status is GameStatus.FINISHED or game.ends_at is None:
            await self._store.write(timers.claim, timer)
        elif is_due(game.ends_at, self._clock.now()):
            await self._end(timer)
        else:
            await self._announce(timer)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _announce(self, timer: Timer) -> None:
        """Post the notice that a game will end, and set the timer of the next notice or of the end."""
        async with self._outbox.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game, now = await games.get(tx, timer.game_id), self._clock.now()
            if game.status is GameStatus.FINISHED or game.ends_at is None:
                return
            await outbox.add(tx, ending_notice(game, now), now)
            await timers.save(tx, Timer(game.id, TimerKind.END, next_check_time(game.ends_at, now)))

    async def _end(self, timer: Timer) -> None:
        """End a game whose date has come; for one that is frozen, try again later.

        Claiming the timer makes sure that only one process does it.
        """
        async with self._games.locks.hold(timer.game_id):
            try:
                await self._adjudicate(timer.game_id, timer)
            except PlyConflictError:
                # Another process has made a move or ended the game; the timer is still there if it is needed.
                log.debug("another process has moved the end date or ended the game", extra={"game_id": timer.game_id})
            except HostError as error:
                if error.code not in {ErrorCode.FROZEN, ErrorCode.UNREADABLE, ErrorCode.GAME_OVER}:
                    raise
                await self._store.write(timers.lease, timer, self._clock.now() + FROZEN_RETRY_INTERVAL)

    async def _adjudicate(self, game_id: int, timer: Timer | None) -> Consequence:
        """End a game once, and claim its timer if one is passed; call this under the game's lock."""
        game, _, pending = await self._games.current(game_id)
        if game.status is GameStatus.FINISHED:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if pending is not None:
            await self._publish_or_drop(game, pending)
            return await self._adjudicate(game_id, timer)
        game, played = await self._games.load_to_move(game)
        waits = await asyncio.to_thread(waits_of, game, played.log)
        async with storing(self._outbox, game.id) as stored:
            await claim_timer(stored.tx, timer)
            move, outcome = await self._write_end(stored.tx, game, played, waits)
            stored.begun = outcome.begun
        self._games.cache.store(outcome.game, move.after)
        log_move(move, outcome, TIMEOUT_USER_ID)
        return outcome

    async def _write_end(
        self, tx: Transaction, game: Game, played: PlayedGame, waits: Sequence[Wait]
    ) -> tuple[Move, Consequence]:
        """Store the end of a game in the caller's transaction: the action that scores it, its clocks and timers."""
        now = self._clock.now()
        end = now if game.ends_at is None else min(now, game.ends_at)
        slowest = await slowest_seat(tx, game, waits, end)
        adjudicate = Adjudicate(None if slowest is None else Seat(slowest))
        move = Move.judge(game, played, played.position.player, [adjudicate], now, by=TIMEOUT_USER_ID)
        outcome = await move.write(tx, self._outbox, None, now)
        await timekeeping.stop_at_end(tx, game, end)
        await timers.stop(tx, game.id, [TimerKind.END])
        return move, outcome

    async def _publish_or_drop(self, game: Game, pending: PendingMove) -> None:
        """Publish a pending move, or drop one that is not legal any more."""
        try:
            await self._moves.publish(game, pending)
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
        """Set or clear a game's end date at the order of an organiser, and post a notice of it.

        In a running event the date of a game can only be moved once, with a reason.

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
        notice = None if ends_at is None else ends_at - now
        if notice is not None and not timedelta(hours=MIN_NOTICE_HOURS) <= notice <= timedelta(days=MAX_DAYS_AHEAD):
            raise HostError(ErrorCode.BAD_END, code=game.code, least=MIN_NOTICE_HOURS, most=MAX_DAYS_AHEAD)
        moved = await self._endings.set_end(game.id, ends_at)
        log.info("end date moved", extra={**game_fields(game), "user": asker.user_id, "ends_at": str(ends_at)})
        return moved
