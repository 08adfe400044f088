"""End dates of games: set them, schedule notices, and find the player who used most of the time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Final, NamedTuple

from engine import begin
from host.clocks import MILLISECOND, milliseconds_between, pace_of, spent_at
from host.games.timekeeping import TRANSIT_GRACE
from host.values import LoggedAction, setup_of
from store import Game, NewPost, PostKind, Timer, TimerKind, Transaction, Vacation, absences, clocks, games, timers

NOTICE_LEAD_TIMES: Final = (timedelta(days=7), timedelta(days=1))
"""Times before the end date at which players are notified."""
SLOW_PLAYER_SHARE: Final = Fraction(3, 5)
"""A player who used more than this share of the game's time ranks last when it is adjudicated."""
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


async def put_end_date(tx: Transaction, game: Game, ends_at: datetime | None, now: datetime) -> bool:
    """Set or clear a game's end date in the caller's transaction, with its timer; return False if the game is over.

    No notification is sent.
    """
    if not await games.set_end_date(tx, game.id, ends_at):
        return False
    if ends_at is None:
        await timers.stop(tx, game.id, [TimerKind.END])
    else:
        await timers.put(tx, Timer(game.id, TimerKind.END, next_check_time(ends_at, now)))
    return True


def next_check_time(ends_at: datetime, now: datetime) -> datetime:
    """Return when there is next something to do about an end date: to give notice, or to end the game.

    The game ends a moment after its date: a move that was made in time may still be on its way.
    """
    return min(
        (mark for before in NOTICE_LEAD_TIMES if (mark := ends_at - before) > now), default=ends_at + TRANSIT_GRACE
    )


def is_due(ends_at: datetime, now: datetime) -> bool:
    """Return True if the end date and its grace time have passed."""
    return now >= ends_at + TRANSIT_GRACE


def ending_notice(game: Game, now: datetime) -> NewPost:
    """Return the post that says when a game ends; its nonce carries milliseconds, since it may be posted again soon."""
    nonce = f"{game.code}-{game.revision}-e{milliseconds_between(EPOCH, now)}"
    return NewPost(
        game_id=game.id, from_ply=game.ply, ply=game.ply, kind=PostKind.ENDS, nonce=nonce, taken_back=game.taken_back
    )


class Wait(NamedTuple):
    """A span for which a game has waited for a seat; without an end it still does."""

    seat: int
    start: datetime
    end: datetime | None


def waits_of(game: Game, log: Sequence[LoggedAction]) -> tuple[Wait, ...]:
    """Replay a game without clocks and return for whom it has waited, and how long; empty where clocks know."""
    return tuple(_replay_waits(game, log)) if pace_of(game.settings.pace) is None else ()


async def slowest_seat(tx: Transaction, game: Game, waited: Sequence[Wait], end: datetime) -> int | None:
    """Return the seat, of those who play on, that has used more than 60 % of the time since the game began.

    A seat's time is what its clock has run, free time included: no pause, vacation or downtime. Without clocks it is
    the time between the moves, which ``waited`` holds, less the vacations of the player waited for.
    """
    if pace_of(game.settings.pace) is None:
        away = {person.user_id: await absences.vacations_of(tx, person.user_id) for person in game.players}
        used = _without_clocks(game, waited, end, away)
    else:
        found = (await clocks.of_game(tx, game.id)).seats
        used = {clock.seat: spent_at(clock, end) * MILLISECOND for clock in found}
    limit = max(timedelta(0), end - game.created_at) * SLOW_PLAYER_SHARE.numerator / SLOW_PLAYER_SHARE.denominator
    late = (seat for seat, time in used.items() if time > limit and game.plays(game.seats[seat].user_id))
    return next(late, None)


def _without_clocks(
    game: Game, waited: Sequence[Wait], end: datetime, away: Mapping[int, Collection[Vacation]]
) -> dict[int, timedelta]:
    """Return, by seat, for how long a game without clocks has waited for it."""
    used = dict.fromkeys(range(len(game.seats)), timedelta(0))
    for wait in waited:
        until = max(wait.start, end) if wait.end is None else wait.end
        gone = away.get(game.seats[wait.seat].user_id, ())
        used[wait.seat] += (
            until - wait.start - sum((_overlap(wait.start, until, entry) for entry in gone), timedelta(0))
        )
    return used


def _replay_waits(game: Game, log: Sequence[LoggedAction]) -> Iterator[Wait]:
    position, since = begin(setup_of(game)), game.created_at
    for entry in log:
        yield Wait(position.player, since, entry.at)
        position.apply(entry.action)
        since = entry.at
    if position.step is not None:
        yield Wait(position.player, since, None)


def _overlap(start: datetime, end: datetime, entry: Vacation) -> timedelta:
    return max(timedelta(0), min(end, entry.ends_at) - max(start, entry.starts_at))
