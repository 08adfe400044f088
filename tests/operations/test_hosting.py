"""The files by which others run the bot: container, compose file, systemd's unit, Procfile, and the guide to them.

What they name has to exist, and the files that go into the image have to be enough for the bot. A container itself is
not started here.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import discord
import pytest

from host.admin.checks import Health
from operations.__main__ import main
from operations.metrics_server import MetricsServer
from operations.settings import HOME, Settings, unknown_variables
from store import Shards
from tests.loopback import BotProcess, LoopbackDiscord
from tests.operations.test_documents import DOCUMENTS

DOCKERFILE = (HOME / "Dockerfile").read_text("utf-8")
COMPOSE = (HOME / "compose.yaml").read_text("utf-8")
UNIT = (HOME / "docs" / "castellan.service").read_text("utf-8")
PROCFILE = (HOME / "Procfile").read_text("utf-8")
HOSTING = (HOME / "docs" / "hosting.md").read_text("utf-8")
APP_DIRECTORY = (HOME / "docs" / "app-directory.md").read_text("utf-8")
EXAMPLE = (HOME / ".env.example").read_text("utf-8")
MAKEFILE = (HOME / "Makefile").read_text("utf-8")

SETTING = re.compile(r"\bCASTELLAN_[A-Z_]*[A-Z]\b")
MISSPELT_ON_PURPOSE = "CASTELLAN_DATBASE"
"""The example of a misspelt setting in the guide."""
MAKE_COMMAND = re.compile(r"(?:^|&& |-- )make ((?:[a-z-]+ ?)+)", re.MULTILINE)
"""Targets after `make` at the start of a command."""
CODE = re.compile(r"^```sh\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
"""Code of a document: a block for the shell, or words in backquotes."""


def code_of(path: Path) -> Iterator[str]:
    """Yield each piece of code of a document."""
    for block, words in CODE.findall(path.read_text("utf-8")):
        yield block or words


def copied_names() -> list[str]:
    """Return the files and folders that the Dockerfile copies out of the repository."""
    sources = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    return [name for line in sources for name in line.split()]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the Dockerfile copies, and nothing else, compiled as far as it is here."""
    folder = tmp_path_factory.mktemp("app")
    for name in copied_names():
        source = HOME / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy2(source, folder)
    return folder


def health_command() -> list[str]:
    """Return the command of the image's health check, for this Python."""
    found = re.search(r"^HEALTHCHECK .*?CMD (\[.*?\])$", DOCKERFILE, re.MULTILINE | re.DOTALL)
    assert found is not None
    python, *arguments = json.loads(found[1])
    assert python == "python"
    return [sys.executable, *arguments]


def is_healthy(port: int) -> bool:
    """Return whether the health check passes."""
    command, environment = health_command(), {"CASTELLAN_METRICS_PORT": str(port)}
    return not subprocess.run(command, env=environment, stderr=subprocess.DEVNULL, check=False).returncode  # noqa: S603


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


# -- the container


def test_nothing_but_what_the_image_copies_is_sent_to_its_build() -> None:
    lines = (HOME / ".dockerignore").read_text("utf-8").splitlines()
    assert lines[lines.index("*") :].count("*") == 1
    assert {line[1:] for line in lines if line.startswith("!")} == set(copied_names())


@pytest.mark.long
async def test_the_files_of_the_image_are_enough_for_the_bot(image: Path, tmp_path: Path) -> None:
    """Start it from them, ask for its health, and end it by SIGTERM, as `docker stop` does.

    It asks for the one intent that the page for the App Directory names.
    """
    port = free_port()
    environment = {"CASTELLAN_METRICS_PORT": str(port), "PYTHONPATH": ""}
    async with LoopbackDiscord() as server:
        process = BotProcess(
            server,
            image / "bot.py",
            database=tmp_path / "castellan.sqlite3",
            log=tmp_path / "bot.log",
            environment=environment,
        )
        try:
            await process.start()
            assert await asyncio.to_thread(is_healthy, port)
            (session,) = server.gateway._sessions.values()
            assert session.intents == discord.Intents(guilds=True)
            assert await process.stop() == 0
        finally:
            await process.close()
    assert process.output.splitlines()[-1].endswith("event=stopped")
    assert "Traceback" not in process.output
    assert "**one intent, *Guilds***" in APP_DIRECTORY


def test_commands_of_operators_run_in_the_working_directory_of_the_image(image: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    command = [sys.executable, "-m", "operations", "upgrade"]
    subprocess.run(command, cwd=folder, env={"PYTHONPATH": str(image)}, check=True, capture_output=True)  # noqa: S603
    assert [path.name for path in folder.iterdir()] == ["castellan.sqlite3"]
    assert "ENV PATH=/app/.venv/bin:$PATH" in DOCKERFILE
    assert re.search(r"^ +PYTHONPATH=/app ", DOCKERFILE, re.MULTILINE)


def test_a_bot_whose_event_loop_hangs_is_unhealthy(monkeypatch: pytest.MonkeyPatch) -> None:
    server = MetricsServer(Settings(), Health())
    try:
        assert is_healthy(server.port)
        monkeypatch.setattr(Health, "live", lambda _: False)
        assert not is_healthy(server.port)
    finally:
        server.close()
    assert not is_healthy(free_port())


def test_the_image_does_not_run_as_root() -> None:
    """Compare the user with the guide, which names the number for folders of the machine."""
    (user,) = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    assert int(user) > 0
    assert f"--uid {user} " in DOCKERFILE
    assert f"chown {user} " in HOSTING


# -- compose


def test_the_example_settings_choose_a_profile_of_the_compose_file() -> None:
    profiles = set(re.findall(r"^ +profiles: \[(\w+)\]$", COMPOSE, re.MULTILINE))
    assert profiles == {"sqlite", "postgres"}
    (chosen,) = re.findall(r"^COMPOSE_PROFILES=(\w+)$", EXAMPLE, re.MULTILINE)
    assert chosen == "sqlite"


def test_the_processes_of_the_compose_file_have_every_shard_once() -> None:
    shards = [Shards.parse(text) for text in re.findall(r"CASTELLAN_SHARDS: (\S+)", COMPOSE)]
    (total,) = {part.of for part in shards}
    assert sorted(number for part in shards for number in part.numbers) == list(range(total))


def test_variables_of_the_compose_file_are_in_the_example_settings() -> None:
    assert {name for name in re.findall(r"\$\{(\w+)", COMPOSE) if f"{name}=" not in EXAMPLE} == set()


# -- systemd and Procfile


def test_the_unit_starts_the_bot_where_the_guide_puts_it() -> None:
    (folder,) = re.findall(r"^WorkingDirectory=(.+)$", UNIT, re.MULTILINE)
    (command,) = re.findall(r"^ExecStart=(.+)$", UNIT, re.MULTILINE)
    (user,) = re.findall(r"^User=(.+)$", UNIT, re.MULTILINE)
    python, script = command.split()
    assert python == f"{folder}/.venv/bin/python"
    assert (HOME / script).is_file()
    assert f"ReadWritePaths={folder}\n" in UNIT
    assert f"useradd --system --home-dir {folder} " in HOSTING
    assert HOSTING.count(f"runuser -u {user} -- ") >= 4


def test_the_procfile_names_a_script_and_a_command_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    processes = dict(re.findall(r"^(\w+): python (.+)$", PROCFILE, re.MULTILINE))
    assert (HOME / processes["worker"]).is_file()
    module, command = processes["release"].removeprefix("-m ").split()
    assert module == "operations"
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    assert command in capsys.readouterr().out


# -- documents


@pytest.mark.parametrize(
    "path",
    [*DOCUMENTS, HOME / "Dockerfile", HOME / "compose.yaml", HOME / "docs" / "castellan.service"],
    ids=lambda path: path.relative_to(HOME).as_posix(),
)
def test_settings_that_are_named_exist(path: Path) -> None:
    named = set(SETTING.findall(path.read_text("utf-8"))) - {MISSPELT_ON_PURPOSE}
    assert unknown_variables(named) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(HOME).as_posix())
def test_targets_of_make_that_are_named_exist(path: Path) -> None:
    existing = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    named = {target for code in code_of(path) for words in MAKE_COMMAND.findall(code) for target in words.split()}
    assert named - existing == set()


def test_commands_of_operators_that_are_named_exist(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    offered = capsys.readouterr().out
    for path in DOCUMENTS:
        for code in code_of(path):
            for name in re.findall(r"python -m operations ([a-z][a-z-]+)", code):
                assert re.search(rf"[ {{,]{name}[ ,}}\n]", offered), (path.name, name)


def permissions_in(document: str) -> set[str]:
    """Return the permissions in a document's table, by discord.py's names."""
    rows = re.findall(r"^\| ([A-Z][A-Za-z ]+) \| [a-z]", document, re.MULTILINE)
    return {row.lower().replace(" ", "_") for row in rows}


def test_the_invitation_asks_for_the_permissions_that_are_explained() -> None:
    (number,) = {int(value) for text in (HOSTING, APP_DIRECTORY) for value in re.findall(r"permissions=(\d+)", text)}
    asked = {name for name, granted in discord.Permissions(number) if granted}
    renamed = {"view_channel": "view_channels", "read_messages": "view_channels"}
    named = {renamed.get(name, name) for name in asked}
    assert permissions_in(HOSTING) == named
    assert permissions_in(APP_DIRECTORY) == named
