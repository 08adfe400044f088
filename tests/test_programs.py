"""Tests of the plugin ``tests.programs``: it skips tests whose program is missing, and names the program in one line.

Each test runs pytest in a subprocess, on a small suite and with a PATH of its own; with and without xdist workers.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import OPTIONAL_PROGRAMS, PGBOUNCER, POSTGRESQL

ROOT = Path(__file__).parents[1]
SUITE = """
import pytest
from tests.programs import PGBOUNCER, POSTGRESQL

@pytest.fixture
def postgresql():
    return POSTGRESQL.path

def test_of_nothing():
    pass

@pytest.mark.parametrize("number", range(3))
def test_with_the_server(postgresql, number):
    assert postgresql.name == "initdb"

@pytest.mark.needs(POSTGRESQL, PGBOUNCER)
def test_with_both():
    assert PGBOUNCER.path.name == "pgbouncer"
"""
"""A suite of which some tests need PgBouncer or PostgreSQL."""
SUITE_WITH_OTHER_SKIP = """
def test_of_another_machine():
    pytest.skip("another machine")
"""
"""A suite that skips a test for another reason."""
MINIMAL_ENVIRONMENT = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Environment that loads no other plugins, which would take a second in each subprocess."""
SUMMARY_LINE = r"^Not installed here.*$"
"""The line that names missing programs."""

pytestmark = (
    pytest.mark.needs()
)  # selected by ``-m needs``, too: CI runs these tests also where no program is installed


def run(folder: Path, *options: str, suite: str = SUITE, path: str = "") -> tuple[int, str]:
    """Run a suite in a new pytest process with this PATH; return its exit code and its output."""
    (folder / "test_suite.py").write_text(suite)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p xdist -p tests.programs\n")
    command = [sys.executable, "-m", "pytest", "-c", str(folder / "pytest.ini"), "--rootdir", str(folder), str(folder)]
    done = subprocess.run(  # noqa: S603 - this very program
        [*command, *options],
        cwd=ROOT,
        env=MINIMAL_ENVIRONMENT | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def install(folder: Path, *commands: str) -> str:
    """Create executables that do nothing in a folder; return the folder as a PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    for command in commands:
        (folder / command).write_text("#!/bin/sh\n")
        (folder / command).chmod(0o755)
    return str(folder)


@pytest.mark.parametrize("processes", ["0", "2"])
def test_missing_programs_are_skipped_and_named_in_one_line(tmp_path: Path, processes: str) -> None:
    code, printed = run(tmp_path, "-n", processes)
    assert code == 0, printed
    *_, line, counts = printed.splitlines()
    assert re.match(SUMMARY_LINE, line)
    assert "PostgreSQL (4), PgBouncer (1);" in line
    assert "1 passed, 4 skipped" in counts
    assert len(re.findall(SUMMARY_LINE, printed, re.MULTILINE)) == 1


def test_no_line_is_printed_if_all_programs_are_installed(tmp_path: Path) -> None:
    code, printed = run(tmp_path, path=install(tmp_path / "bin", "initdb", "pgbouncer"))
    assert code == 0, printed
    assert "5 passed" in printed
    assert not re.findall(SUMMARY_LINE, printed, re.MULTILINE)


@pytest.mark.parametrize("processes", ["0", "2"])
def test_no_skips_turns_every_skip_into_a_failure(tmp_path: Path, processes: str) -> None:
    path = install(tmp_path / "bin", "initdb")
    code, printed = run(tmp_path, "--no-skips", "-n", processes, suite=SUITE + SUITE_WITH_OTHER_SKIP, path=path)
    assert code == 1, printed
    assert "1 failed, 4 passed, 1 error" in printed
    assert "not installed: PgBouncer" in printed
    assert "another machine" in printed


def test_an_expected_failure_is_not_a_skip(tmp_path: Path) -> None:
    suite = "import pytest\n@pytest.mark.xfail\ndef test_wrong():\n    raise AssertionError\n"
    code, printed = run(tmp_path, "--no-skips", suite=suite)
    assert (code, "1 xfailed" in printed) == (0, True), printed


def test_no_programs_fails_if_a_program_is_found(tmp_path: Path) -> None:
    assert run(tmp_path, "--no-programs")[0] == 0
    code, printed = run(tmp_path, "--no-programs", path=install(tmp_path / "bin", "initdb"))
    assert code == pytest.ExitCode.USAGE_ERROR
    assert str(tmp_path / "bin/initdb") in printed


def test_the_marker_selects_tests_that_need_a_program(tmp_path: Path) -> None:
    _, printed = run(tmp_path, "-m", "needs")
    assert "4 skipped, 1 deselected" in printed


@pytest.mark.parametrize("path", ["", "/usr", "/nowhere/bin:/nowhere"])
def test_a_path_without_programs_finds_none(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """Folders such as ``/usr/sbin`` are searched only beside a ``bin`` on PATH."""
    monkeypatch.setenv("PATH", path)
    assert not [program.name for program in OPTIONAL_PROGRAMS if program.path is not None]


def test_programs_are_found_in_the_folders_of_debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Find the newest of several versions of PostgreSQL, by number and not by name."""
    monkeypatch.setenv("PATH", install(tmp_path / "bin"))
    bouncer = Path(install(tmp_path / "sbin", "pgbouncer"), "pgbouncer")
    servers = [Path(install(tmp_path / f"lib/postgresql/{version}/bin", "initdb")) for version in ("9.6", "15", "17")]
    assert (PGBOUNCER.path, POSTGRESQL.path) == (bouncer, servers[-1] / "initdb")


def test_a_program_on_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "lib/postgresql/17/bin", "initdb")
    monkeypatch.setenv("PATH", install(tmp_path / "bin", "initdb"))
    assert POSTGRESQL.path == tmp_path / "bin/initdb"


def test_ci_installs_every_optional_program() -> None:
    """A program that the CI script lacks would silently skip its tests there."""
    script = (ROOT / ".ci/run").read_text()
    assert not [program.name for program in OPTIONAL_PROGRAMS if f"have {program.commands[0]} " not in script]
