"""Programs that some tests need and that not every machine has.

A test says ``@pytest.mark.needs(PGBOUNCER)`` and is skipped where that is missing; one that asks for the fixture
``postgresql`` need not say so. One line at the end of a run names what was missing. ``--no-skips`` fails what is
skipped, for a machine on which all of them are installed. ``--no-programs`` refuses to run where one of them is found,
for a run that shows what a bare machine does.
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
    """A program by the name that people know, and the commands by which it may be installed."""

    name: str
    commands: tuple[str, ...]

    @property
    def path(self) -> Path | None:
        """The file of the first of its commands that is installed, or None."""
        found = (shutil.which(command, path=_search_path()) for command in self.commands)
        return next((Path(file) for file in found if file is not None), None)


POSTGRESQL = Program("PostgreSQL", ("initdb",))
PGBOUNCER = Program("PgBouncer", ("pgbouncer",))
CHROMIUM = Program("Chromium", ("chromium", "chromium-browser", "google-chrome"))
CHROMEDRIVER = Program("ChromeDriver", ("chromedriver",))
OPENSSL = Program("OpenSSL", ("openssl",))
OPTIONAL_PROGRAMS = (POSTGRESQL, PGBOUNCER, CHROMIUM, CHROMEDRIVER, OPENSSL)

MISSING_PROGRAM = "missing program"
"""The key under which a report carries what its test needed, from whichever process ran it."""


def _search_path() -> str:
    """Return PATH with the folders that Debian keeps off it: PgBouncer is in ``sbin``, PostgreSQL in one a version.

    They are looked up beside each ``bin`` on PATH and nowhere else, so that a PATH without programs finds none.
    """
    return os.pathsep.join(_folders(os.environ.get("PATH", os.defpath)))


def _folders(path: str) -> Iterator[str]:
    folders = [folder for folder in path.split(os.pathsep) if folder]
    yield from folders
    for parent in dict.fromkeys(Path(folder).parent for folder in folders if Path(folder).name == "bin"):
        yield str(parent / "sbin")
        versions = (parent / "lib/postgresql").glob("[0-9]*/bin")
        yield from map(str, sorted(versions, key=lambda folder: float(folder.parent.name), reverse=True))


@pytest.hookimpl
def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer what `.ci/run` asks for."""
    group = parser.getgroup("programs")
    group.addoption("--no-skips", action="store_true", help="fail whatever is skipped: everything is installed here")
    group.addoption("--no-programs", action="store_true", help="refuse to run where an optional program is found")


@pytest.hookimpl
def pytest_configure(config: pytest.Config) -> None:
    """Describe the marker; with ``--no-programs`` make sure that there are none."""
    config.addinivalue_line("markers", "needs(*programs): is skipped where one of them is missing (tests/programs.py)")
    found = [str(program.path) for program in OPTIONAL_PROGRAMS if program.path is not None]
    if config.getoption("--no-programs") and found:
        raise pytest.UsageError(f"--no-programs, but there are {', '.join(found)}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for the server, before `-m` chooses by marks."""
    for item in items:
        if "postgresql" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.needs(POSTGRESQL))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs what is missing."""
    needed = dict.fromkeys(program for mark in item.iter_markers("needs") for program in mark.args)
    missing = [program.name for program in needed if program.path is None]
    if missing:
        item.user_properties.extend((MISSING_PROGRAM, name) for name in missing)
        pytest.skip(f"not installed: {', '.join(missing)}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With ``--no-skips`` fail what was skipped, for whatever reason.

    Pytest reports an expected failure as skipped, too; that one stays.
    """
    report = yield
    if item.config.getoption("--no-skips") and report.skipped and not hasattr(report, "wasxfail"):
        _, _, reason = report.longrepr if isinstance(report.longrepr, tuple) else (None, None, report.longrepr)
        report.outcome, report.longrepr = "failed", f"{reason} (--no-skips)"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """Name in one line, below pytest's own, what was missing and how many tests needed it."""
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
