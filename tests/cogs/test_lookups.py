"""Lookups of members and channels at Discord: without an answer the result is None (unknown), not False.

discord.py's cache is asked first and Discord itself if that does not know; a connection error must not be taken for
"is not a member", because players who left a server lose their seats.
"""

from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, MagicMock

import aiohttp
import discord
import pytest

from cogs.interactions.selection import sees_channel
from cogs.services.lookups import Lookups
from cogs.words.refusals import RefusedError


def lookups_of(answer: object) -> tuple[Any, Lookups]:
    """Return a bot with an empty cache in one server, whose requests to Discord have this result."""
    guild = MagicMock(id=1)
    guild.get_channel.return_value = guild.get_channel_or_thread.return_value = None
    guild.fetch_member = AsyncMock(side_effect=[answer])
    bot = SimpleNamespace(get_guild=lambda _: guild, fetch_channel=AsyncMock(side_effect=not_found()))
    return bot, Lookups(cast("Any", bot), lambda _: True)


def not_found() -> discord.NotFound:
    """Return Discord's error for an unknown channel."""
    return discord.NotFound(MagicMock(status=404), "Unknown Channel")


@pytest.mark.parametrize("error", [aiohttp.ServerDisconnectedError(), TimeoutError(), OSError()])
async def test_a_connection_error_leaves_membership_unknown(error: Exception) -> None:
    assert await lookups_of(error)[1].is_member(1, 7) is None
    with pytest.raises(RefusedError, match="not_said"):
        await lookups_of(error)[1].member(1, 7)
    assert await sees_channel(*lookups_of(error), 1, 5, 7) is None


async def test_the_viewers_of_a_deleted_channel_are_unknown() -> None:
    """Any other answer would withdraw all players of an event when its channel is deleted."""
    assert await sees_channel(*lookups_of(MagicMock(spec=discord.Member)), 1, 5, 7) is None
    assert await sees_channel(*lookups_of(not_found()), 1, 5, 7) is False
