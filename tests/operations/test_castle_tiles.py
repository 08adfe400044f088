"""The file with an owner's tiles of The Castle, which a setting names.

The bot comes with made-up tiles of this game. An owner of the boxed game can write the real ones, 60 tiles named D01
and so on, into a TOML file.
"""

import re
from pathlib import Path

import pytest

import bot
from engine.the_castle import default_tile_set
from engine.the_castle.tilefile import tile_set_text
from operations.settings import Settings


def test_the_tiles_of_the_castle_are_loaded_from_a_file(tmp_path: Path) -> None:
    assert bot.read_material(Settings()) == {}
    file = tmp_path / "tiles.toml"
    file.write_text(tile_set_text(default_tile_set()), encoding="utf-8")
    tiles = bot.read_material(Settings(castle_tiles=str(file)))["the-castle"]["tiles"]
    assert tiles.name != default_tile_set().name
    assert len(tiles.kinds) == 60


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b"[D01\n", "not TOML"),
        (b"[D01]\nsegments = ['tower NL NL']\n", "line 1, tile D01: NL belongs to 2 towers"),
        (b"\xff", "cannot be read"),
    ],
)
def test_unusable_tiles_are_refused_with_line_and_reason(tmp_path: Path, text: bytes, error: str) -> None:
    file = tmp_path / "tiles.toml"
    file.write_bytes(text)
    with pytest.raises(SystemExit, match=re.escape(error)):
        bot.read_material(Settings(castle_tiles=str(file)))
    with pytest.raises(SystemExit, match=r"missing\.toml: cannot be read"):
        bot.read_material(Settings(castle_tiles=str(tmp_path / "missing.toml")))
