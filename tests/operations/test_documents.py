"""Documents name only files, folders and attributes of classes that exist."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "tests" / "stored" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ROOMS = (
    "benchmarks",
    "cogs",
    "computer",
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
"""Exceptions: files that are created later, and a library named like a module."""
FILE = re.compile(r"(?<![\w./-])[\w-]+(?:/[\w.-]+)*\.(?:py|toml)\b|`(?:[\w.-]+/)+`")
"""A module or data file anywhere, a folder in code; what has NAME in it is an example."""
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")

PART = re.compile(r"`([A-Z][a-z]\w*)\.([a-z_]\w*)")
"""Return the attributes that a class defines: methods, fields, constants."""


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


def classes() -> dict[str, set[str]]:
    """Return the own attributes and the base classes of each class, by its name."""
    found: dict[str, set[str]] = defaultdict(set)
    for room in sorted({*ROOMS} - {"tests"}):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    found[node.name].update(parts(node), ("." + name for name in bases(node)))
    return found


def parts(of: ast.ClassDef) -> Iterator[str]:
    for node in ast.walk(of):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (ast.unparse(target).removeprefix("self.") for target in targets)


def bases(of: ast.ClassDef) -> Iterator[str]:
    for base in of.bases:
        yield ast.unparse(base).partition("[")[0].rpartition(".")[2]


def rests_on(known: Mapping[str, set[str]], name: str) -> set[str]:
    """The names of a class and of all on which it rests; each game has a `Position`, which rests on another."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        following = waiting.pop()
        if following not in found:
            found.add(following)
            waiting += [own[1:] for own in known.get(following, ()) if own.startswith(".")]
    return found


def has(known: Mapping[str, set[str]], name: str, part: str) -> bool:
    return any(part in known.get(each, ()) for each in rests_on(known, name))


def missing(text: str, known: Mapping[str, set[str]]) -> list[str]:
    return [f"{name}.{part}" for name, part in PART.findall(text) if not has(known, name, part)]


def test_what_a_class_is_said_to_have_it_has() -> None:
    known = classes()
    assert {path.name: absent for path in DOCUMENTS if (absent := missing(path.read_text("utf-8"), known))} == {}
    assert missing("`Position.apply`, `Position.nothing`, `Nobody.apply`", known) == [
        "Position.nothing",
        "Nobody.apply",
    ]
