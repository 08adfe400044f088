"""Nothing that draws all boxes names one of them: a box's drawings belong to the box."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import renderers
from renderers import carcassonne
from tests.engine.box_words import lines_naming_a_box

ROOT = Path(renderers.__file__).parent
HERE = Path(carcassonne.__file__).parent
OF_BOXES = (HERE / "boxes", HERE / "questions", ROOT / "the_castle")
DOORS = {"carcassonne/gallery.py": "sheets of all pieces side by side, and a game with what may happen in it"}
"""Places where boxes have to be named."""


def core() -> Iterator[Path]:
    """The modules that every box or every game shares."""
    for path in sorted(ROOT.rglob("*.py")):
        if not any(path.is_relative_to(room) for room in OF_BOXES) and path.relative_to(ROOT).as_posix() not in DOORS:
            yield path


def test_no_core_module_names_a_box() -> None:
    assert [name for path in core() for name in lines_naming_a_box(path)] == []


@pytest.mark.parametrize("name", list(DOORS))
def test_the_doors_are_there(name: str) -> None:
    """Each exception exists and is needed."""
    assert lines_naming_a_box(ROOT / name) != []
