"""Clocks of timed games: the clock of each seat, the pauses that stop them, and the time that players give each other.

Each seat has a *bank* of time. A clock *runs* from the moment at which the bot posts the *card*, the message that asks
the player for a decision, until the player has decided. Every decision has an amount of *free* time. A run uses this
first, and then the bank. This module stores clocks; the arithmetic is in ``host.clocks``, except :func:`give_back`,
which changes very many clocks in one statement.

Decisions are identified by the *revision* of the game at which they were asked, a number that grows with every change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Row, bindparam, case, delete, insert, select, type_coerce, update

from store.connection.database import Transaction
from store.connection.dialect import lock_rows
from store.connection.statements import add_row, first_record
from store.records import CARDS, TimerKind, columns_of, record_of
from store.schema.columns import milliseconds
from store.schema.play import clocks, games, gifts, outbox, pauses, timers


class Spent(NamedTuple):
    """The effect of a decision on the bank, in milliseconds, so that an undo can reverse it.

    ``ply`` is the number of actions before the decision, ``used`` was taken from the bank, ``earned`` was added to it.
    """

    ply: int
    used: int
    earned: int
    chance: int
    """The second chance: the time that was granted when the bank ran out during this decision; 0 if it did not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatClock:
    """The clock of a seat in a timed game; all spans are milliseconds.

    ``granted`` is the sum of the first bank, increments, gifts and second chances. ``given_back`` is the part of
    ``used`` that was returned, after an undo or while the bot was down.
    """

    game_id: int
    seat: int
    granted: int
    given_back: int = 0
    used: int = 0
    timeouts: int = 0
    """The number of times that the bank ran out."""
    reminders: int = 0
    """The number of reminders that its player got."""
    asked: int | None = None
    """The revision at which the player was asked for a decision; None while they are asked for none."""
    free: int = 0
    """The free time of the present run, counted from ``since``."""
    since: datetime | None = None
    """The start of the present run; None while the clock is stopped."""
    held: bool = False
    """True while the clock is stopped although a decision is due: in a pause, a vacation, or a closed place."""
    late: bool = False
    """True if the time ran out in this turn, so that the turn earns no increment."""
    reminded_at: datetime | None = None
    """The time of the last reminder of the present decision."""
    untold: int = 0
    """Refunded downtime that no message has mentioned yet."""
    settled: int = 0
    """``used`` less ``given_back`` at the start of the present decision, whose cost is what was used since."""
    decisions: tuple[Spent, ...] = ()
    """The newest decisions that may be undone, oldest first."""
    spent: int = 0
    """The length of all earlier runs, including free time: the time for which the other players have waited."""

    @property
    def left(self) -> int:
        """The time that was in the bank before the present run; never negative."""
        return self.granted + self.given_back - self.used


class Clocks(NamedTuple):
    """The clocks of a game by seat, and the time at which its timer checks them next."""

    seats: tuple[SeatClock, ...]
    alarm: datetime | None


_ANY_GAME: Final = 0
"""An id below that of any game: a condition on its first column lets the index of running clocks be used."""
_ALARM: Final = (
    select(timers.c.due_at)
    .where(timers.c.game_id == bindparam("game"), timers.c.kind == TimerKind.CLOCK, timers.c.subject == 0)
    .scalar_subquery()
    .label("alarm")
)
_OF_GAME: Final = select(clocks, _ALARM).where(clocks.c.game_id == bindparam("game")).order_by(clocks.c.seat)
_SAVE: Final = (
    update(clocks)
    .where(clocks.c.game_id == bindparam("of_game"), clocks.c.seat == bindparam("of_seat"))
    .values({column.name: bindparam(column.name) for column in clocks.c if not column.primary_key})
)


async def add(tx: Transaction, new: Iterable[SeatClock]) -> None:
    """Store the clocks of a game that begins."""
    await tx.execute(insert(clocks), [asdict(clock) for clock in new])


async def of_game(tx: Transaction, game_id: int) -> Clocks:
    """Return the clocks of a game; none for an untimed one."""
    rows = (await tx.execute(_OF_GAME, {"game": game_id})).all()
    return Clocks(tuple(clock_of(row) for row in rows), rows[0].alarm if rows else None)


async def save(tx: Transaction, changed: Iterable[SeatClock]) -> None:
    """Store clocks that have changed."""
    rows = [
        {"of_game": clock.game_id, "of_seat": clock.seat, **columns_of(clock, "game_id", "seat")} for clock in changed
    ]
    if rows:
        await tx.execute(_SAVE, rows)


async def start(tx: Transaction, game_id: int, card: int, now: datetime) -> None:
    """Start the clock that was waiting for its card, which was posted just now."""
    await tx.execute(_START, {"game": game_id, "card": card, "now": now})


_START: Final = (
    update(clocks)
    .where(
        clocks.c.game_id == bindparam("game"),
        clocks.c.asked == bindparam("card"),
        clocks.c.since.is_(None),
        clocks.c.held.is_(False),
    )
    .values(since=bindparam("now"), untold=0)
)


async def mark_downtime_reported(tx: Transaction, game_id: int, revision: int) -> None:
    """Store that a message has mentioned the downtime that was given back."""
    await tx.execute(update(clocks).filter_by(game_id=game_id, asked=revision).values(untold=0))


async def awaits_card(tx: Transaction, clock: SeatClock) -> bool:
    """Return whether the card that asks for the decision is still unsent; the clock starts when it is sent."""
    asks = (outbox.c.ply + outbox.c.taken_back == clock.asked, outbox.c.sent_at.is_(None), outbox.c.kind.in_(CARDS))
    return (await tx.execute(select(outbox.c.id).where(outbox.c.game_id == clock.game_id, *asks))).first() is not None


async def lock_running_games(tx: Transaction) -> None:
    """Lock all games of which a clock runs until the end of the transaction."""
    is_running = clocks.c.since.is_not(None) & (clocks.c.game_id > _ANY_GAME)
    await lock_rows(tx, games, games.c.id.in_(select(clocks.c.game_id).where(is_running)))


async def servers_with_running_clocks(tx: Transaction) -> set[int]:
    """Return the servers in whose games a clock runs."""
    query = select(games.c.guild_id).distinct().join(clocks, games.c.id == clocks.c.game_id)
    return set(await tx.scalars(query.where(clocks.c.since.is_not(None), clocks.c.game_id > _ANY_GAME)))


async def give_back(tx: Transaction, guild_ids: Collection[int], start_of_gap: datetime, end: datetime) -> int:
    """Give the time of a gap, in which nobody could play, back to all clocks that run in these servers.

    Return the number of these clocks. One statement does for a batch of servers what :func:`host.clocks.give_back` does
    for one clock, because there may be very many.
    """
    gap = {"gap": milliseconds(start_of_gap), "end": milliseconds(end)}
    ids, count = sorted(guild_ids), 0
    for first in range(0, len(ids), _BATCH_SIZE):
        count += (await tx.execute(_GIVE_BACK, {**gap, "servers": ids[first : first + _BATCH_SIZE]})).rowcount
    return count


_BATCH_SIZE: Final = 200
"""The most servers that one statement names."""
# Times are stored as milliseconds; as plain numbers the database can add and compare them.
_SINCE: Final = type_coerce(clocks.c.since, BigInteger)
_GAP_START: Final = bindparam("gap", type_=BigInteger)
_GAP_END: Final = bindparam("end", type_=BigInteger)
_START_IN_GAP: Final = case((_SINCE > _GAP_START, _SINCE), else_=_GAP_START)
"""The start of the part of the gap in which the clock ran."""


def _charge(at: ColumnElement[int]) -> ColumnElement[int]:
    """Return the milliseconds that a run until a time takes from the bank; never more than are in it."""
    bank = clocks.c.granted + clocks.c.given_back - clocks.c.used
    overrun = at - _SINCE - clocks.c.free
    return case((overrun <= 0, 0), (overrun > bank, bank), else_=overrun)


_CHARGE_IN_GAP: Final = _charge(_GAP_END) - _charge(_START_IN_GAP)
"""The milliseconds that the gap has taken from the bank."""
_SHIFT: Final = _GAP_END - _START_IN_GAP
"""The milliseconds by which the present run starts later, so that the gap does not count."""
_GIVE_BACK: Final = (
    update(clocks)
    .where(
        clocks.c.since.is_not(None),
        clocks.c.game_id > _ANY_GAME,
        _SINCE < _GAP_END,
        select(games.c.id)
        .where(games.c.id == clocks.c.game_id, games.c.guild_id.in_(bindparam("servers", expanding=True)))
        .exists(),
    )
    # Both sums grow alike, so that the bank is as before the gap.
    .values(
        since=_SINCE + _SHIFT,
        used=clocks.c.used + _CHARGE_IN_GAP,
        given_back=clocks.c.given_back + _CHARGE_IN_GAP,
        reminded_at=type_coerce(clocks.c.reminded_at, BigInteger) + _SHIFT,
        untold=clocks.c.untold + _SHIFT,
    )
)


async def of_games(tx: Transaction, game_ids: Collection[int]) -> dict[int, tuple[SeatClock, ...]]:
    """Return the clocks of these games, by game."""
    query = select(clocks).where(clocks.c.game_id.in_(game_ids)).order_by(clocks.c.game_id, clocks.c.seat)
    by_game: dict[int, tuple[SeatClock, ...]] = {}
    for row in (await tx.execute(query)) if game_ids else ():
        clock = clock_of(row)
        by_game[clock.game_id] = (*by_game.get(clock.game_id, ()), clock)
    return by_game


def clock_of(row: Row[Any], prefix: str = "") -> SeatClock:
    """Read the columns of a clock from a row, where they may have a prefix."""
    values = {column.name: getattr(row, prefix + column.name) for column in clocks.c}
    return SeatClock(**{**values, "decisions": tuple(Spent(*spent) for spent in values["decisions"])})


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of all clocks of a game, until a time or until one of the users ends it."""

    game_id: int
    ends_at: datetime
    users: tuple[int, ...]


async def pause_of(tx: Transaction, game_id: int) -> Pause | None:
    """Return the pause of a game."""
    query = select(pauses).where(pauses.c.game_id == game_id)
    return await first_record(tx, query, lambda row: Pause(row.game_id, row.ends_at, tuple(row.users)))


async def begin_pause(tx: Transaction, pause: Pause) -> None:
    """Store a pause that begins."""
    await tx.execute(insert(pauses).values(game_id=pause.game_id, ends_at=pause.ends_at, users=list(pause.users)))


async def end_pause(tx: Transaction, game_id: int) -> None:
    """Remove the pause of a game."""
    await tx.execute(delete(pauses).where(pauses.c.game_id == game_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gift:
    """An amount of milliseconds that a player has given to a seat."""

    id: int = 0
    game_id: int
    user_id: int
    seat: int
    amount: int
    at: datetime
    interaction_id: int


async def add_gift(tx: Transaction, gift: Gift) -> int:
    """Store a new gift, and return the id that it gets; ``gift.id`` is ignored."""
    return await add_row(tx, gifts, columns_of(gift, "id"))


async def gift_by_id(tx: Transaction, gift_id: int) -> Gift | None:
    """Return the gift with this id."""
    return await first_record(tx, select(gifts).where(gifts.c.id == gift_id), partial(record_of, Gift))


async def last_gift_of(tx: Transaction, game_id: int, user_id: int) -> Gift | None:
    """Return the last gift of a player in a game."""
    own_gifts = select(gifts).where(gifts.c.game_id == game_id, gifts.c.user_id == user_id)
    return await first_record(tx, own_gifts.order_by(gifts.c.id.desc()).limit(1), partial(record_of, Gift))
