"""End dates of games: set them, schedule the notices before them, and find the player who used most of the time.

A game that is not over at its end date is *adjudicated*: its present position is scored. A player who kept the others
waiting for most of the game ranks last then (:func:`slowest_seat`). The services that end games are in
``host/votes/endings.py``. The *nonce* of a post is a text by which Discord recognises a message that is sent twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Final, NamedTuple

from engine import begin
from host.clocks import MILLISECOND, milliseconds_between, pace_of, spent_at
from host.games.outbox import notice_post
from host.games.timekeeping import TRANSIT_GRACE
from host.values import LoggedAction, setup_of
from store import Game, NewPost, PostKind, Timer, TimerKind, Transaction, Vacation, absences, clocks, games, timers

NOTICE_LEAD_TIMES: Final = (timedelta(days=7), timedelta(days=1))
"""The times before the end date at which the players are notified."""
SLOW_PLAYER_SHARE: Final = Fraction(3, 5)
"""A player who used more than this share of the game's time ranks last; more than half, so only one can."""
UNIX_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The moment from which nonces of notices count milliseconds."""


async def store_end_date(tx: Transaction, game: Game, ends_at: datetime | None, now: datetime) -> None:
    """Store or clear a game's end date and its timer, unless the game is over. Nobody is notified."""
    if not await games.set_end_date(tx, game.id, ends_at):
        return
    if ends_at is None:
        await timers.stop(tx, game.id, [TimerKind.END])
    else:
        await timers.save(tx, Timer(game.id, TimerKind.END, next_check_time(ends_at, now)))


def next_check_time(ends_at: datetime, now: datetime) -> datetime:
    """Return the time of the next notice before an end date or, after the last one, the time to end the game.

    The game ends a moment after its date: a move that was made in time may still be on its way from Discord.
    """
    return min((mark for lead in NOTICE_LEAD_TIMES if (mark := ends_at - lead) > now), default=ends_at + TRANSIT_GRACE)


def is_due(ends_at: datetime, now: datetime) -> bool:
    """Return whether the end date and the grace time after it have passed."""
    return now >= ends_at + TRANSIT_GRACE


def ending_notice(game: Game, now: datetime) -> NewPost:
    """Return the post that says when a game ends.

    Its nonce contains the time in milliseconds, because the date may change again at the same revision.
    """
    return notice_post(game, PostKind.ENDS, f"e{milliseconds_between(UNIX_EPOCH, now)}")


class Wait(NamedTuple):
    """A span of time in which a game waited for a seat to decide; ``end`` is None while it still waits."""

    seat: int
    start: datetime
    end: datetime | None


def waits_of(game: Game, log: Sequence[LoggedAction]) -> tuple[Wait, ...]:
    """Return the waits of a game without clocks, by replaying it; none for a game with clocks, which measure them."""
    return tuple(_replay_waits(game, log)) if pace_of(game.settings.pace) is None else ()


async def time_used(tx: Transaction, game: Game, waits: Sequence[Wait], end: datetime) -> dict[int, timedelta]:
    """Return the time that each seat has used until ``end``.

    In a game with clocks, this is the time for which the clock of the seat ran, free time included; pauses, vacations
    and downtime do not count. In a game without clocks it is the sum of the seat's ``waits``, less the vacations of its
    player.
    """
    if pace_of(game.settings.pace) is None:
        vacations = {person.user_id: await absences.vacations_of(tx, person.user_id) for person in game.players}
        return _used_without_clocks(game, waits, end, vacations)
    seat_clocks = (await clocks.of_game(tx, game.id)).seats
    return {clock.seat: spent_at(clock, end) * MILLISECOND for clock in seat_clocks}


async def slowest_seat(tx: Transaction, game: Game, waits: Sequence[Wait], end: datetime) -> int | None:
    """Return the seat whose player used more than ``SLOW_PLAYER_SHARE`` of the time since the game began, or None.

    Players who have left the game are not considered.
    """
    used = await time_used(tx, game, waits, end)
    limit = max(timedelta(0), end - game.created_at) * SLOW_PLAYER_SHARE.numerator / SLOW_PLAYER_SHARE.denominator
    slow_seats = (seat for seat, time in used.items() if time > limit and game.seats[seat] in game.players)
    return next(slow_seats, None)


def _used_without_clocks(
    game: Game, waits: Sequence[Wait], end: datetime, vacations: Mapping[int, Collection[Vacation]]
) -> dict[int, timedelta]:
    """Return the time for which a game without clocks has waited for each seat; ``vacations`` are by user."""
    used = dict.fromkeys(range(len(game.seats)), timedelta(0))
    for wait in waits:
        until = max(wait.start, end) if wait.end is None else wait.end
        user_id = game.seats[wait.seat].user_id
        entries = () if user_id is None else vacations.get(user_id, ())
        used[wait.seat] += (
            until - wait.start - sum((_overlap(wait.start, until, entry) for entry in entries), timedelta(0))
        )
    return used


def _replay_waits(game: Game, log: Sequence[LoggedAction]) -> Iterator[Wait]:
    """Yield the wait before each action of a game, and then the present wait, which has not ended."""
    position, since = begin(setup_of(game)), game.created_at
    for entry in log:
        yield Wait(position.player, since, entry.at)
        position.apply(entry.action)
        since = entry.at
    if position.step is not None:
        yield Wait(position.player, since, None)


def _overlap(start: datetime, end: datetime, entry: Vacation) -> timedelta:
    """Return the length of the part of a vacation that lies between two times."""
    return max(timedelta(0), min(end, entry.ends_at) - max(start, entry.starts_at))
