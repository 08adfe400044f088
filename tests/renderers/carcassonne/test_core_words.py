"""Shared drawing modules name no box (expansion): the drawings of a box stay in the box's own module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import renderers
from renderers import carcassonne
from tests.engine.box_words import lines_naming_a_box

ROOT = Path(renderers.__file__).parent
"""The folder of the renderers."""
CARCASSONNE = Path(carcassonne.__file__).parent
"""The folder of Carcassonne's pictures."""
EXCLUDED_PATHS = (CARCASSONNE / "boxes", CARCASSONNE / "questions", ROOT / "the_castle")
"""The folders that may name boxes, or belong to another game."""


def core_modules() -> Iterator[Path]:
    """Yield the modules that all boxes or all games share."""
    for path in sorted(ROOT.rglob("*.py")):
        if not any(path.is_relative_to(excluded) for excluded in EXCLUDED_PATHS):
            yield path


def test_no_core_module_names_a_box() -> None:
    assert [name for path in core_modules() for name in lines_naming_a_box(path)] == []
