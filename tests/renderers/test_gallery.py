"""The contact sheets can be written."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from renderers.gallery import main


def test_all_sheets_are_written(tmp_path: Path) -> None:
    main(tmp_path / "sheets")
    names = {path.stem for path in (tmp_path / "sheets").iterdir()}
    assert {
        "tiles-base",
        "pieces",
        "bridges",
        "focus",
        "board",
        "composer",
        "ghost",
        "castle",
        "lots",
        "left",
        "scores",
    } <= names
    for path in (tmp_path / "sheets").iterdir():
        with Image.open(path) as image:
            assert max(image.size) <= 4096
