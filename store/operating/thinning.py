"""Taking out what nobody needs any more, a little at a time: each finds its rows by an index, however much is kept.

What is over is gone through by the numbers of the games. Of its posts the newest stay: where to find it hangs on them.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, or_, select

from store.connection.database import Transaction
from store.records import CARDS, LobbyState, PostKind
from store.schema import (
    IS_FINISHED,
    games,
    lobbies,
    lobby_barred,
    lobby_members,
    outbox,
    processed_interactions,
    shares,
)

_STAY: Final = 3
"""Posts of a game that may stay."""


async def old_interactions(tx: Transaction, before: datetime, limit: int) -> int:
    """Drop interactions that are older than any delivery, at most so many; how many."""
    table = processed_interactions
    found = select(table.c.id).where(table.c.at < before).order_by(table.c.at).limit(limit)
    return (await tx.execute(delete(table).where(table.c.id.in_(found)))).rowcount


async def old_shares(tx: Transaction, before: datetime, limit: int) -> int:
    """Drop the shares of people who have all of theirs again, at most so many; how many."""
    found = select(shares.c.user_id).where(shares.c.free_at < before).order_by(shares.c.free_at).limit(limit)
    return (await tx.execute(delete(shares).where(shares.c.user_id.in_(found)))).rowcount


async def closed_lobbies(tx: Transaction, before: datetime, limit: int) -> int:
    """Drop tables that gathered players for nothing, at most so many of each kind; how many."""
    found: list[int] = []
    for state in (LobbyState.CLOSED, LobbyState.EXPIRED):
        its = (lobbies.c.state == state, lobbies.c.changed_at < before)
        found += await tx.scalars(select(lobbies.c.id).where(*its).order_by(lobbies.c.changed_at).limit(limit))
    return await _drop_lobbies(tx, found) if found else 0


async def finished(tx: Transaction, beyond: int, limit: int) -> list[int]:
    """The next games that are over, by their numbers."""
    query = select(games.c.id).where(IS_FINISHED, games.c.id > beyond).order_by(games.c.id).limit(limit)
    return list(await tx.scalars(query))


async def holding_old(tx: Transaction, game_ids: Collection[int], posted: datetime, closed: datetime) -> list[int]:
    """Those of the games of which something may be dropped: so that the others cost no more than a look.

    Posts that were sent before one time, and lobbies that nothing changed since another.
    """
    posts = select(outbox.c.game_id).where(outbox.c.game_id.in_(game_ids), outbox.c.sent_at < posted)
    many = set(await tx.scalars(posts.group_by(outbox.c.game_id).having(func.count() > _STAY)))
    tables = select(lobbies.c.game_id).where(lobbies.c.game_id.in_(game_ids), lobbies.c.changed_at < closed)
    return sorted(many | set(await tx.scalars(tables)))


async def posts_of(tx: Transaction, game_ids: Collection[int], before: datetime, *, beside: int = 0) -> int:
    """Drop what was sent of these games, but for the newest ``beside`` one that is not asked about; how many posts."""
    kept = {beside}
    for kinds in (list(PostKind), list(CARDS), [PostKind.WENT_BACK]):
        sent = (outbox.c.message_id.is_not(None), outbox.c.id != beside)
        its = (outbox.c.game_id.in_(game_ids), *sent, outbox.c.kind.in_(kinds))
        kept |= set(await tx.scalars(select(func.max(outbox.c.id)).where(*its).group_by(outbox.c.game_id)))
    old = (outbox.c.game_id.in_(game_ids), outbox.c.sent_at < before, outbox.c.id.not_in(kept))
    return (await tx.execute(delete(outbox).where(*old))).rowcount


async def lobbies_of(tx: Transaction, game_ids: Collection[int], before: datetime) -> int:
    """Drop the tables that gathered the players of these games, where nothing was or will be posted since; how many."""
    late = or_(outbox.c.sent_at.is_(None), outbox.c.sent_at >= before)
    lately = select(outbox.c.id).where(outbox.c.game_id == lobbies.c.game_id, late).exists()
    its = (lobbies.c.game_id.in_(game_ids), lobbies.c.changed_at < before, ~lately)
    found = list(await tx.scalars(select(lobbies.c.id).where(*its)))
    return await _drop_lobbies(tx, found) if found else 0


async def _drop_lobbies(tx: Transaction, ids: Collection[int]) -> int:
    """Drop lobbies, with who sat there, to which nothing else refers any more."""
    named = select(processed_interactions.c.lobby_id).where(processed_interactions.c.lobby_id.in_(ids))
    free = set(ids) - set(await tx.scalars(named))
    for table in (lobby_members, lobby_barred):
        await tx.execute(delete(table).where(table.c.lobby_id.in_(free)))
    return (await tx.execute(delete(lobbies).where(lobbies.c.id.in_(free)))).rowcount
