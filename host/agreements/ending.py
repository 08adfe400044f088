"""Games that end on a date, whatever is left to be played: no gift, pause or vacation passes it, an organiser moves it.

Everybody is told a week and a day before. Then the game is adjudicated: an action of the log that nobody decides.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from engine import Adjudicate
from engine.actions import Seat
from host.agreements import end_dates
from host.agreements.pausing import Pausing
from host.errors import ErrorCode, HostError
from host.play.memory import Played
from host.play.moves import NOBODY, Move, log_move
from host.play.storing import storing
from host.rights import Asker
from host.traces import about
from host.values import Consequence
from store import (
    Game,
    GameStatus,
    PendingMove,
    PlyConflictError,
    Timer,
    TimerKind,
    Transaction,
    games,
    moves,
    outbox,
    timers,
)

log = logging.getLogger(__name__)

LEAST_HOURS: Final = 24
"""So many hours ahead an organiser lets a game end at the earliest: nobody is to be surprised."""
MOST_DAYS_AHEAD: Final = 730
"""So many days ahead at the latest."""
_LATER: Final = timedelta(hours=1)
"""When it is tried again to end a game that rests."""


class Ending(Pausing):
    """Games whose time is over, and when that is."""

    async def move_end(
        self, ref: int | str, asker: Asker, ends_at: datetime | None, reason: str = "", interaction_id: int = 0
    ) -> Game:
        """Let a game end at another time, or never, as an organiser says; everybody is told.

        A game of an event ends later once, for a reason.

        Raises:
            HostError: ``unknown_game``, ``only_organiser``, ``game_over``, ``bad_end``; in an event instead of the
                last ``bad_extension``, ``game_extended``, ``own_game``.
        """
        game = await self.game(ref)
        if not await self._is_organiser(game, asker):
            raise HostError(ErrorCode.ONLY_ORGANISER, code=game.code)
        event = await self.event_of(game)
        if event is not None and event.extends is not None:
            await event.extends(asker, ends_at, reason, interaction_id)
            return await self.game(game.id)
        now = self._clock.now()
        ahead = None if ends_at is None else ends_at - now
        if ahead is not None and not timedelta(hours=LEAST_HOURS) <= ahead <= timedelta(days=MOST_DAYS_AHEAD):
            raise HostError(ErrorCode.BAD_END, code=game.code, least=LEAST_HOURS, most=MOST_DAYS_AHEAD)
        moved = await self.set_end(game.id, ends_at)
        log.info("end date moved", extra={**about(game), "user": asker.user_id, "ends_at": str(ends_at)})
        return moved

    async def set_end(self, game_id: int, ends_at: datetime | None) -> Game:
        """Let a game end at a time, or never; everybody is told. Whoever calls has made sure that it may be said.

        Said again, nothing happens.

        Raises:
            HostError: ``unknown_game``, ``game_over``.
        """
        async with self._locks.hold(game_id), self.outbox.writing(game=game_id) as tx:
            game, now = await self._find(tx, game_id), self._clock.now()
            if game.status is GameStatus.FINISHED:
                raise HostError(ErrorCode.GAME_OVER, code=game.code)
            if game.ends_at != ends_at:
                await end_dates.put(tx, game, ends_at, now)
                await outbox.add(tx, end_dates.told(game, now), now)
        return await self.game(game_id)

    async def adjudicate(self, ref: int | str) -> Consequence:
        """End a game as it stands: the final scoring of what lies there decides.

        Of those who play on, who has used more than 60 % of the time since the game began ranks last. A move that waits
        is published before: it was confirmed in time. Whoever calls has made sure that it may be said, or that it is
        the time; a game ends once, whoever calls how often.

        Raises:
            HostError: ``unknown_game``, ``game_over``, ``frozen``, ``unreadable``.
        """
        game_id = await self._id_of(ref)
        async with self._locks.hold(game_id):
            while True:
                with suppress(PlyConflictError):
                    return await self._adjudicate(game_id, None)

    async def end_due(self, timer: Timer) -> None:
        """The end date of a game is near, or has come."""
        async with self._store.reading() as tx:
            game = await games.get(tx, timer.game_id)
        if game.status is GameStatus.FINISHED or game.ends_at is None:
            async with self._store.writing() as tx:
                await timers.claim(tx, timer)
        elif end_dates.is_due(game.ends_at, self._clock.now()):
            await self._end(timer)
        else:
            await self._announce(timer)

    # -- inside ---------------------------------------------------------------------------------------------------

    async def _announce(self, timer: Timer) -> None:
        """Say when the game ends, and look again."""
        async with self.outbox.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game, now = await games.get(tx, timer.game_id), self._clock.now()
            if game.status is GameStatus.FINISHED or game.ends_at is None:
                return
            await outbox.add(tx, end_dates.told(game, now), now)
            await timers.put(tx, Timer(game.id, TimerKind.END, end_dates.next_look(game.ends_at, now)))

    async def _end(self, timer: Timer) -> None:
        """The time of a game is over: it ends once, in whichever process; one that rests is ended when it goes on."""
        async with self._locks.hold(timer.game_id):
            try:
                await self._adjudicate(timer.game_id, timer)
            except PlyConflictError:
                log.debug("moved or ended elsewhere", extra={"game_id": timer.game_id})  # the timer is there if needed
            except HostError as error:
                if error.code not in {ErrorCode.FROZEN, ErrorCode.UNREADABLE, ErrorCode.GAME_OVER}:
                    raise
                async with self._store.writing() as tx:
                    await timers.take(tx, timer, self._clock.now() + _LATER)

    async def _adjudicate(self, game_id: int, timer: Timer | None) -> Consequence:
        game, _, waiting = await self._recall(game_id)
        if game.status is GameStatus.FINISHED:
            raise HostError(ErrorCode.GAME_OVER, code=game.code)
        if waiting is not None:
            await self._publish_or_drop(game, waiting)
            return await self._adjudicate(game_id, timer)
        game, played = await self._tables.follow_to_move(game)
        waited = await asyncio.to_thread(end_dates.waits, game, played.log)
        async with storing(self.outbox, game.id) as stored:
            await _claim(stored.tx, timer)
            move, outcome = await self._write_end(stored.tx, game, played, waited)
            stored.begun = outcome.begun
        self._tables.memory.keep(outcome.game, move.after)
        log_move(move, outcome, NOBODY)
        return outcome

    async def _write_end(
        self, tx: Transaction, game: Game, played: Played, waited: Sequence[end_dates.Wait]
    ) -> tuple[Move, Consequence]:
        now = self._clock.now()
        end = now if game.ends_at is None else min(now, game.ends_at)
        last = await end_dates.kept_waiting(tx, game, waited, end)
        adjudicate = Adjudicate(None if last is None else Seat(last))
        move = Move.judge(game, played, played.position.player, [adjudicate], now, by=NOBODY)
        outcome = await move.write(tx, self.outbox, None, now)
        await self.timekeeping.ended(tx, game, end)
        await timers.stop(tx, game.id, [TimerKind.END])
        return move, outcome

    async def _publish_or_drop(self, game: Game, waiting: PendingMove) -> None:
        """Publish a move that waits; one that is not allowed any more is forgotten."""
        try:
            await self._publish(game, waiting)
        except HostError as error:
            if error.code is not ErrorCode.ILLEGAL:
                raise
            async with self._store.writing(game=game.id) as tx:
                await moves.drop_pending(tx, game.id)
                await timers.stop(tx, game.id, [TimerKind.PUBLISH])


async def _claim(tx: Transaction, timer: Timer | None) -> None:
    """Do what a timer is for, if there is one, in this transaction alone.

    Raises:
        PlyConflictError: somebody else has.
    """
    if timer is not None and not await timers.claim(tx, timer):
        raise PlyConflictError(timer.game_id, NOBODY)
