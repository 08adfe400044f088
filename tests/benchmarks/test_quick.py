"""Tests of the mutants by which the tests of ``make test-quick`` are chosen and judged."""

from __future__ import annotations

import ast
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.quick import fork_server
from benchmarks.quick.choice import choose, lines_of_list
from benchmarks.quick.fork_server import NOT_PATCHED, OUT_OF_TIME, ForkServer, Trial
from benchmarks.quick.mutants import draw, mutants
from benchmarks.quick.patching import Calls, LoadedFunctions, apply_patch, place
from benchmarks.quick.reach import Reach
from benchmarks.quick.trial import runs

ROOT = Path(__file__).parents[2]


def changed_lines(text: str) -> set[str]:
    """Return the first changed line of each mutant of a text."""
    lines = text.splitlines()
    found = set()
    for mutant in mutants("module.py", text.encode()):
        changed = mutant.applied(text.encode()).decode().splitlines()
        found.add(next(new.strip() for old, new in zip(lines, changed, strict=False) if old != new))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b < 3", {"a = (b <= 3)", "a = b < 4"}),
        ("a = b and not c", {"a = (b or not c)", "a = b and (c)"}),
        ("a = True", {"a = False"}),
        ("a = b + c", {"a = (b - c)"}),
        ("a += b", {"a -= b", "pass"}),
        ("def f():\n    return a", {"return None"}),
        ("def f():\n    return None", set()),
        ("a.b = c", {"pass"}),
        ("a = b", set()),
        ("f()", {"pass"}),
        ("if a:\n    f()", {"if (not (a)):", "pass"}),
        ("def f(a: Literal[1] = 2): ...", {"def f(a: Literal[1] = 3): ..."}),
        ("if TYPE_CHECKING:\n    f(1)", set()),
        ('a = "é", 1', {'a = "é", 2'}),
    ],
)
def test_the_faults_of_a_statement(text: str, expected: set[str]) -> None:
    assert changed_lines(text) == expected


def test_drawn_mutants_are_other_programs_and_the_same_each_time() -> None:
    drawn = draw(ROOT, 5, 60)
    assert len({mutant.name for mutant in drawn}) == 60
    assert drawn == draw(ROOT, 5, 60)
    assert len({*drawn} & {*draw(ROOT, 6, 60)}) < 5  # other ones, except by chance
    for mutant in drawn:
        source = (ROOT / mutant.path).read_bytes()
        assert ast.dump(ast.parse(mutant.applied(source))) != ast.dump(ast.parse(source))


MODULE = """\
from functools import cache

def double(number):
    return number * 2

class Pair:
    @property
    def sum(self):
        return sum(part for part in (1, 2))

    @cache
    def product(self):
        return 1 * 2

def table():
    return 4

TABLE = table()
LAMBDAS = (lambda number: number - 1, lambda text: text + "1")
"""
"""A module of which one function is called when it is imported."""


@pytest.fixture
def loaded(tmp_path: Path) -> tuple[ModuleType, Path, LoadedFunctions]:
    """Import that module, and list its functions."""
    path = tmp_path / "module.py"
    path.write_text(MODULE, "utf-8")
    spec = spec_from_file_location("module", path)
    assert spec is not None
    assert spec.loader is not None
    module, calls = module_from_spec(spec), Calls()
    calls.begin()
    spec.loader.exec_module(module)
    calls.end()
    return module, path, LoadedFunctions(tmp_path, calls)


def test_functions_are_patched_to_those_of_a_mutant(loaded: tuple[ModuleType, Path, LoadedFunctions]) -> None:
    module, path, functions = loaded
    texts = {
        "return number * 2": ("number //= 2\n    return number", lambda: module.double(4), 2),
        "(1, 2)": ("(1, 3)", lambda: module.Pair().sum, 4),
        "number - 1": ("number", lambda: module.LAMBDAS[0](3), 3),
        'text + "1"': ("text", lambda: module.LAMBDAS[1]("3"), "3"),
        "1 * 2": ("5", lambda: module.Pair().product(), 5),
    }
    for old, (new, result, expected) in texts.items():
        patch = functions.patch_to(path, MODULE.replace(old, new).encode())
        assert len(patch) == 1
        assert result() != expected
        apply_patch(patch)
        assert result() == expected


def test_lambdas_of_one_line_are_told_apart(loaded: tuple[ModuleType, Path, LoadedFunctions]) -> None:
    """Regression: two of them were taken for each other, so that a module differed from itself."""
    module, _, _ = loaded
    first, second = (place(function.__code__) for function in module.LAMBDAS)
    assert first < second


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("return 4", "return 5"),
        ("TABLE = table()", "TABLE = 3"),
        ("def double(number)", "def double(number=2)"),
    ],
    ids=["no change", "called at import", "at import", "a default"],
)
def test_what_runs_at_import_is_not_patched(
    loaded: tuple[ModuleType, Path, LoadedFunctions], old: str, new: str
) -> None:
    _, path, functions = loaded
    assert functions.patch_to(path, MODULE.replace(old, new).encode()) == []


LOOP = "while True: number += 1\n    return number"
"""A mutant's body that never ends."""


def test_mutants_are_tried_in_children_of_a_process_that_has_collected_the_tests(tmp_path: Path) -> None:
    path, tests = tmp_path / "module.py", "test_module.py"
    path.write_text(MODULE, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    (tmp_path / tests).write_text(
        "import module\ndef test_other(): assert module.TABLE == 4\ndef test_double(): assert module.double(4) == 8\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", fork_server.__name__]
    paths = os.pathsep.join((str(ROOT), str(tmp_path)))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTEST_ADDOPTS": ""}  # our own options are unknown there
    with ForkServer(tmp_path, command, environment) as server:

        def result(old: str, new: str, seconds: float = 60.0) -> str | None:
            """Return the result of the tests with a mutant in the file."""
            path.write_text(MODULE.replace(old, new), "utf-8")
            return server.run(Trial(str(path), [f"{tests}::test_other", f"{tests}::test_double"], seconds))

        assert server.run(Trial("", [f"{tests}::test_double"], 60.0)) is None
        assert result("number * 2", "number * 3") == f"{tests}::test_double"
        assert result("1 * 2", "1 * 3") is None
        assert result("return 4", "return 5") == NOT_PATCHED
        assert result("return number * 2", LOOP, 1.0) == OUT_OF_TIME
        assert result("number * 2", "number + number") is None, "each begins with what is in the files"


REACH = Reach(
    tests=["a.py::test_wide[1]", "a.py::test_wide[2]", "a.py::test_slow", "b.py::test_narrow"],
    seconds=[0.5, 0.5, 9.0, 0.1],
    lines={"module.py": {1: 0b0011, 2: 0b0110, 3: 0b0100}, "other.py": {1: 0b1000}},
)
"""Four tests and the lines that they execute: the first two of them are one function."""


def test_tests_are_chosen_that_execute_most_lines_in_a_second() -> None:
    assert choose(REACH, 2.0, []) == ["b.py::test_narrow", "a.py::test_wide"]
    assert choose(REACH, 10.0, ["a.py::test_slow"]) == ["a.py::test_slow", "b.py::test_narrow"]
    assert [*lines_of_list(REACH, ["b.py::test_narrow", "a.py::test_wide"])] == ["a.py::test_wide", "b.py"]


def tried(line: int, choice: int) -> list[tuple[bool, list[str]]]:
    """Return the tests that are tried on a mutant of a line, run by run, each with whether it is of the choice."""
    text = b"def f():\n    return 1\n    g()\n"
    mutant = next(mutant for mutant in mutants("module.py", text) if mutant.first_line == line)
    return [(quick, list(tests)) for quick, tests, _ in runs(mutant, REACH, choice=choice, most=10.0)]


def test_the_choice_is_tried_first_and_then_whoever_executes_the_line() -> None:
    assert tried(2, 0b0010) == [(True, ["a.py::test_wide[2]"]), (False, ["a.py::test_slow"])]
    assert tried(2, 0b0001) == [(False, ["a.py::test_wide[2]", "a.py::test_slow"])]


def test_where_a_value_may_be_kept_whoever_executes_the_file_is_tried_as_well() -> None:
    assert tried(3, 0b0001) == [
        (True, ["a.py::test_wide[1]"]),
        (False, ["a.py::test_slow"]),
        (False, ["a.py::test_wide[2]"]),
    ]
