"""Posting what is told of events: a channel that does not answer holds up its own event alone."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.background import event_posts
from cogs.background.event_posts import EventPublisher
from host.events import EventPostKind


class Waiting:
    """What waits to be posted, by event, and what was, in its order."""

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
        """Wait until so much is posted."""
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


class Slow(EventPublisher):
    """Posts to a Discord of which one channel says nothing until it is let go."""

    def __init__(self, posts: Waiting, silent: str) -> None:
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

    monkeypatch.setattr(event_posts, "show_event", shown)
    monkeypatch.setattr(event_posts, "POLL_SECONDS", 0.01)


async def test_a_silent_channel_holds_up_its_own_event_alone() -> None:
    waiting = Waiting(a=2, b=2, c=3)
    publisher = Slow(waiting, silent="a")
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


async def test_no_more_than_a_few_events_are_posted_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_posts, "LANES", 2)
    waiting = Waiting(a=2, b=2, c=2, d=2)
    publisher = Slow(waiting, silent="")
    async with asyncio.timeout(5):
        await publisher.work()
    assert publisher.most == 2
    assert all(waiting.of(event) == [f"{event}1", f"{event}2"] for event in "abcd")


async def test_the_end_waits_for_no_channel() -> None:
    waiting = Waiting(a=1, b=1)
    publisher = Slow(waiting, silent="a")
    async with asyncio.timeout(5):
        publisher.start()
        await waiting.until(1)
        await publisher.stop()
    assert waiting.told == ["b1"]
    assert all(lane.done() for lane in publisher._lanes.values())


async def test_who_has_quiet_hours_is_not_pinged_and_those_who_had_are() -> None:
    """Who takes part, or an organiser to whom nobody could write directly; what makes up for it pings in any case."""
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
