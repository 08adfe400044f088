"""The publisher of events: a channel that does not answer delays its own event only."""

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
        self._left = {event: [f"{event}{number}" for number in range(1, count + 1)] for event, count in posts.items()}
        self.told: list[str] = []
        self._news = asyncio.Event()

    async def due(self) -> list[Any]:
        return [self._post(names[0]) for names in self._left.values() if names]

    async def next_of(self, event_id: str) -> Any:
        names = self._left[event_id]
        return self._post(names[0]) if names else None

    async def sending(self, post_id: str) -> bool:
        return post_id in self._left[post_id[0]]

    async def sent(self, post_id: str, _message_id: int | None) -> None:
        self._left[post_id[0]].remove(post_id)
        self.told.append(post_id)
        self._news.set()

    async def until(self, count: int) -> None:
        """Wait until this many posts are sent."""
        while len(self.told) < count:
            self._news.clear()
            await self._news.wait()

    def add(self, name: str) -> None:
        self._left.setdefault(name[0], []).append(name)

    def of(self, event: str) -> list[str]:
        return [name for name in self.told if name[0] == event]

    @staticmethod
    def _post(name: str) -> Any:
        event = SimpleNamespace(id=name[0], code=name[0])
        return SimpleNamespace(id=name, event=event, nonce=name, kind=EventPostKind.ROUND, first_attempt_at=None)


class BlockablePublisher(EventPublisher):
    """A publisher to a fake Discord with one channel that blocks until it is released."""

    def __init__(self, posts: FakeOutbox, silent: str) -> None:
        super().__init__(SimpleNamespace(host=SimpleNamespace(events=SimpleNamespace(posts=posts))))  # type: ignore[arg-type]
        self.silent, self.let_go = silent, asyncio.Event()
        self.most = self._now = 0

    async def _send(self, post: Any) -> int | None:
        self._now += 1
        self.most = max(self.most, self._now)
        await (self.let_go.wait() if post.event.code == self.silent else asyncio.sleep(0.001))
        self._now -= 1
        return 1


@pytest.fixture(autouse=True)
def _nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    async def shown(*_: object) -> None:
        pass

    monkeypatch.setattr(event_posts, "refresh_card", shown)
    monkeypatch.setattr(event_posts, "POLL_SECONDS", 0.01)


async def test_a_blocked_channel_delays_its_own_event_only() -> None:
    waiting = FakeOutbox(a=2, b=2, c=3)
    publisher = BlockablePublisher(waiting, silent="a")
    async with asyncio.timeout(5):
        work = asyncio.create_task(publisher.work())
        await waiting.until(5)
        assert (waiting.of("a"), waiting.of("b"), waiting.of("c")) == ([], ["b1", "b2"], ["c1", "c2", "c3"])
        waiting.add("d1")
        await waiting.until(6)
        assert waiting.of("d")
        publisher.let_go.set()
        await work
    assert waiting.of("a") == ["a1", "a2"]


async def test_the_number_of_concurrent_posts_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_posts, "LANES", 2)
    waiting = FakeOutbox(a=2, b=2, c=2, d=2)
    publisher = BlockablePublisher(waiting, silent="")
    async with asyncio.timeout(5):
        await publisher.work()
    assert publisher.most == 2
    assert all(waiting.of(event) == [f"{event}1", f"{event}2"] for event in "abcd")


async def test_closing_does_not_wait_for_a_blocked_channel() -> None:
    waiting = FakeOutbox(a=1, b=1)
    publisher = BlockablePublisher(waiting, silent="a")
    async with asyncio.timeout(5):
        publisher.start()
        await waiting.until(1)
        await publisher.stop()
    assert waiting.told == ["b1"]
    assert all(lane.done() for lane in publisher._lanes.values())


async def test_pings_respect_quiet_hours_except_deferred_ones() -> None:
    """This holds for players and for organisers with closed direct messages; deferred pings are always sent."""
    asked: list[list[int]] = []

    async def asleep(_: object, users: list[int]) -> set[int]:
        asked.append(users)
        return {2}

    posts = SimpleNamespace(asleep=asleep)
    publisher = EventPublisher(SimpleNamespace(host=SimpleNamespace(events=SimpleNamespace(posts=posts))))  # type: ignore[arg-type]

    def told(kind: EventPostKind, named: list[int]) -> Any:
        return SimpleNamespace(post=SimpleNamespace(kind=kind), named=named)

    assert await publisher._awake(told(EventPostKind.CHECK_IN, []), [1, 2]) == [1]
    assert await publisher._awake(told(EventPostKind.REPORTED, [1, 2]), [1]) == [1]
    assert await publisher._awake(told(EventPostKind.NEWS, [2]), [2]) == [2]
    assert await publisher._awake(told(EventPostKind.STARTED, []), []) == []
    assert asked == [[1, 2], [1, 2]]
