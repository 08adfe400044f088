"""Which places are closed, as far as the gateway and Discord say; after an outage it is asked slowly."""

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
BEGUN: list[Coroutine[Any, Any, None]] = []
"""What was begun beside everything else, and is run by the test."""


class Places:
    """Games of one server, and what was said of them."""

    def __init__(self, games: int) -> None:
        self.games = [
            SimpleNamespace(id=n, code=f"G{n}", guild_id=GUILD, place=100 + n, channel_id=1) for n in range(games)
        ]
        self.shut: list[int] = []
        self.open: list[int] = []
        self.outages = 0
        """So many questions the database does not answer."""

    def _ask(self) -> None:
        if self.outages:
            self.outages -= 1
            raise UnavailableError("away")

    async def going(self, **_: object) -> list[SimpleNamespace]:
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
    """A client that knows of one server, or of none; ``asked`` is what Discord says of that."""
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
        run_in_background=lambda work, **_: BEGUN.append(work),
    )


def gone() -> discord.NotFound:
    return discord.NotFound(
        cast("Any", MagicMock(status=404, reason="Not Found")), {"code": 10003, "message": "Unknown"}
    )


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> AsyncMock:
    """Counts pauses, and takes none."""
    sleep = AsyncMock()
    monkeypatch.setattr(open_places.asyncio, "sleep", sleep)
    return sleep


async def test_what_the_cache_does_not_say_is_asked_a_few_at_a_time(pauses: AsyncMock) -> None:
    places = Places(3 * QUERY_BATCH_SIZE)
    guild = SimpleNamespace(unavailable=False, me=object(), get_channel_or_thread=lambda _: None)
    fetch = AsyncMock(side_effect=gone())
    await OpenPlaces(bot_with(places, guild, fetch)).review_shard(0)
    assert (len(places.shut), fetch.await_count, pauses.await_count) == (3 * QUERY_BATCH_SIZE, 3 * QUERY_BATCH_SIZE, 3)


async def test_of_a_server_that_is_not_there_any_more_all_are_closed(pauses: AsyncMock) -> None:
    places = Places(4)
    fetch, asked = AsyncMock(), AsyncMock(side_effect=gone())
    await OpenPlaces(bot_with(places, None, fetch, asked)).review_shard(0)
    assert (places.shut, fetch.await_count, asked.await_count) == ([0, 1, 2, 3], 0, 1)


@pytest.mark.parametrize("said", [object(), ConnectionResetError()])
async def test_that_a_process_does_not_know_a_server_is_no_proof(pauses: AsyncMock, said: object) -> None:
    places = Places(4)
    asked = AsyncMock(side_effect=[said])
    await OpenPlaces(bot_with(places, None, AsyncMock(), asked)).review_shard(0)
    assert (places.shut, asked.await_count) == ([], 1)


async def test_of_a_server_that_fails_nothing_is_known(pauses: AsyncMock) -> None:
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


async def test_other_shards_look_after_other_servers(pauses: AsyncMock) -> None:
    places = Places(2)
    bot = bot_with(places, None, AsyncMock())
    bot.serves = lambda _: False
    await OpenPlaces(bot).review_shard(0)
    assert places.shut == []


@pytest.mark.parametrize("outages", [1, 2, 5])
async def test_an_outage_of_the_database_puts_the_review_off_and_drops_nothing(
    pauses: AsyncMock, monkeypatch: pytest.MonkeyPatch, outages: int
) -> None:
    """Of the servers it is waited for; of the games of one they are looked at again later."""
    places = Places(4)
    places.outages = outages
    reviewing = OpenPlaces(bot_with(places, None, AsyncMock(), AsyncMock(side_effect=gone())))
    await reviewing.review_shard(0)
    while BEGUN:
        await BEGUN.pop()
    assert (places.shut, places.outages) == ([0, 1, 2, 3], 0)


async def test_what_was_put_off_is_looked_at_once_however_often_it_was_asked_for(pauses: AsyncMock) -> None:
    places = Places(2)
    guild = SimpleNamespace(unavailable=False, me=object(), get_channel_or_thread=lambda _: None)
    reviewing = OpenPlaces(bot_with(places, guild, AsyncMock(side_effect=gone())))
    places.outages = 3
    for ask in (False, True, False):
        await reviewing.review(guild_id=GUILD, ask=ask)
    assert len(BEGUN) == 1, "one task catches up"
    await BEGUN.pop()
    assert places.shut == [0, 1], "Discord was asked, since one of them wanted that"


async def test_a_shard_that_connects_again_meanwhile_is_reviewed_once(pauses: AsyncMock) -> None:
    places, answers = Places(3), asyncio.Event()

    async def servers() -> set[int]:
        await answers.wait()
        return {GUILD}

    places.servers = servers  # type: ignore[method-assign]
    asked = AsyncMock(side_effect=gone())
    reviewing = OpenPlaces(bot_with(places, None, AsyncMock(), asked))
    first = asyncio.create_task(reviewing.review_shard(0))
    await REAL_SLEEP(0)
    await reviewing.review_shard(0)
    answers.set()
    await first
    assert asked.await_count == 1
