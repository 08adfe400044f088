"""Tests of the plugin ``tests.selection`` and of the list that ``make test-quick`` runs, ``tests/quick.txt``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.selection import Selection, unknown_entries

ROOT = Path(__file__).parents[1]
QUICK_LIST = ROOT / "tests" / "quick.txt"
HINT = "renamed: edit tests/quick.txt; gone: remove the line, and choose anew if it was many (docs/testing.md)"
SUITE = {
    "test_whole.py": "def test_first():\n    pass\n\ndef test_second():\n    pass\n",
    "test_parts.py": (
        "import pytest\n\n"
        '@pytest.mark.parametrize("letter", "abc")\ndef test_letters(letter):\n    pass\n\n'
        '@pytest.mark.parametrize("letter", "abc")\ndef test_other(letter):\n    pass\n\n'
        "def test_letters_of_others():\n    raise AssertionError\n"
    ),
    "test_broken.py": "raise RuntimeError\n",
}
"""Files of tests: all, some and nothing of them is listed."""
LIST = "# a comment\ntest_whole.py\n\ntest_parts.py::test_letters\ntest_parts.py::test_other[b]\n"


def test_the_tests_that_a_list_names_are_run_alone(tmp_path: Path) -> None:
    for name, text in SUITE.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "list.txt").write_text(LIST)
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p tests.selection\n")
    command = [sys.executable, "-m", "pytest", "-v", "-c", str(tmp_path / "pytest.ini"), "--rootdir", str(tmp_path)]
    done = subprocess.run(  # noqa: S603 - this very program
        [*command, "--tests-from", str(tmp_path / "list.txt"), str(tmp_path)],
        cwd=ROOT,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert [line.split()[0].rpartition("/")[2] for line in done.stdout.splitlines() if "PASSED" in line] == [
        "test_parts.py::test_letters[a]",
        "test_parts.py::test_letters[b]",
        "test_parts.py::test_letters[c]",
        "test_parts.py::test_other[b]",
        "test_whole.py::test_first",
        "test_whole.py::test_second",
    ]


@pytest.mark.parametrize(
    ("entry", "known"),
    [
        ("test_whole.py", True),
        ("test_whole.py::test_first", True),
        ("test_parts.py::test_other[b]", True),
        ("test_elsewhere.py", False),
        ("test_whole.py::test_fir", False),
        ("test_whole.py::TestFirst::test_second", False),
    ],
)
def test_entries_without_a_test_are_found(tmp_path: Path, entry: str, known: bool) -> None:
    (tmp_path / "test_whole.py").write_text(SUITE["test_whole.py"])
    (tmp_path / "test_parts.py").write_text(SUITE["test_parts.py"])
    assert unknown_entries(Selection([entry]), tmp_path) == ([] if known else [entry])


def test_every_quick_test_exists() -> None:
    selection = Selection.read(QUICK_LIST)
    assert selection.entries
    assert unknown_entries(selection, ROOT) == [], HINT
