"""The time of a game as it is told: when it runs out, what each player has, and what was given back of late."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.time.clocks import MILLISECOND, asked_of, later, left_at, pace_of, zero_at
from store import Game, GameTiming, Pause, SeatClock, Store, Vacation, absences, clocks


@dataclass(frozen=True, slots=True)
class Times:
    """When time runs out for who is asked, were his card posted now; by seat what is left of the bank.

    ``deadline`` is None while nothing is asked, or the clocks are held: but those of a place that was closed are let go
    by the card that tells. ``downtime`` is what was given back since the last message.
    """

    deadline: datetime | None
    left: tuple[timedelta, ...]
    downtime: timedelta
    gone: tuple[int, ...] = ()
    """Who of those who play was found to have left the server."""
    away: tuple[Vacation, ...] = ()
    """The vacations of those who play, running or announced."""
    paused_until: datetime | None = None
    """Until when the game pauses, if it does."""


class Timetable:
    """What can be told of the clocks of games."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def of(self, game: Game, around: GameTiming | None = None) -> Times | None:
        """The times of a game as they are now, or ``around`` it; None where no clocks run and nobody is away."""
        if around is None:
            around = await self._around(game)
        found = around.seats if pace_of(game.settings.pace) is not None else ()
        users = [person.user_id for person in game.players]
        gone, away = around.gone, tuple(entry for entry in around.away if entry.user_id in users)
        if not (found or gone or away):
            return None
        pause, shut = await self._reasons(game) if any(clock.held for clock in found) else (None, False)
        now, asked = self._clock.now(), asked_of(found)
        deadline = None
        waits = asked is None or pause is not None or _is_away(game, asked, away, now)
        if asked is not None and (not asked.held or (shut and not waits)):
            deadline = zero_at(asked) or later(now, asked.free + asked.left)
        left = tuple(left_at(clock, now) * MILLISECOND for clock in found)
        return Times(
            deadline,
            left,
            (asked.untold if asked else 0) * MILLISECOND,
            away=away,
            gone=tuple(sorted(gone & {*users})),
            paused_until=pause.ends_at if pause else None,
        )

    async def of_clocks(self, game: Game) -> Times:
        """The same of a game with clocks that run, or stand still.

        Raises:
            HostError: ``no_clocks``.
        """
        times = await self.of(game)
        if times is None or not times.left:
            raise HostError(ErrorCode.NO_CLOCKS, code=game.code)
        return times

    async def _around(self, game: Game) -> GameTiming:
        users = [person.user_id for person in game.players]
        async with self._store.reading() as tx:
            paced = pace_of(game.settings.pace) is not None
            found = (await clocks.of_game(tx, game.id)).seats if paced else ()
            return GameTiming(found, *await absences.of_game(tx, game.id, users, self._clock.now()))

    async def _reasons(self, game: Game) -> tuple[Pause | None, bool]:
        """Why clocks are held: the pause of the game, and whether its place is closed."""
        async with self._store.reading() as tx:
            return await clocks.pause_of(tx, game.id), await absences.closed_since(tx, game.id) is not None


def _is_away(game: Game, clock: SeatClock, away: Iterable[Vacation], now: datetime) -> bool:
    """Whether whose clock this is has vacation."""
    user_id = game.seats[clock.seat].user_id
    return any(entry.user_id == user_id and entry.holds(now) for entry in away)
