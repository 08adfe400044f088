"""The readiness check `/ready` names each failing component of the bot, and no other.

`shards` are the bot's connections to Discord's gateway; a shard is "missing" if no process holds its lease.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from cogs.background.gateway import Reconnecting
from cogs.background.requests import RequestLimiter
from cogs.background.tasks import Gauges
from host.admin.checks import Health
from store import UnavailableError


class FakeBot:
    """A fake bot whose components work, unless a test sets a failure.

    ``closed`` are its closed shards, ``missing`` the shards that no process holds, ``yielded`` the shards that it
    leaves to another process, ``waits`` the failures of database and outbox.
    """

    def __init__(self) -> None:
        self.ready, self.closed = True, set[int]()
        overlap = SimpleNamespace(problem=lambda: self.yielded)
        self.yielded, self.missing = "", ""
        self.waits: dict[str, str] = {}
        health_check = SimpleNamespace(check=AsyncMock(side_effect=lambda: dict(self.waits)))
        processes = SimpleNamespace(overlap=overlap, missing_shards=AsyncMock(side_effect=lambda: self.missing))
        self.host = SimpleNamespace(health_check=health_check, processes=processes)

    def is_closed(self) -> bool:
        return False

    def is_ready(self) -> bool:
        """Return whether the gateway is connected."""
        return self.ready

    @property
    def shards(self) -> dict[int, Any]:
        """The shards, of which some may be closed."""
        return {number: SimpleNamespace(is_closed=lambda number=number: number in self.closed) for number in range(4)}


@pytest.fixture
def bot() -> FakeBot:
    """A bot without problems."""
    return FakeBot()


async def failures_of(bot: FakeBot, requests: RequestLimiter | None = None) -> dict[str, str]:
    """Return the failures that the readiness check reports."""
    fake_bot: Any = bot
    return await Gauges(fake_bot, Health(), requests or RequestLimiter(), Reconnecting()).problems()


async def test_a_healthy_bot_has_no_failures(bot: FakeBot) -> None:
    assert await failures_of(bot) == {}


async def test_a_closed_gateway_is_reported(bot: FakeBot) -> None:
    bot.closed = {1, 3}
    assert await failures_of(bot) == {"gateway": "shards 1, 3 are not connected to Discord"}
    bot.ready = False
    assert await failures_of(bot) == {"gateway": "not connected to Discord"}


async def test_missing_and_overlapping_shards_are_reported(bot: FakeBot) -> None:
    bot.missing = "2/4"
    assert await failures_of(bot) == {"shards": "nobody has 2/4"}
    bot.yielded = "0-3/4 are left to process x"
    assert await failures_of(bot) == {"shards": "0-3/4 are left to process x"}


async def test_failures_of_database_and_outbox_are_reported(bot: FakeBot) -> None:
    bot.waits = {"outbox": "the oldest post has waited for 300 s"}
    assert await failures_of(bot) == bot.waits
    bot.waits, bot.missing = {"database": "UnavailableError"}, "2/4"
    assert await failures_of(bot) == bot.waits, "without the database, shards are not checked"


async def test_refused_requests_are_reported(bot: FakeBot) -> None:
    requests = RequestLimiter()
    requests.record(429, {"Retry-After": "30"})
    assert set(await failures_of(bot, requests)) == {"requests"}


async def test_an_outage_during_the_check_is_no_error(bot: FakeBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.host.processes, "missing_shards", AsyncMock(side_effect=UnavailableError("away")))
    assert await failures_of(bot) == {"database": "UnavailableError"}
