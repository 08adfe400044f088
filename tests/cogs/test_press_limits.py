"""Rate limits of presses, per user and per server.

A limiter with a rate of 2 a second has a burst that refills; ``SilencedError`` means that a press gets no answer.
"""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from cogs.services.rate_limits import BURST, MAX_UNANSWERED, SERVER_FACTOR, SMALL_BURST, PressRateLimiter, SilencedError
from cogs.words.refusals import RefusedError

ANA, BEN, GUILD_ID = 1, 2, 10
"""Ids of two users and of their server."""


class FakeClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> FakeClock:
    """A clock at which no time has passed."""
    return FakeClock()


def try_press(press_limiter: PressRateLimiter, user: int, guild: int | None = GUILD_ID) -> bool:
    """Return whether a press is carried out."""
    try:
        with press_limiter.pressing(user, guild):
            return True
    except (RefusedError, SilencedError):
        return False


def test_a_user_has_a_burst_that_refills(clock: FakeClock) -> None:
    press_limiter = PressRateLimiter(2, clock)
    assert sum(try_press(press_limiter, ANA) for _ in range(2 * BURST)) == BURST
    assert try_press(press_limiter, BEN)
    clock.time += 3
    assert sum(try_press(press_limiter, ANA) for _ in range(BURST)) == 6


def test_each_server_has_its_own_limit(clock: FakeClock) -> None:
    press_limiter = PressRateLimiter(2, clock)
    count = sum(try_press(press_limiter, user) for user in range(100, 100 + SERVER_FACTOR) for _ in range(2 * BURST))
    assert count == BURST * SERVER_FACTOR
    assert sum(try_press(press_limiter, BEN) for _ in range(BURST)) == SMALL_BURST, (
        "a user with few presses may continue, regardless of others"
    )
    assert try_press(press_limiter, BEN, GUILD_ID + 1)
    assert try_press(press_limiter, BEN, None)


def test_repeated_refusals_are_answered_once_a_second(clock: FakeClock) -> None:
    press_limiter = PressRateLimiter(0.1, clock)
    while try_press(press_limiter, ANA):
        pass
    for wait, error in ((0.4, SilencedError), (0.4, SilencedError), (0.7, RefusedError), (0.1, SilencedError)):
        clock.time += wait
        with pytest.raises(error), press_limiter.pressing(ANA, GUILD_ID):
            pass


def test_concurrent_presses_of_a_user_are_limited(clock: FakeClock) -> None:
    press_limiter = PressRateLimiter(2, clock)
    with ExitStack() as stack:
        for _ in range(MAX_UNANSWERED):
            stack.enter_context(press_limiter.pressing(ANA, GUILD_ID))
        with pytest.raises(RefusedError, match="too_much_at_once"), press_limiter.pressing(ANA, GUILD_ID):
            pass
        assert try_press(press_limiter, BEN)
    clock.time += 1
    assert try_press(press_limiter, ANA)


def test_suggestions_have_a_lower_cost(clock: FakeClock) -> None:
    press_limiter = PressRateLimiter(2, clock)
    assert sum(not press_limiter.take(ANA, GUILD_ID, 0.25) for _ in range(10 * BURST)) == 4 * BURST


def test_the_limits_can_be_disabled(clock: FakeClock) -> None:
    press_limiter = PressRateLimiter(0, clock)
    assert all(try_press(press_limiter, ANA) for _ in range(1000))
