"""The core of the engine names no box: what it is called, and what only its rules speak of, stands in its package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.carcassonne.expansions import REGISTRY
from tests.engine import abbey_mayor
from tests.engine.box_words import box_words, naming_a_box, told, words_of

ROOT = Path(engine.__file__).parent
BOXES = ROOT / "carcassonne" / "expansions"
DOORS = {
    "games.py": "the games, of which one is The Castle",
    "carcassonne/expansions/__init__.py": "the registry",
    "cli/bench.py": "the games that are measured",
}
"""The modules in which boxes have to be named."""


def core() -> Iterator[Path]:
    """The modules that every game or every box shares."""
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not path.is_relative_to(BOXES) and not name.startswith("the_castle/") and name not in DOORS:
            yield path


@pytest.mark.parametrize("path", list(core()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_core_module_names_a_box(path: Path) -> None:
    assert naming_a_box(path) == []


@pytest.mark.parametrize("path", list(core()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_core_module_tells_of_a_box(path: Path) -> None:
    """Nor do its words say more than its imports: no bridge as the example of a piece."""
    text = path.read_text(encoding="utf-8")
    assert [(line, prose) for line, prose in told(text) if box_words(prose)] == []


@pytest.mark.parametrize("name", list(DOORS))
def test_the_doors_are_there(name: str) -> None:
    """Every exception exists and is needed."""
    assert naming_a_box(ROOT / name) != []


def folder(box: str) -> str:
    """The package or module of a box."""
    return box.replace("-", "_")


@pytest.mark.parametrize("box", list(REGISTRY))
def test_a_box_imports_those_that_its_rules_name_and_no_other(box: str) -> None:
    """Declared in the registry, never in a circle: a box rests on what stands before it there."""
    place = BOXES / folder(box)
    assert place.is_dir() or place.with_suffix(".py").is_file()
    before = list(REGISTRY)[: list(REGISTRY).index(box)]
    assert set(REGISTRY[box].depends_on) <= set(before)
    for path in place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        asked = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        others = {
            other
            for other in REGISTRY
            if other != box and any(name.startswith(f"engine.carcassonne.expansions.{folder(other)}") for name in asked)
        }
        assert others <= set(REGISTRY[box].depends_on)
        assert "engine.carcassonne.expansions" not in asked, "a box does not ask the registry"


@pytest.mark.parametrize("box", list(REGISTRY))
def test_every_box_has_words_of_its_own(box: str) -> None:
    assert words_of(REGISTRY[box]) != set()


@pytest.mark.parametrize(
    ("text", "found"),
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
def test_words_of_boxes_are_told_from_ordinary_ones(text: str, found: set[str]) -> None:
    assert box_words(text) == found


def test_a_new_box_is_covered_as_soon_as_it_is_registered() -> None:
    said = "whoever has a barn, an abbey, a mayor or a wagon"
    assert box_words(said) == set()
    with abbey_mayor.known():
        assert box_words(said) == {"barn", "abbey", "mayor", "wagon"}
        assert box_words("MoveWagon") == {"wagon", "movewagon"}
