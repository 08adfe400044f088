"""The core of the engine names no box: what it is called, and what only its rules speak of, stands in its package."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.carcassonne.expansions import REGISTRY

ROOT = Path(engine.__file__).parent
BOXES = ROOT / "carcassonne" / "expansions"
DOORS = {
    "games.py": "the games, of which one is The Castle",
    "carcassonne/expansions/__init__.py": "the registry",
    "cli/bench.py": "the games that are measured",
}
"""Where boxes have to be named."""
WORDS = {
    *("bridge", "castle", "fief", "town", "bazaar", "auction", "lot", "bid", "bidder", "bcb"),
    *("builder", "pig", "trade", "trader", "goods", "wine", "grain", "cloth"),
    *("fairy", "dragon", "inn", "cathedral", "river", "spring", "lake", "abbey", "mayor", "wagon", "barn"),
}
"""What boxes are about, those that are here and the next ones."""


def core() -> Iterator[Path]:
    """The modules that every game or every box shares."""
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not path.is_relative_to(BOXES) and not name.startswith("the_castle/") and name not in DOORS:
            yield path


def words(text: str) -> set[str]:
    """The words of an identifier or a string, each without the ending of a plural, too."""
    found = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)}
    return found | {word.removesuffix("s") for word in found}


def named(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every identifier, import and string of a module but its docstrings, with its line."""
    prose = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        for statement in node.body
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    }
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield line, node.value
        for field in ("id", "attr", "arg", "name", "asname", "module"):
            if isinstance(value := getattr(node, field, None), str):
                yield line, value


@pytest.mark.parametrize("path", list(core()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_core_module_names_a_box(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [(line, text) for line, text in named(tree) if words(text) & WORDS] == []


def told(text: str) -> Iterator[tuple[int, str]]:
    """Every line of the docstrings and comments of a module, with its number."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield from enumerate(str(node.value.value).splitlines(), node.value.lineno)


@pytest.mark.parametrize("path", list(core()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_core_module_tells_of_a_box(path: Path) -> None:
    """Nor do its words say more than its imports: no bridge as the example of a piece."""
    text = path.read_text(encoding="utf-8")
    assert [(line, prose) for line, prose in told(text) if words(prose) & WORDS] == []


@pytest.mark.parametrize("name", list(DOORS))
def test_the_doors_are_there(name: str) -> None:
    """What is excused exists, and is not excused for nothing."""
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    assert any(words(text) & WORDS for _, text in named(tree))


def folder(box: str) -> str:
    """The package or module of a box."""
    return box.replace("-", "_")


@pytest.mark.parametrize("box", list(REGISTRY))
def test_a_box_imports_those_that_its_rules_name_and_no_other(box: str) -> None:
    """Declared in the registry, never in a circle: a box rests on what stands before it there."""
    place = BOXES / folder(box)
    assert place.is_dir() or place.with_suffix(".py").is_file()
    before = list(REGISTRY)[: list(REGISTRY).index(box)]
    assert set(REGISTRY[box].rests_on) <= set(before)
    for path in place.rglob("*.py") if place.is_dir() else [place.with_suffix(".py")]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        asked = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        others = {
            other
            for other in REGISTRY
            if other != box and any(name.startswith(f"engine.carcassonne.expansions.{folder(other)}") for name in asked)
        }
        assert others <= set(REGISTRY[box].rests_on)
        assert "engine.carcassonne.expansions" not in asked, "a box does not ask the registry"


def test_words_are_told_apart() -> None:
    assert words("BuildBridge") & WORDS == {"bridge"}
    assert words("inner_pilot") & WORDS == set()
    assert words("goods_of") & WORDS == {"goods"}
