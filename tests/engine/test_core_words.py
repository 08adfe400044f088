"""The core of the engine names no box (expansion): the vocabulary of a box stays in the box's own package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.carcassonne.expansions import REGISTRY
from tests.engine import pedlars
from tests.engine.box_words import box_words, lines_naming_a_box, prose_lines, words_of

ROOT = Path(engine.__file__).parent
"""The folder of the engine."""
BOXES = ROOT / "carcassonne" / "expansions"
"""The folder of the boxes, which the core must not name."""
MODULES_NAMING_BOXES = {
    "games.py": "the games, of which one is The Castle",
    "carcassonne/expansions/__init__.py": "the registry",
    "cli/bench.py": "the games that are measured",
}
"""Modules outside the boxes that have to name them, and why."""


def core_modules() -> Iterator[Path]:
    """Yield the modules that all games or all boxes share."""
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not path.is_relative_to(BOXES) and not name.startswith("the_castle/") and name not in MODULES_NAMING_BOXES:
            yield path


@pytest.mark.parametrize("path", list(core_modules()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_core_module_names_a_box(path: Path) -> None:
    assert lines_naming_a_box(path) == []


@pytest.mark.parametrize("path", list(core_modules()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_docstring_or_comment_of_a_core_module_mentions_a_box(path: Path) -> None:
    """Documentation follows the same rule. For example, it must not use a bridge as an example of a piece."""
    text = path.read_text(encoding="utf-8")
    assert [(line, prose) for line, prose in prose_lines(text) if box_words(prose)] == []


@pytest.mark.parametrize("name", list(MODULES_NAMING_BOXES))
def test_every_exception_exists_and_is_needed(name: str) -> None:
    assert lines_naming_a_box(ROOT / name) != []


def module_name(box: str) -> str:
    """Return the name of the package or module of a box."""
    return box.replace("-", "_")


@pytest.mark.parametrize("box", list(REGISTRY))
def test_a_box_imports_only_boxes_on_which_it_declares_to_depend(box: str) -> None:
    """A box depends on boxes registered before it, so that there is no cycle, and imports no others."""
    package = BOXES / module_name(box)
    assert package.is_dir() or package.with_suffix(".py").is_file()
    before = list(REGISTRY)[: list(REGISTRY).index(box)]
    assert set(REGISTRY[box].depends_on) <= set(before)
    for path in package.rglob("*.py") if package.is_dir() else [package.with_suffix(".py")]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        others = {
            other
            for other in REGISTRY
            if other != box
            and any(name.startswith(f"engine.carcassonne.expansions.{module_name(other)}") for name in imported)
        }
        assert others <= set(REGISTRY[box].depends_on)
        assert "engine.carcassonne.expansions" not in imported, "a box does not import the registry"


@pytest.mark.parametrize("box", list(REGISTRY))
def test_every_box_has_words_of_its_own(box: str) -> None:
    assert words_of(REGISTRY[box]) != set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BuildBridge", {"bridge", "buildbridge"}),
        ("SelectLot", {"selectlot"}),
        ("the fiefs of castles", {"fief", "fiefs", "castle", "castles"}),
        ("goods_of", {"goods"}),
        ("wine/grain/cloth", {"wine", "grain", "cloth"}),
        ("inns-cathedrals", {"inn", "inns", "cathedral", "cathedrals", "innscathedrals"}),
        ("BIG_FOLLOWER", {"bigfollower"}),
        ("castle_fairy", {"castle", "fairy", "castlefairy"}),
        ("inner_pilot", set()),
        ("the first tile that a player lays in a city counts", set()),
    ],
)
def test_words_of_boxes_are_distinguished_from_ordinary_words(text: str, expected: set[str]) -> None:
    assert box_words(text) == expected


def test_a_new_box_is_covered_as_soon_as_it_is_registered() -> None:
    text = "whoever has a pedlar or a kiosk"
    assert box_words(text) == set()
    with pedlars.registered():
        assert box_words(text) == {"pedlar", "kiosk"}
        assert box_words("MovePedlar") == {"pedlar", "movepedlar"}
