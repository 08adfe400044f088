"""Gateway connections: handed over to another process with the same shards, and resumed."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.background import gateway as connections_module
from cogs.background.gateway import Connections, leave, not_connected


class Shard:
    """A fake shard of discord.py."""

    def __init__(self) -> None:
        self.open = True

    def is_closed(self) -> bool:
        return not self.open

    async def disconnect(self) -> None:
        self.open = False

    async def connect(self) -> None:
        self.open = True


def bot_with(shards: dict[int, Shard]) -> Any:
    overlap = SimpleNamespace(aside=False)
    tasks: list[asyncio.Task[None]] = []

    def run_in_background(work: Any, *, name: str) -> None:
        tasks.append(asyncio.create_task(work, name=name))

    return SimpleNamespace(
        shards=shards,
        host=SimpleNamespace(processes=SimpleNamespace(overlap=overlap)),
        run_in_background=run_in_background,
        tasks=tasks,
    )


async def test_shards_are_disconnected_and_reconnected() -> None:
    shards = {number: Shard() for number in (4, 5)}
    bot = bot_with(shards)
    connections = Connections(bot)
    await connections.settle()
    assert not_connected(bot) == []
    bot.host.processes.overlap.aside = True
    await connections.settle()
    assert not_connected(bot) == [4, 5]
    shards[5].open = True  # discord.py has reconnected it by itself
    await connections.settle()
    assert not_connected(bot) == [4, 5]
    bot.host.processes.overlap.aside = False
    await connections.settle()
    await asyncio.gather(*bot.tasks)
    assert not_connected(bot) == []


async def test_reconnections_by_discord_py_are_not_interfered_with() -> None:
    shards = {0: Shard()}
    bot = bot_with(shards)
    shards[0].open = False
    await Connections(bot).settle()
    assert bot.tasks == []


async def test_a_stop_disconnects_all_shards_despite_errors_and_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Shard):
        async def disconnect(self) -> None:
            raise OSError

    class Slow(Shard):
        async def disconnect(self) -> None:
            await asyncio.sleep(600)

    monkeypatch.setattr(connections_module, "LEAVE_SECONDS", 0.05)
    shards = {0: Broken(), 1: Shard(), 2: Slow()}
    await leave(bot_with(shards))
    assert not_connected(bot_with(shards)) == [1]
    await leave(bot_with({}))
