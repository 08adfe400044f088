"""The clocks that a game should have, computed from cards, presses, vacations, gifts and outages alone.

Each seat has a *bank* of time, from which its decisions are paid. A turn begins with free time (*grace*), and so does a
decision outside of one's own turn (*allowance*). A turn earns an *increment*, up to a cap of the bank. When the bank
runs out, the seat gets a *second chance*. The arithmetic is independent of the host's, and a difference of a
millisecond is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

_MS: Final = timedelta(milliseconds=1)
HOUR_MS: Final = 3_600_000
PACES: Final = {  # by pace, in milliseconds: bank, increment, cap, allowance, grace, second chance
    "live": (900_000, 30_000, 900_000, 45_000, 0, 60_000),
    "fast": (72 * HOUR_MS, 12 * HOUR_MS, 120 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS),
    "standard": (72 * HOUR_MS, 18 * HOUR_MS, 120 * HOUR_MS, 6 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS),
    "slow": (72 * HOUR_MS, 36 * HOUR_MS, 240 * HOUR_MS, 12 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS),
    "fixed": (84 * HOUR_MS, 0, 84 * HOUR_MS, 4 * HOUR_MS, 0, 12 * HOUR_MS),
}


class ClockError(Exception):
    """A clock or a reminder of the bot is wrong."""


class Downtimes:
    """The outages, in which players could not play."""

    def __init__(self) -> None:
        self.gaps: list[tuple[datetime, datetime]] = []

    def playable_ms(self, start: datetime, end: datetime, away: Sequence[tuple[datetime, datetime]] = ()) -> int:
        """Return the milliseconds between two times, without outages and without the vacations in ``away``."""
        lost, reached = timedelta(0), start
        for gap_start, gap_end in sorted([*self.gaps, *away]):
            if min(end, gap_end) > max(reached, gap_start):
                lost += min(end, gap_end) - max(reached, gap_start)
                reached = min(end, gap_end)
        return (max(start, end) - start - lost) // _MS


@dataclass(slots=True)
class ExpectedSeat:
    """The time that a seat should have, in milliseconds."""

    granted: int
    spent: int = 0
    """Used time, minus time that was given back."""
    timeouts: int = 0

    @property
    def left(self) -> int:
        """The remaining time."""
        return self.granted - self.spent


@dataclass(slots=True)
class ExpectedClocks:
    """The expected clocks of one game."""

    pace: str
    seats: list[ExpectedSeat]
    outages: Downtimes
    asked: int = 0
    """The seat that has to decide."""
    since: datetime | None = None
    """Time at which its card was posted; None while no clock runs."""
    free: int = 0
    """Milliseconds of grace or allowance that are left before its clock is used."""
    late: bool = False
    """True if time ran out in this turn, which then earns no increment."""
    turn: tuple[int, int] = field(default=(0, 0))
    away: Sequence[Sequence[tuple[datetime, datetime]]] = ()
    """The vacations of each seat's player."""

    @classmethod
    def begin(
        cls, pace: str, asked: int, outages: Downtimes, away: Sequence[Sequence[tuple[datetime, datetime]]]
    ) -> ExpectedClocks:
        """Create the clocks of a new game in which this seat is asked first; ``away`` has each player's vacations."""
        bank, _, _, _, grace, _ = PACES[pace]
        return cls(pace, [ExpectedSeat(bank) for _ in away], outages, asked, free=grace, away=away)

    def card_posted(self, at: datetime) -> None:
        """Start the clock, unless it runs already, because the card that asks for a decision was posted."""
        if self.since is None:
            self.since = at

    def decided(self, at: datetime) -> None:
        """Stop the clock, because the player who was asked has decided."""
        if self.since is None:
            return
        passed, seat = self._passed(at), self.seats[self.asked]
        seat.spent += min(seat.left, max(0, passed - self.free))
        self.free, self.since = max(0, self.free - passed), None

    def remaining(self, at: datetime) -> int | None:
        """Return the milliseconds left to the player who is asked, including free ones; None before their card."""
        return None if self.since is None else self.free + self.seats[self.asked].left - self._passed(at)

    def add_gift(self, seat: int, milliseconds: int) -> None:
        """Add time that another player has given."""
        self.seats[seat].granted += milliseconds

    def _passed(self, at: datetime) -> int:
        """Return the milliseconds for which the clock has run."""
        return 0 if self.since is None else self.outages.playable_ms(self.since, at, self.away[self.asked])

    def time_ran_out(self, at: datetime, *, out_of_turn: bool) -> None:
        """Record a timeout, after which the seat gets a second chance."""
        seat = self.seats[self.asked]
        if self.since is None or self._passed(at) < self.free + seat.left + 10_000:
            raise ClockError("the timeout was declared too early")
        self.decided(at)
        seat.timeouts += 1
        seat.granted += PACES[self.pace][5]
        self.late = self.late or not out_of_turn

    def turn_over(self) -> None:
        """Add the increment for a turn, unless time ran out in it."""
        seat, (_, increment, cap, *_) = self.seats[self.asked], PACES[self.pace]
        if not self.late:
            seat.granted += max(0, min(increment, cap - seat.left))
        self.late = False

    def ask(self, seat: int, *, out_of_turn: bool, same_turn: bool) -> None:
        """Record that a seat has to decide next; its clock starts when its card is posted."""
        if not same_turn:
            self.free = PACES[self.pace][3 if out_of_turn else 4]  # allowance or grace
        self.asked, self.since = seat, None

    def compare(self, stored: Sequence[tuple[int, int, int, int, int]]) -> None:
        """Compare with the bot's clocks: granted, given back, used, left and timeouts of each seat.

        Raises:
            ClockError: a clock differs.
        """
        for number, (expected, (granted, back, used, left, timeouts)) in enumerate(
            zip(self.seats, stored, strict=True)
        ):
            actual = (granted, used - back, left, timeouts)
            wanted = (expected.granted, expected.spent, expected.left, expected.timeouts)
            if actual != wanted or granted + back - used != left or left < 0:
                raise ClockError(f"seat {number + 1}: {actual} in place of {wanted}")


MAX_DAILY_REMINDERS: Final = 6
"""Number of reminders that a player may get in a day; urgent ones do not count."""
_URGENT_MS: Final = 2 * HOUR_MS
"""Remaining time up to which a reminder is urgent."""


class ReminderLimits:
    """A check that no player gets too many reminders, over all their games."""

    def __init__(self) -> None:
        self.most = 0
        """The most reminders that a player got in a day."""
        self._times: dict[int, list[datetime]] = {}

    def add(self, user_id: int, at: datetime, remaining: int | None, quiet: int = 0) -> None:
        """Record a reminder to a player with this remaining time.

        Quiet hours may move an urgent reminder earlier by up to their length, ``quiet``.

        Raises:
            ClockError: the player gets too many reminders.
        """
        if remaining is not None and remaining <= _URGENT_MS + quiet:
            return
        recent = [time for time in self._times.get(user_id, []) if at - time < timedelta(days=1)]
        if recent and at - recent[-1] < timedelta(hours=1):
            raise ClockError(f"player {user_id} is reminded twice in an hour")
        if len(recent) >= MAX_DAILY_REMINDERS:
            raise ClockError(f"player {user_id} is reminded {len(recent) + 1} times in a day")
        self._times[user_id] = [*recent, at]
        self.most = max(self.most, len(recent) + 1)
