"""Timers (tasks that are due at a time), the reminders that players get, and untimed games.

A *timer* names a game, a kind of task and a subject (a seat, a person, a request, or 0); there is at most one timer for
each combination. A dispatcher asks every second for the timers that are due. Its handlers either :func:`lease` one,
which makes it due again later unless the task is done by then, or :func:`claim` it, in the transaction that does the
task. Both fail if another process was quicker.

An *untimed* game has no clocks: its players are only reminded, and a game that they no longer play is closed. A turn is
identified by the *revision* of its game, a number that grows with every action and undo.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, delete, insert, or_, select, update

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.connection.statements import changes_row, first_record
from store.records import GameStatus, Timer, TimerKind, columns_of, record_of
from store.schema.play import calls, clocks, games, timers, turns, waiting
from store.tourneys import events


async def save(tx: Transaction, timer: Timer) -> None:
    """Store a timer in place of one with the same game, kind and subject."""
    await tx.execute(upsert(timers, columns_of(timer)))


async def due(tx: Transaction, kinds: Collection[TimerKind], now: datetime, limit: int) -> list[Timer]:
    """Return the due timers of these kinds, the longest due first; a newer version may have stored other kinds."""
    is_due = (timers.c.due_at <= now, timers.c.kind.in_([str(kind) for kind in kinds]))
    query = select(timers).where(*is_due).order_by(timers.c.due_at).limit(limit)
    return [record_of(Timer, row, kind=TimerKind(row.kind)) for row in await tx.execute(query)]


async def log_fields(tx: Transaction, timer: Timer) -> dict[str, object]:
    """Return the fields that describe the game of a timer in a log line; none if the game was deleted."""
    row = (await tx.execute(select(games.c.code, games.c.ply).where(games.c.id == timer.game_id))).first()
    return {} if row is None else {"game": row.code, "ply": row.ply}


def first_due(kind: TimerKind) -> Select[tuple[datetime]]:
    """Select the earliest due time of a kind of timers, if it is not after the parameter ``now``."""
    is_due = (timers.c.kind == kind, timers.c.due_at <= bindparam("now"))
    return select(timers.c.due_at).where(*is_due).order_by(timers.c.due_at).limit(1)


async def add_missing(tx: Transaction, kind: TimerKind, start: datetime, period: timedelta) -> None:
    """Store a timer for each running game that has none of this kind, spread evenly over a period from the start."""
    existing = select(timers.c.game_id).where(timers.c.game_id == games.c.id, timers.c.kind == kind).exists()
    missing = list(await tx.scalars(select(games.c.id).where(games.c.status == GameStatus.RUNNING, ~existing)))
    for number, game_id in enumerate(missing, 1):
        await save(tx, Timer(game_id, kind, start + period * number / len(missing)))


async def due_at(tx: Transaction, game_id: int, kind: TimerKind, subject: int = 0) -> datetime | None:
    """Return the time at which a timer of a game is due; None if there is none."""
    query = select(timers.c.due_at).where(_same_timer(game_id, kind, subject))
    return await tx.scalar(query)


async def bring_forward(tx: Transaction, game_id: int, kind: TimerKind, due_at: datetime) -> None:
    """Make a timer due at a time if it is due later."""
    is_later = timers.c.due_at > due_at
    await tx.execute(update(timers).where(_same_timer(game_id, kind, 0), is_later).values(due_at=due_at))


async def make_due(tx: Transaction, kind: TimerKind, now: datetime) -> None:
    """Make all timers of a kind due now, also those that a process has leased."""
    is_later = (timers.c.kind == kind, timers.c.due_at > now)
    await tx.execute(update(timers).where(*is_later).values(due_at=now))


async def lease(tx: Transaction, timer: Timer, again_at: datetime) -> bool:
    """Reserve a due timer for this process, which does its task; return False if another process has reserved it.

    Unless the timer is removed by ``again_at``, because its task is done, it is due again then.
    """
    same_timer = (_same_timer(timer.game_id, timer.kind, timer.subject), timers.c.due_at == timer.due_at)
    again = {"due_at": again_at, "attempts": timers.c.attempts + 1}
    return await changes_row(tx, update(timers).where(*same_timer).values(again))


async def claim(tx: Transaction, timer: Timer) -> bool:
    """Remove a timer whose task this transaction does; return False if another one has done or postponed it."""
    same_timer = (_same_timer(timer.game_id, timer.kind, timer.subject), timers.c.due_at == timer.due_at)
    return await changes_row(tx, delete(timers).where(*same_timer))


async def remove(tx: Transaction, timer: Timer) -> None:
    """Remove a timer whose task is done or has become obsolete."""
    await tx.execute(delete(timers).where(_same_timer(timer.game_id, timer.kind, timer.subject)))


async def drop_due(tx: Transaction, timer: Timer, now: datetime) -> None:
    """Remove a timer if it is due: its task was done together with that of another one."""
    same_timer = _same_timer(timer.game_id, timer.kind, timer.subject)
    await tx.execute(delete(timers).where(same_timer, timers.c.due_at <= now))


async def stop(tx: Transaction, game_id: int, kinds: Collection[TimerKind]) -> None:
    """Remove all timers of these kinds of a game."""
    names = [str(kind) for kind in kinds]
    await tx.execute(delete(timers).where(timers.c.game_id == game_id, timers.c.kind.in_(names)))


def _same_timer(game_id: int, kind: TimerKind, subject: int) -> ColumnElement[bool]:
    """Return the condition of a timer by its key."""
    return and_(timers.c.game_id == game_id, timers.c.kind == kind, timers.c.subject == subject)


async def anything_due(tx: Transaction, kinds: Collection[TimerKind], now: datetime) -> bool:
    """Return whether a timer of these kinds, an event, a table of one or a queue of the ladder is due.

    The query selects the first due time of each, which an index finds. If it asked for any due row instead, the
    database would scan the whole table whenever its statistics promise many due rows.
    """
    return bool((await tx.execute(_any_due_query(tuple(kinds)), {"now": now})).scalar_one())


@cache
def _any_due_query(kinds: tuple[TimerKind, ...]) -> Select[tuple[bool]]:
    """Build the query of :func:`anything_due` once: it is sent each second, and building costs more than sending."""
    due = (*map(first_due, kinds), *events.first_due())
    return select(or_(*(first.scalar_subquery().is_not(None) for first in due)))


class Reminder(NamedTuple):
    """A reminder that a player got; one that is ``exempt`` does not count towards the daily limit."""

    at: datetime
    exempt: bool


async def reminders_since(tx: Transaction, user_id: int, at: datetime) -> Sequence[Reminder]:
    """Return the reminders that a player got after a time, the earliest first."""
    query = select(calls.c.at, calls.c.exempt).where(calls.c.user_id == user_id, calls.c.at > at).order_by(calls.c.at)
    return [Reminder(row.at, row.exempt) for row in await tx.execute(query)]


async def add_reminder(tx: Transaction, user_id: int, game_id: int, reminder: Reminder, *, forget: datetime) -> None:
    """Store a reminder, and delete those before ``forget``, which no longer count towards the daily limit."""
    await tx.execute(delete(calls).where(calls.c.user_id == user_id, calls.c.at < forget))
    await tx.execute(insert(calls).values(user_id=user_id, at=reminder.at, game_id=game_id, exempt=reminder.exempt))


async def save_wish(tx: Transaction, game_id: int, user_id: int, revision: int, *, hushed: bool | None = None) -> None:
    """Store a player's wish for one turn: with ``hushed`` they get no more reminders; None keeps the present choice."""
    if hushed is None:
        hushed = await is_hushed(tx, game_id, user_id, revision)
    values = {"game_id": game_id, "user_id": user_id, "revision": revision, "hushed": hushed}
    await tx.execute(upsert(turns, values))


async def is_hushed(tx: Transaction, game_id: int, user_id: int, revision: int) -> bool:
    """Return whether a player wants no further reminders of the turn at this revision."""
    return bool(await tx.scalar(select(turns.c.hushed).filter_by(game_id=game_id, user_id=user_id, revision=revision)))


async def wished_turn(tx: Transaction, game_id: int, user_id: int) -> int | None:
    """Return the revision of the turn for which a player has stored wishes; None if there are none."""
    return await tx.scalar(select(turns.c.revision).where(turns.c.game_id == game_id, turns.c.user_id == user_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class UntimedGame:
    """The state of an untimed game: how long it waits for its players, and the warnings that they have got."""

    game_id: int
    since: datetime
    """The time from which its waiting counts: its start, or later if it could not be played for a while."""
    looked_at: datetime
    """The time of the last check; all reminders and warnings that were due until then are posted."""
    kept_at: datetime | None = None
    """The last time that a player asked not to close the game."""
    warnings: int = 0
    """The number of warnings that the game will be closed."""
    warned_at: datetime | None = None


async def begin_untimed(tx: Transaction, game_id: int, now: datetime, look_at: datetime) -> None:
    """Store an untimed game that begins, and a timer for its first check."""
    await tx.execute(insert(waiting).values(asdict(UntimedGame(game_id=game_id, since=now, looked_at=now))))
    await tx.execute(insert(timers).values(game_id=game_id, kind=TimerKind.IDLE, subject=0, due_at=look_at, attempts=0))


async def adopt_untimed(tx: Transaction, now: datetime, look_at: datetime) -> None:
    """Begin to track the untimed games of an older version, which did not; their waiting counts from now on."""
    adopted = select(waiting.c.game_id).where(waiting.c.game_id == games.c.id).exists()
    timed = select(clocks.c.game_id).where(clocks.c.game_id == games.c.id).exists()
    is_unfinished = games.c.status.in_([GameStatus.RUNNING, GameStatus.FROZEN])
    missing = list(await tx.scalars(select(games.c.id).where(is_unfinished, ~adopted, ~timed)))
    for game_id in missing:
        await begin_untimed(tx, game_id, now, look_at)


async def untimed(tx: Transaction, game_id: int) -> UntimedGame | None:
    """Return the state of an untimed game; None for a timed one."""
    query = select(waiting).where(waiting.c.game_id == game_id)
    return await first_record(tx, query, partial(record_of, UntimedGame))


async def save_untimed(tx: Transaction, changed: UntimedGame) -> None:
    """Store an untimed game that has changed."""
    await tx.execute(update(waiting).where(waiting.c.game_id == changed.game_id).values(asdict(changed)))


async def restart_untimed(tx: Transaction, game_id: int, now: datetime) -> None:
    """Restart the waiting of an untimed game, which can be played again; nothing changes for a timed one."""
    values = {"since": now, "looked_at": now, "warnings": 0, "warned_at": None}
    await tx.execute(update(waiting).where(waiting.c.game_id == game_id).values(values))
