"""The small checks that all others are made of; each yields sentences that begin with the faulty place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]


def length(place: str, value: str | None, low: int, high: int) -> Iterator[str]:
    """A text of `low` to `high` characters, counted the stricter way (UTF-16 units); an absent one has none."""
    size = len((value or "").encode("utf-16-le")) // 2
    if size > high:
        yield f"{place}: {size} characters, at most {high}"
    elif size < low:
        yield f"{place}: {size} characters, at least {low}"


def count(place: str, items: Iterable[object] | None, low: int, high: int) -> Iterator[str]:
    """A list of `low` to `high` items; an absent one has none."""
    size = len(list(items or ()))
    if size > high:
        yield f"{place}: {size} items, at most {high}"
    elif size < low:
        yield f"{place}: {size} items, at least {low}"


def within(place: str, value: float | None, low: int, high: int) -> Iterator[str]:
    """A number from `low` to `high`, or none."""
    if value is not None and not low <= value <= high:
        yield f"{place}: {value} is not within {low} and {high}"


def one_of(place: str, value: object, allowed: Iterable[object]) -> Iterator[str]:
    """A value of a list, or none."""
    choices = list(allowed)
    if value is not None and value not in choices:
        yield f"{place}: {value!r} is none of {choices}"


def unique(place: str, values: Iterable[Hashable]) -> Iterator[str]:
    """No value twice."""
    for value, times in Counter(values).items():
        if times > 1:
            yield f"{place}: {value!r} occurs {times} times"


def absent(place: str, payload: Json, keys: Iterable[str], reason: str) -> Iterator[str]:
    """None of the keys holds anything."""
    for key in keys:
        if payload.get(key):
            yield f"{place}.{key}: not allowed {reason}"
