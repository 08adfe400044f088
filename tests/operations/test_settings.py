"""Settings from the environment and the `.env` file, and the line that reports an invalid one.

Each setting is a variable such as CASTELLAN_SHARDS; "0-3/16" are the shards, connections to Discord, from 0 to 3 of
16. `NO_FILE` keeps the tests from reading a developer's own `.env`.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from operations import settings
from operations.settings import HOME, Settings, SettingsError, unknown_variables
from store import Shards

NO_FILE = HOME / "no such file"
"""A path at which no file exists."""
ALL_VARIABLES = {
    "DISCORD_TOKEN": " token ",
    "CASTELLAN_DATABASE": "x.db",
    "CASTELLAN_CREATE": "1",
    "CASTELLAN_DATABASE_POOL": "7",
    "CASTELLAN_FILE_STAYS": "1",
    "CASTELLAN_GUILD_ID": "42",
    "CASTELLAN_SHARDS": "0-3/16",
    "CASTELLAN_REQUESTS_PER_SECOND": "90",
    "CASTELLAN_PRESSES_PER_SECOND": "3.5",
    "CASTELLAN_LOG_LEVEL": "debug",
    "CASTELLAN_LIBRARY_LOG_LEVEL": "Warning",
    "CASTELLAN_LOG_FORMAT": "JSON",
    "CASTELLAN_METRICS_HOST": "0.0.0.0",  # noqa: S104 - no server is started
    "CASTELLAN_METRICS_PORT": "9464",
    "CASTELLAN_API_BASE": "http://127.0.0.1:1/api/v10",
    "CASTELLAN_GATEWAY": "ws://127.0.0.1:1/",
    "CASTELLAN_TABLE_IN_CHANNEL": "Yes",
    "CASTELLAN_COMPUTER_PROCESSES": "2",
    "CASTELLAN_COMPUTER_SERVER_MINUTES": "600",
    "CASTELLAN_COMPUTER_PERSON_MINUTES": "2.5",
    "CASTELLAN_PUBLISH_SECONDS": "30",
    "CASTLE_TILES": "tiles.toml",
    "CASTELLAN_PREVIEW_DATABASE": "p.db",
    "CASTELLAN_PREVIEW_PORT": "8080",
    "CASTELLAN_PREVIEW_LANGUAGE": "cs",
}
"""Every variable with a value that differs from its default."""
ALL_SETTINGS = Settings(
    token="token",  # noqa: S106 - a made-up token
    database="x.db",
    create=True,
    pool=7,
    file_stays=True,
    guild_id=42,
    shards=Shards(0, 3, 16),
    requests_a_second=90,
    presses_a_second=3.5,
    log_level="DEBUG",
    libraries_log_level="WARNING",
    log_format="json",
    metrics_host="0.0.0.0",  # noqa: S104 - no server is started
    metrics_port=9464,
    api_base="http://127.0.0.1:1/api/v10",
    gateway="ws://127.0.0.1:1/",
    table_in_channel=True,
    computer_processes=2,
    computer_server_minutes=600,
    computer_person_minutes=2.5,
    publish_seconds=30,
    castle_tiles="tiles.toml",
    preview_database="p.db",
    preview_port=8080,
    preview_language="cs",
)
"""The settings that `ALL_VARIABLES` has to give."""


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the bot's variables that are set outside the test."""
    for name in ALL_VARIABLES:
        monkeypatch.delenv(name, raising=False)


def set_all(monkeypatch: pytest.MonkeyPatch, values: Mapping[str, str]) -> None:
    """Set these variables."""
    for name, value in values.items():
        monkeypatch.setenv(name, value)


def run_command(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a Python command in a folder; of the bot's environment variables, set only these."""
    bare = {**os.environ, **dict.fromkeys(ALL_VARIABLES, "")}  # an empty value hides the developer's own .env, too
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, *command],
        cwd=folder,
        env={**bare, "PYTHONPATH": str(HOME), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_every_setting_has_a_default() -> None:
    assert Settings.from_env(NO_FILE) == Settings()


def test_everything_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    set_all(monkeypatch, ALL_VARIABLES)
    assert Settings.from_env(NO_FILE) == ALL_SETTINGS


def test_the_environment_takes_precedence_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("\n".join(f"{name}={value}" for name, value in ALL_VARIABLES.items()) + "\nOTHER=1\n")
    assert Settings.from_env(file) == ALL_SETTINGS
    monkeypatch.setenv("CASTELLAN_DATABASE", "y.db")
    assert Settings.from_env(file) == ALL_SETTINGS.changed(database="y.db")


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    set_all(monkeypatch, dict.fromkeys(ALL_VARIABLES, " "))
    assert Settings.from_env(NO_FILE) == Settings()


def test_an_empty_variable_hides_the_value_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("\n".join(f"{name}={value}" for name, value in ALL_VARIABLES.items()))
    set_all(monkeypatch, {"DISCORD_TOKEN": "", "CASTELLAN_DATABASE": ""})
    assert Settings.from_env(file) == ALL_SETTINGS.changed(token="", database=Settings().database)


def test_the_example_file_is_valid_and_names_every_setting() -> None:
    example = HOME / ".env.example"
    assert Settings.from_env(example) == Settings()
    named = set(re.findall(r"^#?([A-Z_]+)=", example.read_text(), re.MULTILINE))
    assert named >= set(ALL_VARIABLES) - {"CASTELLAN_TABLE_IN_CHANNEL"}
    assert unknown_variables(named) == []


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("CASTELLAN_GUILD_ID", "home", "'home' is not the id of a server"),
        ("CASTELLAN_GUILD_ID", "-1", "'-1' is not the id of a server"),
        ("CASTELLAN_GUILD_ID", "9" * 30, "is not the id of a server"),
        ("CASTELLAN_SHARDS", "16", "'16' are no shards: write the first, the last and how many"),
        ("CASTELLAN_SHARDS", "3-1/16", "'3-1/16' are no shards"),
        ("CASTELLAN_SHARDS", "16/16", "'16/16' are no shards"),
        ("CASTELLAN_DATABASE_POOL", "0", "'0' is no number of connections: write one from 1 to 100"),
        ("CASTELLAN_FILE_STAYS", "perhaps", "'perhaps' is neither yes nor no"),
        ("CASTELLAN_LOG_FORMAT", "xml", "'xml' is no form of log: use logfmt or json"),
        ("CASTELLAN_METRICS_PORT", "many", "'many' is no port: write a number from 1 to 65535"),
        ("CASTELLAN_METRICS_HOST", "here and there", "'here and there' is no place to listen at"),
        ("CASTELLAN_REQUESTS_PER_SECOND", "0", "'0' is no number of requests: write one from 1"),
        ("CASTELLAN_PRESSES_PER_SECOND", "many", "'many' is no number of presses: write one from 0"),
        ("CASTELLAN_COMPUTER_PROCESSES", "65", "'65' is no number of processes: write one from 0 (no computers) to 64"),
        ("CASTELLAN_LOG_LEVEL", "loud", "'LOUD' is no log level: use DEBUG, INFO, WARNING or ERROR"),
        ("CASTELLAN_LIBRARY_LOG_LEVEL", "5", "'5' is no log level"),
        ("CASTELLAN_CREATE", "perhaps", "'perhaps' is neither yes nor no: write 1"),
        ("CASTELLAN_TABLE_IN_CHANNEL", "2", "'2' is neither yes nor no"),
        ("CASTELLAN_API_BASE", "discord.com", "'discord.com' is no address: write http://"),
        ("CASTELLAN_GATEWAY", "https://discord.com", "'https://discord.com' is no address: write ws://"),
        ("CASTELLAN_PUBLISH_SECONDS", "121", "'121' is no number of seconds: write one from 0 to 120"),
        ("CASTELLAN_PREVIEW_PORT", "70000", "'70000' is no port: write a number from 1 to 65535"),
    ],
)
def test_a_wrong_value_is_explained_in_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, error: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(NO_FILE)
    (line,) = caught.value.lines
    assert line.startswith(f"{name}: ")
    assert error in line
    assert "\n" not in line
    assert caught.value.code == line, "Python prints the code of SystemExit and exits with status 1"


def test_a_wrong_token_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "Bot AbC.dEf.gHi")
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(NO_FILE)
    assert str(caught.value).startswith("DISCORD_TOKEN: holds white space")
    assert "AbC" not in str(caught.value)
    assert "AbC" not in repr(Settings(token="AbC.dEf.gHi"))  # noqa: S106 - a made-up token


def test_all_wrong_values_are_reported_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    set_all(monkeypatch, {"CASTELLAN_GUILD_ID": "home", "CASTELLAN_LOG_LEVEL": "loud"})
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(NO_FILE)
    assert len(caught.value.lines) == 2


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"DISCORD_TOKEN=\xff\xfe\n")
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(file)
    assert "is no text in UTF-8" in str(caught.value)


def test_every_checked_setting_has_its_own_advice() -> None:
    files = {"CASTELLAN_DATABASE", "CASTLE_TILES", "CASTELLAN_PREVIEW_DATABASE"}
    texts = {*files, "CASTELLAN_PREVIEW_LANGUAGE", "DATABASE_URL"}
    assert set(settings._ADVICE) == set(settings._FIELDS) - texts


def test_unknown_variables_that_look_like_settings_are_reported() -> None:
    assert unknown_variables(["CASTELLAN_DATBASE", "CASTELLAN_X", "castellan_guild_id", "HOME", *ALL_VARIABLES]) == [
        "CASTELLAN_DATBASE: is no setting and changes nothing; did you mean CASTELLAN_DATABASE?",
        "CASTELLAN_X: is no setting and changes nothing; see .env.example for those that there are",
        "castellan_guild_id: is no setting and changes nothing; did you mean CASTELLAN_GUILD_ID?",
    ]
