"""The host and the store name no box: what only one of them has they are handed as names and texts."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

import host
import store
from host.naming import _FIRST_WORDS, _SECOND_WORDS
from tests.engine.box_words import lines_naming_a_box

OTHERWISE = {
    "host/events/ladder.py": {"THE_CASTLE"}  # a game, which has a ladder of its own
}
"""Words that mean something else there."""


def excused(path: str) -> set[str]:
    """The texts of a module that may be the words of a box by chance: tables are called after anything at all."""
    return OTHERWISE.get(path, set()) | ({*_FIRST_WORDS, *_SECOND_WORDS} if path == "host/naming.py" else set())


@pytest.mark.parametrize("floor", [host, store], ids=["host", "store"])
def test_nothing_names_a_box(floor: ModuleType) -> None:
    root = Path(floor.__path__[0])
    found = [
        name
        for path in sorted(root.rglob("*.py"))
        for name in lines_naming_a_box(path, excused(path.relative_to(root.parent).as_posix()))
    ]
    assert found == []
