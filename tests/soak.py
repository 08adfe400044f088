"""Test parameters: each run tries the first few, and `make soak` also the others.

`make soak` is the long run of the tests; a parameter with the mark `soak` is left out elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first(count: int, values: Iterable[Any]) -> list[Any]:
    """Return the first of these values as they are, and the others for `make soak` alone."""
    return [
        value if number < count else pytest.param(value, marks=pytest.mark.soak) for number, value in enumerate(values)
    ]
