"""Caches limited by weight, and the warning of one that is too small."""

from __future__ import annotations

import logging

import pytest

from renderers.caches import WARNING_INTERVAL_SECONDS, SizedCache


class Time:
    """Seconds as the test has them."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr("renderers.caches.monotonic", time)
    return time


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[object]:
    return [record.__dict__.get("store") for record in caplog.records if record.levelno == logging.WARNING]


def test_a_store_that_lets_go_what_is_in_use_says_so_once_in_an_hour(
    time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    cache = SizedCache[str](3, len, "letters")
    for letter in "abc":
        cache.put(letter, letter)
    assert not warnings_of(caplog)
    for letter in "def":
        cache.put(letter, letter)
    assert warnings_of(caplog) == ["letters"]
    time.now += WARNING_INTERVAL_SECONDS
    cache.put("g", "g")
    assert warnings_of(caplog) == ["letters"]  # what went had not been used for an hour
    cache.put("h", "hhh")
    assert warnings_of(caplog) == ["letters", "letters"]


def test_what_was_not_used_for_long_goes_without_a_word(time: Time, caplog: pytest.LogCaptureFixture) -> None:
    cache = SizedCache[str](2, len, "letters", reuse_seconds=10.0)
    cache.put("a", "a")
    cache.put("b", "b")
    time.now += 9
    assert cache.get("a") == "a"
    time.now += 2
    cache.put("c", "c")
    assert cache.get("b") is None
    assert not warnings_of(caplog)
    cache.put("d", "d")
    assert warnings_of(caplog) == ["letters"]


def test_what_is_taken_weighs_nothing_any_more() -> None:
    cache = SizedCache[str](9, len, "letters")
    cache.put("a", "aaa")
    cache.put("b", "b")
    assert (cache.pop("a"), cache.pop("a"), cache.weight, len(cache)) == ("aaa", None, 1, 1)
