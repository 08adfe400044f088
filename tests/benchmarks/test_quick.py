"""Tests of the mutants by which the tests of ``make test-quick`` are chosen and judged."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.quick.choice import choose, lines_of_list
from benchmarks.quick.mutants import draw, mutants
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


def test_the_choice_is_tried_first_and_then_whoever_executes_the_line() -> None:
    text = b"def f():\n    return 1\n    g()\n"
    mutant = next(mutant for mutant in mutants("module.py", text) if mutant.first_line == 2)
    tried = [(quick, list(tests)) for quick, tests, _ in runs(mutant, REACH, choice=0b0001, most=10.0)]
    assert tried == [(True, ["a.py::test_wide[1]"]), (False, ["a.py::test_wide", "a.py::test_slow"])]
