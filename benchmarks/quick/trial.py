"""Trials of mutants: the tests that may notice one are run on a copy of the project, those of the choice first."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock

import pytest

from benchmarks.quick import fork_server, order
from benchmarks.quick.fork_server import BROKEN, NOT_PATCHED, OUT_OF_TIME, ForkServer, Trial
from benchmarks.quick.mutants import Mutant
from benchmarks.quick.reach import Reach
from tests.selection import OPTION

START_SECONDS: float = 120.0
"""Time that a run may take besides its tests, on a busy machine."""
FORK_SECONDS: float = 20.0
"""The same where everything has been imported and collected before."""
SLOWNESS: float = 8.0
"""Times as long as recorded that tests may take; a mutant that takes longer never ends, and is noticed by that."""
_PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider")
FIRST_FILES: int = 4
"""Files of the first run for a mutant: most are noticed there, and collecting all that may notice it takes longer."""


@dataclass(frozen=True)
class Result:
    """The result of a mutant: the test that noticed it, or None; whether it is of the choice; how many were tried."""

    mutant: str
    seed: int
    killer: str | None
    quick: bool
    tests: int
    seconds: float

    @property
    def line(self) -> str:
        """The result as a line of a file."""
        return json.dumps(asdict(self)) + "\n"


def read_results(file: Path) -> list[Result]:
    """Read the results of earlier trials."""
    return [Result(**json.loads(line)) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


class Copy:
    """A copy of the project in which a file is changed while tests run."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = folder.resolve()
        if not folder.exists():
            subprocess.run(["git", "clone", "-q", str(root), str(folder)], check=True)  # noqa: S603, S607
        subprocess.run(["git", "-C", str(folder), "checkout", "-q", "."], check=True)  # noqa: S603, S607
        self.environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        self.fork_server = ForkServer(self.root, [*_PYTEST, "-p", fork_server.__name__], self.environment)

    def run(self, tests: Sequence[str], timeout: float) -> str | None:
        """Run tests until one fails; return its id, a word if none could run or they did not end, or None."""
        listed, failed = self.root / ".tests", self.root / ".failed"
        listed.write_text("\n".join(tests), "utf-8")
        failed.unlink(missing_ok=True)
        process = subprocess.Popen(  # noqa: S603 - our own tests
            [*_PYTEST, "-p", order.__name__, f"{OPTION}={listed}"],
            cwd=self.root,
            env={**self.environment, order.FAILED: str(failed)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            _end(process)
            return OUT_OF_TIME
        if failed.exists():
            return failed.read_text("utf-8")
        if process.returncode == pytest.ExitCode.OK:
            return None
        if process.returncode == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise RuntimeError(output)
        return BROKEN

    def try_mutant(
        self, mutant: Mutant, runs: Iterator[tuple[bool, Sequence[str], float]]
    ) -> tuple[str | None, bool, int]:
        """Run tests on the mutant until one fails; return it, whether it is of the choice, and the number of tests."""
        path = self.root / mutant.path
        source = path.read_bytes()
        count = 0
        try:
            path.write_bytes(mutant.applied(source))
            _forget_compiled(path)
            for quick, tests, seconds in runs:
                count += len(tests)
                killer: str | None = NOT_PATCHED
                if not mutant.at_import:
                    killer = self.fork_server.run(Trial(str(path), [*tests], FORK_SECONDS + SLOWNESS * seconds))
                if killer == NOT_PATCHED:
                    killer = self.run(tests, START_SECONDS + SLOWNESS * seconds)
                if killer is not None:
                    return killer, quick, count
        finally:
            path.write_bytes(source)
            _forget_compiled(path)
        return None, False, count


def _forget_compiled(path: Path) -> None:
    """Remove what Python has compiled of a file: it looks at whole seconds and the size alone to see a change."""
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def _end(process: subprocess.Popen[str]) -> None:
    """Interrupt pytest, so that it stops servers which it has started; kill it if it does not end."""
    for signal_number in (signal.SIGINT, signal.SIGKILL):
        os.killpg(process.pid, signal_number)
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            continue
        return


def runs(mutant: Mutant, reach: Reach, choice: int, most: float) -> Iterator[tuple[bool, Sequence[str], float]]:
    """Yield the tests that may notice a mutant, run by run: those of the choice, then all others.

    Where a line is executed once in each process at most, it may work out a value that is kept: then whoever executes
    something else in its file is tried as well. A fault at import can be noticed by any test of the file, and one in a
    file of which nothing is recorded, such as a migration, by any test at all. Of the choice, and of others, only so
    many recorded seconds are tried, the cheapest tests first; what nobody notices would else take ten minutes.
    """
    in_file = reach.of_file(mutant.path) or (1 << len(reach.tests)) - 1
    covering = in_file if mutant.at_import else reach.of_lines(mutant.path, mutant.first_line, mutant.last_line)
    further = in_file & ~covering if covering.bit_count() <= reach.processes else 0
    for quick, among in ((True, choice), (False, ~choice)):
        for tests in (covering & among, further & among):
            for files in _parts(_by_file(reach, tests, most)):
                numbers = [number for tests_of_file in files for number in tests_of_file]
                yield quick, [reach.tests[number] for number in numbers], sum(map(reach.seconds.__getitem__, numbers))


def _by_file(reach: Reach, tests: int, most: float) -> list[list[int]]:
    """Return tests by file, the cheapest first, up to so many seconds."""
    files: dict[str, list[int]] = {}
    spent = 0.0
    for number in sorted(reach.numbers(tests), key=reach.seconds.__getitem__):
        spent += reach.seconds[number]
        if spent <= most:
            files.setdefault(reach.tests[number].partition("::")[0], []).append(number)
    return sorted(
        files.values(), key=lambda numbers: sum(map(reach.seconds.__getitem__, numbers)) / len(numbers) ** 1.5
    )


def _parts(files: list[list[int]]) -> Iterator[list[list[int]]]:
    """Yield a few files, then all others."""
    yield from filter(None, (files[:FIRST_FILES], files[FIRST_FILES:]))


def try_all(
    mutants: Sequence[Mutant], seed: int, reach: Reach, choice: int, most: float, copies: Sequence[Copy]
) -> Iterator[Result]:
    """Yield the result of each mutant as soon as it is there; each copy is used by a thread of its own."""
    waiting = iter(mutants)
    lock = Lock()

    def work(copy: Copy, results: SimpleQueue[Result | None]) -> None:
        """Try mutants one after another, until there is none left."""
        try:
            while True:
                with lock:
                    mutant = next(waiting, None)
                if mutant is None:
                    return
                start = time.monotonic()
                killer, quick, count = copy.try_mutant(mutant, runs(mutant, reach, choice, most))
                results.put(Result(mutant.name, seed, killer, quick, count, round(time.monotonic() - start, 1)))
        finally:
            results.put(None)

    results: SimpleQueue[Result | None] = SimpleQueue()
    with ThreadPoolExecutor(len(copies)) as pool:
        futures = [pool.submit(work, copy, results) for copy in copies]
        ended = 0
        while ended < len(copies):
            if (result := results.get()) is None:
                ended += 1
            else:
                yield result
        for future in futures:
            future.result()
