"""Fixtures of the whole games."""

import pytest

from tests.e2e.pictures import draw_nothing, draw_seldom


@pytest.fixture
def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is one pixel."""
    draw_nothing(monkeypatch)


@pytest.fixture
def seldom_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One picture in six is drawn, of each kind the first; the others are one pixel."""
    draw_seldom(monkeypatch, every=6)
