"""What the documents say is where they say it is: every file and folder that they name exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "tests" / "stored" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ROOMS = (
    "benchmarks",
    "cogs",
    "docs",
    "engine",
    "host",
    "operations",
    "preview",
    "renderers",
    "store",
    "tests",
    "tournaments",
)
ELSEWHERE = {"bench.json", "castle-tiles.toml", "discord.py", "gallery/", "second.toml"}
"""What is not there until somebody makes it, and a library that is called as a module is."""
FILE = re.compile(r"(?<![\w./-])[\w-]+(?:/[\w.-]+)*\.(?:py|toml)\b|`(?:[\w.-]+/)+`")
"""A module or data file anywhere, a folder in code; what has NAME in it is an example."""
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


def there() -> set[str]:
    """All files and folders of the rooms, each with the ends of its path, as documents shorten them."""
    paths = [
        path.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*") if "__pycache__" not in path.parts
    ]
    paths += [path.relative_to(ROOT) for path in ROOT.iterdir()]
    return {"/".join(path.parts[start:]) for path in paths for start in range(len(path.parts))}


def named(text: str) -> Iterator[str]:
    """Every file and folder that a document names."""
    for found in FILE.finditer(text):
        name = found[0].strip("`")
        if "NAME" not in name and name not in ELSEWHERE:
            yield name.rstrip("/")


def test_files_that_are_named_are_there() -> None:
    known = there()
    assert [
        f"{path.name}: {name}" for path in DOCUMENTS for name in named(path.read_text("utf-8")) if name not in known
    ] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    assert [name for name in LINK.findall(path.read_text("utf-8")) if not (path.parent / name).exists()] == []


def test_what_is_not_there_is_found() -> None:
    text = "`engine/nowhere.py`, `renderers/none/`, engine/cli/missing.py and `boxes/NAME.py`; see `engine/tiles.py`."
    assert [name for name in named(text) if name not in there()] == [
        "engine/nowhere.py",
        "renderers/none",
        "engine/cli/missing.py",
    ]
