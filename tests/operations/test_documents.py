"""References of the documents: files, folders, links, headings and attributes of classes that they name exist.

The documents are the README, those beside it and all in `docs/`. References are recognised in backticks by their form:
`cogs/texts/`, `Host.games`.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "tests/stored/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
"""The checked files."""
FOLDERS = (
    "benchmarks",
    "cogs",
    "computer",
    "docs",
    "engine",
    "gallery",
    "host",
    "operations",
    "preview",
    "renderers",
    "store",
    "tests",
    "tournaments",
)
"""Folders whose files and classes documents may name."""
ALLOWED_NAMES = {"bench.json", "castle-tiles.toml", "discord.py", "gallery/sheets/", "second.toml"}
"""Exceptions: files that are created later, and a library named like a module."""
FILE_REFERENCE = re.compile(r"(?<![\w./-])[\w-]+(?:/[\w.-]+)*\.(?:py|toml)\b|`(?:[\w.-]+/)+`")
"""A module or data file, or a folder in backquotes; one that contains NAME is a placeholder."""
LINK_TARGET = re.compile(r"\]\((?!https?:)([^)#\s]+)")
HEADING_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)")
"""A link to a heading: the file, empty for the document itself, and the anchor."""
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
FENCED_CODE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)

ATTRIBUTE_REFERENCE = re.compile(r"`([A-Z][a-z]\w*)\.([a-z_]\w*)")
"""A class and its attribute in backquotes, such as `Game.code`."""


def existing_paths() -> set[str]:
    """Return all files and folders, also by their shortened paths, which documents may use."""
    paths = [
        path.relative_to(ROOT)
        for room in FOLDERS
        for path in (ROOT / room).rglob("*")
        if "__pycache__" not in path.parts
    ]
    paths += [path.relative_to(ROOT) for path in ROOT.iterdir()]
    return {"/".join(path.parts[start:]) for path in paths for start in range(len(path.parts))}


def named_paths(text: str) -> Iterator[str]:
    """Yield every file and folder that a document names."""
    for reference in FILE_REFERENCE.finditer(text):
        name = reference[0].strip("`")
        if "NAME" not in name and name not in ALLOWED_NAMES:
            yield name.rstrip("/")


def test_named_files_and_folders_exist() -> None:
    existing = existing_paths()
    assert [
        f"{path.name}: {name}"
        for path in DOCUMENTS
        for name in named_paths(path.read_text("utf-8"))
        if name not in existing
    ] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_relative_links_lead_to_files(path: Path) -> None:
    assert [name for name in LINK_TARGET.findall(path.read_text("utf-8")) if not (path.parent / name).exists()] == []


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a document, as GitHub forms them."""
    headings = HEADING.findall(FENCED_CODE.sub("", text))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def lost_headings(path: Path, text: str) -> list[str]:
    """Return the links of a document to headings that do not exist."""
    return [
        f"{name}#{anchor}"
        for name, anchor in HEADING_LINK.findall(text)
        if anchor not in anchors((path.parent / name).read_text("utf-8") if name else text)
    ]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_to_headings_lead_to_headings(path: Path) -> None:
    assert lost_headings(path, path.read_text("utf-8")) == []


def test_links_to_missing_headings_are_found() -> None:
    text = "# *One*: `two` & three\n[a](#one-two--three), [b](#four), [c](rules.md#nowhere)\n```\n# four\n```\n"
    assert lost_headings(ROOT / "docs" / "testing.md", text) == ["#four", "rules.md#nowhere"]


def test_missing_paths_are_found() -> None:
    text = "`engine/nowhere.py`, `renderers/none/`, engine/cli/missing.py and `boxes/NAME.py`; see `engine/tiles.py`."
    assert [name for name in named_paths(text) if name not in existing_paths()] == [
        "engine/nowhere.py",
        "renderers/none",
        "engine/cli/missing.py",
    ]


def classes() -> dict[str, set[str]]:
    """Return the own attributes and the base classes of each class, by its name."""
    members_by_class: dict[str, set[str]] = defaultdict(set)
    for room in sorted({*FOLDERS} - {"tests"}):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    members_by_class[node.name].update(attributes(node), ("." + name for name in base_names(node)))
    return members_by_class


def attributes(of: ast.ClassDef) -> Iterator[str]:
    """Yield the attributes that a class defines: methods, fields, constants."""
    for node in ast.walk(of):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (ast.unparse(target).removeprefix("self.") for target in targets)


def base_names(of: ast.ClassDef) -> Iterator[str]:
    """Yield the names of the base classes, without their packages."""
    for base in of.bases:
        yield ast.unparse(base).partition("[")[0].rpartition(".")[2]


def ancestors(members_by_class: Mapping[str, set[str]], name: str) -> set[str]:
    """Return a class name with those of all its base classes; several classes may share a name, as `Position`."""
    bases: set[str] = set()
    waiting = [name]
    while waiting:
        following = waiting.pop()
        if following not in bases:
            bases.add(following)
            waiting += [own[1:] for own in members_by_class.get(following, ()) if own.startswith(".")]
    return bases


def has_attribute(members_by_class: Mapping[str, set[str]], name: str, part: str) -> bool:
    """Return whether a class or one of its base classes has an attribute."""
    return any(part in members_by_class.get(ancestor, ()) for ancestor in ancestors(members_by_class, name))


def missing_attributes(text: str, members_by_class: Mapping[str, set[str]]) -> list[str]:
    """Return the attributes that a text names and that do not exist."""
    return [
        f"{name}.{part}"
        for name, part in ATTRIBUTE_REFERENCE.findall(text)
        if not has_attribute(members_by_class, name, part)
    ]


def test_named_attributes_of_classes_exist() -> None:
    members_by_class = classes()
    assert {
        path.name: absent
        for path in DOCUMENTS
        if (absent := missing_attributes(path.read_text("utf-8"), members_by_class))
    } == {}
    assert missing_attributes("`Position.apply`, `Position.nothing`, `Nobody.apply`", members_by_class) == [
        "Position.nothing",
        "Nobody.apply",
    ]
