"""Recomputed clocks of a game: from cards, presses, vacations, gifts and outages alone.

Nothing of the host's arithmetic is used here. Whatever differs by a millisecond is an error of the clocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

_MS: Final = timedelta(milliseconds=1)
HOUR: Final = 3_600_000
GIVEN: Final = {  # bank, increment, cap, allowance, grace, second chance
    "live": (900_000, 30_000, 900_000, 45_000, 0, 60_000),
    "fast": (72 * HOUR, 12 * HOUR, 120 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR),
    "standard": (72 * HOUR, 18 * HOUR, 120 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR),
    "slow": (72 * HOUR, 36 * HOUR, 240 * HOUR, 12 * HOUR, 8 * HOUR, 12 * HOUR),
}


class ClockError(Exception):
    """A clock does not say what it has to say."""


class Downtimes:
    """The periods in which no one could play."""

    def __init__(self) -> None:
        self.gaps: list[tuple[datetime, datetime]] = []

    def lived(self, start: datetime, end: datetime, away: Sequence[tuple[datetime, datetime]] = ()) -> int:
        """The milliseconds between two times in which one could play, and was not away."""
        lost, reached = timedelta(0), start
        for a, b in sorted([*self.gaps, *away]):
            if min(end, b) > max(reached, a):
                lost += min(end, b) - max(reached, a)
                reached = min(end, b)
        return (max(start, end) - start - lost) // _MS


@dataclass(slots=True)
class SeasonSeat:
    """The time that a seat should have."""

    granted: int
    spent: int = 0
    """Used, less what was given back."""
    timeouts: int = 0

    @property
    def left(self) -> int:
        """The time that is left."""
        return self.granted - self.spent


@dataclass(slots=True)
class Reckoning:
    """The clocks of one game; who is asked, since when Discord has the card, and what of grace or allowance is left."""

    pace: str
    seats: list[SeasonSeat]
    outages: Downtimes
    asked: int = 0
    since: datetime | None = None
    free: int = 0
    late: bool = False
    turn: tuple[int, int] = field(default=(0, 0))
    away: Sequence[Sequence[tuple[datetime, datetime]]] = ()
    """By seat, the vacations of its player."""

    @classmethod
    def begin(
        cls, pace: str, asked: int, outages: Downtimes, away: Sequence[Sequence[tuple[datetime, datetime]]]
    ) -> Reckoning:
        """The clocks of a game that begins with a turn of a seat; ``away`` are the vacations of each."""
        given = GIVEN[pace]
        return cls(pace, [SeasonSeat(given[0]) for _ in away], outages, asked, free=given[4], away=away)

    def card(self, at: datetime) -> None:
        """Discord has the card."""
        if self.since is None:
            self.since = at

    def decided(self, at: datetime) -> None:
        """Record the press of the player who is asked."""
        if self.since is None:
            return
        passed, seat = self._passed(at), self.seats[self.asked]
        seat.spent += min(seat.left, max(0, passed - self.free))
        self.free, self.since = max(0, self.free - passed), None

    def remaining(self, at: datetime) -> int | None:
        """Return the milliseconds left to the player who is asked, with free ones; None before their card is posted."""
        return None if self.since is None else self.free + self.seats[self.asked].left - self._passed(at)

    def gift(self, seat: int, milliseconds: int) -> None:
        """Somebody gives time."""
        self.seats[seat].granted += milliseconds

    def _passed(self, at: datetime) -> int:
        return 0 if self.since is None else self.outages.lived(self.since, at, self.away[self.asked])

    def zero(self, at: datetime, *, aside: bool) -> None:
        """It was declared that nothing is left."""
        seat = self.seats[self.asked]
        if self.since is None or self._passed(at) < self.free + seat.left + 10_000:
            raise ClockError("zero was declared too early")
        self.decided(at)
        seat.timeouts += 1
        seat.granted += GIVEN[self.pace][5]
        self.late = self.late or not aside

    def turn_over(self) -> None:
        """A turn is over."""
        seat, (_, increment, cap, *_) = self.seats[self.asked], GIVEN[self.pace]
        if not self.late:
            seat.granted += max(0, min(increment, cap - seat.left))
        self.late = False

    def ask(self, seat: int, *, aside: bool, same: bool) -> None:
        """A card is on its way that asks somebody."""
        if not same:
            self.free = GIVEN[self.pace][3 if aside else 4]
        self.asked, self.since = seat, None

    def compare(self, found: Sequence[tuple[int, int, int, int, int]]) -> None:
        """Granted, given back, used, left and timeouts of each seat, as the bot has them.

        Raises:
            ClockError: they are others.
        """
        for number, (mine, (granted, back, used, left, timeouts)) in enumerate(zip(self.seats, found, strict=True)):
            said = (granted, used - back, left, timeouts)
            wanted = (mine.granted, mine.spent, mine.left, mine.timeouts)
            if said != wanted or granted + back - used != left or left < 0:
                raise ClockError(f"seat {number + 1}: {said} in place of {wanted}")


MOST_REMINDERS: Final = 6
"""In a day; those of the last hours are not counted."""
_LAST: Final = 2 * HOUR


class Reminded:
    """Return the reminders of each person: of all games, except in the last hours."""

    def __init__(self) -> None:
        self.most = 0
        """In a day."""
        self._times: dict[int, list[datetime]] = {}

    def reminded(self, user_id: int, at: datetime, remaining: int | None, quiet: int = 0) -> None:
        """Somebody is reminded who has so much left; what falls into quiet hours may come that much earlier.

        Raises:
            ClockError: so often nobody is to be.
        """
        if remaining is not None and remaining <= _LAST + quiet:
            return
        lately = [time for time in self._times.get(user_id, []) if at - time < timedelta(days=1)]
        if lately and at - lately[-1] < timedelta(hours=1):
            raise ClockError(f"player {user_id} is reminded twice in an hour")
        if len(lately) >= MOST_REMINDERS:
            raise ClockError(f"player {user_id} is reminded {len(lately) + 1} times in a day")
        self._times[user_id] = [*lately, at]
        self.most = max(self.most, len(lately) + 1)
