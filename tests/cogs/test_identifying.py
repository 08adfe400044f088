"""Gateway sessions: the daily limit, and identifying in turns."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.background import gateway
from cogs.background.gateway import RESERVED_SESSIONS, SessionStarts


class Discord:
    """A fake Discord and session store, which record the calls."""

    def __init__(self) -> None:
        self.asked = 0
        self.left = [1000]
        self.turns: list[int] = []
        self.waits = [timedelta(seconds=3)]
        self.overlap = SimpleNamespace(aside=False)

    @property
    def bot(self) -> Any:
        http = SimpleNamespace(get_bot_gateway=self.get_bot_gateway)
        host = SimpleNamespace(
            sessions=SimpleNamespace(begin=self.begin), processes=SimpleNamespace(overlap=self.overlap)
        )
        return SimpleNamespace(http=http, host=host)

    async def get_bot_gateway(self) -> tuple[int, str, dict[str, int]]:
        self.asked += 1
        if not self.left:
            raise ConnectionResetError
        left = self.left.pop(0)
        return 16, "wss://…", {"total": 1000, "remaining": left, "reset_after": 7_200_000, "max_concurrency": 4}

    async def begin(self, turn: int) -> timedelta:
        self.turns.append(turn)
        return self.waits.pop(0) if self.waits else timedelta(0)


@pytest.fixture
def discord() -> Discord:
    return Discord()


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replace sleeping by a list of the requested seconds."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(gateway, "asyncio", SimpleNamespace(sleep=sleep, timeout=asyncio.timeout))
    return waits


async def test_a_shard_waits_for_its_turn(discord: Discord, slept: list[float]) -> None:
    shards = SessionStarts(discord.bot)
    assert await shards.recommended() == 16
    await shards.take_turn(6)
    assert discord.turns == [2, 2]
    assert slept == [3.0]
    assert discord.asked == 1


async def test_the_last_hundred_sessions_are_reserved(discord: Discord, slept: list[float]) -> None:
    discord.left = [RESERVED_SESSIONS - 1, RESERVED_SESSIONS - 1, 1000]
    await SessionStarts(discord.bot).enough_left()
    assert slept == [600.0, 600.0]


async def test_an_unanswered_request_for_the_limit_does_not_block(discord: Discord, slept: list[float]) -> None:
    discord.left = []
    discord.waits = []
    await SessionStarts(discord.bot).take_turn(5)
    assert discord.turns == [0]


async def test_the_wait_of_an_open_connection_is_capped(discord: Discord, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "HOLD_SECONDS", 0.01)
    discord.overlap.aside = True
    with pytest.raises(TimeoutError):
        await SessionStarts(discord.bot).take_turn(0)
    assert discord.turns == []
