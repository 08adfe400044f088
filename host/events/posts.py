"""What is to be posted about events, in the order in which it happened; a sender works as with the outbox."""

from __future__ import annotations

from datetime import timedelta

from host.clock import Clock
from host.events.shown.reading import Reading
from host.events.shown.values import EventPost
from host.settings import HostSettings
from store import EventPostRecord, Store, event_posts


class EventPosts:
    """A sender takes what is :meth:`due`, and each only if :meth:`sending` says so; then ``sent`` or ``failed``."""

    def __init__(self, store: Store, clock: Clock, settings: HostSettings, reading: Reading) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self._reading = reading

    async def due(self, limit: int = 20) -> list[EventPost]:
        """What may be sent now, oldest first; of each event only its oldest."""
        async with self._store.reading() as tx:
            found = await event_posts.due(tx, self._clock.now(), limit)
        return [await self._post(record) for record in found]

    async def next_of(self, event_id: int) -> EventPost | None:
        """What may be sent of one event now."""
        async with self._store.reading() as tx:
            found = await event_posts.due(tx, self._clock.now(), 1, event_id=event_id)
        return await self._post(found[0]) if found else None

    async def sending(self, post_id: int) -> bool:
        """Take a post before sending it; False when it is sent already or somebody else is at it."""
        now = self._clock.now()
        async with self._store.writing() as tx:
            return await event_posts.lease(tx, post_id, now, now + self._settings.lease)

    async def sent(self, post_id: int, message_id: int | None) -> None:
        """The message is there, or (None) never will be."""
        async with self._store.writing() as tx:
            await event_posts.sent(tx, post_id, message_id, self._clock.now())

    async def failed(self, post_id: int, *, retry_after: float | None = None) -> None:
        """The message could not be sent; it is tried again after so many seconds, or a wait that doubles each time."""
        async with self._store.writing() as tx:
            post = await event_posts.get(tx, post_id)
            attempts = 1 if post is None else post.attempts
            doubled: timedelta = self._settings.first_backoff * 2 ** min(max(attempts - 1, 0), 30)
            wait = (
                min(doubled, self._settings.longest_backoff) if retry_after is None else timedelta(seconds=retry_after)
            )
            await event_posts.retry(tx, post_id, self._clock.now() + wait)

    async def take_over(self) -> None:
        """At the start: whoever was sending before is no more."""
        async with self._store.writing() as tx:
            await event_posts.release_all(tx)

    async def _post(self, record: EventPostRecord) -> EventPost:
        return EventPost(
            id=record.id,
            event=await self._reading.view(record.event_id),
            kind=record.kind,
            stage=record.stage,
            round=record.round,
            details=record.details,
            nonce=record.nonce,
            attempts=record.attempts,
            first_attempt_at=record.first_attempt_at,
        )
