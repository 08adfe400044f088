"""Messages to send. One is due when no backoff runs, nobody sends it and nothing older of its game waits.

Nearly all posts are sent, and more and more of them. What is looked for among those that are not is looked for by
their own indexes, whatever the planner of the database thinks of the numbers: so the conditions repeat the words of an
index, and say something about its first column.

A kind that this version does not know was written by a newer one, which sends it. It is left alone, and holds back
what follows it in its game for no longer than such a process would need.
"""

from __future__ import annotations

from collections.abc import Collection
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
from store.records import CARDS, GameStatus, NewPost, PostKind, PostRecord
from store.schema import clocks, closed_places, games, outbox

_older: Final = outbox.alias("older")
_AT_ONCE: Final = (PostKind.FROZEN, PostKind.HELD, PostKind.WENT_BACK)
"""Notices that do not wait for the cards of their game: those wait for what the notice tells of, or are about it."""
_FOREIGN_PATIENCE: Final = timedelta(minutes=10)
"""How long a post of an unknown kind holds back those after it."""
_ANY_GAME: Final = 0
"""Less than the id of any game."""
_HELD: Final = update(outbox).where(outbox.c.sent_at.is_(None), outbox.c.game_id > _ANY_GAME).values(leased_until=None)


async def add(tx: Transaction, post: NewPost, now: datetime) -> int:
    """Store a message to send at once; its id."""
    result = await tx.execute(insert(outbox).values(_new(post, now)).returning(outbox.c.id))
    post_id: int = result.scalar_one()
    return post_id


async def begin(tx: Transaction, post: NewPost, now: datetime, until: datetime, holder: str) -> tuple[int, bool]:
    """Store a message together with the first attempt to send it; its id, and whether that has begun.

    It has not where something older of the game is left: then this one waits, as one that was added.
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
    return {
        "game_id": post.game_id,
        "from_ply": post.from_ply,
        "ply": post.ply,
        "taken_back": post.taken_back,
        "kind": post.kind,
        "nonce": post.nonce,
        "created_at": now,
        "due_at": now,
        "parked": False,
        "attempts": 0,
        "refused": False,
    }


async def get(tx: Transaction, post_id: int) -> PostRecord | None:
    """The post with this id.

    Raises:
        UnreadableError: this version cannot read it.
    """
    row = (await tx.execute(select(outbox).where(outbox.c.id == post_id))).first()
    return None if row is None else _record(row)


async def due(
    tx: Transaction, now: datetime, limit: int, but: Collection[int] = ()
) -> list[PostRecord | UnreadableError]:
    """What may be sent now but for some, oldest first, of each game only the oldest that is not sent."""
    at_once = case((outbox.c.kind.in_(_AT_ONCE), 0), else_=1)
    query = (
        select(outbox)
        .where(_heads(now), outbox.c.parked.is_(False), outbox.c.due_at <= now, _free(now), *_others_than(but))
        .order_by(at_once, outbox.c.id)
        .limit(limit)
    )
    return [_readable(row) for row in await tx.execute(query)]


async def next_due(tx: Transaction, but: Collection[int] = ()) -> datetime | None:
    """When the next post but for some may be sent; None when nothing is waiting for its time."""
    leased = and_(outbox.c.leased_until.is_not(None), outbox.c.leased_until > outbox.c.due_at)
    free_at = case((leased, outbox.c.leased_until), else_=outbox.c.due_at)
    some_time = outbox.c.due_at > datetime.fromtimestamp(0, UTC)
    query = select(func.min(free_at)).where(_heads(None), outbox.c.parked.is_(False), some_time, *_others_than(but))
    found: datetime | None = (await tx.execute(query)).scalar_one()
    return found


async def lease(tx: Transaction, post_id: int, now: datetime, until: datetime, holder: str = "") -> bool:
    """Take a post to send it; False when it is sent already or somebody else has it."""
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
    """Take a post out of the hands of a sender who never got it; no other one, if it should not be there at all."""
    await tx.execute(_unsent(post_id).where(outbox.c.leased_until == until).values(leased_until=None))


async def renew(tx: Transaction, post_ids: Collection[int], holder: str, until: datetime) -> set[int]:
    """Keep posts in the hands of who sends them; those that still are."""
    leased = (outbox.c.leased_by == holder, outbox.c.leased_until.is_not(None))
    mine = (outbox.c.id.in_(post_ids), outbox.c.sent_at.is_(None), *leased)
    if not post_ids:
        return set()
    return set(await tx.scalars(update(outbox).where(*mine).values(leased_until=until).returning(outbox.c.id)))


async def leave(tx: Transaction, holder: str) -> None:
    """Take all posts out of the hands of a sender who ends."""
    await tx.execute(_HELD.where(outbox.c.leased_by == holder))


async def release_all(tx: Transaction) -> None:
    """Take all posts out of the hands of senders that are no more."""
    await tx.execute(_HELD.where(outbox.c.leased_until.is_not(None)))


class Sent(NamedTuple):
    """Which message was sent, of what kind, whether a clock waits for it, and whether its place was closed before."""

    game_id: int
    revision: int
    asks: bool
    reopens: bool
    kind: str


async def sent(tx: Transaction, post_id: int, message_id: int, now: datetime) -> Sent | None:
    """Mark a post as sent, by whom does not matter any more; a second time changes nothing."""
    row = (await tx.execute(_SENT, {"post": post_id, "sent_at": now, "message_id": message_id})).first()
    if row is None:
        return None
    return Sent(row.game_id, row.ply + row.taken_back, row.asks is not None, row.reopens is not None, row.kind)


_ASKS: Final = (
    select(clocks.c.seat)
    .where(
        # Named by hand: within RETURNING, names of columns would be written bare, and mean those of the clocks.
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
    """Put another message in the place of one that was sent."""
    await tx.execute(
        update(outbox).where(outbox.c.id == post_id, outbox.c.sent_at.is_not(None)).values(message_id=message_id)
    )


async def retry(tx: Transaction, post_id: int, due_at: datetime, *, refused: bool = False) -> None:
    """Put a post back until a later time; ``refused`` when its place was closed to us."""
    values = {"refused": True} if refused else {}
    await tx.execute(_unsent(post_id).values(due_at=due_at, leased_until=None, **values))


async def park(tx: Transaction, post_id: int) -> None:
    """Put a post back that cannot be shown, until there is a reason to try it again."""
    await tx.execute(_unsent(post_id).values(parked=True, leased_until=None, refused=True))


async def park_game(tx: Transaction, game_id: int) -> None:
    """Put back everything that a game still has to say."""
    await tx.execute(update(outbox).where(outbox.c.game_id == game_id, outbox.c.sent_at.is_(None)).values(parked=True))


async def give_up(tx: Transaction, game_id: int) -> None:
    """Never send what a game still has to say: it cannot be shown."""
    await tx.execute(delete(outbox).where(outbox.c.game_id == game_id, outbox.c.sent_at.is_(None)))


async def unpark(tx: Transaction, game_id: int, now: datetime) -> None:
    """Make all posts of a game due that were put back."""
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
    """Make due what was refused: of a game, in a place, in a server, or everywhere; how many posts that are.

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
    """The newest post of a game that was sent; of those ``before`` a post when that is given."""
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


def _heads(now: datetime | None) -> ColumnElement[bool]:
    """Not sent, and nothing older of the same game is left: cards appear in the order of the moves."""
    known = _older.c.kind.in_(list(PostKind))
    holds_back = true() if now is None else or_(known, _older.c.created_at > now - _FOREIGN_PATIENCE)
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
            refused=row.refused,
            taken_back=row.taken_back,
        )
    except (TypeError, ValueError) as error:
        raise UnreadableError("outbox", row.id, error) from error
