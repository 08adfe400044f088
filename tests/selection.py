"""A pytest plugin that runs the tests of a list alone: ``pytest --tests-from=tests/quick.txt``.

Each line of the list is a file, a test of a file with all its parameters, or one case of such a test, as pytest prints
it: ``tests/host/test_clocks.py::test_a_turn_runs_out[short]``. Files that are not on the list are not even imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

OPTION = "--tests-from"
SELECTION = pytest.StashKey["Selection"]()
"""The key of the selection in pytest's configuration."""


class Selection:
    """The files and tests of a list; empty lines and comments are left out."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.entries = {line for line in lines if line and not line.startswith("#")}
        self.files = {entry.partition("::")[0] for entry in self.entries}

    @classmethod
    def read(cls, path: Path) -> Selection:
        """Read a list from a file."""
        return cls(path.read_text("utf-8").splitlines())

    def __contains__(self, test: str) -> bool:
        """Tell for the id of a test if the list names its file, the test, or this case of it."""
        return not self.entries.isdisjoint((test, test.partition("[")[0], test.partition("::")[0]))


def unknown_entries(selection: Selection, root: Path) -> list[str]:
    """Return the entries whose file, function or class is not in the source; cases of a test are not looked at."""
    return sorted(entry for entry in selection.entries if not _is_known(root, *entry.partition("[")[0].split("::")))


def _is_known(root: Path, file: str, *names: str) -> bool:
    """Look for the definition of each name in a test file."""
    path = root / file
    return path.is_file() and all(
        re.search(rf"^\s*(?:async def|def|class) {name}\b", path.read_text("utf-8"), re.MULTILINE) for name in names
    )


@pytest.hookimpl
def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names a list."""
    parser.addoption(OPTION, metavar="FILE", type=Path, help="run the tests that a file lists (tests/selection.py)")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Read the list, if one is named."""
    if path := config.getoption(OPTION):
        config.stash[SELECTION] = Selection.read(path)


@pytest.hookimpl
def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the files that are not on the list."""
    selection = config.stash.get(SELECTION, None)
    if selection is None or collection_path.is_dir():
        return None
    return True if collection_path.relative_to(config.rootpath).as_posix() not in selection.files else None


@pytest.hookimpl
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the other tests of the files that are on the list."""
    selection = config.stash.get(SELECTION, None)
    if selection is None:
        return
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in selection])
    items[:] = [item for item in items if item.nodeid in selection]
