"""The outbox of games: messages that wait to be sent to Discord, and those that were sent.

A *post* is such a message. It is stored in the same transaction as the move that it shows, and sent afterwards, so that
a crash loses no message. The publisher asks for the posts that are :func:`due`, takes a :func:`lease` on one, so that
no other process sends it meanwhile, and ends the attempt with :func:`mark_sent`, :func:`retry` or :func:`park`.

The posts of a game are sent in order: one is due only when its time has come, no process has leased it, and no older
post of its game is unsent. A *parked* post waits for a reason to try again, such as a channel that is opened to the
bot; a *refused* one could not be posted in its place. A *card* is a post that shows the position.

Nearly all posts have been sent, and their number only grows; unsent ones are found by partial indexes. A database uses
such an index only for a query that repeats its condition word for word and has a condition on its first column,
whatever its statistics say. That is why many conditions here begin with ``sent_at IS NULL`` and ``game_id > 0``.

A post of a kind that this version does not know was written by a newer one, which runs at the same time and sends the
post. It holds back later posts of its game for :data:`_UNKNOWN_KIND_TIMEOUT` at most.
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
from store.connection.statements import add_row, changes_row, first_record
from store.errors import UnreadableError
from store.records import CARDS, GameStatus, NewPost, PostKind, PostRecord, columns_of, record_of
from store.schema.play import clocks, closed_places, games, outbox, seats

_older: Final = outbox.alias("older")
_UNORDERED_KINDS: Final = (PostKind.FROZEN, PostKind.HELD, PostKind.WENT_BACK)
"""Kinds of notices that do not wait for older posts of their game, because they explain why cards are missing."""
_UNKNOWN_KIND_TIMEOUT: Final = timedelta(minutes=10)
"""The longest time for which a post of an unknown kind holds back later posts of its game."""
_ANY_GAME: Final = 0
"""An id below that of any game, for a condition on the first column of an index."""
_RELEASE_LEASES: Final = (
    update(outbox).where(outbox.c.sent_at.is_(None), outbox.c.game_id > _ANY_GAME).values(leased_until=None)
)


async def add(tx: Transaction, post: NewPost, now: datetime) -> int:
    """Store a post that is due at once, and return its id."""
    return await add_row(tx, outbox, _new(post, now))


async def add_leased(tx: Transaction, post: NewPost, now: datetime, until: datetime, holder: str) -> tuple[int, bool]:
    """Store a post that ``holder`` sends at once, leased until a time; return its id, and whether it is leased.

    This saves the statement that would lease it. Where an older post of the game is unsent, the new one is not leased,
    and waits as after :func:`add`.
    """
    values = _new(post, now)
    del values["attempts"]
    lease = {"of_game": post.game_id, "began": now, "until": until, "leased_by": holder}
    row = (await tx.execute(_BEGIN, {**values, **lease})).one()
    return row.id, row.attempts > 0


_BLOCKED: Final = (
    select(_older.c.id).where(_older.c.game_id == bindparam("of_game"), _older.c.sent_at.is_(None)).exists()
)
_BEGIN: Final = (
    insert(outbox)
    .values(
        attempts=case((_BLOCKED, 0), else_=1),
        first_attempt_at=case((_BLOCKED, null()), else_=bindparam("began", type_=outbox.c.first_attempt_at.type)),
        leased_until=case((_BLOCKED, null()), else_=bindparam("until", type_=outbox.c.leased_until.type)),
    )
    .returning(outbox.c.id, outbox.c.attempts)
)


def _new(post: NewPost, now: datetime) -> dict[str, object]:
    """Return the columns of a new post that is due at once."""
    return {**columns_of(post), "created_at": now, "due_at": now, "parked": False, "attempts": 0, "refused": False}


async def get(tx: Transaction, post_id: int) -> PostRecord | None:
    """Return the post with this id.

    Raises:
        UnreadableError: this version cannot read it.
    """
    return await first_record(tx, select(outbox).where(outbox.c.id == post_id), _record)


async def due(
    tx: Transaction, now: datetime, limit: int, exclude: Collection[int] = ()
) -> list[PostRecord | UnreadableError]:
    """Return the oldest due post of each game, oldest first, except those with excluded ids."""
    notices_first = case((outbox.c.kind.in_(_UNORDERED_KINDS), 0), else_=1)
    query = (
        select(outbox)
        .where(
            _first_of_game(now), outbox.c.parked.is_(False), outbox.c.due_at <= now, _free(now), *_excluding(exclude)
        )
        .order_by(notices_first, outbox.c.id)
        .limit(limit)
    )
    return [_readable(row) for row in await tx.execute(query)]


async def next_due(tx: Transaction, exclude: Collection[int] = ()) -> datetime | None:
    """Return the time at which the next post may be sent, except those with excluded ids; None when none waits."""
    leased = and_(outbox.c.leased_until.is_not(None), outbox.c.leased_until > outbox.c.due_at)
    free_at = case((leased, outbox.c.leased_until), else_=outbox.c.due_at)
    has_due_time = outbox.c.due_at > datetime.fromtimestamp(0, UTC)
    query = select(func.min(free_at)).where(
        _first_of_game(None), outbox.c.parked.is_(False), has_due_time, *_excluding(exclude)
    )
    next_at: datetime | None = (await tx.execute(query)).scalar_one()
    return next_at


async def lease(tx: Transaction, post_id: int, now: datetime, until: datetime, holder: str = "") -> bool:
    """Lease a post until a time, to send it; return False when it is sent already or another process has leased it."""
    first_attempt = func.coalesce(outbox.c.first_attempt_at, literal(now, outbox.c.due_at.type))
    attempt = {"attempts": outbox.c.attempts + 1, "first_attempt_at": first_attempt}
    unsent = _update_unsent(post_id).where(_free(now))
    return await changes_row(tx, unsent.values(leased_until=until, leased_by=holder, **attempt))


async def release(tx: Transaction, post_id: int, until: datetime) -> None:
    """Release a lease whose holder never learned that it has it; a lease with another end is kept."""
    await tx.execute(_update_unsent(post_id).where(outbox.c.leased_until == until).values(leased_until=None))


async def renew(tx: Transaction, post_ids: Collection[int], holder: str, until: datetime) -> set[int]:
    """Renew the leases of a process on these posts; return the posts that it still has."""
    is_leased = (outbox.c.leased_by == holder, outbox.c.leased_until.is_not(None))
    own_posts = (outbox.c.id.in_(post_ids), outbox.c.sent_at.is_(None), *is_leased)
    if not post_ids:
        return set()
    return set(await tx.scalars(update(outbox).where(*own_posts).values(leased_until=until).returning(outbox.c.id)))


async def release_held_by(tx: Transaction, holder: str) -> None:
    """Release all leases of a process that ends."""
    await tx.execute(_RELEASE_LEASES.where(outbox.c.leased_by == holder))


async def release_all(tx: Transaction) -> None:
    """Release the leases of all processes, when none of them is alive."""
    await tx.execute(_RELEASE_LEASES.where(outbox.c.leased_until.is_not(None)))


class SentPost(NamedTuple):
    """A post that was marked as sent.

    It ``asks`` if it starts a player's clock, ``waits_for_computer`` if a computer has to decide, and ``reopens`` if
    its place was closed.
    """

    game_id: int
    revision: int
    asks: bool
    waits_for_computer: bool
    reopens: bool
    kind: str


async def mark_sent(tx: Transaction, post_id: int, message_id: int, now: datetime) -> SentPost | None:
    """Mark a post as sent, and return what has to happen next; None if it was marked before.

    Any process may do this, since the post was sent even if its lease has run out meanwhile.
    """
    row = (await tx.execute(_SENT, {"post": post_id, "sent_at": now, "message_id": message_id})).first()
    if row is None:
        return None
    return SentPost(
        row.game_id,
        row.ply + row.taken_back,
        row.asks is not None,
        row.computer is not None,
        row.reopens is not None,
        row.kind,
    )


_ASKS: Final = (
    select(clocks.c.seat)
    .where(
        # Written as text: within RETURNING SQLAlchemy omits the table, and the names would mean columns of the clocks.
        clocks.c.game_id == literal_column("outbox.game_id"),
        clocks.c.asked == literal_column("outbox.ply + outbox.taken_back"),
        clocks.c.since.is_(None),
        literal_column("outbox.kind").in_(CARDS),
    )
    .scalar_subquery()
    .label("asks")
)
_COMPUTER: Final = (
    select(seats.c.seat)
    .join(games, and_(games.c.id == seats.c.game_id, games.c.seat_to_act == seats.c.seat))
    .where(
        seats.c.game_id == literal_column("outbox.game_id"),
        seats.c.user_id.is_(None),
        literal_column("outbox.kind").in_(CARDS),
    )
    .scalar_subquery()
    .label("computer")
)
"""The seat of the computer that has to decide."""
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
    .returning(outbox.c.game_id, outbox.c.ply, outbox.c.taken_back, outbox.c.kind, _ASKS, _COMPUTER, _REOPENS)
)


async def replace_message(tx: Transaction, post_id: int, message_id: int) -> None:
    """Store another message for a post that was sent: it was posted once more, in a new message."""
    sent = update(outbox).where(outbox.c.id == post_id, outbox.c.sent_at.is_not(None))
    await tx.execute(sent.values(message_id=message_id))


async def retry(tx: Transaction, post_id: int, due_at: datetime, *, refused: bool = False) -> None:
    """Release a post and make it due at a later time; ``refused`` when its place was closed to the bot."""
    values = {"refused": True} if refused else {}
    await tx.execute(_update_unsent(post_id).values(due_at=due_at, leased_until=None, **values))


async def park(tx: Transaction, post_id: int) -> None:
    """Park a post that cannot be posted, until there is a reason to try again."""
    await tx.execute(_update_unsent(post_id).values(parked=True, leased_until=None, refused=True))


async def park_game(tx: Transaction, game_id: int) -> None:
    """Park all unsent posts of a game."""
    await tx.execute(update(outbox).where(*_unsent_of(game_id)).values(parked=True))


async def delete_unsent(tx: Transaction, game_id: int) -> None:
    """Delete all unsent posts of a game, which can never be posted."""
    await tx.execute(delete(outbox).where(*_unsent_of(game_id)))


async def unpark(tx: Transaction, game_id: int, now: datetime) -> None:
    """Make all parked posts of a game due."""
    parked = update(outbox).where(*_unsent_of(game_id), outbox.c.parked.is_(True))
    await tx.execute(parked.values(parked=False, due_at=now))


async def retry_refused(
    tx: Transaction,
    now: datetime,
    *,
    game_id: int | None = None,
    place_id: int | None = None,
    guild_id: int | None = None,
) -> int:
    """Make refused posts due now: those of a game, a place, a server, or all; return their number.

    Cards of frozen games are left alone.
    """
    game_conditions = [games.c.id == outbox.c.game_id]
    if place_id is not None:
        game_conditions.append(or_(games.c.thread_id == place_id, games.c.channel_id == place_id))
    if guild_id is not None:
        game_conditions.append(games.c.guild_id == guild_id)
    frozen = select(games.c.id).where(games.c.id == outbox.c.game_id, games.c.status == GameStatus.FROZEN).exists()
    updated = await tx.execute(
        update(outbox)
        .where(
            outbox.c.sent_at.is_(None),
            outbox.c.refused.is_(True),
            outbox.c.game_id > _ANY_GAME if game_id is None else outbox.c.game_id == game_id,
            or_(outbox.c.kind.in_((PostKind.FROZEN, PostKind.HELD)), ~frozen),
            true() if len(game_conditions) == 1 else select(games.c.id).where(*game_conditions).exists(),
        )
        .values(parked=False, due_at=now)
    )
    return updated.rowcount


async def last_sent(
    tx: Transaction, game_id: int, *, before: int | None = None, cards_only: bool = False
) -> PostRecord | None:
    """Return the newest sent post of a game; only posts older than the one with the id ``before`` if that is given."""
    earlier = true() if before is None else outbox.c.id < before
    kinds = CARDS if cards_only else tuple(PostKind)
    query = (
        select(outbox)
        .where(outbox.c.game_id == game_id, outbox.c.message_id.is_not(None), outbox.c.kind.in_(kinds), earlier)
        .order_by(outbox.c.id.desc())
        .limit(1)
    )
    return await first_record(tx, query, _record)


async def has_notice(tx: Transaction, game_id: int, kind: PostKind, since: datetime) -> bool:
    """Return whether a notice of a kind was stored for a game since a time."""
    of_kind = (outbox.c.game_id == game_id, outbox.c.kind == kind, outbox.c.created_at >= since)
    return await tx.scalar(select(outbox.c.id).where(*of_kind).limit(1)) is not None


async def notice_message(tx: Transaction, game_id: int, kind: PostKind) -> int | None:
    """Return the message of the newest notice of a kind in a game, if it was sent."""
    of_kind = and_(outbox.c.game_id == game_id, outbox.c.kind == kind)
    query = select(outbox.c.message_id).where(of_kind).order_by(outbox.c.id.desc()).limit(1)
    return await tx.scalar(query)


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


async def has_unsent_card(tx: Transaction, game_id: int) -> bool:
    """Return whether a card of a game is unsent."""
    unsent = select(outbox.c.id).where(*_unsent_of(game_id), outbox.c.kind.in_(CARDS))
    return (await tx.execute(unsent.limit(1))).first() is not None


class WrittenPost(NamedTuple):
    """A post of a game; its time and message id are None until it is sent."""

    kind: PostKind
    nonce: str
    sent_at: datetime | None
    message_id: int | None


async def posts_since(tx: Transaction, game_id: int, kinds: Collection[PostKind], at: datetime) -> list[WrittenPost]:
    """Return the posts of these kinds that were stored for a game after a time, except those dropped unsent."""
    query = (
        select(outbox.c.kind, outbox.c.nonce, outbox.c.sent_at, outbox.c.message_id)
        .where(outbox.c.game_id == game_id, outbox.c.kind.in_(list(kinds)), outbox.c.created_at > at)
        .where(or_(outbox.c.sent_at.is_(None), outbox.c.message_id.is_not(None)))
        .order_by(outbox.c.id)
    )
    return [WrittenPost(PostKind(row.kind), row.nonce, row.sent_at, row.message_id) for row in await tx.execute(query)]


class Backlog(NamedTuple):
    """The numbers of unsent posts, and the time of the oldest."""

    due: int
    """The number of posts that may be sent now or soon."""
    parked: int
    """The number of posts that wait until their place is open again or their game is repaired."""
    oldest: datetime | None
    """The time at which the oldest post that is not parked was stored."""


async def backlog(tx: Transaction) -> Backlog:
    """Count the unsent posts; an index answers this, however many were sent."""
    due = outbox.c.parked.is_(False)
    query = select(
        func.count().filter(due), func.count().filter(~due), func.min(outbox.c.created_at).filter(due)
    ).where(outbox.c.sent_at.is_(None), outbox.c.game_id > 0)
    return Backlog(*(await tx.execute(query)).one())


class WaitingPost(NamedTuple):
    """An unsent post, as operators see it."""

    code: str
    ply: int
    kind: str
    since: datetime
    attempts: int
    refused: bool


async def unsent_since(tx: Transaction, before: datetime) -> list[WaitingPost]:
    """Return the unsent posts that were stored before a time, the longest waiting first."""
    query = (
        select(games.c.code, outbox.c.ply, outbox.c.kind, outbox.c.created_at, outbox.c.attempts, outbox.c.refused)
        .join(games, games.c.id == outbox.c.game_id)
        .where(outbox.c.sent_at.is_(None), outbox.c.game_id > 0, outbox.c.created_at < before)
        .order_by(outbox.c.created_at)
    )
    return [WaitingPost(*row) for row in await tx.execute(query)]


async def drop(tx: Transaction, post_id: int, now: datetime) -> None:
    """Mark an obsolete post so that it is never sent: it gets a time of sending, but no message."""
    await tx.execute(_update_unsent(post_id).values(sent_at=now, leased_until=None))


async def is_undone(tx: Transaction, post_id: int) -> bool:
    """Return whether the moves that a post shows were undone."""
    undone_by: int | None = await tx.scalar(select(outbox.c.undone_by).where(outbox.c.id == post_id))
    return undone_by is not None


async def undone_messages(tx: Transaction, game_id: int, by: int) -> Sequence[int]:
    """Return the messages that show the moves undone by the undo with this revision."""
    query = select(outbox.c.message_id).filter_by(game_id=game_id, undone_by=by).where(outbox.c.message_id.is_not(None))
    return list(await tx.scalars(query.order_by(outbox.c.id)))


async def rename_unsent(tx: Transaction, game_id: int, name: Callable[[int], str], now: datetime) -> set[int]:
    """Give the unsent cards of a game new nonces, as if they had never been tried; return their revisions.

    A nonce is a key that Discord gets with a message, of which it posts only one for each nonce. ``name`` returns the
    nonce for a revision.
    """
    query = select(outbox.c.id, (outbox.c.ply + outbox.c.taken_back).label("revision"))
    rows = (await tx.execute(query.where(*_unsent_of(game_id), outbox.c.kind.in_(CARDS)))).all()
    for row in rows:
        untried = {"attempts": 0, "first_attempt_at": None, "leased_until": None, "due_at": now}
        await tx.execute(_update_unsent(row.id).values(nonce=name(row.revision), **untried))
    return {row.revision for row in rows}


async def attempted_nonces(tx: Transaction, nonces: Iterable[str]) -> set[str]:
    """Return the nonces, among these, with which a post was sent or may have been sent."""
    attempted = or_(outbox.c.attempts > 0, outbox.c.sent_at.is_not(None))
    query = select(outbox.c.nonce).where(outbox.c.nonce.in_(list(nonces)), attempted)
    return set((await tx.scalars(query)).all())


def _first_of_game(now: datetime | None) -> ColumnElement[bool]:
    """Return the condition of the oldest unsent post of each game, so that cards appear in the order of the moves.

    Posts of unknown kinds hold back later ones for a limited time after they were stored; without ``now``, always.
    """
    is_known_kind = _older.c.kind.in_(list(PostKind))
    holds_back = true() if now is None else or_(is_known_kind, _older.c.created_at > now - _UNKNOWN_KIND_TIMEOUT)
    older_waits = (
        select(_older.c.id)
        .where(_older.c.game_id == outbox.c.game_id, _older.c.sent_at.is_(None), _older.c.id < outbox.c.id, holds_back)
        .exists()
    )
    is_first = or_(outbox.c.kind.in_(_UNORDERED_KINDS), ~older_waits)
    return and_(outbox.c.sent_at.is_(None), outbox.c.kind.in_(list(PostKind)), is_first)


def _excluding(post_ids: Collection[int]) -> list[ColumnElement[bool]]:
    """Return the conditions that leave out these posts; none if there are no ids."""
    return [outbox.c.id.not_in(post_ids)] if post_ids else []


def _unsent_of(game_id: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of the unsent posts of a game."""
    return outbox.c.game_id == game_id, outbox.c.sent_at.is_(None)


def _free(now: datetime) -> ColumnElement[bool]:
    """Return the condition of posts on which no process holds a lease."""
    return or_(outbox.c.leased_until.is_(None), outbox.c.leased_until <= now)


def _update_unsent(post_id: int) -> Update:
    """Return an update of a post that applies only while it is unsent."""
    return update(outbox).where(outbox.c.id == post_id, outbox.c.sent_at.is_(None))


def _readable(row: Row[Any]) -> PostRecord | UnreadableError:
    """Read a post from a row; return an error if this version cannot."""
    try:
        return _record(row)
    except UnreadableError as error:
        return error


def _record(row: Row[Any]) -> PostRecord:
    """Read a post from a row."""
    try:
        return record_of(PostRecord, row, kind=PostKind(row.kind))
    except (TypeError, ValueError) as error:
        raise UnreadableError("outbox", row.id, error) from error
