"""The host and the store name no box: what only one of them has they are handed as names and texts."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import pytest

import host
import store
from tests.engine.test_core_words import WORDS, named, words

OTHERWISE = {
    "host/lobby/founding.py": {"Abbey", "Spring"},  # what games are called
    "host/events/exporting.py": {"lot"},  # drawing lots
    "host/events/views/values.py": {"lot"},
    "host/events/games/ladder.py": {"THE_CASTLE", "the-castle"},  # a game, which has a ladder of its own
}
"""Words that mean something else there."""


@pytest.mark.parametrize("floor", [host, store], ids=["host", "store"])
def test_nothing_names_a_box(floor: ModuleType) -> None:
    root = Path(floor.__path__[0])
    found = {
        f"{path.relative_to(root.parent)}:{line}": text
        for path in root.rglob("*.py")
        for line, text in named(ast.parse(path.read_text(encoding="utf-8")))
        if words(text) & WORDS and text not in OTHERWISE.get(path.relative_to(root.parent).as_posix(), ())
    }
    assert found == {}
