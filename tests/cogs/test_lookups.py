"""What Discord is asked of members and channels: where it does not say, nobody takes that for a no."""

from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, MagicMock

import aiohttp
import discord
import pytest

from cogs.interactions.selection import access
from cogs.services.lookups import Lookups
from cogs.words.refusals import RefusedError


def lookups_of(fetched: object) -> tuple[Any, Lookups]:
    """A bot in one server, that holds nobody and no channel and asks Discord, which answers so."""
    guild = MagicMock(id=1)
    guild.get_channel.return_value = guild.get_channel_or_thread.return_value = None
    guild.fetch_member = AsyncMock(side_effect=[fetched])
    bot = SimpleNamespace(get_guild=lambda _: guild, fetch_channel=AsyncMock(side_effect=not_found()))
    return bot, Lookups(cast("Any", bot), lambda _: True)


def not_found() -> discord.NotFound:
    return discord.NotFound(MagicMock(status=404), "Unknown Channel")


@pytest.mark.parametrize("broken", [aiohttp.ServerDisconnectedError(), TimeoutError(), OSError()])
async def test_a_broken_connection_says_nothing_of_a_member(broken: Exception) -> None:
    assert await lookups_of(broken)[1].is_member(1, 7) is None
    with pytest.raises(RefusedError, match="not_said"):
        await lookups_of(broken)[1].member(1, 7)
    assert await access(*lookups_of(broken), 1, 5, 7) is None


async def test_who_sees_a_channel_that_is_gone_nobody_can_say() -> None:
    """Else all who play an event would be withdrawn from it, since somebody deleted its channel."""
    assert await access(*lookups_of(MagicMock(spec=discord.Member)), 1, 5, 7) is None
    assert await access(*lookups_of(not_found()), 1, 5, 7) is False
