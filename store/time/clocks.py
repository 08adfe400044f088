"""The clocks of the seats: one statement reads those of a game, one stores what has changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Row, bindparam, case, insert, select, type_coerce, update

from store.connection.database import Transaction
from store.connection.dialect import hold
from store.records import CARDS, TimerKind
from store.schema import clocks, games, outbox, timers
from store.schema.columns import milliseconds
from store.time.seat_clock import SeatClock, Spent


class Clocks(NamedTuple):
    """The clocks of a game by seat, and when somebody looks at them next."""

    seats: tuple[SeatClock, ...]
    alarm: datetime | None


_ANY_GAME: Final = 0
"""Less than the id of any game: what is said of the first column lets the index of what runs be used."""
_ALARM: Final = (
    select(timers.c.due_at)
    .where(timers.c.game_id == bindparam("game"), timers.c.kind == TimerKind.CLOCK, timers.c.subject == 0)
    .scalar_subquery()
    .label("alarm")
)
_OF_GAME: Final = select(clocks, _ALARM).where(clocks.c.game_id == bindparam("game")).order_by(clocks.c.seat)
_KEYS: Final = ("game_id", "seat")
_SAVE: Final = (
    update(clocks)
    .where(clocks.c.game_id == bindparam("of_game"), clocks.c.seat == bindparam("of_seat"))
    .values({column.name: bindparam(column.name) for column in clocks.c if column.name not in _KEYS})
)


async def add(tx: Transaction, new: Iterable[SeatClock]) -> None:
    """Store the clocks of a game that begins."""
    await tx.execute(insert(clocks), [asdict(clock) for clock in new])


async def of_game(tx: Transaction, game_id: int) -> Clocks:
    """The clocks of a game; none for a table without a pace."""
    rows = (await tx.execute(_OF_GAME, {"game": game_id})).all()
    return Clocks(tuple(clock_of(row) for row in rows), rows[0].alarm if rows else None)


async def save(tx: Transaction, changed: Iterable[SeatClock]) -> None:
    """Store what has changed."""
    rows = [_named(asdict(clock)) for clock in changed]
    if rows:
        await tx.execute(_SAVE, rows)


async def start(tx: Transaction, game_id: int, card: int, now: datetime) -> None:
    """A card is there: the clock runs that waited for it."""
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


async def told(tx: Transaction, game_id: int, revision: int) -> None:
    """A message has said what was given back to who is asked."""
    mine = (clocks.c.game_id == game_id, clocks.c.asked == revision)
    await tx.execute(update(clocks).where(*mine).values(untold=0))


async def awaits_card(tx: Transaction, clock: SeatClock) -> bool:
    """Whether the card that asks has not been sent yet: then the clock starts with it."""
    card = (outbox.c.ply + outbox.c.taken_back == clock.asked, outbox.c.sent_at.is_(None), outbox.c.kind.in_(CARDS))
    return (await tx.execute(select(outbox.c.id).where(outbox.c.game_id == clock.game_id, *card))).first() is not None


async def hold_running(tx: Transaction) -> None:
    """Have all games for oneself of which a clock runs: nobody else changes it until the end."""
    its = clocks.c.since.is_not(None) & (clocks.c.game_id > _ANY_GAME)
    await hold(tx, games, games.c.id.in_(select(clocks.c.game_id).where(its)))


async def servers_running(tx: Transaction) -> set[int]:
    """The servers in whose games a clock runs."""
    query = select(games.c.guild_id).distinct().join(clocks, games.c.id == clocks.c.game_id)
    return set(await tx.scalars(query.where(clocks.c.since.is_not(None), clocks.c.game_id > _ANY_GAME)))


async def give_back(tx: Transaction, guild_ids: Collection[int], start_of_gap: datetime, end: datetime) -> int:
    """A gap in which nobody could play in these servers: what runs there stands as it stood; how many clocks.

    The database does by itself what :func:`host.time.clocks.give_back` says of one: there may be very many.
    """
    gap = {"gap": milliseconds(start_of_gap), "end": milliseconds(end)}
    ids, count = sorted(guild_ids), 0
    for first in range(0, len(ids), _SERVERS):
        count += (await tx.execute(_GIVE_BACK, {**gap, "servers": ids[first : first + _SERVERS]})).rowcount
    return count


_SERVERS: Final = 200
"""Named in one statement."""
_SINCE: Final = type_coerce(clocks.c.since, BigInteger)
_GAP: Final = bindparam("gap", type_=BigInteger)
_END: Final = bindparam("end", type_=BigInteger)
_BEGIN: Final = case((_SINCE > _GAP, _SINCE), else_=_GAP)


def _charge(at: ColumnElement[int]) -> ColumnElement[int]:
    """What of the bank the run until then has cost; never more than there is."""
    left = clocks.c.granted + clocks.c.given_back - clocks.c.used
    over = at - _SINCE - clocks.c.free
    return case((over <= 0, 0), (over > left, left), else_=over)


_LOST: Final = _charge(_END) - _charge(_BEGIN)
_SHIFT: Final = _END - _BEGIN
_GIVE_BACK: Final = (
    update(clocks)
    .where(
        clocks.c.since.is_not(None),
        clocks.c.game_id > _ANY_GAME,
        _SINCE < _END,
        select(games.c.id)
        .where(games.c.id == clocks.c.game_id, games.c.guild_id.in_(bindparam("servers", expanding=True)))
        .exists(),
    )
    .values(
        since=_SINCE + _SHIFT,
        used=clocks.c.used + _LOST,
        given_back=clocks.c.given_back + _LOST,
        reminded_at=type_coerce(clocks.c.reminded_at, BigInteger) + _SHIFT,
        untold=clocks.c.untold + _SHIFT,
    )
)


async def of_games(tx: Transaction, game_ids: Collection[int]) -> dict[int, tuple[SeatClock, ...]]:
    """The clocks of some games, by game."""
    query = select(clocks).where(clocks.c.game_id.in_(game_ids)).order_by(clocks.c.game_id, clocks.c.seat)
    found: dict[int, tuple[SeatClock, ...]] = {}
    for row in (await tx.execute(query)) if game_ids else ():
        clock = clock_of(row)
        found[clock.game_id] = (*found.get(clock.game_id, ()), clock)
    return found


def _named(values: dict[str, Any]) -> dict[str, Any]:
    return {f"of_{'game' if name == 'game_id' else name}" if name in _KEYS else name: of for name, of in values.items()}


def clock_of(row: Row[Any], prefix: str = "") -> SeatClock:
    """What a row says, be it under names with a prefix."""
    values = {column.name: getattr(row, prefix + column.name) for column in clocks.c}
    return SeatClock(**{**values, "decisions": tuple(Spent(*spent) for spent in values["decisions"])})
