"""The contact sheets of Carcassonne, which people look at before updating snapshots: complete and written to files.

A contact sheet shows pictures of one kind side by side.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from engine.carcassonne.expansions import OFFERED_TILE_SETS, OTHER_TILE_SETS
from engine.carcassonne.expansions.bridges_castles_bazaars import castles_of
from gallery.carcassonne import castles, crossings, play_compact_game, sheets
from gallery.contact_sheets import marks_of, write_sheets
from renderers import ThemeName

SHEET_KINDS = (
    *("figures", "pieces", "early", "middle", "late", "focus", "guides", "composer", "ghost", "fief", "track"),
    *("castles", "markers", "gardens", "abbeys", "lots", "left", "summary", "sheet"),
)
"""The kinds of sheets of the gallery."""


def test_every_kind_has_a_sheet_in_every_theme() -> None:
    names = [name for name, _ in sheets()]
    assert len(set(names)) == len(names)
    expected = {f"{kind}-{theme}" for kind in SHEET_KINDS for theme in ThemeName}
    assert set(names) == expected | {f"tiles-{name}" for name in (*OFFERED_TILE_SETS, *OTHER_TILE_SETS)} | {
        "tiles-gardens",
        "bridges",
    }


def test_sheets_are_written_by_name(tmp_path: Path) -> None:
    names = [f"{kind}-day" for kind in SHEET_KINDS]
    write_sheets(sheets(), tmp_path / "sheets", names)
    assert sorted(path.stem for path in (tmp_path / "sheets").iterdir()) == sorted(names)
    for path in (tmp_path / "sheets").iterdir():
        with Image.open(path) as image:
            assert max(image.size) <= 4096


def test_the_sheet_of_bridges_shows_everything_that_a_bridge_may_cross() -> None:
    """Cities through and capped, roads, monasteries, bazaars with and without roads, inns, and bare fields."""
    tiles = {kind.id for kind, _, _ in crossings()}
    assert tiles >= {"base/B", "base/A", "base/E", "base/H", "base/G", "base/U"}
    assert tiles >= {"bcb/FFFF", "bcb/FFRF", "bcb/RFRF-a", "bcb/RFRF-b", "bcb/FCFC-a", "bcb/FCFC-b", "bcb/FRFR"}
    for kind, rotation, axis in crossings():
        face = kind.faces[rotation // 90]
        assert all(face.side_segments[side] < 0 for side in axis.sides)


def test_the_sheet_of_castles_shows_both_directions_and_a_scored_one() -> None:
    built = castles_of(castles())
    assert {castle.cells[0].x == castle.cells[1].x for castle in built} == {True, False}
    assert [castle.scored for castle in built] == [False, False, True]


def test_the_sample_game_marks_the_last_tile_of_each_player() -> None:
    position = play_compact_game("gallery 35", 3, 20)
    assert position.ply >= 20
    assert len({mark.player for mark in marks_of(position)}) == 3
    assert all(position.tile_at(mark.cell) is not None for mark in marks_of(position))
