"""Settings: what can be set, and the one line that tells what is wrong with one."""

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

NOTHING = HOME / "no such file"
EVERYTHING = {
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
    "CASTELLAN_METRICS_HOST": "0.0.0.0",  # noqa: S104 - nothing listens
    "CASTELLAN_METRICS_PORT": "9464",
    "CASTELLAN_API_BASE": "http://127.0.0.1:1/api/v10",
    "CASTELLAN_GATEWAY": "ws://127.0.0.1:1/",
    "CASTELLAN_TABLE_IN_CHANNEL": "Yes",
    "CASTELLAN_PUBLISH_SECONDS": "30",
    "CASTLE_TILES": "tiles.toml",
    "CASTELLAN_PREVIEW_DATABASE": "p.db",
    "CASTELLAN_PREVIEW_PORT": "8080",
    "CASTELLAN_PREVIEW_LANGUAGE": "cs",
}
ALL_SET = Settings(
    token="token",  # noqa: S106 - of nothing
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
    metrics_host="0.0.0.0",  # noqa: S104 - nothing listens
    metrics_port=9464,
    api_base="http://127.0.0.1:1/api/v10",
    gateway="ws://127.0.0.1:1/",
    table_in_channel=True,
    publish_seconds=30,
    castle_tiles="tiles.toml",
    preview_database="p.db",
    preview_port=8080,
    preview_language="cs",
)


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in EVERYTHING:
        monkeypatch.delenv(name, raising=False)


def set_all(monkeypatch: pytest.MonkeyPatch, values: Mapping[str, str]) -> None:
    for name, value in values.items():
        monkeypatch.setenv(name, value)


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command with nothing set but this, in a folder of its own."""
    bare = {**os.environ, **dict.fromkeys(EVERYTHING, "")}  # hides what somebody's own .env says, too
    return subprocess.run(  # noqa: S603 - our own
        [sys.executable, *command],
        cwd=folder,
        env={**bare, "PYTHONPATH": str(HOME), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_nothing_has_to_be_set() -> None:
    assert Settings.from_env(NOTHING) == Settings()


def test_everything_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    set_all(monkeypatch, EVERYTHING)
    assert Settings.from_env(NOTHING) == ALL_SET


def test_the_file_says_what_the_environment_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("\n".join(f"{name}={value}" for name, value in EVERYTHING.items()) + "\nOTHER=1\n")
    assert Settings.from_env(file) == ALL_SET
    monkeypatch.setenv("CASTELLAN_DATABASE", "y.db")
    assert Settings.from_env(file) == ALL_SET.changed(database="y.db")


def test_what_is_left_empty_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    set_all(monkeypatch, dict.fromkeys(EVERYTHING, " "))
    assert Settings.from_env(NOTHING) == Settings()


def test_what_is_empty_in_the_environment_hides_what_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / ".env"
    file.write_text("\n".join(f"{name}={value}" for name, value in EVERYTHING.items()))
    set_all(monkeypatch, {"DISCORD_TOKEN": "", "CASTELLAN_DATABASE": ""})
    assert Settings.from_env(file) == ALL_SET.changed(token="", database=Settings().database)


def test_the_example_can_be_copied_as_it_is_and_names_every_setting() -> None:
    example = HOME / ".env.example"
    assert Settings.from_env(example) == Settings()
    named = set(re.findall(r"^#?([A-Z_]+)=", example.read_text(), re.MULTILINE))
    assert named >= set(EVERYTHING) - {"CASTELLAN_TABLE_IN_CHANNEL"}
    assert unknown_variables(named) == []


@pytest.mark.parametrize(
    ("name", "value", "said"),
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
def test_what_is_wrong_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(NOTHING)
    (line,) = caught.value.lines
    assert line.startswith(f"{name}: ")
    assert said in line
    assert "\n" not in line
    assert caught.value.code == line, "what Python prints before it ends with status 1"


def test_a_token_that_is_wrong_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "Bot AbC.dEf.gHi")
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(NOTHING)
    assert str(caught.value).startswith("DISCORD_TOKEN: holds white space")
    assert "AbC" not in str(caught.value)
    assert "AbC" not in repr(Settings(token="AbC.dEf.gHi"))  # noqa: S106 - of nothing


def test_everything_that_is_wrong_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    set_all(monkeypatch, {"CASTELLAN_GUILD_ID": "home", "CASTELLAN_LOG_LEVEL": "loud"})
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(NOTHING)
    assert len(caught.value.lines) == 2


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"DISCORD_TOKEN=\xff\xfe\n")
    with pytest.raises(SettingsError) as caught:
        Settings.from_env(file)
    assert "is no text in UTF-8" in str(caught.value)


def test_every_setting_has_its_own_advice() -> None:
    files = {"CASTELLAN_DATABASE", "CASTLE_TILES", "CASTELLAN_PREVIEW_DATABASE"}
    texts = {*files, "CASTELLAN_PREVIEW_LANGUAGE", "DATABASE_URL"}
    assert set(settings._ADVICE) == set(settings._NAMES) - texts


def test_what_looks_like_a_setting_and_is_none_is_told() -> None:
    assert unknown_variables(["CASTELLAN_DATBASE", "CASTELLAN_X", "castellan_guild_id", "HOME", *EVERYTHING]) == [
        "CASTELLAN_DATBASE: is no setting and changes nothing; did you mean CASTELLAN_DATABASE?",
        "CASTELLAN_X: is no setting and changes nothing; see .env.example for those that there are",
        "castellan_guild_id: is no setting and changes nothing; did you mean CASTELLAN_GUILD_ID?",
    ]
