"""A member who asks for much gets their share of it, and takes nothing from those who play."""

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

COST = timedelta(seconds=2)


async def taken(host: Host, user_id: int, cost: timedelta = COST) -> int:
    """Count the requests of a user until they have to wait."""
    count = 0
    while await host.quotas.take(user_id, cost) is None:
        count += 1
    return count


async def test_a_share_is_used_up_and_refills(host: Host, clock: SettableClock) -> None:
    assert await taken(host, ADA.user_id) == QUOTA / COST
    assert await host.quotas.take(ADA.user_id, COST) == clock.now() + COST
    assert await host.quotas.take(BEN.user_id, COST) is None
    clock.advance(10)
    assert await taken(host, ADA.user_id) == 5


@pytest.mark.postgresql
async def test_there_is_one_share_in_all_processes(new_host: NewHost, clock: SettableClock) -> None:
    """But for the little that is not counted there."""
    hosts = [await new_host() for _ in range(3)]
    count = sum([await taken(host, ADA.user_id) for host in hosts])
    assert QUOTA / COST <= count <= (QUOTA + 3 * LOCAL_QUOTA) / COST
    clock.advance(QUOTA.total_seconds())
    assert await taken(hosts[0], ADA.user_id) == QUOTA / COST


class Held:
    """Replays for who asks, which stand still until they may go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *held: Game) -> None:
        self.go_on, self.begun = threading.Event(), 0
        rebuild, ids = reader.rebuild, {game.id for game in held}

        def slowly(game: Game, actions: Any) -> Any:
            if game.id in ids:
                self.begun += 1
                assert self.go_on.wait(60), "nobody lets it go on"
            return rebuild(game, actions)

        monkeypatch.setattr(reader, "rebuild", slowly)


async def queued(host: Host, count: int) -> None:
    """Wait until so many stand in the queue, however long that takes."""
    async with asyncio.timeout(60):
        while host.games.replays.waiting < count:  # noqa: ASYNC110 - nobody is told of it
            await asyncio.sleep(0.001)


@pytest.mark.sqlite
async def test_who_looks_at_everything_at_once_holds_up_no_other(
    new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one user's replays a single one has begun; others move, and their tables are replayed, too."""
    host = await new_host()
    looked_at = [await start_game(host, ADA, BEN) for _ in range(MAX_WAITING_REPLAYS)]
    other = await start_game(host, STRANGER, BEN)
    await play_plies(host, other.id, 4)
    restarted = await new_host()
    held = Held(monkeypatch, *looked_at)
    with requested_by(ADA.user_id):
        looks = [asyncio.create_task(restarted.games.table(game.id)) for game in looked_at]
        await queued(restarted, MAX_WAITING_REPLAYS)
        with expect_error(ErrorCode.TOO_MUCH_AT_ONCE):
            await restarted.games.table(other.id)
    with requested_by(STRANGER.user_id):
        assert (await restarted.games.table(other.id)).position.ply == 4
        assert (await play_random_action(restarted, other.id, Random(1))).ply > 4
    assert held.begun == 1
    held.go_on.set()
    assert len(await asyncio.gather(*looks)) == MAX_WAITING_REPLAYS


@pytest.mark.sqlite
async def test_moves_and_cards_wait_for_nobody_who_looks(new_host: NewHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even when all places for who asks are taken."""
    host = await new_host()
    looked_at = [await start_game(host, ADA, BEN) for _ in range(MAX_REPLAYS)]
    other = await start_game(host, STRANGER, BEN)
    table, restarted = await host.games.table(other.id), await new_host()
    held = Held(monkeypatch, *looked_at)
    looks = []
    for number, game in enumerate(looked_at):
        with requested_by(number):
            looks.append(asyncio.create_task(restarted.games.table(game.id)))
    await queued(restarted, MAX_REPLAYS)
    with requested_by(STRANGER.user_id):
        seat, action = table.position.player, random_action(table.position, Random(1))
        assert (
            await restarted.moves.act(other.id, other.seats[seat].user_id, other.revision, [action], click_id())
        ).ply > 0
    (post,) = [post for post in await restarted.outbox.due() if post.game_id == other.id]
    assert (await restarted.games.moment_of(post)).after.ply == post.ply
    held.go_on.set()
    await asyncio.gather(*looks)
