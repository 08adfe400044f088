"""Settings and logging of the composition root."""

import logging
import re
from pathlib import Path

import pytest

import bot
from bot import DEFAULT_DATABASE, LogfmtFormatter, Settings
from engine.the_castle import designed
from engine.the_castle.tilefile import written


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("DISCORD_TOKEN", "CASTELLAN_DATABASE", "CASTELLAN_GUILD_ID", "CASTELLAN_LOG_LEVEL")
    for name in (*names, "CASTELLAN_API_BASE", "CASTELLAN_GATEWAY", "CASTELLAN_TABLE_IN_CHANNEL", "CASTLE_TILES"):
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
        "CASTLE_TILES": "tiles.toml",
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
        castle_tiles="tiles.toml",
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


def test_an_owner_loads_the_tiles_of_the_castle(tmp_path: Path) -> None:
    assert bot.material(Settings()) == {}
    file = tmp_path / "tiles.toml"
    file.write_text(written(designed()), encoding="utf-8")
    tiles = bot.material(Settings(castle_tiles=str(file)))["the-castle"]["tiles"]
    assert tiles.name != designed().name
    assert len(tiles.kinds) == 60


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"[D01\n", "not TOML"),
        (b"[D01]\nsegments = ['tower NL NL']\n", "line 1, tile D01: NL belongs to 2 towers"),
        (b"\xff", "cannot be read"),
    ],
)
def test_tiles_that_cannot_be_played_say_where_and_why(tmp_path: Path, text: bytes, said: str) -> None:
    file = tmp_path / "tiles.toml"
    file.write_bytes(text)
    with pytest.raises(SystemExit, match=re.escape(said)):
        bot.material(Settings(castle_tiles=str(file)))
    with pytest.raises(SystemExit, match=r"missing\.toml: cannot be read"):
        bot.material(Settings(castle_tiles=str(tmp_path / "missing.toml")))
