"""Paces, and the arithmetic of a seat's clock: each function takes a clock and returns the changed one.

All spans are milliseconds, so that nothing is ever rounded. The bank is the time a player has for the whole game, and
what is left of it is by definition ``granted + given_back - used``, never negative. The clock of a player to move waits
until the card that asks them is posted. Then it runs first through the free time of this decision (grace or allowance),
then through the bank. Nothing is charged while it does not run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from store import Preferences, SeatClock, Spent

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

NO_PACE: Final = "none"
"""The pace of a table without clocks, and of all tables opened before there were clocks."""
DEFAULT_PACE: Final = "standard"
"""The pace of a new table whose owner has chosen none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The time that a table gives its players.

    A turn has a free ``grace``, any other decision (a bid, say) a free ``allowance``; time beyond that comes from the
    ``bank``. A turn that was taken in time adds the ``increment``, up to the ``cap``. A player whose time runs out gets
    a second ``chance``. All spans are milliseconds.
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
        """True if all players play at the same time, so that reminders hours ahead make no sense."""
        return self.bank < HOUR


PACES: Final[Mapping[str, Pace]] = {
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
"""The paces that a table can choose, beside :data:`NO_PACE`."""

MAX_TIMEOUTS: Final = 3
"""Number of timeouts after which a player is out of the game."""
DUEL_SEATS: Final = 2
"""Number of seats of a game that is lost with the first timeout."""


def pace_of(name: str) -> Pace | None:
    """Return the pace with this name; None where no clocks run, and for a name that only a newer release knows."""
    return PACES.get(name)


def is_out(timeouts: int, seats: int) -> bool:
    """Return whether a player with that many timeouts is out of the game; a duel is lost with the first."""
    return timeouts >= (1 if seats == DUEL_SEATS else MAX_TIMEOUTS)


MILLISECOND: Final = timedelta(milliseconds=1)
MAX_HEARTBEAT_GAP: Final = timedelta(seconds=60)
"""Longest time without a heartbeat that does not count as downtime."""
MAX_REMEMBERED_DECISIONS: Final = 32
"""Decisions of a seat whose cost is kept for an undo: more than fit between two decisions of another player."""


def milliseconds_between(start: datetime, end: datetime) -> int:
    """Return the milliseconds from ``start`` to ``end``, or 0 if ``end`` is not later."""
    return max(0, (end - start) // MILLISECOND)


def later(at: datetime, milliseconds: int) -> datetime:
    """Return the time that many milliseconds after ``at``."""
    return at + milliseconds * MILLISECOND


def effective_stop(now: datetime, last_heartbeat: datetime | None) -> datetime:
    """Return the time up to which a clock that is stopped now has run.

    After downtime the first heartbeat gives the gap back to all running clocks. A clock that is stopped before that
    heartbeat must leave the gap out by itself.
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
    """Return the milliseconds that the other players have waited for this one, with free time but without holds."""
    return clock.spent + (0 if clock.since is None else milliseconds_between(clock.since, at))


def zero_at(clock: SeatClock) -> datetime | None:
    """Return the time at which the bank will be empty; None for a clock that does not run."""
    return None if clock.since is None else later(clock.since, clock.free + clock.left)


def ask(clock: SeatClock, card: int, free: int) -> SeatClock:
    """Make it the seat's move; its clock waits until ``card`` is posted. ``free`` are milliseconds."""
    return replace(clock, asked=card, free=free, since=None, reminded_at=None, settled=clock.used - clock.given_back)


def start(clock: SeatClock, at: datetime) -> SeatClock:
    """Let the clock run, now that its card is posted. A held, running or idle clock is returned as it is."""
    if clock.asked is None or clock.since is not None or clock.held:
        return clock
    return replace(clock, since=at)


def stop(clock: SeatClock, at: datetime) -> SeatClock:
    """Stop the clock and charge the time that has passed; unused free time is kept for when it continues."""
    if clock.since is None:
        return clock
    free = max(0, clock.free - milliseconds_between(clock.since, at))
    return replace(clock, used=clock.used + charge(clock, at), spent=spent_at(clock, at), free=free, since=None)


def hold(clock: SeatClock, at: datetime) -> SeatClock:
    """Hold the clock, whether it runs or waits for its card: no time counts until it is resumed."""
    return replace(stop(clock, at), held=True)


def resume(clock: SeatClock, at: datetime) -> SeatClock:
    """Release a held clock and let it run if its card is posted."""
    return start(unhold(clock), at)


def unhold(clock: SeatClock) -> SeatClock:
    """Release a held clock without starting it: it waits for its card as before."""
    return replace(clock, held=False)


def answer(clock: SeatClock) -> SeatClock:
    """Reset the clock after its decision was made; call :func:`stop` first."""
    return replace(clock, asked=None, free=0, since=None)


def earn(clock: SeatClock, pace: Pace) -> SeatClock:
    """Add the increment for a turn that was taken in time, as far as the cap allows."""
    if clock.late:
        return replace(clock, late=False)
    return replace(clock, granted=clock.granted + max(0, min(pace.increment, pace.cap - clock.left)))


def remember(clock: SeatClock, ply: int, *, earned: int = 0, chance: int = 0) -> SeatClock:
    """Record the cost and the gain of a decision, so that an undo can reverse both."""
    cost = clock.used - clock.given_back - clock.settled
    newest = (*clock.decisions, Spent(ply, cost, earned, chance))[-MAX_REMEMBERED_DECISIONS:]
    return replace(clock, settled=clock.settled + cost, decisions=newest)


def undo(clock: SeatClock, ply: int, *, asker: bool) -> SeatClock:
    """Undo all decisions from a ply on; call :func:`stop` first.

    The other players get back the time they used since and lose what they earned, so that each has the bank of that
    time, apart from extensions. The player who asked for the undo gets nothing back, and loses the increments earned
    since as far as they are left.
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
    """Extend the bank; unlike increments, extensions are not capped."""
    return replace(clock, granted=clock.granted + milliseconds)


def time_out(clock: SeatClock, at: datetime, pace: Pace, *, turn: bool = True) -> SeatClock:
    """Count a timeout and grant the second chance; a late ``turn`` will earn no increment."""
    stopped = stop(clock, at)
    return replace(grant(stopped, pace.chance), timeouts=clock.timeouts + 1, late=clock.late or turn)


def give_back(clock: SeatClock, start_of_gap: datetime, end: datetime) -> SeatClock:
    """Return the time lost in a gap (downtime, a vacation): at its end the clock shows what it showed at its start.

    After an outage :func:`store.clocks.give_back` does the same to all running clocks in one statement.
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
    """Return the clock of the player to move, if any."""
    return next((clock for clock in seats if clock.asked is not None), None)


QUIET_REMINDER_LEAD: Final = timedelta(minutes=10)
"""Time before quiet hours at which a player is reminded if their time runs out during them."""
_DAY: Final = timedelta(days=1)
_SECOND: Final = timedelta(seconds=1)


class Quiet(NamedTuple):
    """Quiet hours: from one local time of day to another, perhaps across midnight."""

    start: time
    end: time
    zone: ZoneInfo


def quiet_of(preferences: Preferences) -> Quiet | None:
    """Return a user's quiet hours in their time zone, if they have chosen any."""
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
    """Return the quiet hours that contain a time, if any do."""
    if quiet is None:
        return None
    today = at.astimezone(quiet.zone).date()
    for day in (today - _DAY, today):
        end_day = day if quiet.start < quiet.end else day + _DAY
        interval = Interval(moment(day, quiet.start, quiet.zone), moment(end_day, quiet.end, quiet.zone))
        if interval.start <= at < interval.end:
            return interval
    return None


def outside_quiet_hours(at: datetime, deadline: datetime, quiet: Quiet | None) -> datetime:
    """Return when to send a reminder that is due at ``at``, so that it falls into no quiet hours.

    That is the end of the quiet hours; or, if the deadline lies within them, :data:`QUIET_REMINDER_LEAD` before they
    start. If that time is quiet, too (two quiet spans close together), it is the end of the earlier span.
    """
    hours = quiet_at(at, quiet)
    if hours is None:
        return at
    if hours.end < deadline:
        return hours.end
    earlier = quiet_at(hours.start - QUIET_REMINDER_LEAD, quiet)
    return hours.start - QUIET_REMINDER_LEAD if earlier is None else earlier.end


LAST_HOURS: Final = 2 * HOUR
"""Milliseconds before the deadline at which the last hours begin; every player is reminded then."""
MIN_REMINDER_SPACING: Final = timedelta(hours=1)
"""Least time between two reminders of one turn."""
UNTIMED_REMINDER_DELAYS: Final = (DAY, 3 * DAY, 7 * DAY)
"""Milliseconds after which the player to move is reminded in games without clocks; later weekly."""
WEEK: Final = 7 * DAY
"""Milliseconds between later reminders in games without clocks."""


def reminder_marks(clock: SeatClock) -> tuple[datetime, ...]:
    """Return the times at which the player of a running clock is reminded, in order; none for turns of minutes.

    The first two come when half and a quarter of the time is left, unless too close to the last, which comes
    :data:`LAST_HOURS` before zero.
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
    """Return whether the last hours have begun."""
    zero = zero_at(clock)
    return zero is not None and at >= later(zero, -LAST_HOURS)


def missed_mark(clock: SeatClock, at: datetime, quiet: Quiet | None = None) -> datetime | None:
    """Return the newest reminder time that was missed, so that one reminder stands for all missed ones."""
    passed = [mark for mark, send_at in _open_marks(clock, quiet) if send_at <= at]
    return passed[-1] if passed else None


def next_reminder_time(clock: SeatClock, at: datetime, quiet: Quiet | None = None) -> datetime | None:
    """Return the next time after ``at`` at which a reminder is due."""
    return min((send_at for _, send_at in _open_marks(clock, quiet) if send_at > at), default=None)


def _open_marks(clock: SeatClock, quiet: Quiet | None) -> list[tuple[datetime, datetime]]:
    """Return the reminder times not handled so far, each with the time to send it outside quiet hours."""
    last_reminder, zero = clock.reminded_at or clock.since, zero_at(clock)
    if last_reminder is None or zero is None:
        return []
    return [(mark, outside_quiet_hours(mark, zero, quiet)) for mark in reminder_marks(clock) if mark > last_reminder]


def next_untimed_reminder(asked: datetime, at: datetime) -> datetime:
    """Return when to send the next reminder of a turn without a clock that began at ``asked``: always after ``at``."""
    for wait in UNTIMED_REMINDER_DELAYS:
        if later(asked, wait) > at:
            return later(asked, wait)
    weeks = (at - later(asked, UNTIMED_REMINDER_DELAYS[-1])) // timedelta(days=7) + 1
    return later(asked, UNTIMED_REMINDER_DELAYS[-1] + weeks * WEEK)
