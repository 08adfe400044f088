"""Several processes on one PostgreSQL database: leases of posts and of exclusive tasks, and a shared clock.

A lease is an exclusive right that expires unless its holder renews it with a heartbeat: a post may be sent only by
the process that leases it. Two hosts on one database, `first` and `second`, stand for two processes.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from host import Host, LeaseLostError, SharedClock
from store import Store, Transaction, outbox
from tests.host.conftest import NewHost
from tests.host.people import SettableClock, start_game
from tests.store.rows import store_game

pytestmark = pytest.mark.postgresql


@pytest.fixture
async def pair(new_host: NewHost) -> tuple[Host, Host]:
    """Two hosts on one database with a post to send."""
    first, second = await new_host(), await new_host()
    await start_game(first)
    return first, second


async def test_a_start_does_not_release_another_processs_leases(pair: tuple[Host, Host]) -> None:
    first, second = pair
    [post] = await first.outbox.due()
    assert await first.outbox.lease(post.id)
    await second.start()
    assert await second.outbox.due() == []
    assert not await second.outbox.lease(post.id)


async def test_a_lease_not_renewed_expires_after_half_a_minute(pair: tuple[Host, Host], clock: SettableClock) -> None:
    first, second = pair
    [post] = await first.outbox.due()
    assert await first.outbox.lease(post.id)
    first.outbox.check_lease(post.id)
    clock.advance(31)
    with pytest.raises(LeaseLostError):
        first.outbox.check_lease(post.id)
    assert await second.outbox.lease(post.id)
    await first.processes.beat()
    with pytest.raises(LeaseLostError):
        first.outbox.check_lease(post.id)


async def test_a_failure_after_the_lease_expired_changes_nothing(pair: tuple[Host, Host], clock: SettableClock) -> None:
    first, second = pair
    [post] = await first.outbox.due()
    assert await first.outbox.lease(post.id)
    clock.advance(31)
    assert await second.outbox.lease(post.id)
    await first.outbox.record_failure(post.id, retry_after=0)
    assert await first.outbox.due() == []


async def test_heartbeats_renew_a_lease_for_five_minutes(pair: tuple[Host, Host], clock: SettableClock) -> None:
    first, second = pair
    [post] = await first.outbox.due()
    assert await first.outbox.lease(post.id)
    for _ in range(5):
        clock.advance(10)
        await first.processes.beat()
    first.outbox.check_lease(post.id)
    assert not await second.outbox.lease(post.id)
    clock.advance(timedelta(minutes=5).total_seconds())
    await first.processes.beat()
    assert await second.outbox.lease(post.id), "a sender that takes so long has hung"
    with pytest.raises(LeaseLostError):
        first.outbox.check_lease(post.id)


async def test_a_post_let_go_is_not_renewed(pair: tuple[Host, Host], clock: SettableClock) -> None:
    first, second = pair
    [post] = await first.outbox.due()
    assert await first.outbox.lease(post.id)
    first.outbox.stop_renewing(post.id)
    for _ in range(4):
        clock.advance(10)
        await first.processes.beat()
    assert await second.outbox.lease(post.id)


async def test_a_post_sent_during_the_renewal_does_not_stop_the_heartbeat(
    pair: tuple[Host, Host], clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = pair
    [post] = await first.outbox.due()
    assert await first.outbox.lease(post.id)
    renew = outbox.renew

    async def renew_while_sent(tx: Transaction, *about: Any) -> list[int]:
        renewed: list[int] = await renew(tx, *about)
        first.outbox.stop_renewing(post.id)
        return renewed

    monkeypatch.setattr(outbox, "renew", renew_while_sent)
    clock.advance(10)
    await first.processes.beat()
    assert [process.seen_at for process in await second.processes.others()] == [clock.now()]


async def test_a_released_lease_is_not_renewed(pair: tuple[Host, Host]) -> None:
    first, second = pair
    [post] = await first.outbox.due()
    assert await first.outbox.lease(post.id)
    async with first.outbox.writing() as tx:
        await outbox.release_all(tx)
    await first.processes.beat()
    assert await second.outbox.lease(post.id)


async def test_a_closing_process_releases_all_leases(pair: tuple[Host, Host]) -> None:
    first, second = pair
    await first.processes.beat()
    assert [process.id for process in await second.processes.others()] == [first.processes.id]
    [post] = await first.outbox.due()
    assert await first.outbox.lease(post.id)
    assert await first.processes.take("check games")
    assert not await second.processes.take("check games")
    await first.close()
    assert await second.outbox.lease(post.id)
    assert await second.processes.take("check games")
    assert await second.processes.others() == []


async def test_one_process_at_a_time_holds_a_lease(pair: tuple[Host, Host], clock: SettableClock) -> None:
    granted = await asyncio.gather(*(host.processes.take("register commands") for host in pair))
    assert sorted(granted) == [False, True]
    holder, waiting = pair if granted[0] else pair[::-1]
    clock.advance(20)
    await holder.processes.beat()
    clock.advance(20)
    assert holder.processes.holds("register commands")
    assert not await waiting.processes.take("register commands")
    clock.advance(20)
    assert not holder.processes.holds("register commands")
    assert await waiting.processes.take("register commands")
    await holder.processes.beat()
    assert not holder.processes.holds("register commands")
    await holder.processes.give_back("register commands")
    assert waiting.processes.holds("register commands")


async def test_four_processes_open_an_empty_database_at_once(postgresql: object, empty_database: str) -> None:
    stores = await asyncio.gather(*(Store.open(empty_database) for _ in range(4)))
    await asyncio.gather(*(store_game(store, f"CC{number}") for number, store in enumerate(stores)))
    await asyncio.gather(*(store.close() for store in stores))


async def test_a_host_follows_the_clock_of_the_database(new_database: str) -> None:
    store = await Store.open(new_database)
    ahead = SharedClock()
    ahead.set(datetime.now(UTC) + timedelta(minutes=10), 0.0)
    host = Host(store, clock=ahead)
    await host.start()
    assert abs(ahead.now() - datetime.now(UTC)) < timedelta(minutes=1)
    await host.close()
    await store.close()
