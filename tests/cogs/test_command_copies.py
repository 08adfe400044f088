"""Per-server copies of the commands exist exactly while CASTELLAN_GUILD_ID names the server.

Discord shows such copies at once, which helps developers. Each test starts bots on one offline Discord
with two servers; ``Servers`` carries the registered commands from one start to the next.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import simcord
from simcord.backend.errors import BackendError, missing_access
from simcord.builders import GuildHandle

from cogs.client import CastellanBot
from cogs.tree import UnknownServerError
from host import Host
from tests.e2e.table import PatientEnv
from tests.store.empty_database import open_store

GLOBAL_COMMANDS = ["carc", "tourney", "forget-me", "operator"]
"""Commands that exist in all servers."""


@asynccontextmanager
async def running_bot(servers: "Servers", database: Path, guild_id: int | None) -> AsyncIterator[simcord.Env]:
    """Yield a bot on an offline Discord with two servers, whose registered commands outlive the bot."""
    store = await open_store(database)
    bot = CastellanBot(Host(store), guild_id=guild_id)
    bot.at_close.push_async_callback(store.close)
    env = PatientEnv(bot)
    guilds = [env.create_guild(name) for name in ("One", "Two")]
    servers.ids = [guild.id for guild in guilds]
    env.backend.commands.update(servers.commands)
    try:
        await env.start()
        yield env
        servers.commands = env.backend.commands
    finally:
        await bot.close()
        await env.shutdown()


class Servers:
    """The registered commands that persist between two starts."""

    def __init__(self) -> None:
        self.commands: dict[int | None, dict[int, dict[str, object]]] = {}
        self.ids: list[int] = []

    def names(self, guild_id: int | None) -> list[object]:
        """Return the names of the commands that are registered in a server, or globally."""
        return [command["name"] for command in self.commands.get(guild_id, {}).values()]


async def test_a_copy_is_removed_with_the_setting(tmp_path: Path) -> None:
    servers, database = Servers(), tmp_path / "games.sqlite3"
    async with running_bot(servers, database, None):
        first, second = servers.ids
    assert servers.names(None) == GLOBAL_COMMANDS
    async with running_bot(servers, database, first):
        pass
    assert (servers.names(first), servers.names(second)) == (GLOBAL_COMMANDS, [])
    async with running_bot(servers, database, second):
        pass
    assert (servers.names(first), servers.names(second)) == ([], GLOBAL_COMMANDS)
    async with running_bot(servers, database, None):
        pass
    assert (servers.names(first), servers.names(second), servers.names(None)) == ([], [], GLOBAL_COMMANDS)
    store = await open_store(database)
    assert await Host(store).command_copies.all() == frozenset()
    await store.close()


async def test_a_start_without_copies_reads_once_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = Servers()
    async with running_bot(servers, tmp_path / "games.sqlite3", None):
        pass
    requests: list[str] = []
    dispatch = simcord.http.client.router.dispatch

    def recording_dispatch(backend: object, method: str, path: str, **rest: object) -> object:
        """Record a request and serve it."""
        requests.append(f"{method} {path}")
        return dispatch(backend, method, path, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr("simcord.http.client.router.dispatch", recording_dispatch)
    async with running_bot(servers, tmp_path / "games.sqlite3", None):
        pass
    (line,) = [line for line in requests if "commands" in line]
    assert line.startswith("GET ")


async def test_an_unrecorded_copy_is_removed_at_its_first_use(tmp_path: Path) -> None:
    """Older versions left such copies behind."""
    servers = Servers()
    async with running_bot(servers, tmp_path / "old.sqlite3", None):
        first = servers.ids[0]
    async with running_bot(servers, tmp_path / "old.sqlite3", first):
        pass
    assert servers.names(first) == GLOBAL_COMMANDS
    async with running_bot(servers, tmp_path / "new.sqlite3", None) as env:
        assert servers.names(first) == GLOBAL_COMMANDS, "the new database has no record of it"
        guild = GuildHandle(env, env.backend.guilds[first])
        member = guild.add_member(env.create_user("ana"))
        await member.slash(guild.create_text_channel("games"), "carc games")
        await asyncio.sleep(0)
        assert not env.backend.commands.get(first)


async def test_a_server_that_the_bot_has_left_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    servers, database = Servers(), tmp_path / "games.sqlite3"
    store = await open_store(database)
    await Host(store).command_copies.remember(4711)
    await store.close()
    fail_requests(monkeypatch, "PUT", "/guilds/4711/", missing_access())
    async with running_bot(servers, database, None):
        pass
    store = await open_store(database)
    assert await Host(store).command_copies.all() == frozenset()
    await store.close()


async def test_a_failed_removal_is_retried_at_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    servers, database = Servers(), tmp_path / "games.sqlite3"
    async with running_bot(servers, database, None):
        first = servers.ids[0]
    async with running_bot(servers, database, first):
        pass
    with monkeypatch.context() as patch:
        fail_requests(patch, "PUT", f"/guilds/{first}/", BackendError(503, 0, "later"))
        async with running_bot(servers, database, None):
            pass
    assert servers.names(first) == GLOBAL_COMMANDS
    async with running_bot(servers, database, None):
        pass
    assert servers.names(first) == []


async def test_a_rate_limit_does_not_prevent_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fail_requests(
        monkeypatch, "PUT", "/commands", BackendError(400, 30034, "Max number of daily application command creates")
    )
    async with running_bot(Servers(), tmp_path / "games.sqlite3", None) as env:
        assert env.bot.is_ready()
    assert "commands could not be registered" in caplog.text


async def test_a_server_without_the_bot_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_requests(monkeypatch, "GET", "/guilds/4711/commands", missing_access())
    with pytest.raises(UnknownServerError, match="4711"):
        async with running_bot(Servers(), tmp_path / "games.sqlite3", 4711):
            pass


def fail_requests(monkeypatch: pytest.MonkeyPatch, method: str, part: str, error: BackendError) -> None:
    """Let requests to this path fail."""
    dispatch = simcord.http.client.router.dispatch

    def failing_dispatch(backend: object, request_method: str, path: str, **rest: object) -> object:
        """Refuse the chosen request and serve all others."""
        if request_method == method and part in path:
            raise error
        return dispatch(backend, request_method, path, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr("simcord.http.client.router.dispatch", failing_dispatch)
