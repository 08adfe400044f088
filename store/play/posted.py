"""Messages that were sent: where to find the newest, and whether a newer one waits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, func, or_, select

from store.connection.database import Transaction
from store.records import CARDS, PostKind
from store.schema import games, outbox


async def last_notice(tx: Transaction, game_id: int, kind: PostKind) -> int | None:
    """The message of the newest notice of this kind of a game, if it was sent."""
    of_kind = and_(outbox.c.game_id == game_id, outbox.c.kind == kind)
    query = select(outbox.c.message_id).where(of_kind).order_by(outbox.c.id.desc()).limit(1)
    found: int | None = await tx.scalar(query)
    return found


async def last_messages(tx: Transaction, game_ids: Sequence[int]) -> dict[int, int]:
    """The message of the newest post that was sent, by game."""
    newest = (
        select(outbox.c.message_id)
        .where(outbox.c.game_id == games.c.id, outbox.c.message_id.is_not(None))
        .order_by(outbox.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    rows = await tx.execute(select(games.c.id, newest.label("message_id")).where(games.c.id.in_(game_ids)))
    return {row.id: row.message_id for row in rows if row.message_id is not None}


async def card_waits(tx: Transaction, game_id: int) -> bool:
    """Whether a card of a game waits to be posted."""
    unsent = (outbox.c.game_id == game_id, outbox.c.sent_at.is_(None), outbox.c.kind.in_(CARDS))
    return (await tx.execute(select(outbox.c.id).where(*unsent).limit(1))).first() is not None


class WrittenPost(NamedTuple):
    """What a message of a game is; neither time nor number where it is not sent yet."""

    kind: PostKind
    nonce: str
    sent_at: datetime | None
    message_id: int | None


async def since(tx: Transaction, game_id: int, kinds: Collection[PostKind], at: datetime) -> list[WrittenPost]:
    """The messages of these kinds that were written for a game after a time, but for those that never are sent."""
    query = (
        select(outbox.c.kind, outbox.c.nonce, outbox.c.sent_at, outbox.c.message_id)
        .where(outbox.c.game_id == game_id, outbox.c.kind.in_(list(kinds)), outbox.c.created_at > at)
        .where(or_(outbox.c.sent_at.is_(None), outbox.c.message_id.is_not(None)))
        .order_by(outbox.c.id)
    )
    return [WrittenPost(PostKind(row.kind), row.nonce, row.sent_at, row.message_id) for row in await tx.execute(query)]


class Backlog(NamedTuple):
    """How much waits in the outbox."""

    due: int
    """What may be sent, or will be soon."""
    parked: int
    """What waits for somebody to open its place, or to mend its game."""
    oldest: datetime | None
    """When the oldest of those that may be sent was stored."""


async def waiting(tx: Transaction) -> Backlog:
    """Count what is not sent; found by index, however much was."""
    due = outbox.c.parked.is_(False)
    query = select(
        func.count().filter(due), func.count().filter(~due), func.min(outbox.c.created_at).filter(due)
    ).where(outbox.c.sent_at.is_(None), outbox.c.game_id > 0)
    return Backlog(*(await tx.execute(query)).one())


class Left(NamedTuple):
    """A post that waits."""

    code: str
    ply: int
    kind: str
    since: datetime
    attempts: int
    refused: bool


async def left_since(tx: Transaction, before: datetime) -> list[Left]:
    """What has waited to be sent since then or longer, the longest first."""
    query = (
        select(games.c.code, outbox.c.ply, outbox.c.kind, outbox.c.created_at, outbox.c.attempts, outbox.c.refused)
        .join(games, games.c.id == outbox.c.game_id)
        .where(outbox.c.sent_at.is_(None), outbox.c.game_id > 0, outbox.c.created_at < before)
        .order_by(outbox.c.created_at)
    )
    return [Left(*row) for row in await tx.execute(query)]
