"""Vacations: whole days in a player's time zone, announced a day ahead, during which all their clocks are held.

A vacation that has begun can be ended early. One transaction shortens its row and stores a timer for each game of the
player; each timer then resumes its game in a transaction of its own, so that a crash in between loses nothing.
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
from store.records import Game, GameStatus, PostKind, Timer, TimerKind

log = logging.getLogger(__name__)

YEARLY_VACATION_DAYS: Final = 14
"""Days of vacation that each player has in a calendar year."""
VACATION_NOTICE: Final = timedelta(hours=24)
"""Time by which a vacation has to be announced before it begins."""


@dataclass(eq=False)
class Vacations:
    """The vacations of players, and their effect on clocks."""

    _store: Store
    _clock: Clock
    _outbox: Outbox

    async def of(self, user_id: int) -> tuple[Vacation, ...]:
        """Return the announced vacations of a user that are not over, in order."""
        async with self._store.reading() as tx:
            return await absences.coming_vacations(tx, [user_id], self._clock.now())

    def has_begun(self, entry: Vacation) -> bool:
        """Return whether a vacation has begun by now."""
        return entry.starts_at <= self._clock.now()

    async def left(self, user_id: int, year: int | None = None) -> int:
        """Return the days of vacation that a user has left in a year, by default the current one."""
        async with self._store.reading() as tx:
            zone = (await preferences.get(tx, user_id)).zone
            known = await absences.vacations_of(tx, user_id)
        return YEARLY_VACATION_DAYS - _days_by_year(known)[year or self._clock.now().astimezone(zone).year]

    async def away(self, game: Game) -> dict[int, Vacation]:
        """Return the present or next vacation of each player, by user id."""
        async with self._store.reading() as tx:
            coming = await absences.coming_vacations(tx, [person.user_id for person in game.players], self._clock.now())
        return {entry.user_id: entry for entry in reversed(coming)}

    async def announce(self, user_id: int, first: date, days: int) -> Vacation:
        """Announce a vacation; announcing the same one again returns it unchanged.

        Raises:
            HostError: ``vacation_past``, ``vacation_soon``, ``vacation_long``, ``vacation_overlaps``.
        """
        now = self._clock.now()
        async with self._store.writing(f"vacations {user_id}") as tx:
            zone = (await preferences.get(tx, user_id)).zone
            known = await absences.vacations_of(tx, user_id)
            same = [entry for entry in known if (entry.first, entry.days) == (first, days) and entry.ends_at > now]
            if same:
                return same[0]
            if not 0 < days <= YEARLY_VACATION_DAYS:
                raise HostError(
                    ErrorCode.VACATION_LONG,
                    year=first.year,
                    left=_days_left(known, first.year),
                    most=YEARLY_VACATION_DAYS,
                )
            new = Vacation(
                user_id=user_id,
                first=first,
                days=days,
                starts_at=moment(first, time(), zone),
                ends_at=moment(first + timedelta(days=days), time(), zone),
            )
            _check_announcement(new, known, now)
            await absences.add_vacation(tx, new, now)
            await self._schedule(tx, user_id, now)
        log.info("vacation announced", extra={"user": user_id, "first": first.isoformat(), "days": days})
        return new

    async def drop(self, user_id: int, first: date) -> None:
        """Take back a vacation that has not begun.

        Raises:
            HostError: ``no_vacation``.
        """
        now = self._clock.now()
        async with self._store.writing(f"vacations {user_id}") as tx:
            if not await absences.drop_vacation(tx, user_id, first, now):
                raise HostError(ErrorCode.NO_VACATION, first=first.isoformat())
            await self._schedule(tx, user_id, now)

    async def end(self, user_id: int, first: date | None = None) -> Vacation:
        """End a vacation that has begun: the clocks resume, and the days not yet begun can be used again.

        ``first`` is its first day, by default that of the present vacation. Ending one twice changes nothing.

        Raises:
            HostError: ``not_away``.
        """
        now = self._clock.now()
        async with self._store.writing(f"vacations {user_id}") as tx:
            known = [entry for entry in await absences.vacations_of(tx, user_id) if entry.starts_at <= now]
            found = [entry for entry in known if (entry.covers(now) if first is None else entry.first == first)]
            if not found:
                raise HostError(ErrorCode.NOT_AWAY)
            if not found[0].covers(now):
                return found[0]
            zone = (await preferences.get(tx, user_id)).zone
            ended = replace(found[0], days=_days_begun(found[0], zone, now), ends_at=now)
            await absences.shorten_vacation(tx, ended)
            for game_id in await games.unfinished_of_player(tx, user_id):
                await timers.put(tx, Timer(game_id, TimerKind.BACK, now, subject=user_id))
        about = {"user": user_id, "first": ended.first.isoformat(), "days": ended.days}
        log.info("vacation ended early", extra={**about, "returned": found[0].days - ended.days})
        return ended

    async def apply_early_return(self, timer: Timer) -> None:
        """Resume a game's clock after its player ended a vacation early; tell the table if the game waits for them."""
        now, user_id = self._clock.now(), timer.subject
        async with self._outbox.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game = await games.get(tx, timer.game_id)
            if game.status is GameStatus.FINISHED or not game.plays(user_id):
                return
            await timekeeping.seat_player(tx, game, now)
            # In a closed place no one could read it, and the card that reopens the place says the same.
            if await is_awaited(tx, game, user_id) and await absences.closed_since(tx, game.id) is None:
                await self._outbox.add_notice(tx, game, game.ply, PostKind.BACK)

    async def apply_due(self, timer: Timer) -> None:
        """Hold or resume the clocks of a game whose player's vacation begins or ends."""
        now = self._clock.now()
        async with self._store.writing(game=timer.game_id) as tx:
            if not await timers.claim(tx, timer):
                return
            game = await games.get(tx, timer.game_id)
            if game.status is not GameStatus.FINISHED and game.plays(timer.subject):
                await timekeeping.seat_player(tx, game, now)

    async def _schedule(self, tx: Transaction, user_id: int, now: datetime) -> None:
        coming = await absences.coming_vacations(tx, [user_id], now)
        for game_id in await games.unfinished_of_player(tx, user_id):
            await timekeeping.schedule_vacations(tx, game_id, coming, now)


def _check_announcement(new: Vacation, known: Iterable[Vacation], now: datetime) -> None:
    """Make sure that a vacation can be announced now.

    Raises:
        HostError: ``vacation_past``, ``vacation_soon``, ``vacation_long``, ``vacation_overlaps``.
    """
    known = tuple(known)
    if new.starts_at < now:
        raise HostError(ErrorCode.VACATION_PAST, first=new.first.isoformat())
    if new.starts_at - now < VACATION_NOTICE:
        raise HostError(ErrorCode.VACATION_SOON, first=new.first.isoformat())
    for entry in known:
        if new.starts_at < entry.ends_at and entry.starts_at < new.ends_at:
            raise HostError(ErrorCode.VACATION_OVERLAPS, first=entry.first.isoformat(), days=entry.days)
    for year, days in _days_by_year([new]).items():
        if days > _days_left(known, year):
            raise HostError(ErrorCode.VACATION_LONG, year=year, left=_days_left(known, year), most=YEARLY_VACATION_DAYS)


def _days_begun(entry: Vacation, zone: ZoneInfo, now: datetime) -> int:
    """Count the days of a vacation that have begun.

    A day begins at midnight in the player's zone. Where they have chosen another zone since, days of 24 hours are
    counted from the beginning: no choice of a zone brings a day back.
    """
    same_zone = moment(entry.first, time(), zone) == entry.starts_at
    days = [timedelta(days=number) for number in range(entry.days)]
    begin = [moment(entry.first + day, time(), zone) if same_zone else entry.starts_at + day for day in days]
    return sum(at <= now for at in begin)


def _days_left(known: Iterable[Vacation], year: int) -> int:
    return YEARLY_VACATION_DAYS - _days_by_year(known)[year]


def _days_by_year(entries: Iterable[Vacation]) -> Counter[int]:
    """Count the days of vacation by calendar year."""
    days = (entry.first + timedelta(days=number) for entry in entries for number in range(entry.days))
    return Counter(day.year for day in days)
