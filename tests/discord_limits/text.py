"""Basic checks from which the validators are built.

Each yields a sentence for each violation, beginning with ``place``, the location in the payload.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]


def check_length(place: str, value: str | None, low: int, high: int) -> Iterator[str]:
    """Check that a text has `low` to `high` characters; a missing text has none.

    Discord does not document how it counts: UTF-16 code units, the stricter way, are safe.
    """
    size = len((value or "").encode("utf-16-le")) // 2
    if size > high:
        yield f"{place}: {size} characters, at most {high}"
    elif size < low:
        yield f"{place}: {size} characters, at least {low}"


def check_count(place: str, items: Iterable[object] | None, low: int, high: int) -> Iterator[str]:
    """Check that a list has `low` to `high` items; a missing list has none."""
    size = len(list(items or ()))
    if size > high:
        yield f"{place}: {size} items, at most {high}"
    elif size < low:
        yield f"{place}: {size} items, at least {low}"


def check_range(place: str, value: float | None, low: int, high: int) -> Iterator[str]:
    """Check that a number, if there is one, lies between `low` and `high`."""
    if value is not None and not low <= value <= high:
        yield f"{place}: {value} is not within {low} and {high}"


def check_one_of(place: str, value: object, allowed: Iterable[object]) -> Iterator[str]:
    """Check that a value, if there is one, is an allowed one."""
    choices = list(allowed)
    if value is not None and value not in choices:
        yield f"{place}: {value!r} is none of {choices}"


def check_unique(place: str, values: Iterable[Hashable]) -> Iterator[str]:
    """Check that no value occurs twice."""
    for value, times in Counter(values).items():
        if times > 1:
            yield f"{place}: {value!r} occurs {times} times"


def check_absent(place: str, payload: Json, keys: Iterable[str], reason: str) -> Iterator[str]:
    """Check that none of these keys has a value."""
    for key in keys:
        if payload.get(key):
            yield f"{place}.{key}: not allowed {reason}"
