"""A fork server for mutants: a pytest process that collects all tests once, and forks a child for each trial.

To import the bot and to collect its tests takes longer than most mutants need to be noticed. A child begins with all of
that done, patches the functions that the mutant changes, and runs tests as pytest always does. The file on the disk is
changed as well, for modules that are imported later and for programs that tests start.

This module is the pytest plugin of the server, and :class:`ForkServer` the handle of whoever asks it.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self, TextIO

import pytest

from benchmarks.quick.patching import Calls, LoadedFunctions, apply_patch

REQUESTS: str = "TRIAL_REQUESTS"
"""The environment variable with the descriptor from which the trials are read, a line of JSON for each."""
ANSWERS: str = "TRIAL_ANSWERS"
"""The environment variable with the descriptor to which their results are written."""
NOT_PATCHED = "not patched"
"""The result of a mutant that no patch can bring about."""
OUT_OF_TIME = "time"
"""The result of tests that did not end in time."""
BROKEN = "import"
"""The result of a process that failed outside all tests."""
POLL_SECONDS: float = 0.02
"""Time between two looks whether a child has ended."""
END_SECONDS: float = 60.0
"""Time in which an interrupted child may stop the servers that its tests have started."""


@dataclass(frozen=True)
class Trial:
    """A trial: the file of the mutant, or none, and the tests to run in this order, for so many seconds at most."""

    path: str
    tests: list[str]
    seconds: float

    @property
    def line(self) -> str:
        """The trial as a line of JSON."""
        return json.dumps(asdict(self)) + "\n"


class ForkServer:
    """A process that has collected the tests of a copy of the project, and tries mutants of it in its children."""

    def __init__(self, root: Path, command: Sequence[str], environment: Mapping[str, str]) -> None:
        requests, sending = os.pipe()
        receiving, answers = os.pipe()
        self._output = root / ".collected"
        with self._output.open("w") as output:
            self._process = subprocess.Popen(  # noqa: S603 - our own tests
                command,
                cwd=root,
                env={**environment, REQUESTS: str(requests), ANSWERS: str(answers)},
                stdout=output,
                stderr=output,
                pass_fds=(requests, answers),
            )
        os.close(requests)
        os.close(answers)
        self._requests, self._answers = os.fdopen(sending, "w"), os.fdopen(receiving)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Let the process end, which it does when there is nothing more to try."""
        self._requests.close()
        self._answers.close()
        self._process.wait()

    def run(self, trial: Trial) -> str | None:
        """Run tests until one fails; return its id, or another result of this module, or None."""
        self._requests.write(trial.line)
        self._requests.flush()
        if not (answer := self._answers.readline()):
            raise RuntimeError(self._output.read_text("utf-8"))
        result: str | None = json.loads(answer)
        return result


class TrialLoop:
    """The loop that takes the place of pytest's own, which each child runs instead."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Answer each trial; return None in a child, so that pytest runs its tests."""
        self._calls.end()
        gc.unfreeze()
        functions = LoadedFunctions(session.config.rootpath, self._calls)
        gc.freeze()
        tests = {item.nodeid: item for item in session.items}
        with os.fdopen(int(os.environ[REQUESTS])) as requests, os.fdopen(int(os.environ[ANSWERS]), "w") as answers:
            for line in requests:
                trial = Trial(**json.loads(line))
                path = Path(trial.path)
                patch = functions.patch_to(path, path.read_bytes()) if trial.path else ()
                if trial.path and not patch:
                    _answer(answers, NOT_PATCHED)
                    continue
                items = [tests[test] for test in trial.tests]
                receiving, sending = os.pipe()
                child = os.fork()
                if not child:
                    os.setsid()
                    os.close(receiving)
                    apply_patch(patch)
                    session.items[:] = items
                    session.config.pluginmanager.register(FirstFailure(sending))
                    return None
                os.close(sending)
                with os.fdopen(receiving) as failures:
                    _answer(answers, _result(child, failures, trial.seconds))
        return True


class FirstFailure:
    """A plugin of a child, which writes down the first test that fails."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Name the test that failed."""
        if report.failed:
            os.write(self._descriptor, f"{report.nodeid}\n".encode())


def _answer(answers: TextIO, result: str | None) -> None:
    """Write a result as a line of JSON."""
    answers.write(json.dumps(result) + "\n")
    answers.flush()


def _result(child: int, failures: TextIO, seconds: float) -> str | None:
    """Wait for a child, and return the test that failed in it, or None."""
    status = _wait(child, seconds)
    if status is None:
        for number in (signal.SIGINT, signal.SIGKILL):
            os.killpg(child, number)
            if _wait(child, END_SECONDS) is not None:
                break
        return OUT_OF_TIME
    first = failures.readline().rstrip("\n")
    return first or (None if os.waitstatus_to_exitcode(status) == pytest.ExitCode.OK else BROKEN)


def _wait(child: int, seconds: float) -> int | None:
    """Wait for a child for so long; return its status, or None if it is still running."""
    deadline = time.monotonic() + seconds
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        if time.monotonic() > deadline:
            return None
        time.sleep(POLL_SECONDS)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Note calls from before the first module of the bot is imported."""
    calls = Calls()
    early_config.pluginmanager.register(TrialLoop(calls))
    calls.begin()
