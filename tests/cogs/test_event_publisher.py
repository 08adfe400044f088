"""The publisher of posts about tournaments: a channel that does not answer delays its own event only.

Events have one-letter names; their posts are numbered, so "a1" is the first post of event "a".
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.background import event_posts
from cogs.background.event_posts import EventPublisher
from host.events import EventPostKind


class FakeOutbox:
    """A fake outbox of events, which records the sent posts in order."""

    def __init__(self, **posts: int) -> None:
        self._pending = {
            event: [f"{event}{number}" for number in range(1, count + 1)] for event, count in posts.items()
        }
        self.sent_posts: list[str] = []
        self._sent_event = asyncio.Event()

    async def due(self) -> list[Any]:
        """Return the first pending post of each event."""
        return [self._post(names[0]) for names in self._pending.values() if names]

    async def next_of(self, event_id: str) -> Any:
        """Return the next pending post of an event."""
        names = self._pending[event_id]
        return self._post(names[0]) if names else None

    async def lease(self, post_id: str) -> bool:
        """Return whether the post is still pending."""
        return post_id in self._pending[post_id[0]]

    async def record_sent(self, post_id: str, _message_id: int | None) -> None:
        """Record a post as sent."""
        self._pending[post_id[0]].remove(post_id)
        self.sent_posts.append(post_id)
        self._sent_event.set()

    async def until(self, count: int) -> None:
        """Wait until this many posts are sent."""
        while len(self.sent_posts) < count:
            self._sent_event.clear()
            await self._sent_event.wait()

    def add(self, name: str) -> None:
        """Store a post under its name."""
        self._pending.setdefault(name[0], []).append(name)

    def of(self, event: str) -> list[str]:
        return [name for name in self.sent_posts if name[0] == event]

    @staticmethod
    def _post(name: str) -> Any:
        event = SimpleNamespace(id=name[0], code=name[0])
        return SimpleNamespace(id=name, event=event, nonce=name, kind=EventPostKind.ROUND, first_attempt_at=None)


class BlockablePublisher(EventPublisher):
    """A publisher to a fake Discord with one channel that blocks until it is released."""

    def __init__(self, posts: FakeOutbox, blocked_event: str) -> None:
        super().__init__(SimpleNamespace(host=SimpleNamespace(events=SimpleNamespace(posts=posts))))  # type: ignore[arg-type]
        self.blocked_event, self.may_answer = blocked_event, asyncio.Event()
        self.max_concurrent = self._concurrent = 0

    async def _send(self, post: Any) -> int | None:
        """Send a post, unless its event is blocked."""
        self._concurrent += 1
        self.max_concurrent = max(self.max_concurrent, self._concurrent)
        await (self.may_answer.wait() if post.event.code == self.blocked_event else asyncio.sleep(0.001))
        self._concurrent -= 1
        return 1


@pytest.fixture(autouse=True)
def _no_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not show the events' cards, and poll often."""

    async def show_nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(event_posts, "refresh_card", show_nothing)
    monkeypatch.setattr(event_posts, "POLL_SECONDS", 0.01)


async def test_a_blocked_channel_delays_its_own_event_only() -> None:
    outbox = FakeOutbox(a=2, b=2, c=3)
    publisher = BlockablePublisher(outbox, blocked_event="a")
    async with asyncio.timeout(5):
        work = asyncio.create_task(publisher.work())
        await outbox.until(5)
        assert (outbox.of("a"), outbox.of("b"), outbox.of("c")) == ([], ["b1", "b2"], ["c1", "c2", "c3"])
        outbox.add("d1")
        await outbox.until(6)
        assert outbox.of("d")
        publisher.may_answer.set()
        await work
    assert outbox.of("a") == ["a1", "a2"]


async def test_the_number_of_concurrent_posts_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_posts, "MAX_LANES", 2)
    outbox = FakeOutbox(a=2, b=2, c=2, d=2)
    publisher = BlockablePublisher(outbox, blocked_event="")
    async with asyncio.timeout(5):
        await publisher.work()
    assert publisher.max_concurrent == 2
    assert all(outbox.of(event) == [f"{event}1", f"{event}2"] for event in "abcd")


async def test_closing_does_not_wait_for_a_blocked_channel() -> None:
    outbox = FakeOutbox(a=1, b=1)
    publisher = BlockablePublisher(outbox, blocked_event="a")
    async with asyncio.timeout(5):
        publisher.start()
        await outbox.until(1)
        await publisher.stop()
    assert outbox.sent_posts == ["b1"]
    assert all(lane.done() for lane in publisher._lanes.values())


async def test_pings_respect_quiet_hours_except_deferred_ones() -> None:
    """Check players, and organisers with closed direct messages; pings that were deferred are always sent."""
    queries: list[list[int]] = []

    async def defer_quiet(_: object, users: list[int]) -> set[int]:
        """Record a query; user 2 is in their quiet hours."""
        queries.append(users)
        return {2}

    posts = SimpleNamespace(defer_quiet=defer_quiet)
    publisher = EventPublisher(SimpleNamespace(host=SimpleNamespace(events=SimpleNamespace(posts=posts))))  # type: ignore[arg-type]

    def context_of(kind: EventPostKind, named: list[int]) -> Any:
        """Return the context of a post that names these users."""
        return SimpleNamespace(post=SimpleNamespace(kind=kind), named=named)

    assert await publisher._pinged_now(context_of(EventPostKind.CHECK_IN, []), [1, 2]) == [1]
    assert await publisher._pinged_now(context_of(EventPostKind.REPORTED, [1, 2]), [1]) == [1]
    assert await publisher._pinged_now(context_of(EventPostKind.NEWS, [2]), [2]) == [2]
    assert await publisher._pinged_now(context_of(EventPostKind.STARTED, []), []) == []
    assert queries == [[1, 2], [1, 2]]
