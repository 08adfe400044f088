"""Sealed plans shorten the waiting in a bazaar; by how much, `python -m benchmarks.plans` tells."""

from statistics import median

from benchmarks.plans import measure


def test_with_plans_a_bazaar_waits_a_third_as_long() -> None:
    found = measure(40, 1)
    nobody, some, everybody = (median(found[part]) for part in (0.0, 0.5, 1.0))
    assert everybody <= nobody / 3
    assert everybody < some < nobody
