"""The choice of tests for ``make test-quick``: many lines, each by several tests, in little time."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.quick.reach import Reach
from tests.selection import Selection

NOTICED: float = 0.6
"""Share of the faults of a line that a test which executes few lines notices."""
WIDE: float = 2000.0
"""Lines of a test that notices half as many: who executes a whole game looks at little of it."""
ALWAYS = ("tests/renderers/test_snapshots.py", "tests/test_selection.py")
"""Tests that are always chosen: the one that looks at every part of pictures, and that of the list itself."""
SCENARIOS = "tests/scenarios/"
"""The tests of the rules, which are always chosen, too, unless they are long."""
LONG_SECONDS: float = 10.0
"""Time from which on a scenario is chosen only as the others are."""
FILE_SECONDS: float = 0.03
"""Time in which a test file is imported and its tests are collected."""


def functions(reach: Reach) -> dict[str, list[int]]:
    """Return the tests by function: all parameters of one are chosen together."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for number, test in enumerate(reach.tests):
        found[test.partition("[")[0]].append(number)
    return found


def choose(reach: Reach, seconds: float, wanted: Iterable[str]) -> list[str]:
    """Choose functions of tests within so much time: the wanted ones, then whichever finds most in a second.

    Each test that executes a line finds a share of the faults that the others have left there.
    """
    tests = functions(reach)
    lines = _lines_of(reach, tests)
    shares = {name: NOTICED / (1 + len(found) / WIDE) for name, found in lines.items()}
    cost = {name: sum(reach.seconds[number] for number in numbers) for name, numbers in tests.items()}
    left: defaultdict[int, float] = defaultdict(lambda: 1.0)
    files: set[str] = set()
    chosen: list[str] = []
    spent = 0.0

    def gain(name: str) -> float:
        """Return the faults that a function would find in a second."""
        extra = 0.0 if name.partition("::")[0] in files else FILE_SECONDS
        return shares[name] * sum(left[line] for line in lines[name]) / (cost[name] + extra + 0.001)

    short_scenarios = (name for name in tests if name.startswith(SCENARIOS) and cost[name] < LONG_SECONDS)
    wanted = {*wanted, *short_scenarios, *(name for name in tests if name.startswith(ALWAYS))}
    queue = [(-float("inf") if name in wanted else -gain(name), name) for name in tests]
    heapq.heapify(queue)
    while queue:
        believed, name = heapq.heappop(queue)
        actual = believed if believed == -float("inf") else -gain(name)
        if queue and actual > queue[0][0]:
            heapq.heappush(queue, (actual, name))  # others that were chosen since have found some of it
            continue
        extra = 0.0 if (file := name.partition("::")[0]) in files else FILE_SECONDS
        if actual == 0.0 or spent + cost[name] + extra > seconds:
            continue
        spent += cost[name] + extra
        files.add(file)
        chosen.append(name)
        for line in lines[name]:
            left[line] *= 1 - shares[name]
    return chosen


def _lines_of(reach: Reach, tests: dict[str, list[int]]) -> dict[str, list[int]]:
    """Return for each function of tests the numbers of the lines that it executes."""
    names = {number: name for name, numbers in tests.items() for number in numbers}
    found: dict[str, list[int]] = {name: [] for name in tests}
    every_line = (tests for lines in reach.lines.values() for tests in lines.values())
    for line, executing in enumerate(every_line):
        for name in {names[number] for number in reach.numbers(executing)}:
            found[name].append(line)
    return found


def chosen_tests(reach: Reach, file: Path) -> int:
    """Return the tests of a list as a set."""
    selection = Selection.read(file)
    return sum(1 << number for number, test in enumerate(reach.tests) if test in selection)


def lines_of_list(reach: Reach, chosen: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the list: a file of which everything was chosen by its name alone."""
    chosen = {*chosen}
    everything: defaultdict[str, set[str]] = defaultdict(set)
    for name in functions(reach):
        everything[name.partition("::")[0]].add(name)
    for file, names in sorted(everything.items()):
        yield from [file] if names <= chosen else sorted(names & chosen)
