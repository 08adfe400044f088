"""Detection of channels of games that the bot can no longer use, from discord.py's cache and by asking Discord.

A channel that is gone closes its game; an error or a missing answer closes nothing. Requests are made in batches with
pauses, which the tests replace.
"""

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

GUILD_ID = 7 << 22  # Discord derives a server's shard from the bits above the 22nd
REAL_SLEEP = asyncio.sleep
"""The function before the tests replace it."""
BACKGROUND_TASKS: list[Coroutine[Any, Any, None]] = []
"""Background tasks that were started, which the test runs itself."""


class FakePlaces:
    """A fake service with the games of one server, which records closed and reopened ones."""

    def __init__(self, games: int) -> None:
        self.games = [
            SimpleNamespace(id=n, code=f"G{n}", guild_id=GUILD_ID, place=100 + n, channel_id=1) for n in range(games)
        ]
        self.closed_games: list[int] = []
        self.reopened_games: list[int] = []
        self.outages = 0
        """Number of calls that fail with an outage of the database."""

    def _raise_during_outage(self) -> None:
        """Fail as long as the outage lasts."""
        if self.outages:
            self.outages -= 1
            raise UnavailableError("away")

    async def unfinished_at(self, **_: object) -> list[SimpleNamespace]:
        """Return the unfinished games."""
        self._raise_during_outage()
        return self.games

    async def servers(self) -> set[int]:
        self._raise_during_outage()
        return {GUILD_ID}

    async def close(self, game_ids: list[int], **_: object) -> int:
        """Record closed games."""
        self.closed_games += game_ids
        return len(game_ids)

    async def reopen(self, game_ids: list[int]) -> int:
        """Record reopened games."""
        self.reopened_games += game_ids
        return 0


def bot_with(places: FakePlaces, guild: Any, fetch: AsyncMock, fetch_guild: AsyncMock | None = None) -> Any:
    """Return a client that knows one server or none; ``fetch_guild`` requests it from Discord."""
    host = SimpleNamespace(places=places)
    publisher = SimpleNamespace(wake=lambda: None)
    return SimpleNamespace(
        host=host,
        publisher=publisher,
        get_guild=lambda _: guild,
        fetch_channel=fetch,
        fetch_guild=fetch_guild or AsyncMock(),
        serves=lambda _: True,
        shard_count=1,
        run_in_background=lambda work, **_: BACKGROUND_TASKS.append(work),
    )


def not_found() -> discord.NotFound:
    """Return Discord's error for an unknown channel or server."""
    return discord.NotFound(
        cast("Any", MagicMock(status=404, reason="Not Found")), {"code": 10003, "message": "Unknown"}
    )


@pytest.fixture
def skip_pauses(monkeypatch: pytest.MonkeyPatch) -> AsyncMock:
    """Replace the pauses between batches of requests by a mock."""
    sleep = AsyncMock()
    monkeypatch.setattr(open_places.asyncio, "sleep", sleep)
    return sleep


async def test_uncached_channels_are_fetched_in_batches(skip_pauses: AsyncMock) -> None:
    places = FakePlaces(3 * QUERY_BATCH_SIZE)
    guild = SimpleNamespace(unavailable=False, me=object(), get_channel_or_thread=lambda _: None)
    fetch = AsyncMock(side_effect=not_found())
    await OpenPlaces(bot_with(places, guild, fetch)).review_shard(0)
    assert (len(places.closed_games), fetch.await_count, skip_pauses.await_count) == (
        3 * QUERY_BATCH_SIZE,
        3 * QUERY_BATCH_SIZE,
        3,
    )


async def test_all_games_of_a_left_server_are_closed(skip_pauses: AsyncMock) -> None:
    places = FakePlaces(4)
    fetch, fetch_guild = AsyncMock(), AsyncMock(side_effect=not_found())
    await OpenPlaces(bot_with(places, None, fetch, fetch_guild)).review_shard(0)
    assert (places.closed_games, fetch.await_count, fetch_guild.await_count) == ([0, 1, 2, 3], 0, 1)


@pytest.mark.parametrize("answer", [object(), ConnectionResetError()])
async def test_a_server_missing_from_the_cache_is_not_assumed_left(skip_pauses: AsyncMock, answer: object) -> None:
    places = FakePlaces(4)
    fetch_guild = AsyncMock(side_effect=[answer])
    await OpenPlaces(bot_with(places, None, AsyncMock(), fetch_guild)).review_shard(0)
    assert (places.closed_games, fetch_guild.await_count) == ([], 1)


async def test_an_unavailable_server_closes_nothing(skip_pauses: AsyncMock) -> None:
    places = FakePlaces(4)
    fetch = AsyncMock()
    guild = SimpleNamespace(unavailable=True, me=None)
    await OpenPlaces(bot_with(places, guild, fetch)).review_shard(0)
    assert (places.closed_games, fetch.await_count) == ([], 0)


async def test_an_error_closes_nothing(skip_pauses: AsyncMock) -> None:
    places = FakePlaces(2)
    guild = SimpleNamespace(unavailable=False, me=object(), get_channel_or_thread=lambda _: None)
    response = cast("Any", MagicMock(status=502, reason="Bad Gateway"))
    fetch = AsyncMock(side_effect=discord.DiscordServerError(response, "bad"))
    await OpenPlaces(bot_with(places, guild, fetch)).review_shard(0)
    assert places.closed_games == []


async def test_servers_of_other_shards_are_ignored(skip_pauses: AsyncMock) -> None:
    places = FakePlaces(2)
    bot = bot_with(places, None, AsyncMock())
    bot.serves = lambda _: False
    await OpenPlaces(bot).review_shard(0)
    assert places.closed_games == []


@pytest.mark.parametrize("outages", [1, 2, 5])
async def test_a_database_outage_postpones_the_review(
    skip_pauses: AsyncMock, monkeypatch: pytest.MonkeyPatch, outages: int
) -> None:
    """The list of servers is waited for; the games of a server are reviewed later."""
    places = FakePlaces(4)
    places.outages = outages
    reviewing = OpenPlaces(bot_with(places, None, AsyncMock(), AsyncMock(side_effect=not_found())))
    await reviewing.review_shard(0)
    while BACKGROUND_TASKS:
        await BACKGROUND_TASKS.pop()
    assert (places.closed_games, places.outages) == ([0, 1, 2, 3], 0)


async def test_a_postponed_review_runs_once(skip_pauses: AsyncMock) -> None:
    places = FakePlaces(2)
    guild = SimpleNamespace(unavailable=False, me=object(), get_channel_or_thread=lambda _: None)
    reviewing = OpenPlaces(bot_with(places, guild, AsyncMock(side_effect=not_found())))
    places.outages = 3
    for ask in (False, True, False):
        await reviewing.review(guild_id=GUILD_ID, ask=ask)
    assert len(BACKGROUND_TASKS) == 1, "one task runs the postponed reviews"
    await BACKGROUND_TASKS.pop()
    assert places.closed_games == [0, 1], "one of the reviews required requests to Discord"


async def test_a_shard_that_reconnects_during_the_review_is_reviewed_once(skip_pauses: AsyncMock) -> None:
    places, servers_known = FakePlaces(3), asyncio.Event()

    async def servers() -> set[int]:
        await servers_known.wait()
        return {GUILD_ID}

    places.servers = servers  # type: ignore[method-assign]
    fetch_guild = AsyncMock(side_effect=not_found())
    reviewing = OpenPlaces(bot_with(places, None, AsyncMock(), fetch_guild))
    first = asyncio.create_task(reviewing.review_shard(0))
    await REAL_SLEEP(0)
    await reviewing.review_shard(0)
    servers_known.set()
    await first
    assert fetch_guild.await_count == 1
