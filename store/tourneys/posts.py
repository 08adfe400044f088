"""The outbox of events: messages about a tournament or league that wait to be sent to Discord, or were sent.

A *post* is such a message. It is stored together with the change that it announces, and sent afterwards, each once and
in order. A process takes a :func:`lease` on a :func:`due` post, so that no other process sends it meanwhile, and then
calls :func:`mark_sent` or :func:`retry`. The text is written when the post is sent, from the values in its ``details``;
:class:`EventPostKind` says which values a kind has.

Messages about the games of events are in another outbox, ``store.play.outbox``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Update, and_, func, insert, literal, or_, select, update

from store.connection.database import Transaction
from store.connection.statements import changes_row, first_record
from store.records import columns_of, record_of
from store.schema.tourneys import event_posts


class EventPostKind(StrEnum):
    """The kind of a message about an event."""

    ANNOUNCED = "announced"
    """The announcement: sign-up is open."""
    CHECK_IN = "check_in"
    """Check-in has begun."""
    TOO_FEW = "too_few"
    """The start is due, and too few players are there (details: entries, least)."""
    STARTED = "started"
    ROUND = "round"
    """A round is drawn."""
    GAMES = "games"
    """Undecided matches go on (details: tables)."""
    RESULTS = "results"
    """A round is over: standings, bracket."""
    STAGE = "stage"
    """A stage is over (details: reason)."""
    NEEDED = "needed"
    """The next round waits until the organisers release it."""
    DEADLINE = "deadline"
    """A round's deadline is three days off (details: tables that still play)."""
    CLOSING = "closing"
    """The last games of a season of the ladder begin (details: until, ends, as timestamps)."""
    LINE_UPS = "line_ups"
    """Line-ups are due (details: until, as a timestamp)."""
    REVEALED = "revealed"
    """The line-ups of a match are in (details: teams)."""
    FULL = "full"
    """Discord has no room for more threads."""
    EXTENDED = "extended"
    """A deadline was extended (details: days, reason)."""
    UNDONE = "undone"
    """The pairings of a round were withdrawn, and are drawn again (details: reason)."""
    CORRECTED = "corrected"
    """A result was corrected (details: table, reason)."""
    PENALISED = "penalised"
    """An organiser took points from a player (details: user, points, reason)."""
    WARNED = "warned"
    """An organiser warned a player (details: user, reason)."""
    PAUSED = "paused"
    RESUMED = "resumed"
    REPORTED = "reported"
    """A private report to the organisers (details: number)."""
    INHERITED = "inherited"
    """The organisers have done nothing for a week, so that the managers of the server may now act for them."""
    FINISHED = "finished"
    """The podium."""
    CLOSED = "closed"
    NEWS = "news"
    """Deferred pings of an earlier message, for people whose quiet hours are over (details: of, users)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEventPost:
    """A post about an event before it is stored; the ``nonce`` identifies its subject, which is announced only once."""

    event_id: int
    kind: EventPostKind
    nonce: str
    stage: int = 0
    round: int = 0
    details: Mapping[str, Any]
    due_at: datetime | None = None
    """The time at which it is to be posted; at once when None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPostRecord(NewEventPost):
    """A stored post about an event."""

    id: int
    attempts: int
    first_attempt_at: datetime | None
    sent_at: datetime | None
    message_id: int | None


_older = event_posts.alias("older")
_UNSENT: Final = and_(event_posts.c.sent_at.is_(None), event_posts.c.event_id > 0)
"""The condition of the index of unsent posts, word for word, and a condition on its first column: both are needed."""


async def add(tx: Transaction, post: NewEventPost, now: datetime) -> bool:
    """Store a post to send; return False if one with its nonce is stored already."""
    if await tx.scalar(select(event_posts.c.id).where(event_posts.c.nonce == post.nonce)) is not None:
        return False
    values = {**columns_of(post), "details": dict(post.details), "created_at": now, "due_at": post.due_at or now}
    await tx.execute(insert(event_posts).values(values))
    return True


async def get(tx: Transaction, post_id: int) -> EventPostRecord | None:
    """Return the post with this id."""
    return await first_record(tx, select(event_posts).where(event_posts.c.id == post_id), _record)


async def due(tx: Transaction, now: datetime, limit: int, *, event_id: int | None = None) -> list[EventPostRecord]:
    """Return the oldest due post of each event, or of one; unknown kinds are left to the newer release that wrote them.

    No post waits for deferred notifications of quiet hours.
    """
    older_waits = (
        select(_older.c.id)
        .where(_older.c.event_id == event_posts.c.event_id, _older.c.sent_at.is_(None), _older.c.id < event_posts.c.id)
        .where(_older.c.kind != EventPostKind.NEWS)
        .exists()
    )
    is_known_kind = event_posts.c.kind.in_([str(kind) for kind in EventPostKind])
    query = (
        select(event_posts)
        .where(_UNSENT, event_posts.c.due_at <= now, is_known_kind, ~older_waits, _is_free(now))
        # A computed key: by the index of ids the database would pass through all posts that were ever sent.
        .order_by(event_posts.c.id + 0)
        .limit(limit)
    )
    if event_id is not None:
        query = query.where(event_posts.c.event_id == event_id)
    return [_record(row) for row in await tx.execute(query)]


async def lease(tx: Transaction, post_id: int, now: datetime, until: datetime) -> bool:
    """Lease a post until a time, to send it; return False when it is sent already or another process has leased it."""
    first_attempt = func.coalesce(event_posts.c.first_attempt_at, literal(now, event_posts.c.due_at.type))
    attempt = {"attempts": event_posts.c.attempts + 1, "first_attempt_at": first_attempt, "leased_until": until}
    return await changes_row(tx, _update_unsent(post_id).where(_is_free(now)).values(attempt))


async def mark_sent(tx: Transaction, post_id: int, message_id: int | None, now: datetime) -> bool:
    """Mark a post as sent, or as never to be sent when ``message_id`` is None; return False if it was marked before."""
    sent = {"sent_at": now, "message_id": message_id, "leased_until": None}
    return await changes_row(tx, _update_unsent(post_id).values(sent))


async def retry(tx: Transaction, post_id: int, due_at: datetime) -> None:
    """Release a post and make it due at a later time."""
    await tx.execute(_update_unsent(post_id).values(due_at=due_at, leased_until=None))


async def release_all(tx: Transaction) -> None:
    """Release the leases of all processes, when none of them is alive."""
    is_leased = (_UNSENT, event_posts.c.leased_until.is_not(None))
    await tx.execute(update(event_posts).where(*is_leased).values(leased_until=None))


def _update_unsent(post_id: int) -> Update:
    """Return an update of a post that applies only while it is unsent."""
    return update(event_posts).where(event_posts.c.id == post_id, event_posts.c.sent_at.is_(None))


def _is_free(now: datetime) -> ColumnElement[bool]:
    """Return the condition of posts on which no process holds a lease."""
    return or_(event_posts.c.leased_until.is_(None), event_posts.c.leased_until <= now)


def _record(row: Row[Any]) -> EventPostRecord:
    """Read a post from a row."""
    return record_of(EventPostRecord, row, kind=EventPostKind(row.kind))
