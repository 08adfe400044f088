"""The reach of tests: which of them execute a line, and how long each takes."""

from __future__ import annotations

import ast
import base64
import json
import os
import re
import subprocess
import sys
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quick import blocks
from benchmarks.quick.mutants import lines_of, sources

SITE: Path = Path(__file__).with_name("site")
"""The folder of a module that Python imports at its start."""


@dataclass
class Reach:
    """Tests by number; a set of tests is an integer with a bit for each."""

    tests: list[str]
    seconds: list[float]
    lines: dict[str, dict[int, int]]
    """For each file and line the tests that execute it."""
    processes: int = 1
    """The number of processes that ran the tests."""

    def numbers(self, tests: int) -> list[int]:
        """Return the numbers of a set of tests."""
        return [number for number, bit in enumerate(reversed(f"{tests:b}")) if bit == "1"]

    def of_lines(self, path: str, first: int, last: int) -> int:
        """Return the tests that execute any of these lines."""
        lines = self.lines.get(path, {})
        return _union(lines.get(line, 0) for line in range(first, last + 1))

    def of_file(self, path: str) -> int:
        """Return the tests that execute anything in a file."""
        return _union(self.lines.get(path, {}).values())


def _union(sets: Iterable[int]) -> int:
    """Return the union of sets of tests."""
    union = 0
    for tests in sets:
        union |= tests
    return union


def record(root: Path, folder: Path, options: Sequence[str]) -> None:
    """Run the suite, or what the options of pytest leave of it, and keep in the folder what each test reached."""
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / "index.json"
    blocks.write_index(index, sources(root))
    environment = {
        **os.environ,
        blocks.INDEX: str(index),
        blocks.FOLDER: str(folder),
        "PYTHONPATH": os.pathsep.join((str(SITE), str(root))),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "benchmarks.quick.recording", *options]
    subprocess.run(command, cwd=root, env=environment, check=False)  # noqa: S603 - our own tests


def collect(root: Path, folder: Path) -> Reach:
    """Put together what all processes have recorded."""
    tests, seconds, executed = [], [], []
    files = sorted(folder.glob("recorded-*.jsonl"))
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            test, duration, packed = json.loads(line)
            tests.append(test)
            seconds.append(duration)
            executed.append(zlib.decompress(base64.b85decode(packed)))
    by_block: defaultdict[int, int] = defaultdict(int)
    for number, marks in enumerate(executed):
        for found in re.finditer(b"\x01", marks):
            by_block[found.start()] |= 1 << number
    firsts = blocks.read_index(folder / "index.json").firsts
    lines = {
        Path(path).relative_to(root).as_posix(): dict(_lines(Path(path), firsts[path], by_block)) for path in firsts
    }
    return Reach(tests, seconds, lines, len(files))


def _lines(path: Path, first: int, by_block: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Yield each line of the functions of a file with the tests that execute its block."""
    for number, block in enumerate(blocks.blocks(ast.parse(path.read_bytes())), first):
        for statement in block:
            start, end = lines_of(statement)
            yield from ((line, by_block.get(number, 0)) for line in range(start, end + 1))
