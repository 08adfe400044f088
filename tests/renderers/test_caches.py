"""Caches limited by total size, and the warning of a cache that is too small.

A cache evicts the values used least recently. It logs a warning if it evicts values that are still in use.
"""

from __future__ import annotations

import logging

import pytest

from renderers.caches import WARNING_INTERVAL_SECONDS, SizedCache


class FakeClock:
    """A monotonic clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """Return the clock that the caches read."""
    clock = FakeClock()
    monkeypatch.setattr("renderers.caches.monotonic", clock)
    return clock


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[object]:
    """Return the names of the caches about which warnings were logged."""
    return [record.__dict__.get("store") for record in caplog.records if record.levelno == logging.WARNING]


def test_evicting_recently_used_values_warns_once_an_hour(clock: FakeClock, caplog: pytest.LogCaptureFixture) -> None:
    cache = SizedCache[str](3, len, "letters")
    for letter in "abc":
        cache.put(letter, letter)
    assert not warnings_of(caplog)
    for letter in "def":
        cache.put(letter, letter)
    assert warnings_of(caplog) == ["letters"]
    clock.now += WARNING_INTERVAL_SECONDS
    cache.put("g", "g")
    assert warnings_of(caplog) == ["letters"]  # the evicted value had not been used for an hour
    cache.put("h", "hhh")
    assert warnings_of(caplog) == ["letters", "letters"]


def test_evicting_values_not_used_for_long_does_not_warn(clock: FakeClock, caplog: pytest.LogCaptureFixture) -> None:
    cache = SizedCache[str](2, len, "letters", reuse_seconds=10.0)
    cache.put("a", "a")
    cache.put("b", "b")
    clock.now += 9
    assert cache.get("a") == "a"
    clock.now += 2
    cache.put("c", "c")
    assert cache.get("b") is None
    assert not warnings_of(caplog)
    cache.put("d", "d")
    assert warnings_of(caplog) == ["letters"]


def test_a_popped_value_no_longer_counts() -> None:
    cache = SizedCache[str](9, len, "letters")
    cache.put("a", "aaa")
    cache.put("b", "b")
    assert (cache.pop("a"), cache.pop("a"), cache.weight, len(cache)) == ("aaa", None, 1, 1)
