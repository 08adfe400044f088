"""Retention: deleting rows that are no longer needed, in batches small enough not to delay players.

The caller gives the ages at which rows are deleted. Every query uses an index, so that it stays fast however many rows
are kept. Of a finished game the newest *posts* (messages that were sent to Discord) are kept, because the bot links to
them; :func:`finished_games` visits these games in the order of their ids, a batch at a time.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, or_, select

from store.connection.database import Transaction
from store.records import CARDS, LobbyState, PostKind
from store.schema.people import shares
from store.schema.play import (
    IS_FINISHED,
    games,
    lobbies,
    lobby_barred,
    lobby_challenged,
    lobby_members,
    outbox,
    processed_interactions,
)

_KEPT_POSTS: Final = 3
"""The most posts of a finished game that are kept: the newest of all, of the cards, and about a restored database."""


async def drop_interactions(tx: Transaction, before: datetime, limit: int) -> int:
    """Delete interactions (clicks and commands) from before a time, up to a limit; return how many."""
    table = processed_interactions
    old_ids = select(table.c.id).where(table.c.at < before).order_by(table.c.at).limit(limit)
    return (await tx.execute(delete(table).where(table.c.id.in_(old_ids)))).rowcount


async def drop_quotas(tx: Transaction, before: datetime, limit: int) -> int:
    """Delete rows of quotas that were full again before a time, up to a limit; return how many."""
    full_again = select(shares.c.user_id).where(shares.c.free_at < before).order_by(shares.c.free_at).limit(limit)
    return (await tx.execute(delete(shares).where(shares.c.user_id.in_(full_again)))).rowcount


async def drop_closed_lobbies(tx: Transaction, before: datetime, limit: int) -> int:
    """Delete lobbies that led to no game, up to a limit for each closed state; return how many."""
    lobby_ids: list[int] = []
    for state in (LobbyState.CLOSED, LobbyState.EXPIRED):
        is_old = (lobbies.c.state == state, lobbies.c.changed_at < before)
        lobby_ids += await tx.scalars(select(lobbies.c.id).where(*is_old).order_by(lobbies.c.changed_at).limit(limit))
    return await _drop_unreferenced(tx, lobby_ids) if lobby_ids else 0


async def finished_games(tx: Transaction, beyond: int, limit: int) -> list[int]:
    """Return the next finished games with ids above ``beyond``, in their order."""
    query = select(games.c.id).where(IS_FINISHED, games.c.id > beyond).order_by(games.c.id).limit(limit)
    return list(await tx.scalars(query))


async def with_old_rows(tx: Transaction, game_ids: Collection[int], posted: datetime, closed: datetime) -> list[int]:
    """Return the games, among these, that may have rows to delete.

    Such rows are posts that were sent before ``posted``, and lobbies that have not changed since ``closed``.
    """
    old_posts = select(outbox.c.game_id).where(outbox.c.game_id.in_(game_ids), outbox.c.sent_at < posted)
    with_many_posts = set(await tx.scalars(old_posts.group_by(outbox.c.game_id).having(func.count() > _KEPT_POSTS)))
    old_lobbies = select(lobbies.c.game_id).where(lobbies.c.game_id.in_(game_ids), lobbies.c.changed_at < closed)
    return sorted(with_many_posts | set(await tx.scalars(old_lobbies)))


async def drop_posts(tx: Transaction, game_ids: Collection[int], before: datetime, *, exclude: int = 0) -> int:
    """Delete old sent posts of these games; return how many.

    The newest posts are kept, and so is the one with the id ``exclude``, which does not count as one of the newest.
    """
    newest_ids = {exclude}
    for kinds in (list(PostKind), list(CARDS), [PostKind.WENT_BACK]):
        sent = (outbox.c.message_id.is_not(None), outbox.c.id != exclude)
        candidates = (outbox.c.game_id.in_(game_ids), *sent, outbox.c.kind.in_(kinds))
        newest_ids |= set(await tx.scalars(select(func.max(outbox.c.id)).where(*candidates).group_by(outbox.c.game_id)))
    old = (outbox.c.game_id.in_(game_ids), outbox.c.sent_at < before, outbox.c.id.not_in(newest_ids))
    return (await tx.execute(delete(outbox).where(*old))).rowcount


async def drop_lobbies(tx: Transaction, game_ids: Collection[int], before: datetime) -> int:
    """Delete the old lobbies of these games, except of games with recent or unsent posts; return how many."""
    is_recent = or_(outbox.c.sent_at.is_(None), outbox.c.sent_at >= before)
    recent_posts = select(outbox.c.id).where(outbox.c.game_id == lobbies.c.game_id, is_recent).exists()
    is_old = (lobbies.c.game_id.in_(game_ids), lobbies.c.changed_at < before, ~recent_posts)
    lobby_ids = list(await tx.scalars(select(lobbies.c.id).where(*is_old)))
    return await _drop_unreferenced(tx, lobby_ids) if lobby_ids else 0


async def _drop_unreferenced(tx: Transaction, ids: Collection[int]) -> int:
    """Delete lobbies to which no interaction refers, with their members; return how many."""
    referenced = select(processed_interactions.c.lobby_id).where(processed_interactions.c.lobby_id.in_(ids))
    unreferenced = set(ids) - set(await tx.scalars(referenced))
    for table in (lobby_members, lobby_barred, lobby_challenged):
        await tx.execute(delete(table).where(table.c.lobby_id.in_(unreferenced)))
    return (await tx.execute(delete(lobbies).where(lobbies.c.id.in_(unreferenced)))).rowcount
