"""Detection of inaccessible channels from cache and Discord; after an outage the requests are spaced out."""

import asyncio
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, MagicMock

import discord
import pytest

from cogs.background import open_places
from cogs.background.open_places import QUERY_BATCH_SIZE, OpenPlaces
from store import UnavailableError

GUILD = 7 << 22
REAL_SLEEP = asyncio.sleep
BACKGROUND_TASKS: list[Coroutine[Any, Any, None]] = []
"""Background tasks that were started, which the test runs itself."""


class Places:
    """A fake service with the games of one server, which records closed and reopened ones."""

    def __init__(self, games: int) -> None:
        self.games = [
            SimpleNamespace(id=n, code=f"G{n}", guild_id=GUILD, place=100 + n, channel_id=1) for n in range(games)
        ]
        self.shut: list[int] = []
        self.open: list[int] = []
        self.outages = 0
        """Number of calls that fail with an outage of the database."""

    def _ask(self) -> None:
        if self.outages:
            self.outages -= 1
            raise UnavailableError("away")

    async def unfinished_at(self, **_: object) -> list[SimpleNamespace]:
        self._ask()
        return self.games

    async def servers(self) -> set[int]:
        self._ask()
        return {GUILD}

    async def close(self, game_ids: list[int], **_: object) -> int:
        self.shut += game_ids
        return len(game_ids)

    async def reopen(self, game_ids: list[int]) -> int:
        self.open += game_ids
        return 0


def bot_with(places: Places, guild: Any, fetch: AsyncMock, asked: AsyncMock | None = None) -> Any:
    """Return a client that knows one server or none; ``asked`` is Discord's answer about it."""
    host = SimpleNamespace(places=places)
    publisher = SimpleNamespace(wake=lambda: None)
    return SimpleNamespace(
        host=host,
        publisher=publisher,
        get_guild=lambda _: guild,
        fetch_channel=fetch,
        fetch_guild=asked or AsyncMock(),
        serves=lambda _: True,
        shard_count=1,
        run_in_background=lambda work, **_: BACKGROUND_TASKS.append(work),
    )


def not_found() -> discord.NotFound:
    return discord.NotFound(
        cast("Any", MagicMock(status=404, reason="Not Found")), {"code": 10003, "message": "Unknown"}
    )


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> AsyncMock:
    """Replace pauses by a mock."""
    sleep = AsyncMock()
    monkeypatch.setattr(open_places.asyncio, "sleep", sleep)
    return sleep


async def test_uncached_channels_are_fetched_in_batches(pauses: AsyncMock) -> None:
    places = Places(3 * QUERY_BATCH_SIZE)
    guild = SimpleNamespace(unavailable=False, me=object(), get_channel_or_thread=lambda _: None)
    fetch = AsyncMock(side_effect=not_found())
    await OpenPlaces(bot_with(places, guild, fetch)).review_shard(0)
    assert (len(places.shut), fetch.await_count, pauses.await_count) == (3 * QUERY_BATCH_SIZE, 3 * QUERY_BATCH_SIZE, 3)


async def test_all_games_of_a_left_server_are_closed(pauses: AsyncMock) -> None:
    places = Places(4)
    fetch, asked = AsyncMock(), AsyncMock(side_effect=not_found())
    await OpenPlaces(bot_with(places, None, fetch, asked)).review_shard(0)
    assert (places.shut, fetch.await_count, asked.await_count) == ([0, 1, 2, 3], 0, 1)


@pytest.mark.parametrize("said", [object(), ConnectionResetError()])
async def test_a_server_missing_from_the_cache_is_not_assumed_left(pauses: AsyncMock, said: object) -> None:
    places = Places(4)
    asked = AsyncMock(side_effect=[said])
    await OpenPlaces(bot_with(places, None, AsyncMock(), asked)).review_shard(0)
    assert (places.shut, asked.await_count) == ([], 1)


async def test_an_unavailable_server_closes_nothing(pauses: AsyncMock) -> None:
    places = Places(4)
    fetch = AsyncMock()
    guild = SimpleNamespace(unavailable=True, me=None)
    await OpenPlaces(bot_with(places, guild, fetch)).review_shard(0)
    assert (places.shut, fetch.await_count) == ([], 0)


async def test_an_error_closes_nothing(pauses: AsyncMock) -> None:
    places = Places(2)
    guild = SimpleNamespace(unavailable=False, me=object(), get_channel_or_thread=lambda _: None)
    response = cast("Any", MagicMock(status=502, reason="Bad Gateway"))
    fetch = AsyncMock(side_effect=discord.DiscordServerError(response, "bad"))
    await OpenPlaces(bot_with(places, guild, fetch)).review_shard(0)
    assert places.shut == []


async def test_servers_of_other_shards_are_ignored(pauses: AsyncMock) -> None:
    places = Places(2)
    bot = bot_with(places, None, AsyncMock())
    bot.serves = lambda _: False
    await OpenPlaces(bot).review_shard(0)
    assert places.shut == []


@pytest.mark.parametrize("outages", [1, 2, 5])
async def test_a_database_outage_postpones_the_review(
    pauses: AsyncMock, monkeypatch: pytest.MonkeyPatch, outages: int
) -> None:
    """The list of servers is waited for; the games of a server are reviewed later."""
    places = Places(4)
    places.outages = outages
    reviewing = OpenPlaces(bot_with(places, None, AsyncMock(), AsyncMock(side_effect=not_found())))
    await reviewing.review_shard(0)
    while BACKGROUND_TASKS:
        await BACKGROUND_TASKS.pop()
    assert (places.shut, places.outages) == ([0, 1, 2, 3], 0)


async def test_a_postponed_review_runs_once(pauses: AsyncMock) -> None:
    places = Places(2)
    guild = SimpleNamespace(unavailable=False, me=object(), get_channel_or_thread=lambda _: None)
    reviewing = OpenPlaces(bot_with(places, guild, AsyncMock(side_effect=not_found())))
    places.outages = 3
    for ask in (False, True, False):
        await reviewing.review(guild_id=GUILD, ask=ask)
    assert len(BACKGROUND_TASKS) == 1, "one task runs the postponed reviews"
    await BACKGROUND_TASKS.pop()
    assert places.shut == [0, 1], "one of the reviews required requests to Discord"


async def test_a_shard_that_reconnects_during_the_review_is_reviewed_once(pauses: AsyncMock) -> None:
    places, answers = Places(3), asyncio.Event()

    async def servers() -> set[int]:
        await answers.wait()
        return {GUILD}

    places.servers = servers  # type: ignore[method-assign]
    asked = AsyncMock(side_effect=not_found())
    reviewing = OpenPlaces(bot_with(places, None, AsyncMock(), asked))
    first = asyncio.create_task(reviewing.review_shard(0))
    await REAL_SLEEP(0)
    await reviewing.review_shard(0)
    answers.set()
    await first
    assert asked.await_count == 1
