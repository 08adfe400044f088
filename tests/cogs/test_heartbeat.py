"""Heartbeats are recorded while the gateway is connected, per shard; a card reports compensated downtime.

After a downtime the host extends all deadlines by it, before timers run.
"""

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
def record_heartbeat() -> AsyncMock:
    """The function of the host that stores a heartbeat."""
    return AsyncMock()


@pytest.fixture
def heartbeat_task(record_heartbeat: AsyncMock) -> HeartbeatTask:
    """The periodic task of a bot with two shards."""
    bot: Any = SimpleNamespace(
        host=SimpleNamespace(gateway_monitor=SimpleNamespace(beat=record_heartbeat)), shard_count=2
    )
    return HeartbeatTask(bot)


async def test_no_heartbeat_is_recorded_before_a_connection(
    heartbeat_task: HeartbeatTask, record_heartbeat: AsyncMock
) -> None:
    await heartbeat_task._beat()
    record_heartbeat.assert_not_awaited()


async def test_heartbeats_cover_the_connected_shards(
    heartbeat_task: HeartbeatTask, record_heartbeat: AsyncMock
) -> None:
    events = [name for name, listener in heartbeat_task.get_listeners() if listener == heartbeat_task.connected]
    assert sorted(events) == ["on_shard_connect", "on_shard_ready", "on_shard_resumed"]
    await heartbeat_task.connected(1)
    await heartbeat_task.connected(0)
    await heartbeat_task.on_shard_disconnect(1)
    await heartbeat_task._beat()
    assert [call.args for call in record_heartbeat.await_args_list] == [([1], 2), ([0, 1], 2), ([0], 2)]
    await heartbeat_task.on_shard_disconnect(0)
    await heartbeat_task._beat()
    assert record_heartbeat.await_count == 3


async def test_timers_run_only_after_the_first_heartbeat_has_compensated_downtime(
    heartbeat_task: HeartbeatTask, record_heartbeat: AsyncMock
) -> None:
    started: list[str] = []
    heartbeat_task._on_first_beat = lambda: started.append("sweep")
    record_heartbeat.side_effect = [OSError, None, None]
    await heartbeat_task._beat()
    await heartbeat_task.connected(0)
    assert started == [], "no timers without a connection or after a failed heartbeat"
    for _ in range(2):
        await heartbeat_task._beat()
    assert started == ["sweep"]


async def test_a_failed_heartbeat_does_not_stop_the_task(
    heartbeat_task: HeartbeatTask, record_heartbeat: AsyncMock
) -> None:
    record_heartbeat.side_effect = [OSError, None]
    await heartbeat_task.connected(0)
    await heartbeat_task._beat()
    assert record_heartbeat.await_count == 2


async def test_a_failed_handover_does_not_stop_the_task(
    heartbeat_task: HeartbeatTask, record_heartbeat: AsyncMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failed round still records its heartbeat, and the next one follows."""
    monkeypatch.setattr(heartbeat_task, "_announce", AsyncMock())
    settle_connections = AsyncMock(side_effect=[UnavailableError("away"), KeyError("a bug"), None])
    monkeypatch.setattr(heartbeat_task, "_connections", SimpleNamespace(settle=settle_connections))
    await heartbeat_task.connected(0)
    for _ in range(3):
        await heartbeat_task._round.coro(heartbeat_task)
    assert (settle_connections.await_count, record_heartbeat.await_count) == (3, 4)


def test_a_card_reports_the_downtime_of_the_clocks() -> None:
    assert "down for 540 minutes" in clock_words(replace(TIMES, downtime=timedelta(hours=9)), GAME)
    assert "away" not in clock_words(replace(TIMES, downtime=timedelta(seconds=20)), GAME)


@pytest.mark.parametrize("to_player_to_move", [False, True])
def test_a_gift_of_time_reports_the_downtime_too(*, to_player_to_move: bool) -> None:
    assert GAME.seat_to_act is not None
    seat = GAME.seat_to_act if to_player_to_move else 1 - GAME.seat_to_act
    gift = Gift(game_id=1, user_id=GAME.seats[1 - seat].user_id, seat=seat, amount=1000, at=NOW, interaction_id=1)
    text = words(gift_card(post_of(PostKind.GIVEN), gift, replace(TIMES, downtime=timedelta(hours=9))))
    assert "down for 540 minutes" in text
    assert ("Time runs out" in text) is to_player_to_move
