"""The outbox: messages to send, and those that were sent.

A message is due when no backoff runs, nobody sends it, and no older one of its game waits.

Nearly all posts are sent, and more and more of them. Unsent ones are looked for by their own indexes, whatever the
planner of the database thinks of the numbers: so the conditions repeat the words of an index, and say something about
its first column.

A kind that this version does not know was written by a newer one, which sends it. It is left alone, and holds back
what follows it in its game for no longer than such a process would need.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Row,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    literal_column,
    null,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.sql import Update
from sqlalchemy.sql.elements import ColumnElement

from store.connection.database import Transaction
from store.errors import UnreadableError
from store.records import CARDS, GameStatus, NewPost, PostKind, PostRecord, columns_of, record_of
from store.schema.play import clocks, closed_places, games, outbox

_older: Final = outbox.alias("older")
_AT_ONCE: Final = (PostKind.FROZEN, PostKind.HELD, PostKind.WENT_BACK)
"""Notices that do not wait for the cards of their game: they are about those cards."""
_UNKNOWN_KIND_TIMEOUT: Final = timedelta(minutes=10)
"""For so long a post of an unknown kind holds back those after it."""
_ANY_GAME: Final = 0
"""Less than the id of any game."""
_HELD: Final = update(outbox).where(outbox.c.sent_at.is_(None), outbox.c.game_id > _ANY_GAME).values(leased_until=None)


async def add(tx: Transaction, post: NewPost, now: datetime) -> int:
    """Store a message to send at once, and return its id."""
    result = await tx.execute(insert(outbox).values(_new(post, now)).returning(outbox.c.id))
    post_id: int = result.scalar_one()
    return post_id


async def begin(tx: Transaction, post: NewPost, now: datetime, until: datetime, holder: str) -> tuple[int, bool]:
    """Store a message together with the first attempt to send it; return its id, and whether the attempt has begun.

    It has not begun where an older message of the game is left: then this one waits, as one that was added.
    """
    values = _new(post, now)
    del values["attempts"]
    lease = {"of_game": post.game_id, "began": now, "until": until, "leased_by": holder}
    row = (await tx.execute(_BEGIN, {**values, **lease})).one()
    return row.id, row.attempts > 0


_WAITS: Final = select(_older.c.id).where(_older.c.game_id == bindparam("of_game"), _older.c.sent_at.is_(None)).exists()
_BEGIN: Final = (
    insert(outbox)
    .values(
        attempts=case((_WAITS, 0), else_=1),
        first_attempt_at=case((_WAITS, null()), else_=bindparam("began", type_=outbox.c.first_attempt_at.type)),
        leased_until=case((_WAITS, null()), else_=bindparam("until", type_=outbox.c.leased_until.type)),
    )
    .returning(outbox.c.id, outbox.c.attempts)
)


def _new(post: NewPost, now: datetime) -> dict[str, object]:
    return {**columns_of(post), "created_at": now, "due_at": now, "parked": False, "attempts": 0, "refused": False}


async def get(tx: Transaction, post_id: int) -> PostRecord | None:
    """Return the post with this id.

    Raises:
        UnreadableError: this version cannot read it.
    """
    row = (await tx.execute(select(outbox).where(outbox.c.id == post_id))).first()
    return None if row is None else _record(row)


async def due(
    tx: Transaction, now: datetime, limit: int, but: Collection[int] = ()
) -> list[PostRecord | UnreadableError]:
    """Return the due posts but some, oldest first: of each game only the oldest that is not sent."""
    at_once = case((outbox.c.kind.in_(_AT_ONCE), 0), else_=1)
    query = (
        select(outbox)
        .where(_heads(now), outbox.c.parked.is_(False), outbox.c.due_at <= now, _free(now), *_others_than(but))
        .order_by(at_once, outbox.c.id)
        .limit(limit)
    )
    return [_readable(row) for row in await tx.execute(query)]


async def next_due(tx: Transaction, but: Collection[int] = ()) -> datetime | None:
    """Return when the next post but some may be sent; None when none waits for its time."""
    leased = and_(outbox.c.leased_until.is_not(None), outbox.c.leased_until > outbox.c.due_at)
    free_at = case((leased, outbox.c.leased_until), else_=outbox.c.due_at)
    some_time = outbox.c.due_at > datetime.fromtimestamp(0, UTC)
    query = select(func.min(free_at)).where(_heads(None), outbox.c.parked.is_(False), some_time, *_others_than(but))
    found: datetime | None = (await tx.execute(query)).scalar_one()
    return found


async def lease(tx: Transaction, post_id: int, now: datetime, until: datetime, holder: str = "") -> bool:
    """Take a post to send it; return False when it is sent already or another sender has it."""
    taken = await tx.execute(
        update(outbox)
        .where(outbox.c.id == post_id, outbox.c.sent_at.is_(None), _free(now))
        .values(
            leased_until=until,
            leased_by=holder,
            attempts=outbox.c.attempts + 1,
            first_attempt_at=func.coalesce(outbox.c.first_attempt_at, literal(now, outbox.c.due_at.type)),
        )
    )
    return taken.rowcount == 1


async def release(tx: Transaction, post_id: int, until: datetime) -> None:
    """Release a lease that its sender never learned of; a lease until another time stays."""
    await tx.execute(_unsent(post_id).where(outbox.c.leased_until == until).values(leased_until=None))


async def renew(tx: Transaction, post_ids: Collection[int], holder: str, until: datetime) -> set[int]:
    """Renew the leases of a sender; return the posts that it still has."""
    leased = (outbox.c.leased_by == holder, outbox.c.leased_until.is_not(None))
    mine = (outbox.c.id.in_(post_ids), outbox.c.sent_at.is_(None), *leased)
    if not post_ids:
        return set()
    return set(await tx.scalars(update(outbox).where(*mine).values(leased_until=until).returning(outbox.c.id)))


async def leave(tx: Transaction, holder: str) -> None:
    """Release all leases of a sender that ends."""
    await tx.execute(_HELD.where(outbox.c.leased_by == holder))


async def release_all(tx: Transaction) -> None:
    """Release the leases of all senders: none of them lives."""
    await tx.execute(_HELD.where(outbox.c.leased_until.is_not(None)))


class Sent(NamedTuple):
    """A message that was sent: its kind, whether a clock waits for it, and whether it reopens a closed place."""

    game_id: int
    revision: int
    asks: bool
    reopens: bool
    kind: str


async def sent(tx: Transaction, post_id: int, message_id: int, now: datetime) -> Sent | None:
    """Mark a post as sent, whoever sent it; a second time changes nothing."""
    row = (await tx.execute(_SENT, {"post": post_id, "sent_at": now, "message_id": message_id})).first()
    if row is None:
        return None
    return Sent(row.game_id, row.ply + row.taken_back, row.asks is not None, row.reopens is not None, row.kind)


_ASKS: Final = (
    select(clocks.c.seat)
    .where(
        # Written out, since within RETURNING the names of columns would be bare, and mean those of the clocks.
        clocks.c.game_id == literal_column("outbox.game_id"),
        clocks.c.asked == literal_column("outbox.ply + outbox.taken_back"),
        clocks.c.since.is_(None),
        literal_column("outbox.kind").in_(CARDS),
    )
    .scalar_subquery()
    .label("asks")
)
_REOPENS: Final = (
    select(closed_places.c.game_id)
    .where(closed_places.c.game_id == literal_column("outbox.game_id"), literal_column("outbox.kind").in_(CARDS))
    .scalar_subquery()
    .label("reopens")
)
_SENT: Final = (
    update(outbox)
    .where(outbox.c.id == bindparam("post"), outbox.c.message_id.is_(None))
    .values(leased_until=None, leased_by=None)
    .returning(outbox.c.game_id, outbox.c.ply, outbox.c.taken_back, outbox.c.kind, _ASKS, _REOPENS)
)


async def sent_again(tx: Transaction, post_id: int, message_id: int) -> None:
    """Replace the message of a post that was sent."""
    await tx.execute(
        update(outbox).where(outbox.c.id == post_id, outbox.c.sent_at.is_not(None)).values(message_id=message_id)
    )


async def retry(tx: Transaction, post_id: int, due_at: datetime, *, refused: bool = False) -> None:
    """Put a post off until a later time; ``refused`` when its place was closed to the bot."""
    values = {"refused": True} if refused else {}
    await tx.execute(_unsent(post_id).values(due_at=due_at, leased_until=None, **values))


async def park(tx: Transaction, post_id: int) -> None:
    """Put a post off that cannot be shown, until there is a reason to try it again."""
    await tx.execute(_unsent(post_id).values(parked=True, leased_until=None, refused=True))


async def park_game(tx: Transaction, game_id: int) -> None:
    """Park all unsent posts of a game."""
    await tx.execute(update(outbox).where(outbox.c.game_id == game_id, outbox.c.sent_at.is_(None)).values(parked=True))


async def give_up(tx: Transaction, game_id: int) -> None:
    """Delete all unsent posts of a game: they cannot be shown."""
    await tx.execute(delete(outbox).where(outbox.c.game_id == game_id, outbox.c.sent_at.is_(None)))


async def unpark(tx: Transaction, game_id: int, now: datetime) -> None:
    """Make all parked posts of a game due."""
    await tx.execute(
        update(outbox)
        .where(outbox.c.game_id == game_id, outbox.c.sent_at.is_(None), outbox.c.parked.is_(True))
        .values(parked=False, due_at=now)
    )


async def try_again(
    tx: Transaction,
    now: datetime,
    *,
    game_id: int | None = None,
    place_id: int | None = None,
    guild_id: int | None = None,
) -> int:
    """Make refused posts due, of a game, a place, a server, or everywhere; return how many there are.

    The cards of a frozen game go on waiting.
    """
    its_game = [games.c.id == outbox.c.game_id]
    if place_id is not None:
        its_game.append(or_(games.c.thread_id == place_id, games.c.channel_id == place_id))
    if guild_id is not None:
        its_game.append(games.c.guild_id == guild_id)
    frozen = select(games.c.id).where(games.c.id == outbox.c.game_id, games.c.status == GameStatus.FROZEN).exists()
    again = await tx.execute(
        update(outbox)
        .where(
            outbox.c.sent_at.is_(None),
            outbox.c.refused.is_(True),
            outbox.c.game_id > _ANY_GAME if game_id is None else outbox.c.game_id == game_id,
            or_(outbox.c.kind.in_((PostKind.FROZEN, PostKind.HELD)), ~frozen),
            true() if len(its_game) == 1 else select(games.c.id).where(*its_game).exists(),
        )
        .values(parked=False, due_at=now)
    )
    return again.rowcount


async def last_sent(
    tx: Transaction, game_id: int, *, before: int | None = None, cards_only: bool = False
) -> PostRecord | None:
    """Return the newest sent post of a game, or the newest ``before`` a post."""
    earlier = true() if before is None else outbox.c.id < before
    kinds = CARDS if cards_only else tuple(PostKind)
    query = (
        select(outbox)
        .where(outbox.c.game_id == game_id, outbox.c.message_id.is_not(None), outbox.c.kind.in_(kinds), earlier)
        .order_by(outbox.c.id.desc())
        .limit(1)
    )
    row = (await tx.execute(query)).first()
    return None if row is None else _record(row)


async def last_notice(tx: Transaction, game_id: int, kind: PostKind) -> int | None:
    """Return the message of the newest notice of a kind in a game, if it was sent."""
    of_kind = and_(outbox.c.game_id == game_id, outbox.c.kind == kind)
    query = select(outbox.c.message_id).where(of_kind).order_by(outbox.c.id.desc()).limit(1)
    found: int | None = await tx.scalar(query)
    return found


async def last_messages(tx: Transaction, game_ids: Sequence[int]) -> dict[int, int]:
    """Return the message of the newest sent post, by game."""
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
    """Return whether a card of a game waits to be posted."""
    unsent = (outbox.c.game_id == game_id, outbox.c.sent_at.is_(None), outbox.c.kind.in_(CARDS))
    return (await tx.execute(select(outbox.c.id).where(*unsent).limit(1))).first() is not None


class WrittenPost(NamedTuple):
    """A message of a game; without time and id as long as it is not sent."""

    kind: PostKind
    nonce: str
    sent_at: datetime | None
    message_id: int | None


async def written_since(tx: Transaction, game_id: int, kinds: Collection[PostKind], at: datetime) -> list[WrittenPost]:
    """Return the messages of some kinds that were written for a game after a time, but those that are never sent."""
    query = (
        select(outbox.c.kind, outbox.c.nonce, outbox.c.sent_at, outbox.c.message_id)
        .where(outbox.c.game_id == game_id, outbox.c.kind.in_(list(kinds)), outbox.c.created_at > at)
        .where(or_(outbox.c.sent_at.is_(None), outbox.c.message_id.is_not(None)))
        .order_by(outbox.c.id)
    )
    return [WrittenPost(PostKind(row.kind), row.nonce, row.sent_at, row.message_id) for row in await tx.execute(query)]


class Backlog(NamedTuple):
    """The number of unsent posts, and the age of the oldest."""

    due: int
    """Posts that may be sent now or soon."""
    parked: int
    """Posts that wait until their place is opened, or their game mended."""
    oldest: datetime | None
    """The time at which the oldest due one was stored."""


async def backlog(tx: Transaction) -> Backlog:
    """Count the unsent posts; an index answers it, however many were sent."""
    due = outbox.c.parked.is_(False)
    query = select(
        func.count().filter(due), func.count().filter(~due), func.min(outbox.c.created_at).filter(due)
    ).where(outbox.c.sent_at.is_(None), outbox.c.game_id > 0)
    return Backlog(*(await tx.execute(query)).one())


class WaitingPost(NamedTuple):
    """A post that waits to be sent."""

    code: str
    ply: int
    kind: str
    since: datetime
    attempts: int
    refused: bool


async def waiting_since(tx: Transaction, before: datetime) -> list[WaitingPost]:
    """Return the posts that have waited since a time or longer, the longest waiting first."""
    query = (
        select(games.c.code, outbox.c.ply, outbox.c.kind, outbox.c.created_at, outbox.c.attempts, outbox.c.refused)
        .join(games, games.c.id == outbox.c.game_id)
        .where(outbox.c.sent_at.is_(None), outbox.c.game_id > 0, outbox.c.created_at < before)
        .order_by(outbox.c.created_at)
    )
    return [WaitingPost(*row) for row in await tx.execute(query)]


async def drop(tx: Transaction, post_id: int, now: datetime) -> None:
    """Never send a message that has become obsolete."""
    mine = (outbox.c.id == post_id, outbox.c.sent_at.is_(None))
    await tx.execute(update(outbox).where(*mine).values(sent_at=now, leased_until=None))


async def is_undone(tx: Transaction, post_id: int) -> bool:
    """Return whether the moves that a post tells of were undone."""
    by: int | None = await tx.scalar(select(outbox.c.undone_by).where(outbox.c.id == post_id))
    return by is not None


async def undone_messages(tx: Transaction, game_id: int, by: int) -> Sequence[int]:
    """Return the messages that tell of the moves undone by the undo with this revision."""
    found = select(outbox.c.message_id).where(
        outbox.c.game_id == game_id, outbox.c.undone_by == by, outbox.c.message_id.is_not(None)
    )
    return list(await tx.scalars(found.order_by(outbox.c.id)))


async def rename_unsent(tx: Transaction, game_id: int, name: Callable[[int], str], now: datetime) -> set[int]:
    """Give the unsent cards of a game new nonces by their revisions, as if they had never been tried.

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
    """Return those of the nonces with which a message was sent, or may have been."""
    attempted = or_(outbox.c.attempts > 0, outbox.c.sent_at.is_not(None))
    query = select(outbox.c.nonce).where(outbox.c.nonce.in_(list(nonces)), attempted)
    return set((await tx.scalars(query)).all())


def _heads(now: datetime | None) -> ColumnElement[bool]:
    """Return the condition of unsent posts with no older one of their game: cards appear in the order of the moves."""
    known = _older.c.kind.in_(list(PostKind))
    holds_back = true() if now is None else or_(known, _older.c.created_at > now - _UNKNOWN_KIND_TIMEOUT)
    waits = (
        select(_older.c.id)
        .where(_older.c.game_id == outbox.c.game_id, _older.c.sent_at.is_(None), _older.c.id < outbox.c.id, holds_back)
        .exists()
    )
    heads = or_(outbox.c.kind.in_(_AT_ONCE), ~waits)
    return and_(outbox.c.sent_at.is_(None), outbox.c.kind.in_(list(PostKind)), heads)


def _others_than(some: Collection[int]) -> list[ColumnElement[bool]]:
    return [outbox.c.id.not_in(some)] if some else []


def _free(now: datetime) -> ColumnElement[bool]:
    return or_(outbox.c.leased_until.is_(None), outbox.c.leased_until <= now)


def _unsent(post_id: int) -> Update:
    return update(outbox).where(outbox.c.id == post_id, outbox.c.sent_at.is_(None))


def _readable(row: Row[Any]) -> PostRecord | UnreadableError:
    try:
        return _record(row)
    except UnreadableError as error:
        return error


def _record(row: Row[Any]) -> PostRecord:
    try:
        return record_of(PostRecord, row, kind=PostKind(row.kind))
    except (TypeError, ValueError) as error:
        raise UnreadableError("outbox", row.id, error) from error
