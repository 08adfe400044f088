"""Rules of architecture for the whole source tree; ``docs/testing.md`` lists the harm that each prevents.

General linters do not know these rules. Each test searches the syntax for lines that break one rule, and expects none.
A *box* is an expansion of Carcassonne. The *engine* implements the rules of the games, without Discord and database.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from pkgutil import resolve_name

from engine.carcassonne import REGISTRY
from tests.engine.box_words import name_pattern

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "benchmarks",
    "cogs",
    "computer",
    "engine",
    "gallery",
    "host",
    "operations",
    "preview",
    "renderers",
    "store",
    "tournaments",
)
"""Packages of the source tree, tests left out."""
GAME_NAMES = ("carcassonne", "the-castle")
"""Names of games, which host and store must not contain."""

BOX_PACKAGES = (
    "engine/carcassonne/expansions",
    "renderers/carcassonne/boxes",
    "cogs/games/carcassonne/boxes",
    "computer/carcassonne/boxes",
)
"""Packages with a module for each box; the ``__init__`` of each is a registry."""
ALLOWED_MODULES = {
    *(f"{package}/__init__.py" for package in BOX_PACKAGES),
    "engine/cli/bench.py",  # names the boxes of the games it measures
    "gallery/carcassonne.py",  # draws sheets of all pieces; the bot does not import it
}
"""Modules outside those packages that may name boxes."""
MODULE_OF_A_BOX = re.compile(r"engine\.carcassonne\.expansions\.\w+\.\w")
"""A module inside the package of a box."""
MATCH = re.compile(r"^\s*match\b.*:$", re.MULTILINE)
"""The first line of a `match` statement."""
ENUM = re.compile(r"^\s*class (\w+)\((?:.*\b)?(?:Str|Int)?Enum\):", re.MULTILINE)
"""The first line of an enumeration."""
PATCHED = re.compile(r"""\b(?:setattr|patch)\(\s*["']([a-z]\w*(?:\.\w+)+)["']""")
"""The dotted name that a test replaces by `monkeypatch.setattr` or `patch`."""
ANY = re.compile(r"^(?!.*\bimport\b).*\bAny\b")
"""A line that uses `Any` and is no import."""

WALL_CLOCK = re.compile(r"datetime\.(?:now|today|utcnow)\(|date\.today\(|time\.time(?:_ns)?\(|\butcnow\(")
"""A call that reads the time of day."""
ALLOWED_WALL_CLOCK = {"cogs/interactions/replies.py", "cogs/commands/records.py", "cogs/services/rate_limits.py"}
"""Modules that may read the wall clock, because its time is measured or shown, and never stored."""


def modules() -> Iterator[Path]:
    """Yield all modules except tests."""
    return (path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def test_any_is_explained_in_the_engine() -> None:
    """Require a comment in the line, or a docstring below it."""
    violations = []
    for path in (path for path in modules() if path.parts[0] == "engine"):
        lines = [*(ROOT / path).read_text(encoding="utf-8").splitlines(), ""]
        for number, (line, below) in enumerate(pairwise(lines), 1):
            if ANY.search(line) and "#" not in line and not below.lstrip().startswith('"""'):
                violations.append(f"{path}:{number}")
    assert violations == []


def test_host_and_store_name_no_game() -> None:
    """Require that both find games by :data:`engine.GAMES`; migrations may name those of their time."""
    violations = []
    for path in modules():
        text = (ROOT / path).read_text(encoding="utf-8") if path.parts[0] in {"host", "store"} else ""
        if "versions" not in path.parts and any(name in text.replace("_", "-") for name in GAME_NAMES):
            code = ast.unparse(ast.parse(text)).replace("_", "-")  # without comments
            violations += [f"{path}: {name}" for name in GAME_NAMES if name in code]
    assert violations == []


@cache
def matches() -> list[tuple[Path, ast.Match]]:
    """Return all statements `match`; only modules with such a line are parsed, which is most of the work."""
    statements = []
    for path in modules():
        text = (ROOT / path).read_text(encoding="utf-8")
        if MATCH.search(text):
            statements += [(path, node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Match)]
    return statements


def is_open(match: ast.Match) -> bool:
    """Return whether a match has no case for values that no other case names."""
    last = match.cases[-1]
    return last.guard is not None or not isinstance(last.pattern, ast.MatchAs) or last.pattern.pattern is not None


def test_a_match_handles_every_other_value() -> None:
    """Require a last case that matches everything; ``assert_never`` counts."""
    statements = matches()
    assert len(statements) > 50
    assert [f"{path}:{match.lineno}" for path, match in statements if is_open(match)] == []


def test_a_match_over_an_enum_names_all_its_members() -> None:
    """Forbid wildcards over enumerations, because mypy reports a missing member only without one.

    Kinds of features and of edges are excepted, as boxes add more of them.
    """
    enums = {name for path in modules() for name in ENUM.findall((ROOT / path).read_text(encoding="utf-8"))}
    assert len(enums) > 20
    violations = []
    for path, match in matches():
        values = [node.value for case in match.cases for node in ast.walk(case) if isinstance(node, ast.MatchValue)]
        named = {ast.unparse(value).rpartition(".")[0] for value in values}
        last = match.cases[-1].pattern
        wildcard = isinstance(last, ast.MatchAs) and last.name is None
        if named and named <= enums and wildcard and not isinstance(match.cases[-1].body[-1], ast.Raise):
            violations.append(path.as_posix())
    assert {*violations} == {"engine/carcassonne/scoring.py", "engine/carcassonne/tiles.py"}


def test_queries_of_the_store_are_functions_that_take_a_transaction() -> None:
    """Require module-level functions whose first parameter is a `Transaction`."""
    count = 0
    for path in (ROOT / "store").rglob("*.py"):
        if {"connection", "migrations"} & set(path.parts):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)]
        assert all(node in tree.body for node in functions), path
        for node in functions:
            first = node.args.args[0].annotation
            assert first is not None, f"{path}:{node.name}"
            assert ast.unparse(first) == "Transaction", f"{path}:{node.name}"
        count += len(functions)
    assert count > 200


def test_only_the_host_raises_host_errors() -> None:
    """Forbid `HostError` in cogs, which show refusals and check only the form of requests."""
    violations = []
    for path in (ROOT / "cogs").rglob("*.py"):
        calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
        violations += [f"{path}:{call.lineno}" for call in calls if getattr(call.func, "id", "") == "HostError"]
    assert violations == []


def test_the_time_is_read_from_the_injected_clock() -> None:
    """Forbid the wall clock elsewhere: tests set the clock, and processes share that of their database."""
    violations = {
        path.as_posix()
        for path in modules()
        if path.parts[0] in {"cogs", "engine", "host", "store", "tournaments"}
        and WALL_CLOCK.search((ROOT / path).read_text(encoding="utf-8"))
    }
    assert violations == {"host/clock.py", *ALLOWED_WALL_CLOCK}


def test_boxes_are_imported_by_their_packages() -> None:
    """Forbid imports of a box's inner modules outside the engine and tests."""
    violations = {
        path.as_posix()
        for path in modules()
        if path.parts[0] != "engine" and MODULE_OF_A_BOX.search((ROOT / path).read_text(encoding="utf-8"))
    }
    assert violations == set()


def test_boxes_are_named_in_the_registries_alone() -> None:
    """Forbid names of boxes elsewhere, so that a new box changes no other module (``docs/decisions/``)."""
    spellings = [name_pattern(box) for box in REGISTRY.values()]
    violations = set()
    for path in modules():
        name = path.as_posix()
        own = (
            name.startswith((*BOX_PACKAGES, "renderers/carcassonne/questions", "benchmarks"))
            and name not in ALLOWED_MODULES
        )
        text = "" if own else (ROOT / path).read_text(encoding="utf-8")
        if any(spelling.search(text) for spelling in spellings):
            violations.add(name)
    assert violations == ALLOWED_MODULES


def test_names_patched_by_strings_exist() -> None:
    """Resolve each name, because mypy ignores strings. A wrong name in a long test would fail only in `make soak`."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    names = {name for text in texts for name in PATCHED.findall(text)}
    assert len(names) > 10
    missing = set()
    for name in names:
        try:
            resolve_name(name)
        except (AttributeError, ImportError):
            missing.add(name)
    assert missing == set()
