"""Tables without a pace: nobody's time runs out, but who is asked is reminded, and a table that is left is closed.

What is due follows from the last move; a timer lets somebody look at least once a day, which costs a move nothing.
While the place of a table is closed to the bot nobody is reminded, and the days until it is closed do not count.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from host.clock import Clock
from host.clocks import kindly, quiet_of, without_pace
from host.errors import ErrorCode, HostError
from host.games.move import after_the_end
from host.games.outbox import Outbox
from host.games.reader import GameReader
from host.games.timekeeping import IDLE
from host.observability import game_fields
from host.rights import check_playing
from host.timing.reminders import may_remind
from store import (
    Game,
    GameStatus,
    PlyConflictError,
    PostKind,
    Reminders,
    Store,
    Timer,
    TimerKind,
    Transaction,
    UntimedGame,
    absences,
    games,
    preferences,
    timers,
)

log = logging.getLogger(__name__)

CLOSED_AFTER: Final = timedelta(days=60)
"""Time without a move after which a table is closed."""
WARNED: Final = (timedelta(days=7), timedelta(days=1))
"""Times before the closing at which it is announced, each time anew."""
SOON: Final = timedelta(minutes=5)
"""Time until the next look when a move was being made."""
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


def alive_at(game: Game, known: UntimedGame) -> datetime:
    """Return the last time at which a table showed that it is in use."""
    return max(game.updated_at, known.since, known.kept_at or known.since)


def in_force(game: Game, known: UntimedGame) -> UntimedGame:
    """Return the record without warnings that a move or keeping the table has answered."""
    answered = known.warned_at is not None and known.warned_at <= alive_at(game, known)
    return replace(known, warnings=0, warned_at=None) if answered else known


def is_warned(game: Game, known: UntimedGame) -> bool:
    """Return whether the closing of a table was announced and no one has answered that."""
    return in_force(game, known).warned_at is not None


def next_step(game: Game, known: UntimedGame) -> datetime:
    """Return the time of the next announcement, or of the closing itself: never without both announcements before."""
    if known.warned_at is None:
        return alive_at(game, known) + CLOSED_AFTER - WARNED[0]
    waits = (*WARNED, timedelta(0))
    return known.warned_at + waits[known.warnings - 1] - waits[known.warnings]


def closes_at(game: Game, known: UntimedGame) -> datetime:
    """Return the time at which a table is closed if no one does anything."""
    if known.warned_at is None:
        return alive_at(game, known) + CLOSED_AFTER
    return known.warned_at + WARNED[known.warnings - 1]


@dataclass(eq=False)
class UntimedGames:
    """The reminders and the closing of tables without a pace."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader

    async def adopt(self) -> None:
        """Look after the tables of older versions, too, as if they had begun now."""
        now = self._clock.now()
        async with self._store.writing("idle") as tx:
            await timers.adopt_untimed(tx, now, now + IDLE)

    async def look(self, timer: Timer) -> None:
        """Look at a table: perhaps somebody is reminded, or all are told that it will be closed, or it is."""
        async with self._games.locks.hold(timer.game_id):
            try:
                async with self._outbox.writing(game=timer.game_id) as tx:
                    if await timers.claim(tx, timer):
                        await self._look(tx, timer)
            except PlyConflictError:  # a move was quicker, or waits to be published: the table is not left
                async with self._store.writing() as tx:
                    await timers.take(tx, timer, self._clock.now() + SOON)

    async def _look(self, tx: Transaction, timer: Timer) -> None:
        game, known = await games.get(tx, timer.game_id), await timers.untimed(tx, timer.game_id)
        now = self._clock.now()
        if game.status is GameStatus.FINISHED or known is None:
            return
        shut = await absences.closed_since(tx, game.id) is not None
        if shut or game.status is GameStatus.FROZEN:  # nobody can have played, or is told anything
            known = UntimedGame(game_id=game.id, since=now, looked_at=now)
        known = in_force(game, known)
        if shut:
            told, at = now, now + IDLE
        elif next_step(game, known) > now:
            told, at = await self._remind(tx, game, known, now)
        elif known.warnings < len(WARNED):
            await self._outbox.notice(tx, game, game.ply, PostKind.CLOSING)
            known = replace(known, warnings=known.warnings + 1, warned_at=now)
            told, at = now, now + IDLE
        else:
            await self._close(tx, game, now)
            return
        await timers.save_untimed(tx, replace(known, looked_at=told))
        again = min(at, next_step(game, known), now + IDLE)
        await timers.put(tx, Timer(game.id, TimerKind.IDLE, again))

    async def _remind(
        self, tx: Transaction, game: Game, known: UntimedGame, now: datetime
    ) -> tuple[datetime, datetime]:
        """Remind the player if that is due and wanted; return up to when they know all, and the next look."""
        person = game.person_to_act
        if person is None or game.status is not GameStatus.RUNNING:
            return now, now + IDLE
        away = [entry for entry in await absences.coming_vacations(tx, [person.user_id], now) if entry.holds(now)]
        if away:  # whoever has vacation is reminded after it
            return known.looked_at, away[0].ends_at
        wishes = await preferences.get(tx, person.user_id)
        asked, quiet = max(game.updated_at, known.since), quiet_of(wishes)
        mark = kindly(without_pace(asked, max(asked, known.looked_at)), _NEVER, quiet)
        if mark > now:
            return known.looked_at, mark
        if wishes.reminders is Reminders.ALL:
            wanted, later = await may_remind(tx, game, person.user_id, mark, now, last=False)
            if later is not None:
                return known.looked_at, later
            if wanted:
                await self._outbox.notice(tx, game, game.ply, PostKind.REMINDER)
        return now, kindly(without_pace(asked, now), _NEVER, quiet)

    async def _close(self, tx: Transaction, game: Game, now: datetime) -> None:
        await games.close(tx, game.id, game.stamp, now)
        await after_the_end(tx, game, now)
        await self._outbox.notice(tx, game, game.ply, PostKind.CLOSED)
        log.info("table closed: nobody has played", extra=game_fields(game))

    async def closes_at(self, game: Game) -> datetime | None:
        """Return the time at which a table will be closed after its announcement; None if that is obsolete."""
        async with self._store.reading() as tx:
            known = await timers.untimed(tx, game.id)
        if known is None or game.status is GameStatus.FINISHED or not is_warned(game, known):
            return None
        return closes_at(game, known)

    async def keep(self, game: Game, user_id: int) -> datetime:
        """Let a player say that the table is not to be closed; when it would be now. Saying it again does no harm.

        Raises:
            HostError: ``not_a_player``, ``game_over``, ``frozen``, ``resigned``, ``not_idle``.
        """
        check_playing(game, user_id)
        async with self._store.writing(game=game.id) as tx:
            known = await timers.untimed(tx, game.id)
            if known is None:
                raise HostError(ErrorCode.NOT_IDLE, code=game.code)
            known = replace(known, kept_at=self._clock.now(), warnings=0, warned_at=None)
            await timers.save_untimed(tx, known)
        log.info("table kept", extra={**game_fields(game), "user": user_id})
        return closes_at(game, known)
