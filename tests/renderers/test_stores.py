"""What is kept up to a weight, and what the log says where that is too little."""

from __future__ import annotations

import logging

import pytest

from renderers.stores import SILENCE, WeightedStore


class Time:
    """Seconds as the test has them."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr("renderers.stores.monotonic", time)
    return time


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[object]:
    return [record.__dict__.get("store") for record in caplog.records if record.levelno == logging.WARNING]


def test_a_store_that_lets_go_what_is_in_use_says_so_once_in_an_hour(
    time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    store = WeightedStore[str](3, len, "letters")
    for letter in "abc":
        store.keep(letter, letter)
    assert not warnings_of(caplog)
    for letter in "def":
        store.keep(letter, letter)
    assert warnings_of(caplog) == ["letters"]
    time.now += SILENCE
    store.keep("g", "g")
    assert warnings_of(caplog) == ["letters"]  # what went had not been used for an hour
    store.keep("h", "hhh")
    assert warnings_of(caplog) == ["letters", "letters"]


def test_what_was_not_used_for_long_goes_without_a_word(time: Time, caplog: pytest.LogCaptureFixture) -> None:
    store = WeightedStore[str](2, len, "letters", in_use=10.0)
    store.keep("a", "a")
    store.keep("b", "b")
    time.now += 9
    assert store.find("a") == "a"
    time.now += 2
    store.keep("c", "c")
    assert store.find("b") is None
    assert not warnings_of(caplog)
    store.keep("d", "d")
    assert warnings_of(caplog) == ["letters"]


def test_what_is_taken_weighs_nothing_any_more() -> None:
    store = WeightedStore[str](9, len, "letters")
    store.keep("a", "aaa")
    store.keep("b", "b")
    assert (store.take("a"), store.take("a"), store.weight, len(store)) == ("aaa", None, 1, 1)
