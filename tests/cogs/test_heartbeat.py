"""Heartbeats are recorded while the gateway is connected, per shard; a card reports compensated downtime."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from cogs.background.tasks import HeartbeatTask
from cogs.panels.cards import clock_words
from cogs.panels.side_messages import gift_card
from host import Gift, PostKind
from store import UnavailableError
from tests.cogs.positions import NOW
from tests.cogs.test_calls import GAME, TIMES, post_of, words


@pytest.fixture
def beats() -> AsyncMock:
    return AsyncMock()


@pytest.fixture
def heart(beats: AsyncMock) -> HeartbeatTask:
    bot: Any = SimpleNamespace(host=SimpleNamespace(gateway_monitor=SimpleNamespace(beat=beats)), shard_count=2)
    return HeartbeatTask(bot)


async def test_no_heartbeat_is_recorded_before_a_connection(heart: HeartbeatTask, beats: AsyncMock) -> None:
    await heart._beat()
    beats.assert_not_awaited()


async def test_heartbeats_cover_the_connected_shards(heart: HeartbeatTask, beats: AsyncMock) -> None:
    await heart.on_shard_connect(1)
    await heart.on_shard_ready(0)
    await heart.on_shard_disconnect(1)
    await heart._beat()
    assert [post_of.args for post_of in beats.await_args_list] == [([1], 2), ([0, 1], 2), ([0], 2)]
    await heart.on_shard_disconnect(0)
    await heart._beat()
    assert beats.await_count == 3


async def test_timers_run_only_after_the_first_heartbeat_has_compensated_downtime(
    heart: HeartbeatTask, beats: AsyncMock
) -> None:
    order: list[str] = []
    heart._then = lambda: order.append("sweep")
    beats.side_effect = [OSError, None, None]
    await heart._beat()
    await heart.on_shard_connect(0)
    assert order == [], "no timers without a connection or after a failed heartbeat"
    for _ in range(2):
        await heart._beat()
    assert order == ["sweep"]


async def test_a_failed_heartbeat_does_not_stop_the_task(heart: HeartbeatTask, beats: AsyncMock) -> None:
    beats.side_effect = [OSError, None]
    await heart.on_shard_connect(0)
    await heart._beat()
    assert beats.await_count == 2


async def test_a_failed_handover_does_not_stop_the_task(
    heart: HeartbeatTask, beats: AsyncMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failed round still records its heartbeat, and the next one follows."""
    monkeypatch.setattr(heart, "_announce", AsyncMock())
    settle = AsyncMock(side_effect=[UnavailableError("away"), KeyError("a bug"), None])
    monkeypatch.setattr(heart, "_connections", SimpleNamespace(settle=settle))
    await heart.on_shard_connect(0)
    for _ in range(3):
        await heart._round.coro(heart)
    assert (settle.await_count, beats.await_count) == (3, 4)


def test_a_card_reports_the_downtime_of_the_clocks() -> None:
    assert "away for 540 minutes" in clock_words(replace(TIMES, downtime=timedelta(hours=9)), GAME)
    assert "away" not in clock_words(replace(TIMES, downtime=timedelta(seconds=20)), GAME)


@pytest.mark.parametrize("asked", [False, True])
def test_a_gift_of_time_reports_the_downtime_too(*, asked: bool) -> None:
    assert GAME.seat_to_act is not None
    seat = GAME.seat_to_act if asked else 1 - GAME.seat_to_act
    gift = Gift(game_id=1, user_id=GAME.seats[1 - seat].user_id, seat=seat, amount=1000, at=NOW, interaction_id=1)
    told = words(gift_card(post_of(PostKind.GIVEN), gift, replace(TIMES, downtime=timedelta(hours=9))))
    assert "away for 540 minutes" in told
    assert ("Time runs out" in told) is asked
