"""Where PostgreSQL is not installed the run says so, in one line."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests import databases


@pytest.mark.parametrize("installed", [True, False])
def test_what_was_not_looked_at_is_said(monkeypatch: pytest.MonkeyPatch, installed: bool) -> None:
    lines = list[str]()
    reporter: Any = SimpleNamespace(write_line=lines.append)
    monkeypatch.setattr(databases, "binaries", lambda: "bin" if installed else None)
    databases.pytest_terminal_summary(reporter)
    assert lines == ([] if installed else [databases.MISSING])
    assert "\n" not in databases.MISSING
