"""Four hosts on one database send each card once, even if the host that is sending it is suspended.

The hosts stand for four bot processes behind a connection pooler; the clock of one is wrong.
``tests/e2e/test_four_processes.py`` repeats the test with real processes, suspended for a minute.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from sqlalchemy import select

from host import Host, LeaseLostError, SharedClock
from host.admin import processes
from host.games import outbox
from store import Store, schema
from tests.host.people import play_random_action, start_game

pytestmark = pytest.mark.long
SHORT_LEASE = timedelta(seconds=1)
"""Lifetime of a lease, the exclusive right to send a post; short, so that a suspended sender soon loses it."""
HEARTBEAT_SECONDS, POLL_SECONDS = 0.2, 0.1
"""Intervals of heartbeats and of looking for posts."""
MOVE_COUNT = 2
"""Moves of the game, each of which posts one card."""


class Senders:
    """The loops that send the posts of all processes; records what is sent, and can stop one process."""

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.stop_next = False
        self.stopped: Host | None = None
        self._resumed = asyncio.Event()

    def resume(self) -> None:
        """Let the stopped process continue."""
        self.stopped = None
        self._resumed.set()

    async def _wait_while_stopped(self, host: Host) -> None:
        """Block the sending host until it is resumed."""
        while self.stopped is host:
            self._resumed.clear()
            await self._resumed.wait()

    async def beat(self, host: Host) -> None:
        """Store a heartbeat of this process at regular intervals, until the task is cancelled."""
        while True:
            await self._wait_while_stopped(host)
            await host.processes.beat()
            await asyncio.sleep(HEARTBEAT_SECONDS)

    async def send(self, host: Host) -> None:
        """Send due posts of this process until the task is cancelled."""
        while True:
            await self._wait_while_stopped(host)
            for post in await host.outbox.due():
                if await host.outbox.lease(post.id):
                    await self._send(host, post.id)
            await asyncio.sleep(POLL_SECONDS)

    async def _send(self, host: Host, post_id: int) -> None:
        """Send one post and record it, unless the lease is lost meanwhile."""
        if self.stop_next:
            self.stop_next, self.stopped = False, host
            await self._wait_while_stopped(host)
        try:
            host.outbox.check_lease(post_id)
        except LeaseLostError:
            return
        self.sent.append(post_id)
        await host.outbox.record_sent(post_id, post_id)


@pytest.fixture
async def hosts(pooled: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Host]]:
    """Four hosts started at once on an empty database, with short leases; the second clock is ten minutes fast."""
    monkeypatch.setattr(processes, "LEASE", SHORT_LEASE)
    monkeypatch.setattr(outbox, "SHARED_LEASE", SHORT_LEASE)
    async with AsyncExitStack() as stack:
        stores = await asyncio.gather(*(Store.open(pooled, pool=2) for _ in range(4)))
        clocks = [SharedClock() for _ in stores]
        clocks[1].set(datetime.now(UTC) + timedelta(minutes=10), 0.0)
        opened = [Host(store, clock=clock) for store, clock in zip(stores, clocks, strict=True)]
        for host, store in zip(opened, stores, strict=True):
            stack.push_async_callback(store.close)
            stack.push_async_callback(host.close)
        await asyncio.gather(*(host.start() for host in opened))
        yield opened


async def test_each_card_is_sent_once_even_if_its_sender_is_suspended(hosts: list[Host]) -> None:
    senders = Senders()
    async with asyncio.timeout(120):
        tasks = [asyncio.create_task(work(host)) for host in hosts for work in (senders.beat, senders.send)]
        game = await start_game(hosts[0])
        for number in range(MOVE_COUNT):
            await until(lambda: not senders.stop_next and senders.stopped is None)
            senders.stop_next = True
            await play_random_action(hosts[number], game.id, Random(number))
            await until(lambda: senders.stopped is not None)
            before = len(senders.sent)
            await until(lambda before=before: len(senders.sent) > before)
            senders.resume()
        await asyncio.sleep(2 * SHORT_LEASE.total_seconds())
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ended), ended
    async with hosts[0]._store.reading() as tx:
        stored = list(await tx.scalars(select(schema.play.outbox.c.id).order_by(schema.play.outbox.c.id)))
    assert senders.sent == stored


async def until(condition: Callable[[], bool]) -> None:
    """Poll until the condition holds."""
    while not condition():  # noqa: ASYNC110 - no event signals it
        await asyncio.sleep(POLL_SECONDS)
