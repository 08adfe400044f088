"""Sealed plans shorten the waiting in a bazaar; by how much, `python -m benchmarks.plans` tells."""

from pathlib import Path
from statistics import median

import pytest

from benchmarks.plans import measure, medians

PERFORMANCE = Path(__file__).parents[2] / "docs" / "performance.md"


def test_with_plans_a_bazaar_waits_a_third_as_long() -> None:
    found = measure(40, 1)
    nobody, some, everybody = (median(found[part]) for part in (0.0, 0.5, 1.0))
    assert everybody <= nobody / 3
    assert everybody < some < nobody


@pytest.mark.soak
def test_the_document_says_what_a_season_prints() -> None:
    text = PERFORMANCE.read_text(encoding="utf-8")
    for who, hours in zip(("nobody", "two of four", "everybody"), medians().values(), strict=True):
        assert f"| {who} | {hours} h |" in text
