"""The offline Discord's time is that of this machine, on its page, too."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from preview.present import PresentClock
from preview.world import offline_discord
from tests.preview.test_world import Silent

SOON = timedelta(seconds=20)
"""Generous, for a machine with other things to do."""


async def test_time_passes_by_itself() -> None:
    clock = PresentClock()
    first = clock.now()
    await asyncio.sleep(0.01)
    assert first < clock.now() < datetime.now(UTC) + SOON


def test_the_clock_can_be_moved_ahead() -> None:
    clock = PresentClock()
    clock.advance(3600)
    assert clock.elapsed >= 3600
    assert clock.now() > datetime.now(UTC) + timedelta(minutes=59)


async def test_a_message_is_dated_when_it_is_written_and_not_when_the_page_was_opened() -> None:
    async with offline_discord(Silent()) as world, world.page() as page:
        await world.members[0].send(world.channel, "First")
        world.env.backend.clock.advance(600)
        message = await world.members[0].send(world.channel, "Ten minutes later")
        assert message.created_at > datetime.now(UTC) + timedelta(minutes=9)
        snapshot = await page.snapshot()
    shown = datetime.fromisoformat(snapshot["profile"]["presentationTime"])
    assert shown - message.created_at < SOON
    assert shown >= message.created_at - timedelta(milliseconds=1)
