"""Starting and stopping `bot.py`: what an operator reads, and the exit status.

The bot runs in a process of its own with a made-up token; where it has to connect, the loopback Discord of
`tests/loopback` answers.
"""

import asyncio
import socket
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

import bot
from operations.__main__ import main
from tests.cluster import Cluster
from tests.loopback import BotExitedError, FaultKind, ForkedBot, LoopbackDiscord
from tests.operations.test_settings import run_command

BOT = Path(bot.__file__)


def test_the_bot_does_not_start_without_a_token(tmp_path: Path) -> None:
    result = run_command(tmp_path, str(BOT), DISCORD_TOKEN="")
    assert result.returncode == 1
    assert result.stderr.startswith("DISCORD_TOKEN: is not set; put the bot's token into .env")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_the_version_is_that_of_the_project(tmp_path: Path) -> None:
    result = run_command(tmp_path, str(BOT), "--version", DISCORD_TOKEN="")
    project = tomllib.loads(BOT.with_name("pyproject.toml").read_text())["project"]
    assert (result.returncode, result.stdout) == (0, f"Castellan {project['version']}\n")


@pytest.mark.parametrize(
    ("environment", "status"),
    [
        ({"DISCORD_TOKEN": ""}, 1),
        ({"DISCORD_TOKEN": "token"}, 0),
        ({"DISCORD_TOKEN": "", "CASTELLAN_LOG_LEVEL": "loud"}, 0),  # bot.py reports the problem itself
    ],
)
def test_has_token_tells_make_play_by_its_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], environment: dict[str, str], status: int
) -> None:
    monkeypatch.setattr("operations.settings.HOME", BOT.parent / "nowhere")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main(["has-token"]) == status
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("command", [(str(BOT),), (str(BOT), "--preview"), ("-m", "operations", "backup", "x")])
def test_wrong_settings_end_every_command_with_one_line_each(tmp_path: Path, command: tuple[str, ...]) -> None:
    wrong = {"CASTELLAN_GUILD_ID": "home", "CASTELLAN_LOG_LEVEL": "loud", "CASTELLAN_PREVIEW_PORT": "http"}
    result = run_command(tmp_path, *command, DISCORD_TOKEN="token", **wrong)  # noqa: S106 - a made-up token
    assert result.returncode == 1
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == list(wrong)


async def test_the_start_logs_version_database_and_servers(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server:
        process = bot_process(server, tmp_path, CASTELLAN_DATBASE="oops")
        await process.start()
        async with asyncio.timeout(20):
            while "event=ready" not in process.output:  # noqa: ASYNC110 - the log is a file
                await asyncio.sleep(0.05)
        assert await process.stop() == 0
    lines = process.output.splitlines()
    (starting,) = [line for line in lines if "event=starting" in line]
    assert f"version={bot.version()} database={tmp_path / 'games.sqlite3'} games=0" in starting
    (ready,) = [line for line in lines if "event=ready" in line]
    assert "servers=1 bot=" in ready
    assert 'event="a new file of games was begun"' in process.output
    assert "CASTELLAN_DATBASE: is no setting and changes nothing; did you mean CASTELLAN_DATABASE?" in process.output
    assert lines[-1].endswith("event=stopped"), process.output
    assert [text for text in lines if "level=warning" in text and "begun" not in text and "DATBASE" not in text] == []
    assert "Traceback" not in process.output


@pytest.mark.soak
async def test_a_stopped_process_releases_its_leases(tmp_path: Path, new_database: str, postgresql: Cluster) -> None:
    """Stop the process by SIGTERM; its start logged the address of the database."""
    counts = "SELECT (SELECT count(*) FROM processes), (SELECT count(*) FROM leases)"
    async with LoopbackDiscord() as server:
        process = ForkedBot(server, BOT, database=new_database, log=tmp_path / "bot.log")
        await process.start()
        async with asyncio.timeout(60):
            while "event=ready" not in process.output:  # noqa: ASYNC110 - the log is a file
                await asyncio.sleep(0.05)
        assert postgresql.sql(counts, database="games").startswith("1|")
        assert await process.stop() == 0
        assert postgresql.sql(counts, database="games") == "0|0"
    (starting,) = [line for line in process.output.splitlines() if "event=starting" in line]
    assert " database=postgresql://" in starting


async def test_a_stop_during_the_login_is_no_error(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server:
        process = bot_process(server, tmp_path)
        server.faults.inject("GET /users/@me", FaultKind.SLOW, delay=60.0)
        starting = asyncio.create_task(process.start())
        await server.until(lambda: any(request.path == "/users/@me" for request in server.requests))
        assert await process.stop() == 0
        with pytest.raises(BotExitedError):
            await starting
    assert process.output.splitlines()[-1].endswith("event=stopped"), process.output


@pytest.mark.parametrize(("patience", "answered"), [(60.0, True), (0.2, False)])
async def test_a_press_before_the_stop_is_answered(tmp_path: Path, patience: float, *, answered: bool) -> None:
    """Answer it if the shutdown timeout allows, else drop it. Neither case logs an error."""
    async with LoopbackDiscord() as server:
        process = bot_process(
            server, tmp_path, prepare=f"import cogs.services.sessions as a; a.STOP_SECONDS = {patience}\n"
        )
        await process.start()
        server.faults.inject("* /webhooks/*", FaultKind.SLOW, delay=1.0 if answered else 60.0, times=5)
        interaction = await server.slash(server.members[0], server.channel, "carc", sub="games")
        await server.until(lambda: any(request.path.startswith("/webhooks/") for request in server.requests))
        assert await process.stop() == 0
        assert len(interaction.ephemeral_messages) == answered
    assert process.output.splitlines()[-1].endswith("event=stopped"), process.output
    assert "Traceback" not in process.output
    assert "level=error" not in process.output


@pytest.mark.parametrize(
    ("environment", "error"),
    [
        ({"DISCORD_TOKEN": "wrong"}, "DISCORD_TOKEN: Discord does not accept it; "),
        ({"CASTELLAN_GUILD_ID": "42"}, "CASTELLAN_GUILD_ID: the bot is in no server 42; "),
        ({"CASTELLAN_API_BASE": "http://127.0.0.1:9/api/v10"}, "CASTELLAN_API_BASE: http://127.0.0.1:9/"),
    ],
)
async def test_faults_outside_the_settings_are_one_line_too(
    tmp_path: Path, environment: dict[str, str], error: str
) -> None:
    async with LoopbackDiscord() as server:
        process = bot_process(server, tmp_path, **environment)
        with pytest.raises(BotExitedError):
            await process.start()
    assert "Traceback" not in process.output
    assert [line for line in process.output.splitlines() if line.startswith(error)], process.output


def bot_process(server: LoopbackDiscord, folder: Path, prepare: str = "", **environment: str) -> ForkedBot:
    """Return a bot, not started yet, with its database and log in a folder."""
    return ForkedBot(
        server, BOT, database=folder / "games.sqlite3", log=folder / "bot.log", environment=environment, prepare=prepare
    )


def test_a_preview_on_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        result = run_command(tmp_path, str(BOT), "--preview", CASTELLAN_PREVIEW_PORT=port)
    assert result.returncode == 1
    assert f"CASTELLAN_PREVIEW_PORT: {port} cannot be used" in result.stderr
    assert "Traceback" not in result.stderr
    with closing(sqlite3.connect(tmp_path / "castellan-preview.sqlite3")) as file:
        assert file.execute("SELECT count(*) FROM games").fetchone() == (0,), "the preview has its own database"
