"""What the clocks of a game have to say, reckoned anew from what happened: cards, presses and outages.

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


class Outages:
    """When nobody could play."""

    def __init__(self) -> None:
        self.gaps: list[tuple[datetime, datetime]] = []

    def lived(self, start: datetime, end: datetime) -> int:
        """The milliseconds between two times in which one could play."""
        lost = sum((max(timedelta(0), min(end, b) - max(start, a)) for a, b in self.gaps), timedelta(0))
        return (max(start, end) - start - lost) // _MS


@dataclass(slots=True)
class Seat:
    """What a seat should have."""

    granted: int
    spent: int = 0
    """Used, less what was given back."""
    timeouts: int = 0

    @property
    def left(self) -> int:
        """What is left."""
        return self.granted - self.spent


@dataclass(slots=True)
class Reckoning:
    """The clocks of one game; who is asked, since when Discord has the card, and what of grace or allowance is left."""

    pace: str
    seats: list[Seat]
    outages: Outages
    asked: int = 0
    since: datetime | None = None
    free: int = 0
    late: bool = False
    turn: tuple[int, int] = field(default=(0, 0))

    @classmethod
    def begin(cls, pace: str, seats: int, asked: int, outages: Outages) -> Reckoning:
        """The clocks of a game that begins with a turn of a seat."""
        given = GIVEN[pace]
        return cls(pace, [Seat(given[0]) for _ in range(seats)], outages, asked, free=given[4])

    def card(self, at: datetime) -> None:
        """Discord has the card."""
        if self.since is None:
            self.since = at

    def decided(self, at: datetime) -> None:
        """Who is asked has pressed."""
        if self.since is None:
            return
        passed, seat = self.outages.lived(self.since, at), self.seats[self.asked]
        seat.spent += min(seat.left, max(0, passed - self.free))
        self.free, self.since = max(0, self.free - passed), None

    def zero(self, at: datetime, *, aside: bool) -> None:
        """It was declared that nothing is left."""
        seat = self.seats[self.asked]
        if self.since is None or self.outages.lived(self.since, at) < self.free + seat.left + 10_000:
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
