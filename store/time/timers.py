"""What is to be done at a time; what is done is no longer here."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, bindparam, delete, select, update

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.records import GameStatus, Timer, TimerKind
from store.schema import games, timers


async def put(tx: Transaction, timer: Timer) -> None:
    """Store something to be done, in place of the same if that is there already."""
    about = {"game_id": timer.game_id, "kind": timer.kind, "subject": timer.subject}
    await tx.execute(upsert(timers, {**about, "due_at": timer.due_at, "attempts": timer.attempts}))


async def due(tx: Transaction, kinds: Collection[TimerKind], now: datetime, limit: int) -> list[Timer]:
    """What of these kinds is to be done now, the longest due first; others may have been left by a newer version."""
    its = (timers.c.due_at <= now, timers.c.kind.in_([str(kind) for kind in kinds]))
    query = select(timers).where(*its).order_by(timers.c.due_at).limit(limit)
    return [
        Timer(row.game_id, TimerKind(row.kind), row.due_at, row.attempts, row.subject)
        for row in await tx.execute(query)
    ]


async def about(tx: Transaction, timer: Timer) -> dict[str, object]:
    """What the log says of the game of something to be done."""
    row = (await tx.execute(select(games.c.code, games.c.ply).where(games.c.id == timer.game_id))).first()
    return {} if row is None else {"game": row.code, "ply": row.ply}


def first_due(kind: TimerKind) -> Select[tuple[datetime]]:
    """When the first was to be done of those of a kind that are to be done ``now``."""
    its = (timers.c.kind == kind, timers.c.due_at <= bindparam("now"))
    return select(timers.c.due_at).where(*its).order_by(timers.c.due_at).limit(1)


async def next_due(tx: Transaction, kinds: Collection[TimerKind]) -> datetime | None:
    """When the next of these kinds is to be done."""
    first = [
        await tx.scalar(select(timers.c.due_at).where(timers.c.kind == kind).order_by(timers.c.due_at).limit(1))
        for kind in kinds
    ]
    return min(filter(None, first), default=None)


async def ensure(tx: Transaction, kind: TimerKind, start: datetime, every: timedelta) -> None:
    """Let something be done for each running game for which it is not stored, one after another within a time."""
    its = select(timers.c.game_id).where(timers.c.game_id == games.c.id, timers.c.kind == kind).exists()
    missing = list(await tx.scalars(select(games.c.id).where(games.c.status == GameStatus.RUNNING, ~its)))
    for number, game_id in enumerate(missing, 1):
        await put(tx, Timer(game_id, kind, start + every * number / len(missing)))


async def due_at(tx: Transaction, game_id: int, kind: TimerKind, subject: int = 0) -> datetime | None:
    """When something is to be done for a game; None when it is not."""
    query = select(timers.c.due_at).where(_named(game_id, kind, subject))
    found: datetime | None = (await tx.execute(query)).scalar_one_or_none()
    return found


async def bring_forward(tx: Transaction, game_id: int, kind: TimerKind, due_at: datetime) -> None:
    """Let something come up no later than at a time."""
    late = timers.c.due_at > due_at
    await tx.execute(update(timers).where(_named(game_id, kind, 0), late).values(due_at=due_at))


async def take(tx: Transaction, timer: Timer, again_at: datetime) -> bool:
    """Begin to do it; until it is done it comes up again at that time. False when somebody else was quicker."""
    taken = await tx.execute(
        update(timers)
        .where(_named(timer.game_id, timer.kind, timer.subject), timers.c.due_at == timer.due_at)
        .values(due_at=again_at, attempts=timers.c.attempts + 1)
    )
    return taken.rowcount == 1


async def claim(tx: Transaction, timer: Timer) -> bool:
    """Do it in this transaction, and only in this one; False when somebody else has done it, or put it off."""
    claimed = await tx.execute(
        delete(timers).where(_named(timer.game_id, timer.kind, timer.subject), timers.c.due_at == timer.due_at)
    )
    return claimed.rowcount == 1


async def done(tx: Transaction, timer: Timer) -> None:
    """It is done, or never will be."""
    await tx.execute(delete(timers).where(_named(timer.game_id, timer.kind, timer.subject)))


async def drop_due(tx: Transaction, timer: Timer, now: datetime) -> None:
    """It is done with something else, if it is due by now."""
    mine = _named(timer.game_id, timer.kind, timer.subject)
    await tx.execute(delete(timers).where(mine, timers.c.due_at <= now))


async def stop(tx: Transaction, game_id: int, kinds: Collection[TimerKind]) -> None:
    """Nothing of these kinds is to be done for a game any more."""
    await tx.execute(
        delete(timers).where(timers.c.game_id == game_id, timers.c.kind.in_([str(kind) for kind in kinds]))
    )


def _named(game_id: int, kind: TimerKind, subject: int) -> ColumnElement[bool]:
    return and_(timers.c.game_id == game_id, timers.c.kind == kind, timers.c.subject == subject)
