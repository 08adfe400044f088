"""The arithmetic of chess clocks: paces, the clock of one seat, quiet hours, and the times of reminders.

A *pace* is the time control of a game, as in chess. Each seat has a *bank* of time for the whole game. The clock of the
player to move waits until the *card*, the message that asks them to move, is posted. Then it runs first through the
free time of this decision (grace or allowance) and after that through the bank. A clock at zero is a *timeout*.

All functions are pure: they take a clock and return the changed one, and are passed the present time. Spans are
integers of milliseconds, so that nothing is ever rounded. The time left in a bank is by definition ``granted +
given_back - used``, and never negative. The *ply* of a decision is the number of actions before it, and its *revision*
also counts undone actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from store import Preferences, SeatClock, Spent

# Spans of time in milliseconds.
SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

NO_PACE: Final = "none"
"""The pace of a game without clocks; also of all games that were opened before the bot had clocks."""
DEFAULT_PACE: Final = "standard"
"""The pace of a new game for which nobody has chosen one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The time control of a game. All spans are milliseconds; the defaults are those of games of several days."""

    name: str
    bank: int = 72 * HOUR
    """The time of each seat for the whole game."""
    increment: int
    """The time that a turn taken in time adds to the bank."""
    cap: int
    """The most time to which increments can fill the bank."""
    allowance: int
    """The free time of a decision out of turn, such as a bid."""
    grace: int = 8 * HOUR
    """The free time of a turn."""
    chance: int = 12 * HOUR
    """The time that a player gets after a timeout."""

    @property
    def live(self) -> bool:
        """True if the players play at the same time; then reminders hours ahead make no sense."""
        return self.bank < HOUR


_LIVE: Final = Pace(
    name="live", bank=15 * MINUTE, increment=30 * SECOND, cap=15 * MINUTE, allowance=45 * SECOND, grace=0, chance=MINUTE
)
"""The pace of games that are played in one sitting."""
PACES: Final[Mapping[str, Pace]] = {
    "live": _LIVE,
    "fast": Pace(name="fast", increment=12 * HOUR, cap=120 * HOUR, allowance=4 * HOUR),
    "standard": Pace(name="standard", increment=18 * HOUR, cap=120 * HOUR, allowance=6 * HOUR),
    "slow": Pace(name="slow", increment=36 * HOUR, cap=240 * HOUR, allowance=12 * HOUR),
    "fixed": Pace(name="fixed", bank=84 * HOUR, increment=0, cap=84 * HOUR, allowance=4 * HOUR, grace=0),
}
"""The paces that a game can have, by name, apart from :data:`NO_PACE`."""

MAX_TIMEOUTS: Final = 3
"""The number of timeouts with which a player is out of the game."""
DUEL_SEATS: Final = 2
"""The number of seats of a duel, which is lost with the first timeout."""


def pace_of(name: str) -> Pace | None:
    """Return the pace with this name; None for a game without clocks, and for a name of a newer release."""
    return PACES.get(name)


def is_out(timeouts: int, seats: int) -> bool:
    """Return whether a player with that many timeouts is out of the game; a duel is lost with the first."""
    return timeouts >= (1 if seats == DUEL_SEATS else MAX_TIMEOUTS)


MILLISECOND: Final = timedelta(milliseconds=1)
"""The unit of all spans of clocks."""
MAX_HEARTBEAT_GAP: Final = timedelta(seconds=60)
"""The longest time without a heartbeat of the gateway that does not count as downtime."""
MAX_REMEMBERED_DECISIONS: Final = 32
"""The newest decisions of a seat whose cost is kept for an undo: more than fit between two decisions of another
player."""


def milliseconds_between(start: datetime, end: datetime) -> int:
    """Return the milliseconds from ``start`` to ``end``, or 0 if ``end`` is not later."""
    return max(0, (end - start) // MILLISECOND)


def later(at: datetime, milliseconds: int) -> datetime:
    """Return the time that many milliseconds after ``at``."""
    return at + milliseconds * MILLISECOND


def effective_stop(now: datetime, last_heartbeat: datetime | None) -> datetime:
    """Return the time up to which a clock that is stopped now has run: now, or the start of a present downtime.

    The first heartbeat after downtime refunds the gap to all running clocks. A clock that is stopped before that
    heartbeat gets no refund, so it must not count the gap.
    """
    return now if last_heartbeat is None or now - last_heartbeat <= MAX_HEARTBEAT_GAP else last_heartbeat


def new_clock(game_id: int, seat: int, pace: Pace) -> SeatClock:
    """Return the clock of a seat at the start of a game."""
    return SeatClock(game_id=game_id, seat=seat, granted=pace.bank)


def charge(clock: SeatClock, at: datetime) -> int:
    """Return the milliseconds of the bank that the clock has used since it started; never more than are left."""
    if clock.since is None:
        return 0
    return min(clock.left, max(0, milliseconds_between(clock.since, at) - clock.free))


def left_at(clock: SeatClock, at: datetime) -> int:
    """Return the milliseconds left in the bank at a time."""
    return clock.left - charge(clock, at)


def spent_at(clock: SeatClock, at: datetime) -> int:
    """Return the milliseconds for which the clock has run in the whole game, free time included."""
    return clock.spent + (0 if clock.since is None else milliseconds_between(clock.since, at))


def zero_at(clock: SeatClock) -> datetime | None:
    """Return the time at which a running clock reaches zero; None for a clock that does not run."""
    return None if clock.since is None else later(clock.since, clock.free + clock.left)


def ask(clock: SeatClock, card: int, free: int) -> SeatClock:
    """Make it the seat's move: its clock waits until its card is posted.

    ``card`` is the revision that the card shows, ``free`` the free time of the decision in milliseconds.
    """
    return replace(clock, asked=card, free=free, since=None, reminded_at=None, settled=clock.used - clock.given_back)


def start(clock: SeatClock, at: datetime) -> SeatClock:
    """Let the clock run from ``at``, when its card was posted. A clock that is held, runs or is idle stays as it is."""
    if clock.asked is None or clock.since is not None or clock.held:
        return clock
    return replace(clock, since=at)


def stop(clock: SeatClock, at: datetime) -> SeatClock:
    """Stop the clock and charge the time that has passed; unused free time remains for when it continues."""
    if clock.since is None:
        return clock
    free = max(0, clock.free - milliseconds_between(clock.since, at))
    return replace(clock, used=clock.used + charge(clock, at), spent=spent_at(clock, at), free=free, since=None)


def hold(clock: SeatClock, at: datetime) -> SeatClock:
    """Hold the clock, whether it runs or waits for its card: it does not run until it is released."""
    return replace(stop(clock, at), held=True)


def resume(clock: SeatClock, at: datetime) -> SeatClock:
    """Release a held clock and let it run if its card is posted."""
    return start(unhold(clock), at)


def unhold(clock: SeatClock) -> SeatClock:
    """Release a held clock without starting it: it waits for its card as before."""
    return replace(clock, held=False)


def answer(clock: SeatClock) -> SeatClock:
    """Make the clock idle after its decision; call :func:`stop` first."""
    return replace(clock, asked=None, free=0, since=None)


def earn(clock: SeatClock, pace: Pace) -> SeatClock:
    """Add the increment for a turn that was taken in time, as far as the cap allows."""
    if clock.late:
        return replace(clock, late=False)
    return replace(clock, granted=clock.granted + max(0, min(pace.increment, pace.cap - clock.left)))


def remember(clock: SeatClock, ply: int, *, earned: int = 0, chance: int = 0) -> SeatClock:
    """Record the cost and the gain of the decision made at a ply, so that an undo can reverse both.

    ``earned`` is the increment and ``chance`` the time granted after a timeout, both in milliseconds.
    """
    cost = clock.used - clock.given_back - clock.settled
    newest = (*clock.decisions, Spent(ply, cost, earned, chance))[-MAX_REMEMBERED_DECISIONS:]
    return replace(clock, settled=clock.settled + cost, decisions=newest)


def undo(clock: SeatClock, ply: int, *, is_requester: bool) -> SeatClock:
    """Undo all decisions from a ply on; call :func:`stop` first.

    A player gets back the time that they have used since, and loses what they have earned. So their bank is what it
    was at that ply, apart from extensions. The player who requested the undo gets nothing back, and loses the
    increments earned since as far as the bank still has them.
    """
    undone = [spent for spent in clock.decisions if spent.ply >= ply]
    before = replace(clock, decisions=tuple(spent for spent in clock.decisions if spent.ply < ply))
    earned = sum(spent.earned for spent in undone)
    if is_requester:
        return replace(
            before, granted=before.granted - min(earned, before.left), settled=before.used - before.given_back
        )
    cost = sum(spent.used for spent in undone) + clock.used - clock.given_back - clock.settled
    return replace(
        before,
        granted=before.granted - earned - sum(spent.chance for spent in undone),
        given_back=before.given_back + cost,
        timeouts=before.timeouts - sum(spent.chance > 0 for spent in undone),
        settled=before.used - before.given_back - cost,
    )


def grant(clock: SeatClock, milliseconds: int) -> SeatClock:
    """Extend the bank; unlike increments, extensions are not capped."""
    return replace(clock, granted=clock.granted + milliseconds)


def time_out(clock: SeatClock, at: datetime, pace: Pace, *, turn: bool = True) -> SeatClock:
    """Count a timeout and grant the second chance. If it was a ``turn``, that will earn no increment."""
    stopped = stop(clock, at)
    return replace(grant(stopped, pace.chance), timeouts=clock.timeouts + 1, late=clock.late or turn)


def give_back(clock: SeatClock, start_of_gap: datetime, end: datetime) -> SeatClock:
    """Refund the time of a gap (downtime, a vacation): at its end the clock shows what it showed at its start.

    After downtime :func:`store.clocks.give_back` does the same to all running clocks in one statement.
    """
    if clock.since is None or end <= clock.since:
        return clock
    begin = max(start_of_gap, clock.since)
    lost = charge(clock, end) - charge(clock, begin)
    shift = milliseconds_between(begin, end)
    return replace(
        clock,
        since=later(clock.since, shift),
        used=clock.used + lost,
        given_back=clock.given_back + lost,
        reminded_at=None if clock.reminded_at is None else later(clock.reminded_at, shift),
        untold=clock.untold + shift,
    )


def clock_to_move(seats: Iterable[SeatClock]) -> SeatClock | None:
    """Return the clock of the player to move; None if no decision is open."""
    return next((clock for clock in seats if clock.asked is not None), None)


QUIET_REMINDER_LEAD: Final = timedelta(minutes=10)
"""The time before quiet hours at which a player is reminded, if their time runs out during these hours."""
_DAY: Final = timedelta(days=1)
_SECOND: Final = timedelta(seconds=1)


class Quiet(NamedTuple):
    """Quiet hours, in which a user is not pinged: from one local time of day to another, perhaps across midnight."""

    start: time
    end: time
    zone: ZoneInfo


def quiet_of(preferences: Preferences) -> Quiet | None:
    """Return a user's quiet hours in their time zone; None if they have chosen none."""
    hours = preferences.quiet_hours
    return None if hours is None else Quiet(hours.start, hours.end, preferences.zone)


class Interval(NamedTuple):
    """A half-open interval of time: ``start`` included, ``end`` excluded."""

    start: datetime
    end: datetime


def moment(day: date, at: time, zone: ZoneInfo) -> datetime:
    """Return the instant of a local time.

    A time that occurs twice (clocks put back) means the first one; a skipped time (clocks put forward) means the first
    instant after the gap.
    """
    local = datetime.combine(day, at)
    instant = local.replace(tzinfo=zone).astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) == local:
        return instant
    instant_before_gap = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return _first_instant_after_gap(instant_before_gap, instant, zone)


def _first_instant_after_gap(earliest: datetime, latest: datetime, zone: ZoneInfo) -> datetime:
    """Return the first second after the clocks were put forward between two times, by bisection."""
    old_offset = earliest.astimezone(zone).utcoffset()
    while latest - earliest > _SECOND:
        middle = earliest + (latest - earliest) // (2 * _SECOND) * _SECOND
        if middle.astimezone(zone).utcoffset() == old_offset:
            earliest = middle
        else:
            latest = middle
    return latest


def quiet_at(at: datetime, quiet: Quiet | None) -> Interval | None:
    """Return the span of quiet hours that contains a time; None if none does."""
    if quiet is None:
        return None
    today = at.astimezone(quiet.zone).date()
    # A span across midnight belongs to the day on which it starts, so the one from yesterday may still last.
    for day in (today - _DAY, today):
        end_day = day if quiet.start < quiet.end else day + _DAY
        interval = Interval(moment(day, quiet.start, quiet.zone), moment(end_day, quiet.end, quiet.zone))
        if interval.start <= at < interval.end:
            return interval
    return None


def outside_quiet_hours(at: datetime, deadline: datetime, quiet: Quiet | None) -> datetime:
    """Return the time at which to send a reminder that is due at ``at``, so that it falls into no quiet hours.

    A reminder due in quiet hours waits for their end. If the deadline comes before that, it is sent earlier instead:
    :data:`QUIET_REMINDER_LEAD` before they start or, if that is quiet as well, at the end of the span before.
    """
    hours = quiet_at(at, quiet)
    if hours is None:
        return at
    if hours.end < deadline:
        return hours.end
    earlier = quiet_at(hours.start - QUIET_REMINDER_LEAD, quiet)
    return hours.start - QUIET_REMINDER_LEAD if earlier is None else earlier.end


LAST_HOURS: Final = 2 * HOUR
"""The milliseconds before the deadline at which the last hours begin and the last reminder is due."""
MIN_REMINDER_SPACING: Final = timedelta(hours=1)
"""The least time between two reminders of one turn."""
UNTIMED_REMINDER_DELAYS: Final = (DAY, 3 * DAY, 7 * DAY)
"""The milliseconds after which the player to move is reminded in a game without clocks; after them, weekly."""
WEEK: Final = 7 * DAY
"""The milliseconds between the later reminders in a game without clocks."""


def reminder_marks(clock: SeatClock) -> tuple[datetime, ...]:
    """Return the times at which the player of a running clock is to be reminded, in order.

    The first two are when half and a quarter of the time is left, unless they are too close to the last one, which is
    :data:`LAST_HOURS` before zero. A clock with less time than that has none.
    """
    zero = zero_at(clock)
    if zero is None or clock.since is None:
        return ()
    whole = clock.free + clock.left
    if whole <= LAST_HOURS:
        return ()
    last = later(zero, -LAST_HOURS)
    shares = [mark for share in (2, 4) if last - (mark := later(zero, -(whole // share))) >= MIN_REMINDER_SPACING]
    return (*shares, last)


def is_last(clock: SeatClock, at: datetime) -> bool:
    """Return whether the last hours of a running clock have begun; see :data:`LAST_HOURS`."""
    zero = zero_at(clock)
    return zero is not None and at >= later(zero, -LAST_HOURS)


def missed_mark(clock: SeatClock, at: datetime, quiet: Quiet | None = None) -> datetime | None:
    """Return the newest reminder time that has passed without a reminder, which stands for all earlier ones, too.

    None if no reminder is due at ``at``.
    """
    passed = [mark for mark, send_at in _open_marks(clock, quiet) if send_at <= at]
    return passed[-1] if passed else None


def next_reminder_time(clock: SeatClock, at: datetime, quiet: Quiet | None = None) -> datetime | None:
    """Return the next time after ``at`` at which a reminder is due; None if there is none."""
    return min((send_at for _, send_at in _open_marks(clock, quiet) if send_at > at), default=None)


def _open_marks(clock: SeatClock, quiet: Quiet | None) -> list[tuple[datetime, datetime]]:
    """Return the reminder times that are not dealt with, each with the time to send it outside quiet hours."""
    last_reminder, zero = clock.reminded_at or clock.since, zero_at(clock)
    if last_reminder is None or zero is None:
        return []
    return [(mark, outside_quiet_hours(mark, zero, quiet)) for mark in reminder_marks(clock) if mark > last_reminder]


def next_untimed_reminder(turn_start: datetime, at: datetime) -> datetime:
    """Return the first time after ``at`` at which a reminder is due in a game without clocks.

    ``turn_start`` is the time at which the present turn began.
    """
    for delay in UNTIMED_REMINDER_DELAYS:
        if later(turn_start, delay) > at:
            return later(turn_start, delay)
    weeks = (at - later(turn_start, UNTIMED_REMINDER_DELAYS[-1])) // timedelta(days=7) + 1
    return later(turn_start, UNTIMED_REMINDER_DELAYS[-1] + weeks * WEEK)
