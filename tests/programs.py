"""A pytest plugin for optional programs, such as PostgreSQL or Chromium, that some tests need.

A test marked ``@pytest.mark.needs(PGBOUNCER)`` is skipped where PgBouncer is missing; the fixture ``postgresql``
implies the mark. One line at the end of a run names the missing programs. ``--no-skips`` turns every skip into a
failure, for machines on which all programs are installed. ``--no-programs`` refuses to run if one of them is found, to
prove that the remaining tests need none.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Program:
    """A program: its usual name, and the commands by which it may be installed."""

    name: str
    commands: tuple[str, ...]

    @property
    def path(self) -> Path | None:
        """The path of the first of its commands that is installed, or None."""
        found = (shutil.which(command, path=_search_path()) for command in self.commands)
        return next((Path(file) for file in found if file is not None), None)


POSTGRESQL = Program("PostgreSQL", ("initdb",))
PGBOUNCER = Program("PgBouncer", ("pgbouncer",))
CHROMIUM = Program("Chromium", ("chromium", "chromium-browser", "google-chrome"))
CHROMEDRIVER = Program("ChromeDriver", ("chromedriver",))
OPENSSL = Program("OpenSSL", ("openssl",))
OPTIONAL_PROGRAMS = (POSTGRESQL, PGBOUNCER, CHROMIUM, CHROMEDRIVER, OPENSSL)

MISSING_PROGRAM = "missing program"
"""The key of a missing program in a test report. Reports, unlike globals, are sent to the main xdist process."""


def _search_path() -> str:
    """Return PATH with two kinds of folders that Debian leaves out: ``sbin`` (PgBouncer) and PostgreSQL's versions.

    Only folders beside a ``bin`` on PATH are added, so that a PATH without programs still finds none.
    """
    return os.pathsep.join(_folders(os.environ.get("PATH", os.defpath)))


def _folders(path: str) -> Iterator[str]:
    """Yield the folders of a PATH, and `sbin` folders beside its `bin` folders."""
    folders = [folder for folder in path.split(os.pathsep) if folder]
    yield from folders
    for parent in dict.fromkeys(Path(folder).parent for folder in folders if Path(folder).name == "bin"):
        yield str(parent / "sbin")
        versions = (parent / "lib/postgresql").glob("[0-9]*/bin")
        yield from map(str, sorted(versions, key=lambda folder: float(folder.parent.name), reverse=True))


@pytest.hookimpl
def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that `.ci/run` uses."""
    group = parser.getgroup("programs")
    group.addoption("--no-skips", action="store_true", help="fail every skipped test: all programs are installed here")
    group.addoption("--no-programs", action="store_true", help="refuse to run where an optional program is found")


@pytest.hookimpl
def pytest_configure(config: pytest.Config) -> None:
    """Register the marker; with ``--no-programs`` fail if a program is found."""
    config.addinivalue_line("markers", "needs(*programs): is skipped where one of them is missing (tests/programs.py)")
    found = [str(program.path) for program in OPTIONAL_PROGRAMS if program.path is not None]
    if config.getoption("--no-programs") and found:
        raise pytest.UsageError(f"--no-programs, but there are {', '.join(found)}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use the PostgreSQL fixture, before `-m` selects by marks."""
    for item in items:
        if "postgresql" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.needs(POSTGRESQL))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs a missing program."""
    needed = dict.fromkeys(program for mark in item.iter_markers("needs") for program in mark.args)
    missing = [program.name for program in needed if program.path is None]
    if missing:
        item.user_properties.extend((MISSING_PROGRAM, name) for name in missing)
        pytest.skip(f"not installed: {', '.join(missing)}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With ``--no-skips`` report every skip as a failure.

    Expected failures, which pytest reports as skips, too, stay as they are.
    """
    report = yield
    if item.config.getoption("--no-skips") and report.skipped and not hasattr(report, "wasxfail"):
        _, _, reason = report.longrepr if isinstance(report.longrepr, tuple) else (None, None, report.longrepr)
        report.outcome, report.longrepr = "failed", f"{reason} (--no-skips)"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """Print one line with the missing programs and the number of tests that needed each."""
    yield
    reports: list[Any] = [report for reports in terminalreporter.stats.values() for report in reports]
    counts = Counter(
        name
        for report in reports
        if getattr(report, "when", None) == "setup"
        for key, name in report.user_properties
        if key == MISSING_PROGRAM
    )
    if counts:
        named = ", ".join(f"{name} ({count})" for name, count in counts.items())
        terminalreporter.write_line(
            f"Not installed here, so that many tests were skipped: {named}; .ci/run installs all."
        )
