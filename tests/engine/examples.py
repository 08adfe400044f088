"""The number of examples for slow properties, smaller than that of the profile in `tests/conftest.py`."""

from __future__ import annotations

from hypothesis import settings

SOAK_EXAMPLES = 2000
"""The number of examples in the profile of `make soak`."""


def examples(number: int) -> settings:
    """Set the number of examples to this one with `make soak`, and to a third of it otherwise."""
    return settings(max_examples=number if settings().max_examples >= SOAK_EXAMPLES else number // 3)
