"""Vacations: whole days, in a player's time zone, during which the player's clocks do not run.

A vacation has to be announced a day ahead, and each player has a limited number of days in a calendar year. While it
lasts, the player's clocks are *held* in all games.

A vacation that has begun can be ended early. One transaction shortens its row and stores a timer for each game of the
player. Each timer then releases the clocks of its game in a transaction of its own, so that a crash in between loses
nothing.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from host.clock import Clock
from host.clocks import moment
from host.errors import ErrorCode, HostError
from host.games import timekeeping
from host.games.outbox import Outbox
from host.timing.reminders import is_awaited
from store import absences, games, preferences, timers
from store.connection.database import Store, Transaction
from store.play.absences import Vacation
from store.records import GameStatus, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

YEARLY_VACATION_DAYS: Final = 14
"""The days of vacation that each player has in a calendar year."""
VACATION_NOTICE: Final = timedelta(hours=24)
"""The least time from the announcement of a vacation to its start, so that nobody stops a clock that is running out."""


@dataclass(eq=False)
class Vacations:
    """Announces, cancels and ends vacations, and applies them to the clocks of games."""

    _store: Store
    _clock: Clock
    _outbox: Outbox

    async def of(self, user_id: int) -> tuple[Vacation, ...]:
        """Return the vacations of a user that are not over, the earliest first."""
        return await self._store.read(absences.coming_vacations, [user_id], self._clock.now())

    def has_begun(self, vacation: Vacation) -> bool:
        """Return whether a vacation has begun by now."""
        return vacation.starts_at <= self._clock.now()

    async def days_left(self, user_id: int, year: int | None = None) -> int:
        """Return the days of vacation that a user has left in a year, by default the current one."""
        async with self._store.reading() as tx:
            zone = (await preferences.get(tx, user_id)).zone
            vacations = await absences.vacations_of(tx, user_id)
        return YEARLY_VACATION_DAYS - _days_by_year(vacations)[year or self._clock.now().astimezone(zone).year]

    async def announce(self, user_id: int, first: date, days: int) -> Vacation:
        """Announce a vacation of some days; announcing the same one again returns it unchanged.

        Raises:
            HostError: ``vacation_past``, ``vacation_soon``, ``vacation_long``, ``vacation_overlaps``.
        """
        now = self._clock.now()
        async with self._store.writing(f"vacations {user_id}") as tx:
            zone = (await preferences.get(tx, user_id)).zone
            vacations = await absences.vacations_of(tx, user_id)
            same = [entry for entry in vacations if (entry.first, entry.days) == (first, days) and entry.ends_at > now]
            if same:
                return same[0]
            if not 0 < days <= YEARLY_VACATION_DAYS:
                raise _too_long(vacations, first.year)
            new = Vacation(
                user_id=user_id,
                first=first,
                days=days,
                starts_at=moment(first, time(), zone),
                ends_at=moment(first + timedelta(days=days), time(), zone),
            )
            _check_announcement(new, vacations, now)
            await absences.add_vacation(tx, new, now)
            await self._schedule(tx, user_id, now)
        log.info("vacation announced", extra={"user": user_id, "first": first.isoformat(), "days": days})
        return new

    async def cancel(self, user_id: int, first: date) -> None:
        """Cancel a vacation that has not begun, given its first day.

        Raises:
            HostError: ``no_vacation``.
        """
        now = self._clock.now()
        async with self._store.writing(f"vacations {user_id}") as tx:
            if not await absences.drop_vacation(tx, user_id, first, now):
                raise HostError(ErrorCode.NO_VACATION, first=first.isoformat())
            await self._schedule(tx, user_id, now)

    async def end(self, user_id: int, first: date | None = None) -> Vacation:
        """End a vacation that has begun; the days that have not begun can be used again.

        ``first`` is its first day, by default that of the present vacation. The clocks are released by timers; see
        :meth:`apply_early_return`. Ending a vacation twice changes nothing.

        Raises:
            HostError: ``not_away``.
        """
        now = self._clock.now()
        async with self._store.writing(f"vacations {user_id}") as tx:
            begun = [entry for entry in await absences.vacations_of(tx, user_id) if entry.starts_at <= now]
            matching = [entry for entry in begun if (entry.covers(now) if first is None else entry.first == first)]
            if not matching:
                raise HostError(ErrorCode.NOT_AWAY)
            vacation = matching[0]
            if not vacation.covers(now):
                return vacation
            zone = (await preferences.get(tx, user_id)).zone
            ended = replace(vacation, days=_days_begun(vacation, zone, now), ends_at=now)
            await absences.shorten_vacation(tx, ended)
            for game_id in await games.unfinished_of_player(tx, user_id):
                await timers.save(tx, Timer(game_id, TimerKind.BACK, now, subject=user_id))
        about = {"user": user_id, "first": ended.first.isoformat(), "days": ended.days}
        log.info("vacation ended early", extra={**about, "returned": vacation.days - ended.days})
        return ended

    async def apply_early_return(self, timer: Timer) -> None:
        """Release the clock of a player who has ended a vacation early, in the game of a timer.

        If the game waits for this player, a notice tells the others that they are back.
        """
        now, user_id = self._clock.now(), timer.subject
        async with self._outbox.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game = await games.get(tx, timer.game_id)
            if game.status is GameStatus.FINISHED or not game.plays(user_id):
                return
            await timekeeping.seat_player(tx, game, now)
            # In a closed place nobody could read the notice, and the card that reopens the place says the same.
            if await is_awaited(tx, game, user_id) and await absences.closed_since(tx, game.id) is None:
                await self._outbox.add_notice(tx, game, PostKind.BACK)

    async def apply_due(self, timer: Timer) -> None:
        """Hold or release the clocks of a game because a player's vacation begins or ends; handles their timers."""
        now = self._clock.now()
        async with self._store.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game = await games.get(tx, timer.game_id)
            if game.status is not GameStatus.FINISHED and game.plays(timer.subject):
                await timekeeping.seat_player(tx, game, now)

    async def _schedule(self, tx: Transaction, user_id: int, now: datetime) -> None:
        """Set the timers of a user's vacations in all their unfinished games."""
        coming = await absences.coming_vacations(tx, [user_id], now)
        for game_id in await games.unfinished_of_player(tx, user_id):
            await timekeeping.schedule_vacations(tx, game_id, coming, now)


def _check_announcement(new: Vacation, others: Iterable[Vacation], now: datetime) -> None:
    """Check that a vacation can be announced now, in addition to the ``others`` of the same user.

    Raises:
        HostError: ``vacation_past``, ``vacation_soon``, ``vacation_long``, ``vacation_overlaps``.
    """
    others = tuple(others)
    if new.starts_at < now:
        raise HostError(ErrorCode.VACATION_PAST, first=new.first.isoformat())
    if new.starts_at - now < VACATION_NOTICE:
        raise HostError(ErrorCode.VACATION_SOON, first=new.first.isoformat())
    for other in others:
        if new.starts_at < other.ends_at and other.starts_at < new.ends_at:
            raise HostError(ErrorCode.VACATION_OVERLAPS, first=other.first.isoformat(), days=other.days)
    for year, days in _days_by_year([new]).items():
        if days > _days_left(others, year):
            raise _too_long(others, year)


def _too_long(others: Iterable[Vacation], year: int) -> HostError:
    """Return the error for a vacation of more days than are left in a year."""
    return HostError(ErrorCode.VACATION_LONG, year=year, left=_days_left(others, year), most=YEARLY_VACATION_DAYS)


def _days_begun(vacation: Vacation, zone: ZoneInfo, now: datetime) -> int:
    """Count the days of a vacation that have begun.

    A day begins at midnight in the player's time zone. If they have chosen another zone since the announcement, days of
    24 hours are counted from the start instead, so that a change of zone gives no day back.
    """
    same_zone = moment(vacation.first, time(), zone) == vacation.starts_at
    days = [timedelta(days=number) for number in range(vacation.days)]
    starts = [moment(vacation.first + day, time(), zone) if same_zone else vacation.starts_at + day for day in days]
    return sum(start <= now for start in starts)


def _days_left(vacations: Iterable[Vacation], year: int) -> int:
    """Return the days of vacation that a user has left in a year, apart from these vacations."""
    return YEARLY_VACATION_DAYS - _days_by_year(vacations)[year]


def _days_by_year(vacations: Iterable[Vacation]) -> Counter[int]:
    """Count the days of vacations by calendar year."""
    days = (entry.first + timedelta(days=number) for entry in vacations for number in range(entry.days))
    return Counter(day.year for day in days)
