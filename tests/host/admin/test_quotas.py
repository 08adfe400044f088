"""Quotas of expensive requests, and the queue of replays: a user who asks for much does not delay those who play.

A user's quota is an amount of time: requests use it up, and it refills as the clock advances. All processes share it;
each may grant a small local quota in addition.
"""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from engine.selfplay import random_action
from host import ErrorCode, Game, Host, requested_by
from host.admin.quotas import LOCAL_QUOTA, QUOTA
from host.games import reader
from host.locks import MAX_REPLAYS, MAX_WAITING_REPLAYS
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    STRANGER,
    SettableClock,
    click_id,
    expect_error,
    play_plies,
    play_random_action,
    start_game,
)

REQUEST_COST = timedelta(seconds=2)
"""Part of the quota that each request of these tests takes."""


async def count_until_refused(host: Host, user_id: int, cost: timedelta = REQUEST_COST) -> int:
    """Count the requests of a user until they have to wait."""
    count = 0
    while await host.quotas.take(user_id, cost) is None:
        count += 1
    return count


async def test_a_quota_is_used_up_and_refills(host: Host, clock: SettableClock) -> None:
    assert await count_until_refused(host, ADA.user_id) == QUOTA / REQUEST_COST
    assert await host.quotas.take(ADA.user_id, REQUEST_COST) == clock.now() + REQUEST_COST
    assert await host.quotas.take(BEN.user_id, REQUEST_COST) is None
    clock.advance(10)
    assert await count_until_refused(host, ADA.user_id) == 5


@pytest.mark.postgresql
async def test_all_processes_share_one_quota(new_host: NewHost, clock: SettableClock) -> None:
    """Allow each process its small local quota beyond the shared one."""
    hosts = [await new_host() for _ in range(3)]
    count = sum([await count_until_refused(host, ADA.user_id) for host in hosts])
    assert QUOTA / REQUEST_COST <= count <= (QUOTA + 3 * LOCAL_QUOTA) / REQUEST_COST
    clock.advance(QUOTA.total_seconds())
    assert await count_until_refused(hosts[0], ADA.user_id) == QUOTA / REQUEST_COST


class BlockedReplays:
    """Blocks the replays of some games until `may_finish` is set, and counts those that have started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *games: Game) -> None:
        self.may_finish, self.started = threading.Event(), 0
        rebuild, ids = reader.rebuild, {game.id for game in games}

        def blocking_rebuild(game: Game, actions: Any) -> Any:
            """Count a replay; if it is blocked, wait for the test."""
            if game.id in ids:
                self.started += 1
                assert self.may_finish.wait(60), "the test never let it finish"
            return rebuild(game, actions)

        monkeypatch.setattr(reader, "rebuild", blocking_rebuild)


async def wait_for_queue(host: Host, count: int) -> None:
    """Wait until this many replays are queued."""
    async with asyncio.timeout(60):
        while host.games.replays.waiting < count:  # noqa: ASYNC110 - the queue signals no event
            await asyncio.sleep(0.001)


@pytest.mark.sqlite
async def test_a_user_who_requests_many_replays_delays_no_other(
    new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Start one replay of that user at a time, while others move and have their tables replayed."""
    host = await new_host()
    requested = [await start_game(host, ADA, BEN) for _ in range(MAX_WAITING_REPLAYS)]
    other = await start_game(host, STRANGER, BEN)
    await play_plies(host, other.id, 4)
    restarted = await new_host()
    blocked = BlockedReplays(monkeypatch, *requested)
    with requested_by(ADA.user_id):
        replays = [asyncio.create_task(restarted.games.table(game.id)) for game in requested]
        await wait_for_queue(restarted, MAX_WAITING_REPLAYS)
        with expect_error(ErrorCode.TOO_MUCH_AT_ONCE):
            await restarted.games.table(other.id)
    with requested_by(STRANGER.user_id):
        assert (await restarted.games.table(other.id)).position.ply == 4
        assert (await play_random_action(restarted, other.id, Random(1))).ply > 4
    assert blocked.started == 1
    blocked.may_finish.set()
    assert len(await asyncio.gather(*replays)) == MAX_WAITING_REPLAYS


@pytest.mark.sqlite
async def test_moves_and_cards_do_not_wait_for_requested_replays(
    new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Move and draw a card while every slot for requested replays is taken."""
    host = await new_host()
    requested = [await start_game(host, ADA, BEN) for _ in range(MAX_REPLAYS)]
    other = await start_game(host, STRANGER, BEN)
    table, restarted = await host.games.table(other.id), await new_host()
    blocked = BlockedReplays(monkeypatch, *requested)
    replays = []
    for number, game in enumerate(requested):
        with requested_by(number):
            replays.append(asyncio.create_task(restarted.games.table(game.id)))
    await wait_for_queue(restarted, MAX_REPLAYS)
    with requested_by(STRANGER.user_id):
        seat, action = table.position.player, random_action(table.position, Random(1))
        assert (
            await restarted.moves.act(other.id, other.seats[seat].user_id, other.revision, [action], click_id())
        ).ply > 0
    (post,) = [post for post in await restarted.outbox.due() if post.game_id == other.id]
    assert (await restarted.games.moment_of(post)).after.ply == post.ply
    blocked.may_finish.set()
    await asyncio.gather(*replays)
