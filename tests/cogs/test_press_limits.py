"""Rate limits of presses, per user and per server."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from cogs.services.rate_limits import BURST, MAX_UNANSWERED, SERVER_FACTOR, SMALL_BURST, PressRateLimiter, UnheardError
from cogs.words.refusals import RefusedError

ADA, BEN, GUILD = 1, 2, 10


class Clock:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


def pressed(press_limiter: PressRateLimiter, user: int, guild: int | None = GUILD) -> bool:
    """Return whether a press is carried out."""
    try:
        with press_limiter.pressing(user, guild):
            return True
    except (RefusedError, UnheardError):
        return False


def test_a_user_has_a_burst_that_refills(clock: Clock) -> None:
    press_limiter = PressRateLimiter(2, clock)
    assert sum(pressed(press_limiter, ADA) for _ in range(2 * BURST)) == BURST
    assert pressed(press_limiter, BEN)
    clock.time += 3
    assert sum(pressed(press_limiter, ADA) for _ in range(BURST)) == 6


def test_each_server_has_its_own_limit(clock: Clock) -> None:
    press_limiter = PressRateLimiter(2, clock)
    count = sum(pressed(press_limiter, user) for user in range(100, 100 + SERVER_FACTOR) for _ in range(2 * BURST))
    assert count == BURST * SERVER_FACTOR
    assert sum(pressed(press_limiter, BEN) for _ in range(BURST)) == SMALL_BURST, (
        "who has pressed little goes on, whatever others do"
    )
    assert pressed(press_limiter, BEN, GUILD + 1)
    assert pressed(press_limiter, BEN, None)


def test_repeated_refusals_are_answered_once_a_second(clock: Clock) -> None:
    press_limiter = PressRateLimiter(0.1, clock)
    while pressed(press_limiter, ADA):
        pass
    for wait, error in ((0.4, UnheardError), (0.4, UnheardError), (0.7, RefusedError), (0.1, UnheardError)):
        clock.time += wait
        with pytest.raises(error), press_limiter.pressing(ADA, GUILD):
            pass


def test_concurrent_presses_of_a_user_are_limited(clock: Clock) -> None:
    press_limiter = PressRateLimiter(2, clock)
    with ExitStack() as stack:
        for _ in range(MAX_UNANSWERED):
            stack.enter_context(press_limiter.pressing(ADA, GUILD))
        with pytest.raises(RefusedError, match="too_much_at_once"), press_limiter.pressing(ADA, GUILD):
            pass
        assert pressed(press_limiter, BEN)
    clock.time += 1
    assert pressed(press_limiter, ADA)


def test_suggestions_have_a_lower_cost(clock: Clock) -> None:
    press_limiter = PressRateLimiter(2, clock)
    assert sum(not press_limiter.take(ADA, GUILD, 0.25) for _ in range(10 * BURST)) == 4 * BURST


def test_the_limits_can_be_disabled(clock: Clock) -> None:
    press_limiter = PressRateLimiter(0, clock)
    assert all(pressed(press_limiter, ADA) for _ in range(1000))
