"""What is to be done for a game once it is over; what is done is no longer here."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert, select, update

from store.database import Transaction
from store.records import Chore, ChoreKind
from store.schema import chores


async def add(tx: Transaction, game_id: int, kind: ChoreKind, due_at: datetime) -> None:
    """Store something to be done, in place of the same if that is there already."""
    await done(tx, Chore(game_id, kind, due_at))
    await tx.execute(insert(chores).values(game_id=game_id, kind=kind, due_at=due_at, attempts=0))


async def due(tx: Transaction, now: datetime, limit: int) -> list[Chore]:
    """What is to be done now, the longest due first."""
    known = [str(kind) for kind in ChoreKind]  # a newer version may have left others
    query = (
        select(chores).where(chores.c.due_at <= now, chores.c.kind.in_(known)).order_by(chores.c.due_at).limit(limit)
    )
    return [Chore(row.game_id, ChoreKind(row.kind), row.due_at, row.attempts) for row in await tx.execute(query)]


async def due_at(tx: Transaction, game_id: int, kind: ChoreKind) -> datetime | None:
    """When something is to be done for a game; None when it is not."""
    query = select(chores.c.due_at).where(chores.c.game_id == game_id, chores.c.kind == kind)
    found: datetime | None = (await tx.execute(query)).scalar_one_or_none()
    return found


async def take(tx: Transaction, chore: Chore, again_at: datetime) -> bool:
    """Begin to do it; until it is done it comes up again at that time. False when somebody else was quicker."""
    taken = await tx.execute(
        update(chores)
        .where(chores.c.game_id == chore.game_id, chores.c.kind == chore.kind, chores.c.due_at == chore.due_at)
        .values(due_at=again_at, attempts=chores.c.attempts + 1)
    )
    return taken.rowcount == 1


async def done(tx: Transaction, chore: Chore) -> None:
    """It is done, or never will be."""
    await tx.execute(delete(chores).where(chores.c.game_id == chore.game_id, chores.c.kind == chore.kind))
