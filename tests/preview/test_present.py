"""The clock of the offline Discord, and of its web page, follows the real time.

The offline Discord is simcord, whose clock normally stands still until a test advances it.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from preview.present import PresentClock
from preview.world import offline_discord
from tests.preview.test_world import IdleBot

MAX_DELAY = timedelta(seconds=20)
"""Tolerance of times; generous, for busy machines."""


async def test_time_passes() -> None:
    clock = PresentClock()
    first = clock.now()
    await asyncio.sleep(0.01)
    assert first < clock.now() < datetime.now(UTC) + MAX_DELAY


def test_the_clock_can_be_advanced() -> None:
    clock = PresentClock()
    clock.advance(3600)
    assert clock.elapsed >= 3600
    assert clock.now() > datetime.now(UTC) + timedelta(minutes=59)


async def test_a_message_has_the_time_of_its_sending() -> None:
    async with offline_discord(IdleBot()) as world, world.page() as page:
        await world.members[0].send(world.channel, "First")
        world.env.backend.clock.advance(600)
        message = await world.members[0].send(world.channel, "Ten minutes later")
        assert message.created_at > datetime.now(UTC) + timedelta(minutes=9)
        snapshot = await page.snapshot()
    displayed_at = datetime.fromisoformat(snapshot["profile"]["presentationTime"])
    assert displayed_at - message.created_at < MAX_DELAY
    assert displayed_at >= message.created_at - timedelta(milliseconds=1)
