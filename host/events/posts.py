"""The outbox of events: a queue of messages about tournaments, in the database, sent in order.

It works like the outbox of games (:mod:`host.games.outbox`). A process *leases* a post before it sends it: for a
limited time no other process does. A post that could not be sent is retried after a growing delay.

Users in their quiet hours are not pinged. A *deferred* post pings them when these hours end, unless they have done by
then what the message asks for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import assert_never

from host.clock import Clock
from host.events.reader import EventReader
from host.events.views import EventPost, EventView
from host.settings import HostSettings
from host.timing.reminders import quiet_ends
from store import EventPostKind, EventPostRecord, EventState, NewEventPost, Store, columns_of, event_posts


@dataclass(eq=False)
class EventPosts:
    """The outbox of events; a sender leases each of the :meth:`due` posts with :meth:`lease` before it sends it."""

    _store: Store
    _clock: Clock
    _settings: HostSettings
    _reader: EventReader

    async def due(self, limit: int = 20) -> list[EventPost]:
        """Return the due posts, oldest first; of each event only its oldest, so that its posts keep their order."""
        records = await self._store.read(event_posts.due, self._clock.now(), limit)
        return [await self._post(record) for record in records]

    async def next_of(self, event_id: int) -> EventPost | None:
        """Return the oldest due post of one event; None if nothing is due."""
        records = await self._store.read(event_posts.due, self._clock.now(), 1, event_id=event_id)
        return await self._post(records[0]) if records else None

    async def lease(self, post_id: int) -> bool:
        """Lease a post before sending it; return False if it is sent already or leased by another process."""
        now = self._clock.now()
        return await self._store.write(event_posts.lease, post_id, now, now + self._settings.lease)

    async def record_sent(self, post_id: int, message_id: int | None) -> None:
        """Record that a post was sent as this message; None for a post that is dropped unsent."""
        await self._store.write(event_posts.mark_sent, post_id, message_id, self._clock.now())

    async def record_failure(self, post_id: int, *, retry_after: float | None = None) -> None:
        """Schedule a retry after ``retry_after`` seconds, or after a wait that doubles with each attempt."""
        async with self._store.writing() as tx:
            post = await event_posts.get(tx, post_id)
            attempts = 1 if post is None else post.attempts
            wait = self._settings.backoff(attempts) if retry_after is None else timedelta(seconds=retry_after)
            await event_posts.retry(tx, post_id, self._clock.now() + wait)

    async def defer_quiet(self, post: EventPost, user_ids: Iterable[int]) -> frozenset[int]:
        """Return those of these users who have quiet hours now, and store posts that ping them when these end.

        They are stored before the message is sent, so that a crash in between loses neither.
        """
        now = self._clock.now()
        ends = await self._store.read(quiet_ends, user_ids, now)
        if ends:
            async with self._store.writing(event=post.event.id) as tx:
                for end in sorted({*ends.values()}):
                    users = [user_id for user_id, quiet_end in ends.items() if quiet_end == end]
                    await event_posts.add(tx, _deferred_post(post, users, end), now)
        return frozenset(ends)

    async def deferred_recipients(self, post: EventPost) -> tuple[list[int], int | None]:
        """Return the users whom a deferred post still pings, and the id of the message that it refers to.

        Users who have done by now what the message asks for are left out; without a message nobody is pinged.
        """
        original = await self._store.read(event_posts.get, int(post.details["of"]))
        if original is None or original.message_id is None:
            return [], None
        return [
            user_id for user_id in post.details["users"] if _still_concerns(post.event, original, user_id)
        ], original.message_id

    async def take_over(self) -> None:
        """Release all leases at the start of the bot, since the processes that held them are gone."""
        await self._store.write(event_posts.release_all)

    async def _post(self, record: EventPostRecord) -> EventPost:
        """Return a stored post together with its event."""
        return EventPost(**columns_of(record), event=await self._reader.view(record.event_id))


def _deferred_post(post: EventPost, users: list[int], end: datetime) -> NewEventPost:
    """Return the post that pings these users when their quiet hours end."""
    return NewEventPost(
        event_id=post.event.id,
        kind=EventPostKind.NEWS,
        nonce=f"E{post.event.id}.w{post.id}.{end:%H%M}",
        stage=post.stage,
        round=post.round,
        details={"of": post.id, "users": users},
        due_at=end,
    )


def _still_concerns(view: EventView, original: EventPostRecord, user_id: int) -> bool:
    """Return whether a message still concerns a user: it only informs, or they have not done what it asks for."""
    match original.kind:
        case EventPostKind.CHECK_IN:
            entry = view.entry_of(user_id)
            return view.state in (EventState.OPEN, EventState.CHECK_IN) and entry is not None and not entry.checked_in
        case EventPostKind.LINE_UPS:
            handed_in = {} if view.event is None else view.event.line_ups
            gone = set() if view.event is None else view.event.gone
            teams = [team.number for team in view.teams if team.captain_id == user_id and team.number not in gone]
            return any((original.stage, original.round, number) not in handed_in for number in teams)
        case EventPostKind.NEEDED:
            return view.waits_since is not None
        case (
            EventPostKind.ANNOUNCED
            | EventPostKind.TOO_FEW
            | EventPostKind.STARTED
            | EventPostKind.ROUND
            | EventPostKind.GAMES
            | EventPostKind.RESULTS
            | EventPostKind.STAGE
            | EventPostKind.DEADLINE
            | EventPostKind.CLOSING
            | EventPostKind.REVEALED
            | EventPostKind.FULL
            | EventPostKind.EXTENDED
            | EventPostKind.UNDONE
            | EventPostKind.CORRECTED
            | EventPostKind.PENALISED
            | EventPostKind.WARNED
            | EventPostKind.PAUSED
            | EventPostKind.RESUMED
            | EventPostKind.REPORTED
            | EventPostKind.INHERITED
            | EventPostKind.FINISHED
            | EventPostKind.CLOSED
            | EventPostKind.NEWS
        ):
            return True  # these posts only inform, and ask for nothing
        case never:
            assert_never(never)
