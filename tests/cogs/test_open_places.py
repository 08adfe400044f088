"""Which places are closed, as far as the gateway and Discord say; after an outage it is asked slowly."""

from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, MagicMock

import discord
import pytest

from cogs.background import open_places
from cogs.background.open_places import AT_A_TIME, OpenPlaces

GUILD = 7 << 22


class Places:
    """Games of one server, and what was said of them."""

    def __init__(self, games: int) -> None:
        self.games = [
            SimpleNamespace(id=n, code=f"G{n}", guild_id=GUILD, place=100 + n, channel_id=1) for n in range(games)
        ]
        self.shut: list[int] = []
        self.open: list[int] = []

    async def going(self, **_: object) -> list[SimpleNamespace]:
        return self.games

    async def servers(self) -> set[int]:
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
        hears=lambda _: True,
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
    places = Places(3 * AT_A_TIME)
    guild = SimpleNamespace(unavailable=False, me=object(), get_channel_or_thread=lambda _: None)
    fetch = AsyncMock(side_effect=gone())
    await OpenPlaces(bot_with(places, guild, fetch)).review_all()
    assert (len(places.shut), fetch.await_count, pauses.await_count) == (3 * AT_A_TIME, 3 * AT_A_TIME, 3)


async def test_of_a_server_that_is_not_there_any_more_all_are_closed(pauses: AsyncMock) -> None:
    places = Places(4)
    fetch, asked = AsyncMock(), AsyncMock(side_effect=gone())
    await OpenPlaces(bot_with(places, None, fetch, asked)).review_all()
    assert (places.shut, fetch.await_count, asked.await_count) == ([0, 1, 2, 3], 0, 1)


@pytest.mark.parametrize("said", [object(), ConnectionResetError()])
async def test_that_a_process_does_not_know_a_server_is_no_proof(pauses: AsyncMock, said: object) -> None:
    places = Places(4)
    asked = AsyncMock(side_effect=[said])
    await OpenPlaces(bot_with(places, None, AsyncMock(), asked)).review_all()
    assert (places.shut, asked.await_count) == ([], 1)


async def test_of_a_server_that_fails_nothing_is_known(pauses: AsyncMock) -> None:
    places = Places(4)
    fetch = AsyncMock()
    guild = SimpleNamespace(unavailable=True, me=None)
    await OpenPlaces(bot_with(places, guild, fetch)).review_all()
    assert (places.shut, fetch.await_count) == ([], 0)


async def test_an_error_closes_nothing(pauses: AsyncMock) -> None:
    places = Places(2)
    guild = SimpleNamespace(unavailable=False, me=object(), get_channel_or_thread=lambda _: None)
    response = cast("Any", MagicMock(status=502, reason="Bad Gateway"))
    fetch = AsyncMock(side_effect=discord.DiscordServerError(response, "bad"))
    await OpenPlaces(bot_with(places, guild, fetch)).review_all()
    assert places.shut == []


async def test_other_shards_look_after_other_servers(pauses: AsyncMock) -> None:
    places = Places(2)
    bot = bot_with(places, None, AsyncMock())
    bot.hears = lambda _: False
    await OpenPlaces(bot).review_all()
    assert places.shut == []
