"""Settings and logging of the composition root."""

import logging

import pytest

import bot
from bot import DEFAULT_DATABASE, LogfmtFormatter, Settings


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("DISCORD_TOKEN", "CASTELLAN_DATABASE", "CASTELLAN_GUILD_ID", "CASTELLAN_LOG_LEVEL")
    for name in (*names, "CASTELLAN_API_BASE", "CASTELLAN_GATEWAY", "CASTELLAN_TABLE_IN_CHANNEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(bot, "load_dotenv", lambda **_: False)


def test_nothing_has_to_be_set() -> None:
    assert Settings.from_env() == Settings(database=DEFAULT_DATABASE)


def test_everything_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "DISCORD_TOKEN": " token ",
        "CASTELLAN_DATABASE": "x.db",
        "CASTELLAN_GUILD_ID": "42",
        "CASTELLAN_LOG_LEVEL": "debug",
        "CASTELLAN_API_BASE": "http://127.0.0.1:1/api/v10",
        "CASTELLAN_GATEWAY": "ws://127.0.0.1:1/",
        "CASTELLAN_TABLE_IN_CHANNEL": "Yes",
    }.items():
        monkeypatch.setenv(name, value)
    assert Settings.from_env() == Settings(
        token="token",  # noqa: S106 - of nothing
        database="x.db",
        guild_id=42,
        log_level="DEBUG",
        api_base="http://127.0.0.1:1/api/v10",
        gateway="ws://127.0.0.1:1/",
        table_in_channel=True,
    )


def test_a_server_that_is_no_number_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASTELLAN_GUILD_ID", "home")
    with pytest.raises(ValueError, match="home"):
        Settings.from_env()


def test_extras_stand_in_the_line() -> None:
    record = logging.makeLogRecord(
        {"name": "cogs", "levelname": "ERROR", "msg": "oops %s", "args": (1,), "reference": "AB"}
    )
    assert LogfmtFormatter().format(record).endswith("ERROR cogs oops 1 reference='AB'")
