"""Fixtures of the whole games."""

import pytest

from tests.e2e.pictures import draw_nothing


@pytest.fixture
def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is one pixel."""
    draw_nothing(monkeypatch)
