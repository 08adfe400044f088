"""Four processes behind a pooler, of which one has a wrong clock: who sends is stopped, and each card comes once.

The same with whole processes, and for a minute, is in ``tests/e2e/test_four_processes.py``.
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
SHORT = timedelta(seconds=1)
BEATS, LOOKS = 0.2, 0.1
MOVES = 2


class Senders:
    """A record of the posts that all processes send, which can stop one of them."""

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.stopping = False
        self.stopped: Host | None = None
        self._goes_on = asyncio.Event()

    def go_on(self) -> None:
        """Whoever is stopped."""
        self.stopped = None
        self._goes_on.set()

    async def _running(self, host: Host) -> None:
        while self.stopped is host:
            self._goes_on.clear()
            await self._goes_on.wait()

    async def live(self, host: Host) -> None:
        while True:
            await self._running(host)
            await host.processes.beat()
            await asyncio.sleep(BEATS)

    async def send(self, host: Host) -> None:
        while True:
            await self._running(host)
            for post in await host.outbox.due():
                if await host.outbox.sending(post.id):
                    await self._send(host, post.id)
            await asyncio.sleep(LOOKS)

    async def _send(self, host: Host, post_id: int) -> None:
        if self.stopping:
            self.stopping, self.stopped = False, host
            await self._running(host)
        try:
            host.outbox.check_ours(post_id)
        except LeaseLostError:
            return
        self.sent.append(post_id)
        await host.outbox.sent(post_id, post_id)


@pytest.fixture
async def hosts(pooled: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Host]]:
    """Begun at once on an empty database, with short leases; the clock of the second one was ten minutes ahead."""
    monkeypatch.setattr(processes, "LEASE", SHORT)
    monkeypatch.setattr(outbox, "SHARED_LEASE", SHORT)
    async with AsyncExitStack() as stack:
        stores = await asyncio.gather(*(Store.open(pooled, pool=2) for _ in range(4)))
        clocks = [SharedClock() for _ in stores]
        clocks[1].set(datetime.now(UTC) + timedelta(minutes=10), 0.0)
        found = [Host(store, clock=clock) for store, clock in zip(stores, clocks, strict=True)]
        for host, store in zip(found, stores, strict=True):
            stack.push_async_callback(store.close)
            stack.push_async_callback(host.close)
        await asyncio.gather(*(host.start() for host in found))
        yield found


async def test_each_card_is_sent_once_whoever_is_stopped(hosts: list[Host]) -> None:
    senders = Senders()
    async with asyncio.timeout(120):
        lives = [asyncio.create_task(work(host)) for host in hosts for work in (senders.live, senders.send)]
        game = await start_game(hosts[0])
        for number in range(MOVES):
            await until(lambda: not senders.stopping and senders.stopped is None)
            senders.stopping = True
            await play_random_action(hosts[number], game.id, Random(number))
            await until(lambda: senders.stopped is not None)
            before = len(senders.sent)
            await until(lambda before=before: len(senders.sent) > before)
            senders.go_on()
        await asyncio.sleep(2 * SHORT.total_seconds())
        for life in lives:
            life.cancel()
        ended = await asyncio.gather(*lives, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ended), ended
    async with hosts[0]._store.reading() as tx:
        stored = list(await tx.scalars(select(schema.play.outbox.c.id).order_by(schema.play.outbox.c.id)))
    assert senders.sent == stored


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - processes
        await asyncio.sleep(LOOKS)
