"""The number of examples of properties for which that of the profile (`tests/conftest.py`) would take too long."""

from __future__ import annotations

from hypothesis import settings

SOAK_EXAMPLES = 2000
"""Examples of the profile of `make soak`."""


def examples(number: int) -> settings:
    """Try this many examples with `make soak`, and half of them otherwise."""
    return settings(max_examples=number if settings().max_examples >= SOAK_EXAMPLES else number // 2)
