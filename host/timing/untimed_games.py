"""Games without clocks: remind the player to move, and close abandoned games.

Everything due follows from the time of the last move. A timer checks each game at least once a day, so moves need not
reset it. While the place of a game is closed to the bot no reminders are sent, and the days do not count.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from host.clock import Clock
from host.clocks import next_untimed_reminder, outside_quiet_hours, quiet_of
from host.errors import ErrorCode, HostError
from host.games.move import schedule_follow_up
from host.games.outbox import Outbox
from host.games.reader import GameReader
from host.games.timekeeping import IDLE_CHECK_INTERVAL
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

IDLE_CLOSE_DELAY: Final = timedelta(days=60)
"""Time without a move after which a game is closed."""
CLOSING_NOTICE_LEADS: Final = (timedelta(days=7), timedelta(days=1))
"""Times before the closing at which it is announced."""
CONFLICT_RETRY_DELAY: Final = timedelta(minutes=5)
"""Delay before the next check if a move was made at the same moment."""
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


def last_activity(game: Game, known: UntimedGame) -> datetime:
    """Return the last time at which a player moved or asked to keep the game."""
    return max(game.updated_at, known.since, known.kept_at or known.since)


def without_answered_warnings(game: Game, known: UntimedGame) -> UntimedGame:
    """Return the record without warnings that a move, or a request to keep the game, has answered."""
    answered = known.warned_at is not None and known.warned_at <= last_activity(game, known)
    return replace(known, warnings=0, warned_at=None) if answered else known


def is_warned(game: Game, known: UntimedGame) -> bool:
    """Return whether the closing of a game was announced and not answered."""
    return without_answered_warnings(game, known).warned_at is not None


def next_due(game: Game, known: UntimedGame) -> datetime:
    """Return the time of the next announcement, or of the closing, which always follows both announcements."""
    if known.warned_at is None:
        return last_activity(game, known) + IDLE_CLOSE_DELAY - CLOSING_NOTICE_LEADS[0]
    waits = (*CLOSING_NOTICE_LEADS, timedelta(0))
    return known.warned_at + waits[known.warnings - 1] - waits[known.warnings]


def closes_at(game: Game, known: UntimedGame) -> datetime:
    """Return the time at which a game is closed unless a player reacts."""
    if known.warned_at is None:
        return last_activity(game, known) + IDLE_CLOSE_DELAY
    return known.warned_at + CLOSING_NOTICE_LEADS[known.warnings - 1]


@dataclass(eq=False)
class UntimedGames:
    """Sends reminders in games without clocks, and closes abandoned ones."""

    _store: Store
    _clock: Clock
    _outbox: Outbox
    _games: GameReader

    async def adopt_existing(self) -> None:
        """Include games created by older releases, as if they had begun now."""
        now = self._clock.now()
        async with self._store.writing("idle") as tx:
            await timers.adopt_untimed(tx, now, now + IDLE_CHECK_INTERVAL)

    async def check_game(self, timer: Timer) -> None:
        """Check a game: remind its player, announce its closing, or close it, whichever is due."""
        async with self._games.locks.hold(timer.game_id):
            try:
                async with self._outbox.writing(game=timer.game_id) as tx:
                    if await timers.claim(tx, timer):
                        await self._check(tx, timer)
            except PlyConflictError:  # a move was quicker, or is pending: the game is not abandoned
                async with self._store.writing() as tx:
                    await timers.take(tx, timer, self._clock.now() + CONFLICT_RETRY_DELAY)

    async def _check(self, tx: Transaction, timer: Timer) -> None:
        game, known = await games.get(tx, timer.game_id), await timers.untimed(tx, timer.game_id)
        now = self._clock.now()
        if game.status is GameStatus.FINISHED or known is None:
            return
        place_closed = await absences.closed_since(tx, game.id) is not None
        if place_closed or game.status is GameStatus.FROZEN:  # no one could play, so the days start anew
            known = UntimedGame(game_id=game.id, since=now, looked_at=now)
        known = without_answered_warnings(game, known)
        if place_closed:
            reminded_until, at = now, now + IDLE_CHECK_INTERVAL
        elif next_due(game, known) > now:
            reminded_until, at = await self._remind(tx, game, known, now)
        elif known.warnings < len(CLOSING_NOTICE_LEADS):
            await self._outbox.notice(tx, game, game.ply, PostKind.CLOSING)
            known = replace(known, warnings=known.warnings + 1, warned_at=now)
            reminded_until, at = now, now + IDLE_CHECK_INTERVAL
        else:
            await self._close(tx, game, now)
            return
        await timers.save_untimed(tx, replace(known, looked_at=reminded_until))
        again = min(at, next_due(game, known), now + IDLE_CHECK_INTERVAL)
        await timers.put(tx, Timer(game.id, TimerKind.IDLE, again))

    async def _remind(
        self, tx: Transaction, game: Game, known: UntimedGame, now: datetime
    ) -> tuple[datetime, datetime]:
        """Remind the player if that is due and wanted.

        Return the time up to which all reminders are dealt with, and the time of the next check.
        """
        person = game.person_to_act
        if person is None or game.status is not GameStatus.RUNNING:
            return now, now + IDLE_CHECK_INTERVAL
        away = [entry for entry in await absences.coming_vacations(tx, [person.user_id], now) if entry.holds(now)]
        if away:  # players on vacation are reminded after it
            return known.looked_at, away[0].ends_at
        user_preferences = await preferences.get(tx, person.user_id)
        asked, quiet = max(game.updated_at, known.since), quiet_of(user_preferences)
        mark = outside_quiet_hours(next_untimed_reminder(asked, max(asked, known.looked_at)), _NEVER, quiet)
        if mark > now:
            return known.looked_at, mark
        if user_preferences.reminders is Reminders.ALL:
            wanted, later = await may_remind(tx, game, person.user_id, mark, now, last=False)
            if later is not None:
                return known.looked_at, later
            if wanted:
                await self._outbox.notice(tx, game, game.ply, PostKind.REMINDER)
        return now, outside_quiet_hours(next_untimed_reminder(asked, now), _NEVER, quiet)

    async def _close(self, tx: Transaction, game: Game, now: datetime) -> None:
        await games.close(tx, game.id, game.stamp, now)
        await schedule_follow_up(tx, game, now)
        await self._outbox.notice(tx, game, game.ply, PostKind.CLOSED)
        log.info("game closed: abandoned by its players", extra=game_fields(game))

    async def closes_at(self, game: Game) -> datetime | None:
        """Return the time at which a game will be closed after an announcement; None if that is obsolete."""
        async with self._store.reading() as tx:
            known = await timers.untimed(tx, game.id)
        if known is None or game.status is GameStatus.FINISHED or not is_warned(game, known):
            return None
        return closes_at(game, known)

    async def keep(self, game: Game, user_id: int) -> datetime:
        """Keep a game open at a player's request; return the new time at which it would be closed.

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
