"""A pytest plugin for trials: it runs tests in the order of the list, and writes down the first that fails."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

FAILED: str = "FAILED_TEST_FILE"
"""The environment variable with the file that names the failed test."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    """Sort the tests as they are listed."""
    yield
    listed = config.getoption("tests_from").read_text("utf-8").splitlines()
    positions = {test: position for position, test in enumerate(listed)}
    last = len(positions)
    items.sort(key=lambda item: positions.get(item.nodeid, last))


@pytest.hookimpl
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Name the test that failed."""
    if report.failed:
        Path(os.environ[FAILED]).write_text(report.nodeid, "utf-8")
