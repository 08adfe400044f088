"""Laws that hold in the whole house; ``docs/testing.md`` lists the harm that each prevents."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from engine.carcassonne import REGISTRY
from tests.engine.box_words import name_pattern

ROOT = Path(__file__).parents[2]
ROOMS = (
    "benchmarks",
    "cogs",
    "computer",
    "engine",
    "host",
    "operations",
    "preview",
    "renderers",
    "store",
    "tournaments",
)
GAME_NAMES = ("carcassonne", "the-castle")

OF_BOXES = (
    "engine/carcassonne/expansions",
    "renderers/carcassonne/boxes",
    "cogs/games/carcassonne/boxes",
    "computer/carcassonne/boxes",
)
"""Packages with a module for each box; the ``__init__`` of each is a registry."""
DOORS = {
    *(f"{room}/__init__.py" for room in OF_BOXES),
    "engine/cli/bench.py",  # the games that are measured
    "renderers/carcassonne/gallery.py",  # sheets of the gallery, which nothing of the bot imports
}
"""Modules that have to name boxes."""
INSIDE_A_BOX = re.compile(r"engine\.carcassonne\.expansions\.\w+\.\w")
ANY = re.compile(r"^(?!.*\bimport\b).*\bAny\b")

WALL_CLOCK = re.compile(r"datetime\.(?:now|today|utcnow)\(|date\.today\(|time\.time(?:_ns)?\(|\butcnow\(")
OF_NO_GAME = {"cogs/interactions/replies.py", "cogs/commands/records.py", "cogs/services/rate_limits.py"}
"""Modules that may read the wall clock, because its time is measured or shown, and never stored."""


def modules() -> Iterator[Path]:
    """All modules but the tests."""
    return (path.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def test_any_says_why_in_the_engine() -> None:
    """Behind it or in the docstring below it; where a type can stand there is one."""
    found = []
    for path in (path for path in modules() if path.parts[0] == "engine"):
        lines = [*(ROOT / path).read_text(encoding="utf-8").splitlines(), ""]
        for number, (line, below) in enumerate(pairwise(lines), 1):
            if ANY.search(line) and "#" not in line and not below.lstrip().startswith('"""'):
                found.append(f"{path}:{number}")
    assert found == []


def test_host_and_store_name_no_game() -> None:
    """They know what is played by :data:`engine.GAMES`; an old migration filled in what there was."""
    found = []
    for path in modules():
        if path.parts[0] in {"host", "store"} and "versions" not in path.parts:
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            found += [f"{path}: {name}" for name in GAME_NAMES if name in ast.unparse(tree).replace("_", "-")]
    assert found == []


def is_open(match: ast.Match) -> bool:
    """Return whether a match has no case for values that no other case names."""
    last = match.cases[-1]
    return last.guard is not None or not isinstance(last.pattern, ast.MatchAs) or last.pattern.pattern is not None


def test_a_match_says_what_becomes_of_all_else() -> None:
    """Or that there is nothing else, by ``assert_never``."""
    found = []
    for path in modules():
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        matches = (node for node in ast.walk(tree) if isinstance(node, ast.Match))
        found += [f"{path}:{match.lineno}" for match in matches if is_open(match)]
    assert found == []


def test_a_match_over_an_enum_names_all_its_members() -> None:
    """So that a new one is thought of: mypy finds where it is missing, unless a wildcard takes it in silence.

    Kinds of features and edges are open in the first game: boxes bring more of them.
    """
    trees = {path: ast.parse((ROOT / path).read_text(encoding="utf-8")) for path in modules()}
    enums = {
        node.name
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base) in {"StrEnum", "IntEnum", "Enum"} for base in node.bases)
    }
    assert len(enums) > 20
    found = []
    for path, tree in trees.items():
        for match in (node for node in ast.walk(tree) if isinstance(node, ast.Match)):
            values = [node.value for node in ast.walk(match) if isinstance(node, ast.MatchValue)]
            named = {ast.unparse(value).rpartition(".")[0] for value in values}
            last = match.cases[-1].pattern
            wild = isinstance(last, ast.MatchAs) and last.name is None
            if named and named <= enums and wild and not isinstance(match.cases[-1].body[-1], ast.Raise):
                found.append(path.as_posix())
    assert {*found} == {"engine/carcassonne/scoring.py", "engine/carcassonne/tiles.py"}


def test_functions_of_the_store_are_plain_functions_of_a_connection() -> None:
    """No class of the store asks the database anything; what is asked is handed the transaction first."""
    asking = 0
    for path in (ROOT / "store").rglob("*.py"):
        if {"connection", "migrations"} & set(path.parts):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found = [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)]
        assert all(node in tree.body for node in found), path
        for node in found:
            first = node.args.args[0].annotation
            assert first is not None, f"{path}:{node.name}"
            assert ast.unparse(first) == "Transaction", f"{path}:{node.name}"
        asking += len(found)
    assert asking > 200


def test_the_host_alone_refuses_in_its_words() -> None:
    """Cogs show what it refuses; what they refuse by themselves is the form of what was asked for."""
    found = []
    for path in (ROOT / "cogs").rglob("*.py"):
        calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
        found += [f"{path}:{call.lineno}" for call in calls if getattr(call.func, "id", "") == "HostError"]
    assert found == []


def test_what_time_it_is_says_the_clock_that_is_handed_in() -> None:
    """A test sets it, a database that several share has its own; how long something took is another matter."""
    found = {
        path.as_posix()
        for path in modules()
        if path.parts[0] in {"cogs", "engine", "host", "store", "tournaments"}
        and WALL_CLOCK.search((ROOT / path).read_text(encoding="utf-8"))
    }
    assert found == {"host/clock.py", *OF_NO_GAME}


def test_what_a_box_brings_is_imported_from_its_package() -> None:
    """Outside the engine nobody looks into its modules, but tests; no list of all boxes' names stands between."""
    found = {
        path.as_posix()
        for path in modules()
        if path.parts[0] != "engine" and INSIDE_A_BOX.search((ROOT / path).read_text(encoding="utf-8"))
    }
    assert found == set()


def test_boxes_are_named_in_the_registries_alone() -> None:
    """A new one edits no other module outside its own packages (``docs/architecture.md``)."""
    spellings = [name_pattern(box) for box in REGISTRY.values()]
    found = set()
    for path in modules():
        name = path.as_posix()
        own = name.startswith((*OF_BOXES, "renderers/carcassonne/questions", "benchmarks")) and name not in DOORS
        text = "" if own else (ROOT / path).read_text(encoding="utf-8")
        if any(spelling.search(text) for spelling in spellings):
            found.add(name)
    assert found == DOORS
