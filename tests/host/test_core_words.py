"""The host and the store contain no words of a single expansion box; they get such words as data.

A box is an expansion of Carcassonne. Its words are drawn from the rules' registry and from the box's own files; both
packages are searched for them.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

import host
import store
from host.naming import _FIRST_WORDS, _SECOND_WORDS
from tests.engine.box_words import lines_naming_a_box

OTHER_MEANINGS = {
    "host/events/ladder.py": {"THE_CASTLE"}  # a game, which has a ladder of its own
}
"""Words of boxes that mean something else in a module."""


def allowed_words(path: str) -> set[str]:
    """Return words that a module may contain by chance: random table names use ordinary words."""
    return OTHER_MEANINGS.get(path, set()) | ({*_FIRST_WORDS, *_SECOND_WORDS} if path == "host/naming.py" else set())


@pytest.mark.parametrize("floor", [host, store], ids=["host", "store"])
def test_no_module_names_a_box(floor: ModuleType) -> None:
    root = Path(floor.__path__[0])
    lines = [
        line
        for path in sorted(root.rglob("*.py"))
        for line in lines_naming_a_box(path, allowed_words(path.relative_to(root.parent).as_posix()))
    ]
    assert lines == []
