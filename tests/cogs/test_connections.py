"""Gateway connections: a process leaves them to another one with the same shards, and takes them up again after it.

``overlap.yields`` is true while this process has to leave its shards to another one.
"""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.background import gateway as connections_module
from cogs.background.gateway import Connections, disconnect_all, disconnected_shards


class FakeShard:
    """A fake shard of discord.py."""

    def __init__(self) -> None:
        self.open = True

    def is_closed(self) -> bool:
        """Return whether the connection is closed."""
        return not self.open

    async def disconnect(self) -> None:
        """Close the connection."""
        self.open = False

    async def connect(self) -> None:
        """Open the connection."""
        self.open = True


def bot_with(shards: dict[int, FakeShard]) -> Any:
    """Return a fake bot with these shards, which keeps its background tasks."""
    overlap = SimpleNamespace(yields=False)
    tasks: list[asyncio.Task[None]] = []

    def run_in_background(work: Any, *, name: str) -> None:
        """Start a task and remember it."""
        tasks.append(asyncio.create_task(work, name=name))

    return SimpleNamespace(
        shards=shards,
        host=SimpleNamespace(processes=SimpleNamespace(overlap=overlap)),
        run_in_background=run_in_background,
        tasks=tasks,
    )


async def test_shards_are_disconnected_and_reconnected() -> None:
    shards = {number: FakeShard() for number in (4, 5)}
    bot = bot_with(shards)
    connections = Connections(bot)
    await connections.settle()
    assert disconnected_shards(bot) == []
    bot.host.processes.overlap.yields = True
    await connections.settle()
    assert disconnected_shards(bot) == [4, 5]
    shards[5].open = True  # discord.py has reconnected it by itself
    await connections.settle()
    assert disconnected_shards(bot) == [4, 5]
    bot.host.processes.overlap.yields = False
    await connections.settle()
    await asyncio.gather(*bot.tasks)
    assert disconnected_shards(bot) == []


async def test_discord_py_reconnects_without_interference() -> None:
    shards = {0: FakeShard()}
    bot = bot_with(shards)
    shards[0].open = False
    await Connections(bot).settle()
    assert bot.tasks == []


async def test_a_stop_disconnects_all_shards_despite_errors_and_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    class BrokenShard(FakeShard):
        """A connection that cannot be closed."""

        async def disconnect(self) -> None:
            raise OSError

    class SlowShard(FakeShard):
        """A connection that takes ten minutes to close."""

        async def disconnect(self) -> None:
            await asyncio.sleep(600)

    monkeypatch.setattr(connections_module, "LEAVE_SECONDS", 0.05)
    shards = {0: BrokenShard(), 1: FakeShard(), 2: SlowShard()}
    await disconnect_all(bot_with(shards))
    assert disconnected_shards(bot_with(shards)) == [1]
    await disconnect_all(bot_with({}))
