"""What `/ready` names: whatever of the bot is stuck, and nothing else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from cogs.background.gateway import Reconnecting
from cogs.background.requests import RequestLimiter
from cogs.background.tasks import Gauges
from host.operating.operators import Health
from store import UnavailableError


class Bot:
    """A bot of which everything works, unless something is said to be wrong."""

    def __init__(self) -> None:
        self.ready, self.closed = True, set[int]()
        overlap = SimpleNamespace(trouble=lambda: self.aside)
        self.aside, self.unheld = "", ""
        self.waits: dict[str, str] = {}
        looking = SimpleNamespace(look=AsyncMock(side_effect=lambda: dict(self.waits)))
        crew = SimpleNamespace(overlap=overlap, unheld=AsyncMock(side_effect=lambda: self.unheld))
        self.host = SimpleNamespace(looking=looking, crew=crew)

    def is_closed(self) -> bool:
        return False

    def is_ready(self) -> bool:
        return self.ready

    @property
    def shards(self) -> dict[int, Any]:
        return {number: SimpleNamespace(is_closed=lambda number=number: number in self.closed) for number in range(4)}


@pytest.fixture
def bot() -> Bot:
    return Bot()


async def stuck(bot: Bot, requests: RequestLimiter | None = None) -> dict[str, str]:
    its: Any = bot
    return await Gauges(its, Health(), requests or RequestLimiter(), Reconnecting()).troubles()


async def test_nothing_is_stuck(bot: Bot) -> None:
    assert await stuck(bot) == {}


async def test_the_gateway(bot: Bot) -> None:
    bot.closed = {1, 3}
    assert await stuck(bot) == {"gateway": "shards 1, 3 are not connected to Discord"}
    bot.ready = False
    assert await stuck(bot) == {"gateway": "not connected to Discord"}


async def test_shards_that_nobody_holds_or_another_process(bot: Bot) -> None:
    bot.unheld = "2/4"
    assert await stuck(bot) == {"shards": "nobody has 2/4"}
    bot.aside = "0-3/4 are left to process x"
    assert await stuck(bot) == {"shards": "0-3/4 are left to process x"}


async def test_database_and_outbox(bot: Bot) -> None:
    bot.waits = {"outbox": "the oldest post has waited for 300 s"}
    assert await stuck(bot) == bot.waits
    bot.waits, bot.unheld = {"database": "UnavailableError"}, "2/4"
    assert await stuck(bot) == bot.waits, "of the shards nobody can say anything then"


async def test_requests_that_discord_does_not_want(bot: Bot) -> None:
    requests = RequestLimiter()
    requests.note(429, {"Retry-After": "30"})
    assert set(await stuck(bot, requests)) == {"requests"}


async def test_a_database_that_goes_away_between_two_questions_ends_nothing(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.host.crew, "unheld", AsyncMock(side_effect=UnavailableError("away")))
    assert await stuck(bot) == {"database": "UnavailableError"}
