"""Messages to send. One is due when no backoff runs, nobody sends it and nothing older of its game waits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, and_, case, func, insert, literal, or_, select, true, update
from sqlalchemy.sql import Update
from sqlalchemy.sql.elements import ColumnElement

from store.database import Transaction
from store.records import NewPost, PostKind, PostRecord
from store.schema import outbox

_older: Final = outbox.alias("older")


async def add(tx: Transaction, post: NewPost, now: datetime) -> int:
    """Store a message to send at once; its id."""
    result = await tx.execute(
        insert(outbox)
        .values(
            game_id=post.game_id,
            from_ply=post.from_ply,
            ply=post.ply,
            kind=post.kind,
            nonce=post.nonce,
            created_at=now,
            due_at=now,
            parked=False,
            attempts=0,
        )
        .returning(outbox.c.id)
    )
    post_id: int = result.scalar_one()
    return post_id


async def get(tx: Transaction, post_id: int) -> PostRecord | None:
    """The post with this id."""
    row = (await tx.execute(select(outbox).where(outbox.c.id == post_id))).first()
    return None if row is None else _record(row)


async def due(tx: Transaction, now: datetime, limit: int) -> list[PostRecord]:
    """What may be sent now, oldest first, of each game only the oldest that is not sent."""
    query = (
        select(outbox)
        .where(_heads(), outbox.c.parked.is_(False), outbox.c.due_at <= now, _free(now))
        .order_by(outbox.c.id)
        .limit(limit)
    )
    return [_record(row) for row in await tx.execute(query)]


async def next_due(tx: Transaction) -> datetime | None:
    """When the next post may be sent; None when nothing is waiting for its time."""
    leased = and_(outbox.c.leased_until.is_not(None), outbox.c.leased_until > outbox.c.due_at)
    free_at = case((leased, outbox.c.leased_until), else_=outbox.c.due_at)
    query = select(func.min(free_at)).where(_heads(), outbox.c.parked.is_(False))
    found: datetime | None = (await tx.execute(query)).scalar_one()
    return found


async def lease(tx: Transaction, post_id: int, now: datetime, until: datetime) -> bool:
    """Take a post to send it; False when it is sent already or somebody else has it."""
    taken = await tx.execute(
        update(outbox)
        .where(outbox.c.id == post_id, outbox.c.sent_at.is_(None), _free(now))
        .values(
            leased_until=until,
            attempts=outbox.c.attempts + 1,
            first_attempt_at=func.coalesce(outbox.c.first_attempt_at, literal(now, outbox.c.due_at.type)),
        )
    )
    return taken.rowcount == 1


async def release_all(tx: Transaction) -> None:
    """Take all posts out of the hands of senders that are no more."""
    await tx.execute(update(outbox).where(outbox.c.sent_at.is_(None)).values(leased_until=None))


async def sent(tx: Transaction, post_id: int, message_id: int, now: datetime) -> None:
    """Mark a post as sent; a second time changes nothing."""
    await tx.execute(
        update(outbox)
        .where(outbox.c.id == post_id, outbox.c.sent_at.is_(None))
        .values(sent_at=now, message_id=message_id, leased_until=None)
    )


async def sent_again(tx: Transaction, post_id: int, message_id: int) -> None:
    """Put another message in the place of one that was sent."""
    await tx.execute(
        update(outbox).where(outbox.c.id == post_id, outbox.c.sent_at.is_not(None)).values(message_id=message_id)
    )


async def retry(tx: Transaction, post_id: int, due_at: datetime) -> None:
    """Put a post back until a later time."""
    await tx.execute(_unsent(post_id).values(due_at=due_at, leased_until=None))


async def park(tx: Transaction, post_id: int) -> None:
    """Put a post back until its game has another place."""
    await tx.execute(_unsent(post_id).values(parked=True, leased_until=None))


async def park_game(tx: Transaction, game_id: int) -> None:
    """Put back everything that a game still has to say."""
    await tx.execute(update(outbox).where(outbox.c.game_id == game_id, outbox.c.sent_at.is_(None)).values(parked=True))


async def unpark(tx: Transaction, game_id: int, now: datetime) -> None:
    """Make all posts of a game due that were put back."""
    await tx.execute(
        update(outbox)
        .where(outbox.c.game_id == game_id, outbox.c.sent_at.is_(None), outbox.c.parked.is_(True))
        .values(parked=False, due_at=now)
    )


async def last_sent(tx: Transaction, game_id: int, *, before: int | None = None) -> PostRecord | None:
    """The newest post of a game that was sent; of those ``before`` a post when that is given."""
    earlier = true() if before is None else outbox.c.id < before
    query = (
        select(outbox)
        .where(outbox.c.game_id == game_id, outbox.c.sent_at.is_not(None), earlier)
        .order_by(outbox.c.id.desc())
        .limit(1)
    )
    row = (await tx.execute(query)).first()
    return None if row is None else _record(row)


async def last_messages(tx: Transaction, game_ids: Sequence[int]) -> dict[int, int]:
    """The message of the newest post that was sent, by game."""
    newest = (
        select(func.max(outbox.c.id))
        .where(outbox.c.game_id.in_(game_ids), outbox.c.sent_at.is_not(None))
        .group_by(outbox.c.game_id)
    )
    rows = await tx.execute(select(outbox.c.game_id, outbox.c.message_id).where(outbox.c.id.in_(newest)))
    return {row.game_id: row.message_id for row in rows}


def _heads() -> ColumnElement[bool]:
    """Not sent, and nothing older of the same game is left: cards appear in the order of the moves.

    That a game is frozen is said at once, since its cards wait until it goes on.
    """
    waits = (
        select(_older.c.id)
        .where(_older.c.game_id == outbox.c.game_id, _older.c.sent_at.is_(None), _older.c.id < outbox.c.id)
        .exists()
    )
    return and_(outbox.c.sent_at.is_(None), or_(outbox.c.kind == PostKind.FROZEN, ~waits))


def _free(now: datetime) -> ColumnElement[bool]:
    return or_(outbox.c.leased_until.is_(None), outbox.c.leased_until <= now)


def _unsent(post_id: int) -> Update:
    return update(outbox).where(outbox.c.id == post_id, outbox.c.sent_at.is_(None))


def _record(row: Row[Any]) -> PostRecord:
    return PostRecord(
        id=row.id,
        game_id=row.game_id,
        from_ply=row.from_ply,
        ply=row.ply,
        kind=PostKind(row.kind),
        nonce=row.nonce,
        attempts=row.attempts,
        first_attempt_at=row.first_attempt_at,
        message_id=row.message_id,
    )
