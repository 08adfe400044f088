"""What holds in all rooms: a type has a name of its own, what is written is short, a room is taken in at a glance."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("benchmarks", "cogs", "engine", "host", "operations", "preview", "renderers", "store", "tournaments")
GAMES = ("carcassonne", "the_castle")
GAME_NAMES = ("carcassonne", "the-castle")
CAMEL_CASE = re.compile(r"[A-Z][a-z]\w*")
VARIABLES = ("TypeVar", "ParamSpec")
"""How what makes no type begins, though it is called like one."""
LONGEST = 350
"""Lines of a module."""
LARGEST = 20
"""Modules of a room."""
MIDDLE, NEARLY_ALL = 6, 16
"""Lines of a function: the median, and what nine in ten do not exceed."""

LAST_TWO = re.compile(r"inns_cathedrals|inns-cathedrals|INNS_CATHEDRALS|has_inn|has_cathedral|\b(?:river|RIVER)\b")
REGISTRIES = {
    "engine/carcassonne/expansions/__init__.py",
    "renderers/carcassonne/boxes/__init__.py",
    "cogs/games/carcassonne/boxes/__init__.py",
}
INSIDE_A_BOX = re.compile(r"engine\.carcassonne\.expansions\.\w+\.\w")
ANY = re.compile(r"^(?!.*\bimport\b).*\bAny\b")

WALL_CLOCK = re.compile(r"datetime\.(?:now|today|utcnow)\(|date\.today\(|time\.time(?:_ns)?\(|\butcnow\(")
OF_NO_GAME = {"cogs/click/replies.py", "cogs/commands/records.py", "cogs/desk/haste.py", "cogs/desk/throttle.py"}
"""What is measured, when somebody may press again who has pressed very much, a record that is shown: never stored."""


def modules() -> Iterator[Path]:
    """All modules but the tests."""
    return (path.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def concept(path: Path) -> tuple[str, str]:
    """The floor of a module, and of which game it is: each game may have its own of what both games have."""
    return path.parts[0], next((game for game in GAMES if game in path.parts), "")


def types(path: Path) -> Iterator[str]:
    """What a module calls its classes, and what it calls types that have none."""
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name):
                yield name
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), value=ast.expr() as value):
                if CAMEL_CASE.fullmatch(name) and not ast.unparse(value).startswith(VARIABLES):
                    yield name
            case _:
                pass


def test_a_type_has_a_name_of_its_own() -> None:
    named: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for path in modules():
        for name in types(path):
            named[name].append(concept(path))
    found = {name: places for name, places in named.items() if len(places) > 1}
    assert {
        name: places
        for name, places in found.items()
        if len({floor for floor, _ in places}) > 1 or len(set(places)) < len(places)
    } == {}


def test_modules_are_short() -> None:
    lengths = {path.as_posix(): len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in modules()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_functions_are_short() -> None:
    """From ``def`` to the last line, with the docstring; tests are not counted, which tell a story each."""
    trees = (ast.parse((ROOT / path).read_text(encoding="utf-8")) for path in modules())
    found = (node for tree in trees for node in ast.walk(tree))
    functions = [node for node in found if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    lengths = sorted((node.end_lineno or 0) - node.lineno + 1 for node in functions)
    assert len(lengths) > 1000
    assert lengths[len(lengths) // 2] <= MIDDLE
    assert lengths[len(lengths) * 9 // 10] <= NEARLY_ALL


def test_any_says_why_in_the_engine() -> None:
    """Behind it or in the docstring below it; where a type can stand there is one."""
    found = []
    for path in (path for path in modules() if path.parts[0] == "engine"):
        lines = [*(ROOT / path).read_text(encoding="utf-8").splitlines(), ""]
        for number, (line, below) in enumerate(pairwise(lines), 1):
            if ANY.search(line) and "#" not in line and not below.lstrip().startswith('"""'):
                found.append(f"{path}:{number}")
    assert found == []


def test_a_room_is_taken_in_at_a_glance() -> None:
    rooms: dict[str, int] = defaultdict(int)
    for path in modules():
        if path.name != "__init__.py" and "versions" not in path.parts:
            rooms[path.parent.as_posix()] += 1
    assert {room: count for room, count in rooms.items() if count > LARGEST} == {}


def test_host_and_store_name_no_game() -> None:
    """They know what is played by :data:`engine.GAMES`; an old migration filled in what there was."""
    found = []
    for path in modules():
        if path.parts[0] in {"host", "store"} and "versions" not in path.parts:
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            found += [f"{path}: {name}" for name in GAME_NAMES if name in ast.unparse(tree).replace("_", "-")]
    assert found == []


def is_open(match: ast.Match) -> bool:
    """Whether it says nothing of what no case names."""
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


def test_a_box_of_the_engine_is_one_module_as_long_as_that_is_short() -> None:
    lengths: dict[str, list[int]] = defaultdict(list)
    for path in (ROOT / "engine" / "carcassonne" / "expansions").glob("*/*.py"):
        lengths[path.parent.name].append(len(path.read_text(encoding="utf-8").splitlines()))
    assert len(lengths) > 1
    assert {name: found for name, found in lengths.items() if len(found) > 1 and sum(found) <= LONGEST} == {}


def test_the_last_two_boxes_stand_in_the_registries_alone() -> None:
    """As the closing list of ``docs/architecture.md`` says."""
    found = {
        path.as_posix()
        for path in modules()
        if path.parts[0] != "benchmarks"
        and not any(part.removesuffix(".py") in {"inns_cathedrals", "river"} for part in path.parts)
        and LAST_TWO.search((ROOT / path).read_text(encoding="utf-8"))
    }
    assert found == REGISTRIES
