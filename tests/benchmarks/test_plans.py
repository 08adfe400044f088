"""Sealed plans shorten a bazaar (an auction of tiles). `python -m benchmarks.plans` measures by how much."""

from pathlib import Path
from statistics import median

import pytest

from benchmarks.plans import measure, medians

PERFORMANCE_DOCUMENT = Path(__file__).parents[2] / "docs" / "performance.md"


def test_plans_of_all_players_shorten_a_bazaar_to_a_third() -> None:
    found = measure(40, 1)
    without_plans, half_planned, all_planned = (median(found[share]) for share in (0.0, 0.5, 1.0))
    assert all_planned <= without_plans / 3
    assert all_planned < half_planned < without_plans


@pytest.mark.soak
def test_the_document_has_the_medians_of_a_season() -> None:
    text = PERFORMANCE_DOCUMENT.read_text(encoding="utf-8")
    for planners, hours in zip(("nobody", "two of four", "everybody"), medians().values(), strict=True):
        assert f"| {planners} | {hours} h |" in text
