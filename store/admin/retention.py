"""Retention: deleting what has become obsolete in small batches, each found by an index, however much is kept.

Finished games are gone through by their ids. Their newest posts stay: by them a game is found at Discord.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, or_, select

from store.connection.database import Transaction
from store.records import CARDS, LobbyState, PostKind
from store.schema.people import shares
from store.schema.play import IS_FINISHED, games, lobbies, lobby_barred, lobby_members, outbox, processed_interactions

_KEPT_POSTS: Final = 3
"""The most posts of a finished game that stay."""


async def drop_interactions(tx: Transaction, before: datetime, limit: int) -> int:
    """Delete interactions that are older than any delivery, up to a limit; return how many."""
    table = processed_interactions
    found = select(table.c.id).where(table.c.at < before).order_by(table.c.at).limit(limit)
    return (await tx.execute(delete(table).where(table.c.id.in_(found)))).rowcount


async def drop_quotas(tx: Transaction, before: datetime, limit: int) -> int:
    """Delete the rows of people who have their whole quota again, up to a limit; return how many."""
    found = select(shares.c.user_id).where(shares.c.free_at < before).order_by(shares.c.free_at).limit(limit)
    return (await tx.execute(delete(shares).where(shares.c.user_id.in_(found)))).rowcount


async def drop_closed_lobbies(tx: Transaction, before: datetime, limit: int) -> int:
    """Delete lobbies that led to no game, up to a limit of each kind; return how many."""
    found: list[int] = []
    for state in (LobbyState.CLOSED, LobbyState.EXPIRED):
        its = (lobbies.c.state == state, lobbies.c.changed_at < before)
        found += await tx.scalars(select(lobbies.c.id).where(*its).order_by(lobbies.c.changed_at).limit(limit))
    return await _drop_unreferenced(tx, found) if found else 0


async def finished_games(tx: Transaction, beyond: int, limit: int) -> list[int]:
    """Return the next finished games, by their ids."""
    query = select(games.c.id).where(IS_FINISHED, games.c.id > beyond).order_by(games.c.id).limit(limit)
    return list(await tx.scalars(query))


async def with_old_rows(tx: Transaction, game_ids: Collection[int], posted: datetime, closed: datetime) -> list[int]:
    """Return those of the games with rows to delete, so that the others cost no more than a look.

    These are posts that were sent before one time, and lobbies that have not changed since another.
    """
    posts = select(outbox.c.game_id).where(outbox.c.game_id.in_(game_ids), outbox.c.sent_at < posted)
    many = set(await tx.scalars(posts.group_by(outbox.c.game_id).having(func.count() > _KEPT_POSTS)))
    tables = select(lobbies.c.game_id).where(lobbies.c.game_id.in_(game_ids), lobbies.c.changed_at < closed)
    return sorted(many | set(await tx.scalars(tables)))


async def drop_posts(tx: Transaction, game_ids: Collection[int], before: datetime, *, beside: int = 0) -> int:
    """Delete sent posts of these games but the newest, for which ``beside`` does not count; return how many."""
    kept = {beside}
    for kinds in (list(PostKind), list(CARDS), [PostKind.WENT_BACK]):
        sent = (outbox.c.message_id.is_not(None), outbox.c.id != beside)
        its = (outbox.c.game_id.in_(game_ids), *sent, outbox.c.kind.in_(kinds))
        kept |= set(await tx.scalars(select(func.max(outbox.c.id)).where(*its).group_by(outbox.c.game_id)))
    old = (outbox.c.game_id.in_(game_ids), outbox.c.sent_at < before, outbox.c.id.not_in(kept))
    return (await tx.execute(delete(outbox).where(*old))).rowcount


async def drop_lobbies(tx: Transaction, game_ids: Collection[int], before: datetime) -> int:
    """Delete the lobbies of these games, where nothing was or will be posted since then; return how many."""
    late = or_(outbox.c.sent_at.is_(None), outbox.c.sent_at >= before)
    lately = select(outbox.c.id).where(outbox.c.game_id == lobbies.c.game_id, late).exists()
    its = (lobbies.c.game_id.in_(game_ids), lobbies.c.changed_at < before, ~lately)
    found = list(await tx.scalars(select(lobbies.c.id).where(*its)))
    return await _drop_unreferenced(tx, found) if found else 0


async def _drop_unreferenced(tx: Transaction, ids: Collection[int]) -> int:
    """Delete lobbies with their members, as far as nothing else refers to them; return how many."""
    named = select(processed_interactions.c.lobby_id).where(processed_interactions.c.lobby_id.in_(ids))
    free = set(ids) - set(await tx.scalars(named))
    for table in (lobby_members, lobby_barred):
        await tx.execute(delete(table).where(table.c.lobby_id.in_(free)))
    return (await tx.execute(delete(lobbies).where(lobbies.c.id.in_(free)))).rowcount
