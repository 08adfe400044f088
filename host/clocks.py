"""Paces, and the arithmetic of a seat's clock: each function turns the clock before into the clock after.

All spans are milliseconds, so that nothing is ever rounded. The time that is left is ``granted + given back - used``,
by definition, and never negative. A clock that is asked something waits until Discord has the card; then it runs, first
through what is free (grace or allowance), then through the bank. Nothing is charged while it does not run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from store import Preferences, SeatClock, Spent

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

NO_PACE: Final = "none"
"""The pace of a table without clocks, as are all that were opened before there were any."""
USUAL_PACE: Final = "standard"
"""The pace of a new table whose owner has chosen none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The time that a table gives its players.

    A turn begins with its ``grace``, a decision beside it with its ``allowance``; what is needed
    beyond that comes from the ``bank``. A turn that was taken in time adds the ``increment``, up to the ``cap``.
    Whoever has run out of time gets a second ``chance``.
    """

    name: str
    bank: int
    increment: int
    cap: int
    allowance: int
    grace: int
    chance: int

    @property
    def live(self) -> bool:
        """True if all players sit at the table: then there are no reminders of hours."""
        return self.bank < HOUR


PACES: Final[Mapping[str, Pace]] = MappingProxyType(
    {
        pace.name: pace
        for pace in (
            Pace(
                name="live",
                bank=15 * MINUTE,
                increment=30 * SECOND,
                cap=15 * MINUTE,
                allowance=45 * SECOND,
                grace=0,
                chance=MINUTE,
            ),
            Pace(
                name="fast",
                bank=72 * HOUR,
                increment=12 * HOUR,
                cap=120 * HOUR,
                allowance=4 * HOUR,
                grace=8 * HOUR,
                chance=12 * HOUR,
            ),
            Pace(
                name="standard",
                bank=72 * HOUR,
                increment=18 * HOUR,
                cap=120 * HOUR,
                allowance=6 * HOUR,
                grace=8 * HOUR,
                chance=12 * HOUR,
            ),
            Pace(
                name="slow",
                bank=72 * HOUR,
                increment=36 * HOUR,
                cap=240 * HOUR,
                allowance=12 * HOUR,
                grace=8 * HOUR,
                chance=12 * HOUR,
            ),
        )
    }
)
"""The paces that a table can choose, beside :data:`NO_PACE`."""

MOST_TIMEOUTS: Final = 3
"""With how many a player is out of the game."""
DUEL: Final = 2
"""Seats of a game that is lost with the first."""


def pace_of(name: str) -> Pace | None:
    """The pace with this name; None where no clocks run, also for a name that only a newer version knows."""
    return PACES.get(name)


def is_out(timeouts: int, seats: int) -> bool:
    """Return whether a player whose time has run out this often leaves the game: a duel is lost at once."""
    return timeouts >= (1 if seats == DUEL else MOST_TIMEOUTS)


MILLISECOND: Final = timedelta(milliseconds=1)
GAP: Final = timedelta(seconds=60)
"""Longest time without a heartbeat that is no downtime."""
REMEMBERED: Final = 32
"""Decisions of a seat that are remembered: more than others make between two of a player who asks to undo their own."""


def span(start: datetime, end: datetime) -> int:
    """The milliseconds from one time to another, none where it was not later."""
    return max(0, (end - start) // MILLISECOND)


def later(at: datetime, milliseconds: int) -> datetime:
    """So many milliseconds after a time."""
    return at + milliseconds * MILLISECOND


def counted(now: datetime, heard: datetime | None) -> datetime:
    """Up to when a clock counts that is stopped now; ``heard`` is the last heartbeat.

    A gap goes back to the clocks that run when the heart beats again: one that is stopped before leaves it out itself.
    """
    return now if heard is None or now - heard <= GAP else heard


def new_clock(game_id: int, seat: int, pace: Pace) -> SeatClock:
    """The clock of a seat when its game begins."""
    return SeatClock(game_id=game_id, seat=seat, granted=pace.bank)


def charge(clock: SeatClock, at: datetime) -> int:
    """Return the part of the bank that the run until then has cost; never more than the bank holds."""
    if clock.since is None:
        return 0
    return min(clock.left, max(0, span(clock.since, at) - clock.free))


def left_at(clock: SeatClock, at: datetime) -> int:
    """Return the rest of the bank at a time."""
    return clock.left - charge(clock, at)


def spent_at(clock: SeatClock, at: datetime) -> int:
    """For how long the others have waited, up to a time, while nothing held the clock: what was free with it."""
    return clock.spent + (0 if clock.since is None else span(clock.since, at))


def zero_at(clock: SeatClock) -> datetime | None:
    """Return the time at which nothing will be left; None for a clock that does not run."""
    return None if clock.since is None else later(clock.since, clock.free + clock.left)


def ask(clock: SeatClock, card: int, free: int) -> SeatClock:
    """Something is asked by a card that is not there yet."""
    return replace(clock, asked=card, free=free, since=None, reminded_at=None, settled=clock.used - clock.given_back)


def start(clock: SeatClock, at: datetime) -> SeatClock:
    """The card is there: the clock runs. One that is held, runs already, or is not asked is left as it is."""
    if clock.asked is None or clock.since is not None or clock.held:
        return clock
    return replace(clock, since=at)


def stop(clock: SeatClock, at: datetime) -> SeatClock:
    """Pay for the time that has passed; the rest of what is free is kept until the clock continues."""
    if clock.since is None:
        return clock
    free = max(0, clock.free - span(clock.since, at))
    return replace(clock, used=clock.used + charge(clock, at), spent=spent_at(clock, at), free=free, since=None)


def hold(clock: SeatClock, at: datetime) -> SeatClock:
    """Nothing counts from now on, whether it ran or waited for its card."""
    return replace(stop(clock, at), held=True)


def release(clock: SeatClock, at: datetime) -> SeatClock:
    """It counts again."""
    return start(let_go(clock), at)


def let_go(clock: SeatClock) -> SeatClock:
    """It is not held any more, and waits for its card as before."""
    return replace(clock, held=False)


def answer(clock: SeatClock) -> SeatClock:
    """Settle the clock of a decision that was made; the clock is stopped before."""
    return replace(clock, asked=None, free=0, since=None)


def earn(clock: SeatClock, pace: Pace) -> SeatClock:
    """A turn is over: one that was taken in time adds the increment, as far as the cap allows."""
    if clock.late:
        return replace(clock, late=False)
    return replace(clock, granted=clock.granted + max(0, min(pace.increment, pace.cap - clock.left)))


def remember(clock: SeatClock, ply: int, *, earned: int = 0, chance: int = 0) -> SeatClock:
    """Settle and pay for a decision that was made: its cost and its gain are kept, should it be undone."""
    cost = clock.used - clock.given_back - clock.settled
    newest = (*clock.decisions, Spent(ply, cost, earned, chance))[-REMEMBERED:]
    return replace(clock, settled=clock.settled + cost, decisions=newest)


def undo(clock: SeatClock, ply: int, *, asker: bool) -> SeatClock:
    """Undo everything from a ply on; the clock is stopped before.

    The others get back what they used since, and lose what that brought them, so that each stands where he stood, but
    for gifts. The asker gets nothing back, and loses the increments, as far as he has them still.
    """
    undone = [spent for spent in clock.decisions if spent.ply >= ply]
    kept = replace(clock, decisions=tuple(spent for spent in clock.decisions if spent.ply < ply))
    earned = sum(spent.earned for spent in undone)
    if asker:
        return replace(kept, granted=kept.granted - min(earned, kept.left), settled=kept.used - kept.given_back)
    cost = sum(spent.used for spent in undone) + clock.used - clock.given_back - clock.settled
    return replace(
        kept,
        granted=kept.granted - earned - sum(spent.chance for spent in undone),
        given_back=kept.given_back + cost,
        timeouts=kept.timeouts - sum(spent.chance > 0 for spent in undone),
        settled=kept.used - kept.given_back - cost,
    )


def grant(clock: SeatClock, milliseconds: int) -> SeatClock:
    """Somebody gives time; gifts know no cap."""
    return replace(clock, granted=clock.granted + milliseconds)


def time_out(clock: SeatClock, at: datetime, pace: Pace, *, turn: bool = True) -> SeatClock:
    """Nothing was left: that is counted, there is a second chance, and if it was a ``turn`` it earns nothing."""
    stopped = stop(clock, at)
    return replace(grant(stopped, pace.chance), timeouts=clock.timeouts + 1, late=clock.late or turn)


def give_back(clock: SeatClock, start_of_gap: datetime, end: datetime) -> SeatClock:
    """A gap in which nobody could play: the clock stands at its end where it stood at its start, to the millisecond.

    After an outage the database does this by itself to all that run (:func:`store.clocks.give_back`).
    """
    if clock.since is None or end <= clock.since:
        return clock
    begin = max(start_of_gap, clock.since)
    lost = charge(clock, end) - charge(clock, begin)
    shift = span(begin, end)
    return replace(
        clock,
        since=later(clock.since, shift),
        used=clock.used + lost,
        given_back=clock.given_back + lost,
        reminded_at=None if clock.reminded_at is None else later(clock.reminded_at, shift),
        untold=clock.untold + shift,
    )


def asked_of(seats: Iterable[SeatClock]) -> SeatClock | None:
    """The clock of who is asked."""
    return next((clock for clock in seats if clock.asked is not None), None)


AHEAD: Final = timedelta(minutes=10)
"""So long before quiet hours somebody is reminded whose time runs out in them."""
_DAY: Final = timedelta(days=1)
_SECOND: Final = timedelta(seconds=1)


class Quiet(NamedTuple):
    """From one local time of the day to another, be it over midnight."""

    start: time
    end: time
    zone: ZoneInfo


def quiet_of(wishes: Preferences) -> Quiet | None:
    """The quiet hours of somebody who has chosen any."""
    hours = wishes.quiet_hours
    return None if hours is None else Quiet(hours.start, hours.end, wishes.zone)


class Interval(NamedTuple):
    """From a time on, up to another that is no longer in it."""

    start: datetime
    end: datetime


def moment(day: date, at: time, zone: ZoneInfo) -> datetime:
    """Return the instant of a local time: the first of one that occurs twice, the next for one that does not exist."""
    local = datetime.combine(day, at)
    found = local.replace(tzinfo=zone).astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) == local:
        return found
    before = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return _change(before, found, zone)


def _change(early: datetime, late: datetime, zone: ZoneInfo) -> datetime:
    """Return the first second after the clocks are put forward between two times."""
    old = early.astimezone(zone).utcoffset()
    while late - early > _SECOND:
        middle = early + (late - early) // (2 * _SECOND) * _SECOND
        if middle.astimezone(zone).utcoffset() == old:
            early = middle
        else:
            late = middle
    return late


def quiet_at(at: datetime, quiet: Quiet | None) -> Interval | None:
    """The quiet hours in which a time lies, if it lies in any."""
    if quiet is None:
        return None
    today = at.astimezone(quiet.zone).date()
    for day in (today - _DAY, today):
        last = day if quiet.start < quiet.end else day + _DAY
        found = Interval(moment(day, quiet.start, quiet.zone), moment(last, quiet.end, quiet.zone))
        if found.start <= at < found.end:
            return found
    return None


def kindly(at: datetime, deadline: datetime, quiet: Quiet | None) -> datetime:
    """Return the time of a reminder that respects quiet hours: their end, or before them if the deadline is inside.

    So long before it that the message is there in time, with its ping; if that is quiet, too, between the two.
    """
    span = quiet_at(at, quiet)
    if span is None:
        return at
    if span.end < deadline:
        return span.end
    earlier = quiet_at(span.start - AHEAD, quiet)
    return span.start - AHEAD if earlier is None else earlier.end


LAST: Final = 2 * HOUR
"""Time before the deadline that counts as the last hours, of which every player is reminded."""
APART: Final = timedelta(hours=1)
"""The least time between two reminders of one turn."""
WITHOUT_PACE: Final = (DAY, 3 * DAY, 7 * DAY)
"""Times after which the player is reminded where no clock runs; after that weekly."""
WEEK: Final = 7 * DAY


def marks(clock: SeatClock) -> tuple[datetime, ...]:
    """Return the times at which the player of a running clock is reminded, in order; none in a turn of minutes."""
    zero = zero_at(clock)
    if zero is None or clock.since is None:
        return ()
    whole = clock.free + clock.left
    if whole <= LAST:
        return ()
    last = later(zero, -LAST)
    shares = [mark for share in (2, 4) if last - (mark := later(zero, -(whole // share))) >= APART]
    return (*shares, last)


def is_last(clock: SeatClock, at: datetime) -> bool:
    """Return whether the last hours have begun."""
    zero = zero_at(clock)
    return zero is not None and at >= later(zero, -LAST)


def missed(clock: SeatClock, at: datetime, quiet: Quiet | None = None) -> datetime | None:
    """The newest mark of which somebody is to be told by now, and was not: however many were missed, one is told of."""
    passed = [mark for mark, kind in _untold(clock, quiet) if kind <= at]
    return passed[-1] if passed else None


def coming(clock: SeatClock, at: datetime, quiet: Quiet | None = None) -> datetime | None:
    """Return the next time after this one at which the player is told of a mark."""
    return min((kind for _, kind in _untold(clock, quiet) if kind > at), default=None)


def _untold(clock: SeatClock, quiet: Quiet | None) -> list[tuple[datetime, datetime]]:
    """The marks of which nobody was told, each with when that is kind."""
    told, zero = clock.reminded_at or clock.since, zero_at(clock)
    if told is None or zero is None:
        return []
    return [(mark, kindly(mark, zero, quiet)) for mark in marks(clock) if mark > told]


def without_pace(asked: datetime, at: datetime) -> datetime:
    """The next reminder of a turn that began then, where no clock runs: always after ``at``."""
    for wait in WITHOUT_PACE:
        if later(asked, wait) > at:
            return later(asked, wait)
    weeks = (at - later(asked, WITHOUT_PACE[-1])) // timedelta(days=7) + 1
    return later(asked, WITHOUT_PACE[-1] + weeks * WEEK)
