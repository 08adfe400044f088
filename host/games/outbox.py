"""The outbox: messages to send, stored in the same transaction as the move that they show.

A process leases a post before it sends it, so that no other process sends it too. A post is parked while its channel
refuses messages, and due again when there is a reason to try. Its nonce is the text by which Discord recognises a
message that is sent twice. A post is begun if the transaction that stores it also leases it for this process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter
from typing import Final, NamedTuple

from host.clock import Clock
from host.notifications import POSTS
from host.observability import CARD_POSTED, UnreadableRows, cause_fields
from host.settings import HostSettings
from host.values import Post
from store import clocks, games, outbox, retention
from store.connection.database import Store, Transaction
from store.errors import UnreadableError
from store.records import Game, NewPost, PostKind, PostRecord, columns_of

SHARED_LEASE: Final = timedelta(seconds=30)
"""Lease of a post, unless renewed, when several processes share the database."""

SHARED_POLL: Final = timedelta(seconds=1)
"""Longest sleep of the sender when other processes write: one may crash before it sends its own posts."""

FOLLOW_UP_PERIOD: Final = timedelta(minutes=1)
"""Time after sending during which work that follows from a post may still be running."""


def move_post(game: Game, from_ply: int, ply: int, kind: PostKind) -> NewPost:
    """Return the post that shows a span of a game, in its current epoch."""
    nonce = move_nonce(game.code, ply + game.taken_back, game.epoch)
    return NewPost(game_id=game.id, from_ply=from_ply, ply=ply, kind=kind, nonce=nonce, taken_back=game.taken_back)


def move_nonce(code: str, revision: int, epoch: int = 0) -> str:
    """Return the nonce that identifies the message of a revision in an epoch."""
    return f"{code}.{epoch}-{revision}" if epoch else f"{code}-{revision}"


Reopening = Callable[[Transaction, int, datetime, bool], Awaitable[None]]
"""Called, in its transaction, when a card of a game whose place was closed is posted there or elsewhere."""


class Lease(NamedTuple):
    """The exclusive right of this process to send a post until a time."""

    post_id: int
    until: datetime


class LeaseLostError(Exception):
    """Raised when the lease has expired, so that another process may be sending the post."""


class LeaseTerm(NamedTuple):
    """The start of a lease, and its end unless it is renewed."""

    since: datetime
    until: datetime


def begun_post(lease: Lease, game: Game, new: NewPost) -> Post:
    """Return a post whose first attempt has begun, as it was before the attempt."""
    return Post(
        id=lease.post_id,
        game_id=new.game_id,
        game=game,
        from_ply=new.from_ply,
        ply=new.ply,
        kind=new.kind,
        nonce=new.nonce,
        attempts=0,
        first_attempt_at=None,
        message_id=None,
        taken_back=new.taken_back,
        leased_until=lease.until,
        cause=cause_fields(),
    )


async def no_newer_process() -> bool:
    """Return False, as if this process were alone."""
    return False


class NewerReleases:
    """Posts that only a newer release beside this one can read, and are left to it."""

    def __init__(self) -> None:
        self.is_about: Callable[[], Awaitable[bool]] = no_newer_process
        """Returns whether a process of a newer release is alive; set by the process registry."""
        self.posts: set[int] = set()
        """Posts that this release cannot read; tried again now and then."""

    async def leaves(self, unreadable: Mapping[int, UnreadableError]) -> Mapping[int, UnreadableError]:
        """Return the unreadable posts to leave to a newer release: all if one is running, otherwise none."""
        if not unreadable or not await self.is_about():
            return {}
        self.posts |= unreadable.keys()
        return unreadable


class Outbox:
    """A queue of messages to send, stored in the database.

    A sender's loop is::

        while True:
            await outbox.wait()
            for post in await outbox.due():
                if await outbox.sending(post.id):
                    ...  # send, then sent() or failed()
    """

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, unreadable: UnreadableRows) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._unreadable = unreadable
        self.event = asyncio.Event()
        """Set whenever something may be due."""
        self.newer = NewerReleases()
        self.holder = ""
        """The name under which this process holds leases."""
        self._lease = SHARED_LEASE if store.is_shared else settings.lease
        self._poll = SHARED_POLL if store.is_shared else settings.poll
        self._held: dict[int, LeaseTerm] = {}
        """Leases of the posts that this process is sending, by id."""
        self.sends_here = False
        """True if a sender in this process takes begun posts."""
        self.reopens: Reopening | None = None
        self._begun: list[Post] = []
        self._maybe_stored: list[Post] = []
        """Posts that may be stored as begun, although no sender has them."""
        self._ready_since: dict[int, float] = {}
        """Times since which posts sent here were ready, by id and the clock of this process."""

    @asynccontextmanager
    async def writing(
        self, *names: str, event: int | None = None, lobby: int | None = None, game: int | None = None
    ) -> AsyncIterator[Transaction]:
        """Open a transaction and wake the sender after it; the arguments are the locks of :meth:`Store.writing`.

        The sender is woken even if the block fails: a commit that was interrupted may have happened.
        """
        try:
            async with self._store.writing(*names, event=event, lobby=lobby, game=game) as tx:
                yield tx
        finally:
            self.event.set()

    async def add_card(self, tx: Transaction, post: NewPost) -> tuple[Lease | None, int]:
        """Store the card of a move, and begin its first attempt if this process sends and nothing older waits.

        Returns the lease of a begun attempt, and the number of refused posts that are retried now.
        """
        now = self._clock.now()
        if self.sends_here:
            until = now + self._lease
            post_id, begun = await outbox.add_leased(tx, post, now, until, self.holder)
            if begun:
                self._held[post_id] = LeaseTerm(now, until)
                return Lease(post_id, until), 0
        else:
            await outbox.add(tx, post, now)
        return None, await outbox.retry_refused(tx, now, game_id=post.game_id)

    def dispatch(self, post: Post | None, *, stored: bool = True) -> None:
        """Pass a begun post to the sender in this process, or give back one that may not be stored."""
        if post is not None and not stored:
            self._held.pop(post.id, None)
        if post is not None:
            self._ready_since[post.id] = perf_counter()
            (self._begun if stored else self._maybe_stored).append(post)

    def begun(self) -> list[Post]:
        """Take the posts begun since the last call; the caller sends them without searching for earlier copies."""
        begun, self._begun = self._begun, []
        return begun

    async def _give_back(self) -> None:
        if self._maybe_stored:
            doubtful, self._maybe_stored = self._maybe_stored, []
            async with self._store.writing() as tx:
                for post in doubtful:
                    if post.leased_until is not None:
                        await outbox.release(tx, post.id, post.leased_until)

    async def wait(self) -> None:
        """Wait until something may be due; never longer than the settings say."""
        self.event.clear()
        async with self._store.reading() as tx:
            due_at = await outbox.next_due(tx, self.newer.posts)
        delay = self._poll
        if due_at is not None:
            delay = min(delay, due_at - self._clock.now())
        if delay > timedelta(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self.event.wait(), delay.total_seconds())

    async def due(self, limit: int = 20) -> list[Post]:
        """Return the due posts, oldest first; of each game only its oldest, so that cards keep their order.

        An unreadable post is parked and reported, and holds up its own game only; a newer release may read it.
        """
        await self._give_back()
        while True:
            posts: list[Post] = []
            failed: dict[int, UnreadableError] = {}
            async with self._store.reading() as tx:
                records = await outbox.due(tx, self._clock.now(), limit, self.newer.posts)
                games_by_id = await games.by_ids(tx, {post.game_id for post in records if isinstance(post, PostRecord)})
                for record in records:
                    try:
                        posts.append(post_with(record, games_by_id))
                    except UnreadableError as error:
                        failed[record.id] = error
            left_to_newer = await self.newer.leaves(failed)
            for post_id, reason in failed.items() - left_to_newer.items():
                self._unreadable.report(reason)
                async with self._store.writing() as tx:
                    await outbox.park(tx, post_id)
            if posts or not failed:
                return posts

    async def sending(self, post_id: int) -> bool:
        """Lease a post before sending it; return False if it is sent already or leased by another process.

        The attempt is stored, so that after a crash the next one knows to look for the message first.
        """
        now = self._clock.now()
        async with self._store.writing() as tx:
            leased = await outbox.lease(tx, post_id, now, now + self._lease, self.holder)
        if leased:
            self._ready_since.setdefault(post_id, perf_counter())
            self._held[post_id] = LeaseTerm(now, now + self._lease)
        return leased

    def check_ours(self, post_id: int) -> None:
        """Check that this process still holds the lease of a post.

        Raises:
            LeaseLostError: another process may be sending it.
        """
        if self._is_lost(self._held.get(post_id)):
            raise LeaseLostError(post_id)

    def _is_lost(self, held: LeaseTerm | None) -> bool:
        return held is not None and held.until <= self._clock.now()

    async def renew(self, tx: Transaction, now: datetime) -> None:
        """Renew the leases of this process, except for posts that take too long."""
        self.newer.posts.clear()
        oldest_start = now - self._settings.lease
        post_ids = [post_id for post_id, held in self._held.items() if held.since > oldest_start]
        for post_id in await outbox.renew(tx, post_ids, self.holder, now + self._lease):
            if (held := self._held.get(post_id)) is not None:  # otherwise it was sent meanwhile
                self._held[post_id] = held._replace(until=now + self._lease)

    def stop_renewing(self, post_id: int) -> None:
        """Stop renewing the lease of a post."""
        self._held.pop(post_id, None)

    async def leave(self, tx: Transaction) -> None:
        """Release all leases of this process."""
        await outbox.release_held_by(tx, self.holder)

    async def sent(self, post_id: int, message_id: int, *, elsewhere: bool = False) -> None:
        """Record that a post was sent, and start the clock of the player to move.

        Set ``elsewhere`` if its own place refused it.

        Nothing comes after the last card of a game, so most of its earlier posts are deleted along with it.
        """
        self._held.pop(post_id, None)
        since = self._ready_since.pop(post_id, None)
        if since is not None:
            CARD_POSTED.observe(perf_counter() - since)
        async with self.writing() as tx:
            now = self._clock.now()
            card = await outbox.mark_sent(tx, post_id, message_id, now)
            if card is not None and card.asks:
                await clocks.start(tx, card.game_id, card.revision, now)
            if card is not None and POSTS[PostKind(card.kind)].tells_time:
                await clocks.told(tx, card.game_id, card.revision)
            if card is not None and card.kind == PostKind.FINAL:
                await retention.drop_posts(tx, [card.game_id], now - FOLLOW_UP_PERIOD, exclude=post_id)
            if card is not None and (card.reopens or elsewhere) and self.reopens is not None:
                await self.reopens(tx, card.game_id, now, elsewhere)

    async def sent_again(self, post_id: int, message_id: int) -> None:
        """Record a copy that replaces a sent message."""
        async with self._store.writing() as tx:
            await outbox.replace_message(tx, post_id, message_id)

    async def failed(
        self, post_id: int, *, retry_after: float | None = None, gone: bool = False, refused: bool = False
    ) -> None:
        """Record that a post could not be sent.

        It is tried again after ``retry_after`` seconds, or after a wait that doubles each time. When the place is
        ``gone`` it waits, and with it the game's later messages, until there is a reason to try it again: another
        place, the next move, :meth:`try_again`. A ``refused`` post is retried then, too, whatever its wait. A post that
        another process may be sending by now is left to it.
        """
        if self._is_lost(self._held.pop(post_id, None)):
            return
        async with self.writing() as tx:
            if gone:
                self._ready_since.pop(post_id, None)
                await outbox.park(tx, post_id)
                return
            post = await outbox.get(tx, post_id)
            attempts = 1 if post is None else post.attempts
            wait = self._backoff(attempts) if retry_after is None else timedelta(seconds=retry_after)
            await outbox.retry(tx, post_id, self._clock.now() + wait, refused=refused)

    async def try_again(
        self, *, game_id: int | None = None, place_id: int | None = None, guild_id: int | None = None
    ) -> int:
        """Make refused posts due again, of a game, place, server or all; return their number."""
        async with self.writing() as tx:
            now = self._clock.now()
            return await outbox.retry_refused(tx, now, game_id=game_id, place_id=place_id, guild_id=guild_id)

    async def last_sent(self, game_id: int) -> Post | None:
        """Return the newest sent card of a game."""
        async with self._store.reading() as tx:
            record = await outbox.last_sent(tx, game_id, cards_only=True)
            return None if record is None else await post_of(tx, record)

    async def sent_before(self, post: Post) -> Post | None:
        """Return the newest card of the same game that was sent before a post."""
        async with self._store.reading() as tx:
            record = await outbox.last_sent(tx, post.game.id, before=post.id, cards_only=True)
            return None if record is None else post_of_game(record, post.game)

    async def take_over(self) -> None:
        """Prepare to send at startup: release leases of earlier processes and retry refused posts.

        On a shared database other processes may be sending, so leases are left to expire, which takes half a minute.
        """
        async with self.writing() as tx:
            if not self._store.is_shared:
                await outbox.release_all(tx)
            await outbox.retry_refused(tx, self._clock.now())

    async def notice(self, tx: Transaction, game: Game, ply: int, kind: PostKind) -> None:
        """Add a message about the game itself; its nonce carries the time, since it may happen more than once."""
        now, revision = self._clock.now(), ply + game.taken_back
        nonce = f"{game.code}-{revision}-{kind[0]}{int(now.timestamp())}"
        about = {"game_id": game.id, "from_ply": ply, "ply": ply, "taken_back": game.taken_back}
        await outbox.add(tx, NewPost(**about, kind=kind, nonce=nonce), now)

    def _backoff(self, attempts: int) -> timedelta:
        # The exponent is bounded, since a timedelta overflows after a thousand attempts.
        doubled: timedelta = self._settings.first_backoff * 2 ** min(max(attempts - 1, 0), 30)
        return min(doubled, self._settings.longest_backoff)


@dataclass(slots=True)
class Storing:
    """A transaction, and the card whose first attempt begins in it, set by the code that stores the card."""

    tx: Transaction
    begun: Post | None = None


@asynccontextmanager
async def storing(outbox: Outbox, game_id: int) -> AsyncIterator[Storing]:
    """Open a transaction about a game; after it, the dispatcher in this process gets the card that was begun.

    If the block fails, the card is given back instead: an interrupted commit may have happened.
    """
    under_way: Storing | None = None
    try:
        async with outbox.writing(game=game_id) as tx:
            under_way = Storing(tx)
            yield under_way
    except BaseException:
        outbox.dispatch(None if under_way is None else under_way.begun, stored=False)
        raise
    outbox.dispatch(under_way.begun)


# -- stored posts ------------------------------------------------------------------------------------------------------


async def post_of(tx: Transaction, record: PostRecord) -> Post:
    """Read the game of a stored post, and return both.

    Raises:
        UnreadableError: the game does not exist or cannot be read.
    """
    return post_with(record, await games.by_ids(tx, [record.game_id]))


def post_with(record: PostRecord | UnreadableError, games_by_id: Mapping[int, Game | UnreadableError]) -> Post:
    """Return a stored post with its game.

    Raises:
        UnreadableError: one of them cannot be read, or there is no such game.
    """
    if isinstance(record, UnreadableError):
        raise record
    game = games_by_id.get(record.game_id) or UnreadableError("outbox", record.id, f"there is no game {record.game_id}")
    if isinstance(game, UnreadableError):
        raise game
    return post_of_game(record, game)


def post_of_game(record: PostRecord, game: Game) -> Post:
    """Return a stored post together with its game."""
    return Post(**columns_of(record), game=game)
