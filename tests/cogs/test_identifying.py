"""Gateway sessions: the daily limit of new sessions, and identifying in turns.

Discord allows 1000 new sessions a day, and several at once only to shards of different turns (rate limit buckets).
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.background import gateway
from cogs.background.gateway import RESERVED_SESSIONS, SessionStarts


class FakeDiscord:
    """A fake Discord and session store, which record the calls."""

    def __init__(self) -> None:
        self.limit_requests = 0
        self.remaining_sessions = [1000]
        self.turns_taken: list[int] = []
        self.turn_delays = [timedelta(seconds=3)]
        self.overlap = SimpleNamespace(yields=False)

    @property
    def bot(self) -> Any:
        """A bot that uses this fake."""
        http = SimpleNamespace(get_bot_gateway=self.get_bot_gateway)
        host = SimpleNamespace(
            sessions=SimpleNamespace(begin=self.begin), processes=SimpleNamespace(overlap=self.overlap)
        )
        return SimpleNamespace(http=http, host=host)

    async def get_bot_gateway(self) -> tuple[int, str, dict[str, int]]:
        """Return the number of sessions that are left today, or fail."""
        self.limit_requests += 1
        if not self.remaining_sessions:
            raise ConnectionResetError
        remaining = self.remaining_sessions.pop(0)
        return 16, "wss://…", {"total": 1000, "remaining": remaining, "reset_after": 7_200_000, "max_concurrency": 4}

    async def begin(self, turn: int) -> timedelta:
        """Record the turn and return how long to wait for it."""
        self.turns_taken.append(turn)
        return self.turn_delays.pop(0) if self.turn_delays else timedelta(0)


@pytest.fixture
def fake_discord() -> FakeDiscord:
    """A fake with no answers yet."""
    return FakeDiscord()


@pytest.fixture
def sleeps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replace sleeping by a list of the requested seconds."""
    seconds_slept: list[float] = []

    async def sleep(seconds: float) -> None:
        """Record the time instead of sleeping."""
        seconds_slept.append(seconds)

    monkeypatch.setattr(gateway, "asyncio", SimpleNamespace(sleep=sleep, timeout=asyncio.timeout))
    return seconds_slept


async def test_a_shard_waits_for_its_turn(fake_discord: FakeDiscord, sleeps: list[float]) -> None:
    shards = SessionStarts(fake_discord.bot)
    assert await shards.recommended_shards() == 16
    await shards.take_turn(6)
    assert fake_discord.turns_taken == [2, 2]  # shard 6 modulo the concurrency of 4; asked again after the wait
    assert sleeps == [3.0]
    assert fake_discord.limit_requests == 1


async def test_the_last_hundred_sessions_are_reserved(fake_discord: FakeDiscord, sleeps: list[float]) -> None:
    fake_discord.remaining_sessions = [RESERVED_SESSIONS - 1, RESERVED_SESSIONS - 1, 1000]
    await SessionStarts(fake_discord.bot).wait_for_reserve()
    assert sleeps == [600.0, 600.0]


async def test_an_unanswered_request_for_the_limit_does_not_block(
    fake_discord: FakeDiscord, sleeps: list[float]
) -> None:
    fake_discord.remaining_sessions = []
    fake_discord.turn_delays = []
    await SessionStarts(fake_discord.bot).take_turn(5)
    assert fake_discord.turns_taken == [0]


async def test_the_wait_of_an_open_connection_is_capped(
    fake_discord: FakeDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "HOLD_SECONDS", 0.01)
    fake_discord.overlap.yields = True
    with pytest.raises(TimeoutError):
        await SessionStarts(fake_discord.bot).take_turn(0)
    assert fake_discord.turns_taken == []
