"""Games that went back: their epochs, and the posts that get other names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from sqlalchemy import and_, or_, select, update

from store.connection.database import Transaction
from store.records import CARDS
from store.schema import games, outbox


async def begin(tx: Transaction, game_id: int, old: int, new: int) -> bool:
    """Begin a new epoch of a game; False when somebody else has begun one."""
    changed = await tx.execute(update(games).where(games.c.id == game_id, games.c.epoch == old).values(epoch=new))
    return changed.rowcount == 1


async def of_code(tx: Transaction, code: str) -> tuple[int, int] | None:
    """The id and the epoch of the game with this code, if it ever went back."""
    query = select(games.c.id, games.c.epoch).where(games.c.code == code, games.c.epoch != 0)
    row = (await tx.execute(query)).first()
    return None if row is None else (row.id, row.epoch)


async def rename_unsent(tx: Transaction, game_id: int, name: Callable[[int], str], now: datetime) -> set[int]:
    """Give the cards of a game that are not sent other nonces by their revisions, as if they had never been tried.

    Returns these revisions.
    """
    unsent = and_(outbox.c.game_id == game_id, outbox.c.sent_at.is_(None), outbox.c.kind.in_(CARDS))
    found = (
        await tx.execute(select(outbox.c.id, (outbox.c.ply + outbox.c.taken_back).label("revision")).where(unsent))
    ).all()
    for row in found:
        fresh = {
            "nonce": name(row.revision),
            "attempts": 0,
            "first_attempt_at": None,
            "leased_until": None,
            "due_at": now,
        }
        mine = (outbox.c.id == row.id, outbox.c.sent_at.is_(None))
        await tx.execute(update(outbox).where(*mine).values(**fresh))
    return {row.revision for row in found}


async def tried(tx: Transaction, nonces: Iterable[str]) -> set[str]:
    """Those of the nonces with which something was sent, or may have been."""
    attempted = or_(outbox.c.attempts > 0, outbox.c.sent_at.is_not(None))
    query = select(outbox.c.nonce).where(outbox.c.nonce.in_(list(nonces)), attempted)
    return set((await tx.scalars(query)).all())
