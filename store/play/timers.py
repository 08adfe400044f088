"""Timers (tasks that are due at a time), the reminders that players get, and untimed games.

A timer is removed when its task is done. An untimed game has no clocks: its players are reminded, and a game that they
have left is closed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, delete, insert, or_, select, update

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.records import GameStatus, Timer, TimerKind, columns_of, record_of
from store.schema.play import calls, clocks, games, timers, turns, waiting
from store.tourneys import events


async def put(tx: Transaction, timer: Timer) -> None:
    """Store a timer, in place of the same one if that is there already."""
    await tx.execute(upsert(timers, columns_of(timer)))


async def due(tx: Transaction, kinds: Collection[TimerKind], now: datetime, limit: int) -> list[Timer]:
    """Return the due timers of these kinds, the longest due first; a newer version may have left others."""
    its = (timers.c.due_at <= now, timers.c.kind.in_([str(kind) for kind in kinds]))
    query = select(timers).where(*its).order_by(timers.c.due_at).limit(limit)
    return [record_of(Timer, row, kind=TimerKind(row.kind)) for row in await tx.execute(query)]


async def about(tx: Transaction, timer: Timer) -> dict[str, object]:
    """Return what the log tells of the game of a timer."""
    row = (await tx.execute(select(games.c.code, games.c.ply).where(games.c.id == timer.game_id))).first()
    return {} if row is None else {"game": row.code, "ply": row.ply}


def first_due(kind: TimerKind) -> Select[tuple[datetime]]:
    """Select the time of the first timer of a kind that is due ``now``."""
    its = (timers.c.kind == kind, timers.c.due_at <= bindparam("now"))
    return select(timers.c.due_at).where(*its).order_by(timers.c.due_at).limit(1)


async def next_due(tx: Transaction, kinds: Collection[TimerKind]) -> datetime | None:
    """Return when the next timer of these kinds is due."""
    first = [
        await tx.scalar(select(timers.c.due_at).where(timers.c.kind == kind).order_by(timers.c.due_at).limit(1))
        for kind in kinds
    ]
    return min(filter(None, first), default=None)


async def ensure(tx: Transaction, kind: TimerKind, start: datetime, every: timedelta) -> None:
    """Store a timer for each running game that has none of this kind, spread evenly over a time."""
    its = select(timers.c.game_id).where(timers.c.game_id == games.c.id, timers.c.kind == kind).exists()
    missing = list(await tx.scalars(select(games.c.id).where(games.c.status == GameStatus.RUNNING, ~its)))
    for number, game_id in enumerate(missing, 1):
        await put(tx, Timer(game_id, kind, start + every * number / len(missing)))


async def due_at(tx: Transaction, game_id: int, kind: TimerKind, subject: int = 0) -> datetime | None:
    """Return when a timer of a game is due; None where there is none."""
    query = select(timers.c.due_at).where(_named(game_id, kind, subject))
    found: datetime | None = (await tx.execute(query)).scalar_one_or_none()
    return found


async def bring_forward(tx: Transaction, game_id: int, kind: TimerKind, due_at: datetime) -> None:
    """Make a timer due no later than at a time."""
    late = timers.c.due_at > due_at
    await tx.execute(update(timers).where(_named(game_id, kind, 0), late).values(due_at=due_at))


async def take(tx: Transaction, timer: Timer, again_at: datetime) -> bool:
    """Take a timer, which is due again at ``again_at`` unless done by then; return False when it is taken already."""
    taken = await tx.execute(
        update(timers)
        .where(_named(timer.game_id, timer.kind, timer.subject), timers.c.due_at == timer.due_at)
        .values(due_at=again_at, attempts=timers.c.attempts + 1)
    )
    return taken.rowcount == 1


async def claim(tx: Transaction, timer: Timer) -> bool:
    """Remove a timer, to do its task in this transaction; return False when another has done it, or put it off."""
    claimed = await tx.execute(
        delete(timers).where(_named(timer.game_id, timer.kind, timer.subject), timers.c.due_at == timer.due_at)
    )
    return claimed.rowcount == 1


async def done(tx: Transaction, timer: Timer) -> None:
    """Remove a timer whose task is done, or never will be."""
    await tx.execute(delete(timers).where(_named(timer.game_id, timer.kind, timer.subject)))


async def drop_due(tx: Transaction, timer: Timer, now: datetime) -> None:
    """Remove a timer that is due: its task was done with another."""
    mine = _named(timer.game_id, timer.kind, timer.subject)
    await tx.execute(delete(timers).where(mine, timers.c.due_at <= now))


async def stop(tx: Transaction, game_id: int, kinds: Collection[TimerKind]) -> None:
    """Remove all timers of these kinds of a game."""
    await tx.execute(
        delete(timers).where(timers.c.game_id == game_id, timers.c.kind.in_([str(kind) for kind in kinds]))
    )


def _named(game_id: int, kind: TimerKind, subject: int) -> ColumnElement[bool]:
    return and_(timers.c.game_id == game_id, timers.c.kind == kind, timers.c.subject == subject)


async def anything_due(tx: Transaction, kinds: Collection[TimerKind], now: datetime) -> bool:
    """Return whether a timer of these kinds, an event, a table of one or a queue of the ladder is due.

    Of each the first one is asked for: a database that is asked whether there is one that is due goes through all of
    them where it expects many.
    """
    return bool((await tx.execute(_firsts(tuple(kinds)), {"now": now})).scalar_one())


@cache
def _firsts(kinds: tuple[TimerKind, ...]) -> Select[tuple[bool]]:
    """Put the query together once: it is sent every second, and building it costs more than sending it."""
    due = (*map(first_due, kinds), *events.first_due())
    return select(or_(*(first.scalar_subquery().is_not(None) for first in due)))


class Reminder(NamedTuple):
    """A reminder that a player got; an exempt one does not count towards the daily limit."""

    at: datetime
    exempt: bool


async def reminders_since(tx: Transaction, user_id: int, at: datetime) -> Sequence[Reminder]:
    """Return the reminders that a player got after a time, in order."""
    query = select(calls.c.at, calls.c.exempt).where(calls.c.user_id == user_id, calls.c.at > at).order_by(calls.c.at)
    return [Reminder(row.at, row.exempt) for row in await tx.execute(query)]


async def add_reminder(tx: Transaction, user_id: int, game_id: int, reminder: Reminder, *, forget: datetime) -> None:
    """Store a reminder, and delete those before ``forget``, which count no longer."""
    await tx.execute(delete(calls).where(calls.c.user_id == user_id, calls.c.at < forget))
    await tx.execute(insert(calls).values(user_id=user_id, at=reminder.at, game_id=game_id, exempt=reminder.exempt))


async def put_wish(tx: Transaction, game_id: int, user_id: int, revision: int, *, hushed: bool | None = None) -> None:
    """Store what a player wants for a turn; ``hushed``, without further reminders, stays as it was when None."""
    if hushed is None:
        hushed = await is_hushed(tx, game_id, user_id, revision)
    wish = {"game_id": game_id, "user_id": user_id, "revision": revision, "hushed": hushed}
    await tx.execute(upsert(turns, wish))


async def is_hushed(tx: Transaction, game_id: int, user_id: int, revision: int) -> bool:
    """Return whether a player wants no more reminders of what a game asks at this revision."""
    mine = (turns.c.game_id == game_id, turns.c.user_id == user_id, turns.c.revision == revision)
    return bool(await tx.scalar(select(turns.c.hushed).where(*mine)))


async def turn_of(tx: Transaction, game_id: int, user_id: int) -> int | None:
    """Return the revision of the turn for which a player wants something."""
    found: int | None = await tx.scalar(
        select(turns.c.revision).where(turns.c.game_id == game_id, turns.c.user_id == user_id)
    )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class UntimedGame:
    """An untimed game, as far as its log does not tell how long it has waited."""

    game_id: int
    since: datetime
    """The start of waiting: the game began, or this version came to it, or it could be played again."""
    looked_at: datetime
    """The time up to which everything due was told."""
    kept_at: datetime | None = None
    """The last time that a player asked not to close the game."""
    warnings: int = 0
    """The number of warnings that it will be closed."""
    warned_at: datetime | None = None


async def begin_untimed(tx: Transaction, game_id: int, now: datetime, look: datetime) -> None:
    """Store an untimed game that begins, and when it is first looked at."""
    await tx.execute(insert(waiting).values(asdict(UntimedGame(game_id=game_id, since=now, looked_at=now))))
    await tx.execute(insert(timers).values(game_id=game_id, kind=TimerKind.IDLE, subject=0, due_at=look, attempts=0))


async def adopt_untimed(tx: Transaction, now: datetime, look: datetime) -> None:
    """Store all untimed games of an older version, which knew of none of this, as if they had begun now."""
    known = select(waiting.c.game_id).where(waiting.c.game_id == games.c.id).exists()
    paced = select(clocks.c.game_id).where(clocks.c.game_id == games.c.id).exists()
    going = games.c.status.in_([GameStatus.RUNNING, GameStatus.FROZEN])
    found = list(await tx.scalars(select(games.c.id).where(going, ~known, ~paced)))
    for game_id in found:
        await begin_untimed(tx, game_id, now, look)


async def untimed(tx: Transaction, game_id: int) -> UntimedGame | None:
    """Return what is known of an untimed game; None for a timed one."""
    row = (await tx.execute(select(waiting).where(waiting.c.game_id == game_id))).first()
    return None if row is None else record_of(UntimedGame, row)


async def save_untimed(tx: Transaction, changed: UntimedGame) -> None:
    """Store an untimed game that has changed."""
    await tx.execute(update(waiting).where(waiting.c.game_id == changed.game_id).values(asdict(changed)))


async def restart_untimed(tx: Transaction, game_id: int, now: datetime) -> None:
    """Let an untimed game wait from now on: it can be played again. A timed one is left alone."""
    values = {"since": now, "looked_at": now, "warnings": 0, "warned_at": None}
    await tx.execute(update(waiting).where(waiting.c.game_id == game_id).values(values))
