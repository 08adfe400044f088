"""What is to be posted about events, in the order in which it happened; each thing once."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, and_, func, insert, literal, or_, select, update

from store.connection.database import Transaction
from store.schema import event_posts
from store.tourneys.values import EventPostKind, EventPostRecord, NewEventPost

_older = event_posts.alias("older")
_UNSENT: Final = and_(event_posts.c.sent_at.is_(None), event_posts.c.event_id > 0)
"""Said in the words of the index of what is not sent, with something about its first column."""


async def add(tx: Transaction, post: NewEventPost, now: datetime) -> bool:
    """Store something to post; False where it is there already."""
    if await tx.scalar(select(event_posts.c.id).where(event_posts.c.nonce == post.nonce)) is not None:
        return False
    await tx.execute(
        insert(event_posts).values(
            event_id=post.event_id,
            kind=post.kind,
            stage=post.stage,
            round=post.round,
            details=dict(post.details),
            nonce=post.nonce,
            created_at=now,
            due_at=post.due_at or now,
        )
    )
    return True


async def get(tx: Transaction, post_id: int) -> EventPostRecord | None:
    """The post with this id."""
    row = (await tx.execute(select(event_posts).where(event_posts.c.id == post_id))).first()
    return None if row is None else _record(row)


async def due(tx: Transaction, now: datetime, limit: int, *, event_id: int | None = None) -> list[EventPostRecord]:
    """What may be sent now, of each event (or one) only its oldest; kinds of a newer version are left to it.

    Nothing waits for what is told somebody when his quiet hours end.
    """
    waits = (
        select(_older.c.id)
        .where(_older.c.event_id == event_posts.c.event_id, _older.c.sent_at.is_(None), _older.c.id < event_posts.c.id)
        .where(_older.c.kind != EventPostKind.NEWS)
        .exists()
    )
    known = event_posts.c.kind.in_([str(kind) for kind in EventPostKind])
    query = (
        select(event_posts)
        .where(_UNSENT, event_posts.c.due_at <= now, known, ~waits, _free(now))
        .order_by(event_posts.c.id + 0)  # in the order of the ids themselves all that was ever sent is gone through
        .limit(limit)
    )
    if event_id is not None:
        query = query.where(event_posts.c.event_id == event_id)
    return [_record(row) for row in await tx.execute(query)]


async def lease(tx: Transaction, post_id: int, now: datetime, until: datetime) -> bool:
    """Take a post to send it; False when it is sent already or somebody else has it."""
    taken = await tx.execute(
        update(event_posts)
        .where(event_posts.c.id == post_id, event_posts.c.sent_at.is_(None), _free(now))
        .values(
            leased_until=until,
            attempts=event_posts.c.attempts + 1,
            first_attempt_at=func.coalesce(event_posts.c.first_attempt_at, literal(now, event_posts.c.due_at.type)),
        )
    )
    return taken.rowcount == 1


async def sent(tx: Transaction, post_id: int, message_id: int | None, now: datetime) -> bool:
    """Mark a post as sent, or as one that never will be; a second time changes nothing."""
    done = await tx.execute(
        update(event_posts)
        .where(event_posts.c.id == post_id, event_posts.c.sent_at.is_(None))
        .values(sent_at=now, message_id=message_id, leased_until=None)
    )
    return done.rowcount == 1


async def retry(tx: Transaction, post_id: int, due_at: datetime) -> None:
    """Put a post back until a later time."""
    mine = (event_posts.c.id == post_id, event_posts.c.sent_at.is_(None))
    await tx.execute(update(event_posts).where(*mine).values(due_at=due_at, leased_until=None))


async def release_all(tx: Transaction) -> None:
    """Take all posts out of the hands of senders that are no more."""
    held = (_UNSENT, event_posts.c.leased_until.is_not(None))
    await tx.execute(update(event_posts).where(*held).values(leased_until=None))


def _free(now: datetime) -> ColumnElement[bool]:
    return or_(event_posts.c.leased_until.is_(None), event_posts.c.leased_until <= now)


def _record(row: Row[Any]) -> EventPostRecord:
    return EventPostRecord(
        id=row.id,
        event_id=row.event_id,
        kind=EventPostKind(row.kind),
        nonce=row.nonce,
        stage=row.stage,
        round=row.round,
        details=row.details,
        attempts=row.attempts,
        first_attempt_at=row.first_attempt_at,
        sent_at=row.sent_at,
        message_id=row.message_id,
    )
