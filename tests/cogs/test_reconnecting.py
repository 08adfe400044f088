"""Reconnecting after an outage of Discord: quickly, with few sessions, and reported by the readiness check.

A real bot is connected to a local server that acts as Discord's gateway. The event loop skips waiting times, so that
outages of five minutes take no real time.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import discord
import pytest

from bot import build_bot
from cogs.background.gateway import LONGEST_WAIT_SECONDS, ReconnectWait
from cogs.client import CastellanBot
from host.observability import GATEWAY_WAIT
from operations.settings import Settings
from store import Shards
from tests.loopback import LoopbackDiscord
from tests.loopback.skipping import LoopClock, SkippingLoop

OUTAGE_SECONDS = 300.0
"""Length of an outage."""
MAX_RECONNECT_SECONDS = 45.0
"""Time within which the bot is connected again."""
SCENARIO_TIMEOUT_SECONDS = 3600.0
"""Skipped time after which a scenario fails."""
FAILURE_MESSAGE = "Failed to connect for shard_id"
"""Part of discord.py's log line about a failed connection."""


@pytest.fixture(autouse=True)
def _restore_server_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore discord.py's server addresses after each test."""
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    gateway = discord.gateway.DiscordWebSocket
    monkeypatch.setattr(gateway, "DEFAULT_GATEWAY", gateway.DEFAULT_GATEWAY)


def run_scenario(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a scenario in an event loop that skips waiting times."""
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(scenario())


@asynccontextmanager
async def logged_in(server: LoopbackDiscord, folder: Path, shards: int = 1) -> AsyncIterator[CastellanBot]:
    """Yield a logged-in bot in this process, which is not connected yet."""
    settings = Settings(
        token=server.token,
        database=str(folder / "games.sqlite3"),
        create=True,
        api_base=server.base_url,
        gateway=server.gateway_url,
        shards=Shards(0, shards - 1, shards),
    )
    bot = await build_bot(settings, clock=LoopClock())
    await bot.login(settings.token)
    try:
        yield bot
    finally:
        await bot.close()


@asynccontextmanager
async def connecting(bot: CastellanBot) -> AsyncIterator[None]:
    """Connect the bot in the background within the block, and close it at the end."""
    loop, connection = asyncio.get_running_loop(), asyncio.create_task(bot.connect())
    assert isinstance(loop, SkippingLoop)
    try:
        with loop.skipping():
            yield
    finally:
        await bot.close()
        await connection


async def seconds_until(condition: Callable[[], bool]) -> float:
    """Wait until a condition holds; return the seconds that this took."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    async with asyncio.timeout(SCENARIO_TIMEOUT_SECONDS):
        while not condition():  # noqa: ASYNC110 - no event signals it
            await asyncio.sleep(0.5)
    return loop.time() - start


def is_connected(bot: CastellanBot) -> bool:
    """Return whether all shards of the bot are connected."""
    shards = bot.shards
    return len(shards) == bot.shard_count and not any(shard.is_closed() for shard in shards.values())


def announced_waits(caplog: pytest.LogCaptureFixture) -> list[float]:
    """Return the waiting times that discord.py has logged."""
    lines = [record.getMessage() for record in caplog.records if record.name == "discord.shard"]
    return [float(match[1]) for line in lines if (match := re.search(r"Attempting a reconnect .* in (.+)s", line))]


@pytest.mark.long
@pytest.mark.logs_errors
@pytest.mark.parametrize("shards", [1, 3])
def test_the_bot_reconnects_quickly_after_five_minutes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, shards: int
) -> None:
    async def scenario() -> None:
        async with LoopbackDiscord() as server, logged_in(server, tmp_path, shards) as bot, connecting(bot):
            await seconds_until(lambda: is_connected(bot) and bot.is_ready())
            assert "gateway" not in await bot.gauges.problems()
            for outage in (1, 2):
                async with server.unreachable():
                    await asyncio.sleep(OUTAGE_SECONDS)
                    failure = (await bot.gauges.problems())["gateway"]
                    assert re.search(r"are not connected to Discord: attempt \d+ failed, the next one follows", failure)
                    assert LONGEST_WAIT_SECONDS / 2 <= GATEWAY_WAIT._value.get() <= LONGEST_WAIT_SECONDS
                assert await seconds_until(lambda: is_connected(bot)) < MAX_RECONNECT_SECONDS
                await seconds_until(lambda: not bot.reconnecting.problem())
                assert "gateway" not in await bot.gauges.problems()
                assert GATEWAY_WAIT._value.get() == 0
                assert len(server.gateway.identified) == (1 + outage) * shards, "an outage uses one session per shard"

    run_scenario(scenario)
    waits = announced_waits(caplog)
    assert max(waits) <= LONGEST_WAIT_SECONDS
    # The log rounds: the first wait of an outage, less than 2 s, may read 2.00, and so may the second.
    short_after_long = [wait for last, wait in pairwise([LONGEST_WAIT_SECONDS, *waits]) if wait <= 2 < last]
    assert len(short_after_long) == 2, "the second outage starts with a short wait again"


@pytest.mark.logs_errors
def test_a_resumed_session_resets_the_waits(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with LoopbackDiscord() as server, logged_in(server, tmp_path) as bot, connecting(bot):
            await seconds_until(lambda: is_connected(bot))
            for _ in range(5):
                bot.shards[0]._parent._backoff.delay()
            assert bot.reconnecting.seconds() > 2
            server.gateway.abort()
            await seconds_until(lambda: server.gateway.resumes == 1 and not bot.reconnecting.problem())
            assert bot.reconnecting.seconds() == 0

    run_scenario(scenario)


@pytest.mark.logs_errors
def test_a_start_without_the_gateway_is_retried_without_recursion(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """discord.py would recurse at each attempt, which ends after an hour with ever longer tracebacks."""

    async def scenario() -> None:
        async with LoopbackDiscord() as server, logged_in(server, tmp_path) as bot:
            outage = AsyncExitStack()
            await outage.enter_async_context(server.unreachable())
            async with connecting(bot):
                await asyncio.sleep(OUTAGE_SECONDS)
                await outage.aclose()
                assert await seconds_until(lambda: is_connected(bot)) < MAX_RECONNECT_SECONDS

    run_scenario(scenario)
    exception_infos = [record.exc_info for record in caplog.records if record.getMessage().startswith(FAILURE_MESSAGE)]
    errors = [info[1] for info in exception_infos if info is not None and info[1] is not None]
    assert len(errors) > 30
    assert not {id(error) for error in errors} & {id(error.__context__) for error in errors}


@pytest.mark.logs_errors
def test_a_bot_that_never_connected_stops_immediately(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with LoopbackDiscord() as server, logged_in(server, tmp_path) as bot, server.unreachable():
            async with asyncio.timeout(OUTAGE_SECONDS):
                async with connecting(bot):
                    await asyncio.sleep(60)

    run_scenario(scenario)


def test_the_bot_uses_sharded_connections_with_one_shard_too() -> None:
    """`Client.connect` has its own backoff, which the bot cannot cap."""
    assert CastellanBot.connect is discord.AutoShardedClient.connect


def test_the_wait_doubles_up_to_its_maximum_and_resets() -> None:
    wait = ReconnectWait()
    for max_wait in (2, 4, 8, 16, 30, 30):
        assert max_wait / 2 <= wait.delay() <= max_wait
    assert (wait.failures, wait.seconds > 0) == (6, True)
    for _ in range(2000):
        assert wait.delay() <= LONGEST_WAIT_SECONDS
    wait.reset()
    assert (wait.failures, wait.seconds) == (0, 0)
    assert wait.delay() <= 2
