"""The outbox: a queue of messages to send, in the database, so that no message is lost in a crash or sent twice.

A *post* is a message to send. It is stored in the same transaction as the move that it shows, and sent afterwards by
any process of the bot:

- A process *leases* a post before sending it: for a limited time, no other process sends it.
- A post is *begun* if the transaction that stores it also leases it for this process, which is the usual and fastest
  way.
- A post is *parked* while its channel refuses messages; it becomes due again when there is a reason to try.
- The *nonce* of a post is a text that identifies its message, so that a copy in the channel is recognised.
- A *card* is a post that shows the position. Its nonce contains the game's *revision*, the number of its actions with
  undone ones included, and its *epoch*, which changes when the database was restored from an older copy.

The rows are read and written by :mod:`store.play.outbox`, which this module imports as ``outbox``.
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
from store import clocks, games, outbox, retention, timers
from store.connection.database import Store, Transaction
from store.errors import UnreadableError
from store.records import Game, NewPost, PostKind, PostRecord, Timer, TimerKind, columns_of

SHARED_LEASE: Final = timedelta(seconds=30)
"""The duration of a lease on a shared database; heartbeats renew it, so that a dead process loses it soon."""

SHARED_POLL: Final = timedelta(seconds=1)
"""The longest sleep of the sender on a shared database: another process may crash before it sends its own posts."""

READING_PAUSE: Final = timedelta(seconds=2)
"""The pause between a card and the thinking of the computer that it waits for."""

FOLLOW_UP_PERIOD: Final = timedelta(minutes=1)
"""The time for which the row of a sent post is kept, because follow-up work may still need it."""


def move_post(game: Game, from_ply: int, ply: int, kind: PostKind) -> NewPost:
    """Return the post that shows a span of a game, in its current epoch."""
    nonce = move_nonce(game.code, ply + game.taken_back, game.epoch)
    return NewPost(game_id=game.id, from_ply=from_ply, ply=ply, kind=kind, nonce=nonce, taken_back=game.taken_back)


def notice_post(game: Game, kind: PostKind, mark: str) -> NewPost:
    """Return a post about a game as it is now; the mark is the part of the nonce after the revision."""
    nonce = f"{game.code}-{game.revision}-{mark}"
    return NewPost(game_id=game.id, from_ply=game.ply, ply=game.ply, kind=kind, nonce=nonce, taken_back=game.taken_back)


def move_nonce(code: str, revision: int, epoch: int = 0) -> str:
    """Return the nonce of the message that shows a revision, as ``K7PX-12`` or, in a later epoch, ``K7PX.2-12``."""
    return f"{code}.{epoch}-{revision}" if epoch else f"{code}-{revision}"


ReopenHook = Callable[[Transaction, int, datetime, bool], Awaitable[None]]
"""Called when a card of a game whose place was closed is posted: with the transaction, the game's id, the present
time, and whether the card was posted elsewhere."""


class Lease(NamedTuple):
    """The exclusive right of this process to send a post until a time."""

    post_id: int
    until: datetime


class LeaseLostError(Exception):
    """The lease of a post has expired, so that another process may be sending it."""


class LeaseTerm(NamedTuple):
    """The time for which a post is leased: from the first lease to its end, which a renewal moves."""

    since: datetime
    until: datetime


def begun_post(lease: Lease, game: Game, new: NewPost) -> Post:
    """Return a new post whose first attempt begins now, without counting this attempt."""
    return Post(
        **columns_of(new),
        id=lease.post_id,
        game=game,
        attempts=0,
        first_attempt_at=None,
        message_id=None,
        leased_until=lease.until,
        cause=cause_fields(),
    )


async def no_newer_process() -> bool:
    """Return False: the default where no process registry is set."""
    return False


class NewerReleases:
    """Leaves posts to a newer release that shares the database, as during an update, if only that can read them."""

    def __init__(self) -> None:
        self.is_running: Callable[[], Awaitable[bool]] = no_newer_process
        """Returns whether a process of a newer release is alive; set by the process registry."""
        self.posts: set[int] = set()
        """The ids of posts that this release cannot read and does not try now."""

    async def posts_to_leave(self, unreadable: Mapping[int, UnreadableError]) -> Mapping[int, UnreadableError]:
        """Return those unreadable posts that are left to a newer release: all if one is running, otherwise none."""
        if not unreadable or not await self.is_running():
            return {}
        self.posts |= unreadable.keys()
        return unreadable


class Outbox:
    """The queue of messages of all games, as one process sees it.

    Services add posts in their transactions; one sender in each process sends them. The sender's loop is::

        while True:
            await outbox.wait()
            for post in await outbox.due():
                if await outbox.lease(post.id):
                    ...  # send, then record_sent() or record_failure()
    """

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, unreadable: UnreadableRows) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._unreadable = unreadable
        self.event = asyncio.Event()
        """Set whenever a post may be due, to wake the sender."""
        self.newer_releases = NewerReleases()
        self.holder = ""
        """The id of this process, under which it holds leases."""
        self._lease = SHARED_LEASE if store.is_shared else settings.lease
        self._poll = SHARED_POLL if store.is_shared else settings.poll
        self._held: dict[int, LeaseTerm] = {}
        """The leases that this process holds and renews, by the id of the post."""
        self.sends_here = False
        """True if this process has a sender; only then are posts begun."""
        self.on_reopened: ReopenHook | None = None
        self._begun: list[Post] = []
        self._maybe_stored: list[Post] = []
        """Begun posts whose transaction failed; if they were stored all the same, their leases must be released."""
        self._ready_since: dict[int, float] = {}
        """The times at which posts became ready to be sent, by id, in seconds of :func:`time.perf_counter`."""

    @asynccontextmanager
    async def writing(
        self, *names: str, event: int | None = None, lobby: int | None = None, game: int | None = None
    ) -> AsyncIterator[Transaction]:
        """Open a transaction like :meth:`Store.writing`, and wake the sender after it.

        The sender is woken even if the block fails: an interrupted commit may have taken effect.
        """
        try:
            async with self._store.writing(*names, event=event, lobby=lobby, game=game) as tx:
                yield tx
        finally:
            self.event.set()

    async def add_card(self, tx: Transaction, post: NewPost) -> tuple[Lease | None, int]:
        """Store the card of a move, and lease it for this process if it has a sender and no older post waits.

        Return the lease, or None; and the number of refused posts of the game that became due again.
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
        """Pass a begun post to the sender of this process; without ``stored``, have its lease released instead."""
        if post is not None and not stored:
            self._held.pop(post.id, None)
        if post is not None:
            self._ready_since[post.id] = perf_counter()
            (self._begun if stored else self._maybe_stored).append(post)

    def take_begun(self) -> list[Post]:
        """Return the posts begun since the last call. They were never sent, so no earlier copy has to be searched."""
        begun, self._begun = self._begun, []
        return begun

    async def _release_maybe_stored(self) -> None:
        """Release the leases of begun posts whose transaction failed, so that their posts become due."""
        if self._maybe_stored:
            posts, self._maybe_stored = self._maybe_stored, []
            async with self._store.writing() as tx:
                for post in posts:
                    if post.leased_until is not None:
                        await outbox.release(tx, post.id, post.leased_until)

    async def wait(self) -> None:
        """Wait until a post may be due; never longer than the settings say."""
        self.event.clear()
        due_at = await self._store.read(outbox.next_due, self.newer_releases.posts)
        delay = self._poll
        if due_at is not None:
            delay = min(delay, due_at - self._clock.now())
        if delay > timedelta(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self.event.wait(), delay.total_seconds())

    async def due(self, limit: int = 20) -> list[Post]:
        """Return the due posts, oldest first; of each game only its oldest, so that its cards keep their order.

        An unreadable post is reported and parked, which holds up its own game only. While a newer release is running,
        it is left to that one.
        """
        await self._release_maybe_stored()
        while True:
            posts: list[Post] = []
            failed: dict[int, UnreadableError] = {}
            async with self._store.reading() as tx:
                records = await outbox.due(tx, self._clock.now(), limit, self.newer_releases.posts)
                games_by_id = await games.by_ids(tx, {post.game_id for post in records if isinstance(post, PostRecord)})
                for record in records:
                    try:
                        posts.append(post_with(record, games_by_id))
                    except UnreadableError as error:
                        failed[record.id] = error
            left_to_newer = await self.newer_releases.posts_to_leave(failed)
            for post_id, failure in failed.items() - left_to_newer.items():
                self._unreadable.report(failure)
                await self._store.write(outbox.park, post_id)
            if posts or not failed:
                return posts

    async def lease(self, post_id: int) -> bool:
        """Lease a post before sending it; return False if it is sent already or leased by another process.

        The attempt is stored. So after a crash the next sender knows that the message may be in the channel already.
        """
        now = self._clock.now()
        async with self._store.writing() as tx:
            leased = await outbox.lease(tx, post_id, now, now + self._lease, self.holder)
        if leased:
            self._ready_since.setdefault(post_id, perf_counter())
            self._held[post_id] = LeaseTerm(now, now + self._lease)
        return leased

    def check_lease(self, post_id: int) -> None:
        """Check that this process still holds the lease of a post.

        Raises:
            LeaseLostError: another process may be sending it.
        """
        if self._is_lost(self._held.get(post_id)):
            raise LeaseLostError(post_id)

    def _is_lost(self, held: LeaseTerm | None) -> bool:
        """Return whether a lease of this process has expired; None stands for a post that it does not renew."""
        return held is not None and held.until <= self._clock.now()

    async def renew(self, tx: Transaction, now: datetime) -> None:
        """Renew the leases of this process, except those of posts whose sending seems to hang."""
        self.newer_releases.posts.clear()
        oldest_start = now - self._settings.lease
        post_ids = [post_id for post_id, held in self._held.items() if held.since > oldest_start]
        for post_id in await outbox.renew(tx, post_ids, self.holder, now + self._lease):
            if (held := self._held.get(post_id)) is not None:  # the post may have been sent during the statement
                self._held[post_id] = held._replace(until=now + self._lease)

    def stop_renewing(self, post_id: int) -> None:
        """Stop renewing the lease of a post that this process will not send after all; it expires by itself."""
        self._held.pop(post_id, None)

    async def release_leases(self, tx: Transaction) -> None:
        """Release all leases of this process."""
        await outbox.release_held_by(tx, self.holder)

    async def record_sent(self, post_id: int, message_id: int, *, elsewhere: bool = False) -> None:
        """Record the message as which a post was sent, and start the clock of the player to move.

        A computer thinks after a pause, so that people can read the card before the next one comes.

        Set ``elsewhere`` if its own place refused the message and it was posted in another. After the last card of a
        game no post follows, so most of its earlier posts are deleted.
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
            if card is not None and card.waits_for_computer:
                await timers.save(tx, Timer(card.game_id, TimerKind.THINK, now + READING_PAUSE))
            if card is not None and POSTS[PostKind(card.kind)].tells_time:
                await clocks.mark_downtime_reported(tx, card.game_id, card.revision)
            if card is not None and card.kind == PostKind.FINAL:
                await retention.drop_posts(tx, [card.game_id], now - FOLLOW_UP_PERIOD, exclude=post_id)
            if card is not None and (card.reopens or elsewhere) and self.on_reopened is not None:
                await self.on_reopened(tx, card.game_id, now, elsewhere)

    async def sent_again(self, post_id: int, message_id: int) -> None:
        """Record the message that replaces the one as which a post was sent before."""
        await self._store.write(outbox.replace_message, post_id, message_id)

    async def drop(self, post: Post) -> None:
        """Drop a post that cannot be sent or is obsolete, so that it does not hold up the ones after it."""
        async with self.writing() as tx:
            await outbox.drop(tx, post.id, self._clock.now())

    async def record_failure(
        self, post_id: int, *, retry_after: float | None = None, gone: bool = False, refused: bool = False
    ) -> None:
        """Record that a post could not be sent, and schedule the next attempt.

        The post is tried again after ``retry_after`` seconds, by default after a delay that doubles each time. If its
        place is ``gone``, it is parked, and with it the game's later posts, until there is a reason to try again:
        another place, the next move, or :meth:`try_again`. These also retry a ``refused`` post before its delay has
        passed. A post whose lease is lost is left to the process that may be sending it now.
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
            wait = self._settings.backoff(attempts) if retry_after is None else timedelta(seconds=retry_after)
            await outbox.retry(tx, post_id, self._clock.now() + wait, refused=refused)

    async def try_again(
        self, *, game_id: int | None = None, place_id: int | None = None, guild_id: int | None = None
    ) -> int:
        """Make the parked and refused posts of a game, a place, a server or all games due; return their number."""
        async with self.writing() as tx:
            now = self._clock.now()
            return await outbox.retry_refused(tx, now, game_id=game_id, place_id=place_id, guild_id=guild_id)

    async def last_sent(self, game_id: int) -> Post | None:
        """Return the newest sent card of a game; None if none was sent."""
        async with self._store.reading() as tx:
            record = await outbox.last_sent(tx, game_id, cards_only=True)
            return None if record is None else await post_of(tx, record)

    async def sent_before(self, post: Post) -> Post | None:
        """Return the newest sent card of the same game that is older than a post; None if there is none."""
        record = await self._store.read(outbox.last_sent, post.game.id, before=post.id, cards_only=True)
        return None if record is None else post_of_game(record, post.game)

    async def take_over(self) -> None:
        """Prepare to send at startup: release the leases of earlier processes, and make parked and refused posts due.

        On a shared database other processes may be sending, so the leases are left to expire (``SHARED_LEASE``).
        """
        async with self.writing() as tx:
            if not self._store.is_shared:
                await outbox.release_all(tx)
            await outbox.retry_refused(tx, self._clock.now())

    async def add_notice(self, tx: Transaction, game: Game, kind: PostKind) -> None:
        """Add a post about the game itself rather than a move, such as a reminder.

        Its nonce contains the kind and the time, since a game may have several at one revision.
        """
        now = self._clock.now()
        await outbox.add(tx, notice_post(game, kind, f"{kind[0]}{int(now.timestamp())}"), now)


@dataclass(slots=True)
class Storing:
    """A transaction that may begin to send a card, as opened by :func:`storing`."""

    tx: Transaction
    begun: Post | None = None
    """The card that was begun; set by the block that stores it."""


@asynccontextmanager
async def storing(outbox: Outbox, game_id: int) -> AsyncIterator[Storing]:
    """Open a transaction about a game, and pass the card that was begun in it to this process's sender afterwards.

    If the block fails, the card is not sent from here, because it may not be stored; its lease is released in case it
    is, since an interrupted commit may have taken effect.
    """
    stored: Storing | None = None
    try:
        async with outbox.writing(game=game_id) as tx:
            stored = Storing(tx)
            yield stored
    except BaseException:
        outbox.dispatch(None if stored is None else stored.begun, stored=False)
        raise
    outbox.dispatch(stored.begun)


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
