"""Tests of the rate limits of the loopback Discord.

A verdict says after how many seconds a request may be retried (`retry_after`, 0 if it is allowed) and which headers
Discord would send. The clock stands still until a test advances it.
"""

from tests.loopback.limits import CHANNEL_LIMIT, CHANNEL_WINDOW_SECONDS, GLOBAL_LIMIT, Limits


class FakeClock:
    """A clock that stands still until a test advances it."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.time


def test_messages_in_a_channel_are_limited_within_a_window() -> None:
    clock = FakeClock()
    limits = Limits(clock)
    verdicts = [limits.judge("POST", "/channels/1/messages") for _ in range(CHANNEL_LIMIT + 1)]
    assert [verdict.retry_after for verdict in verdicts] == [0.0] * CHANNEL_LIMIT + [CHANNEL_WINDOW_SECONDS]
    assert verdicts[-2].headers["X-RateLimit-Remaining"] == "0"
    assert limits.judge("POST", "/channels/2/messages").retry_after == 0.0
    assert limits.judge("PATCH", "/channels/1/messages/5").retry_after == 0.0
    assert limits.refused == 1
    clock.time += CHANNEL_WINDOW_SECONDS
    assert limits.judge("POST", "/channels/1/messages").retry_after == 0.0


def test_all_requests_but_answers_to_interactions_are_limited() -> None:
    clock = FakeClock()
    limits = Limits(clock)
    for channel in range(GLOBAL_LIMIT):
        assert limits.judge("GET", f"/channels/{channel}").retry_after == 0.0
    late = limits.judge("GET", "/channels/99")
    assert late.retry_after == 1.0
    assert late.is_global
    assert limits.judge("POST", "/interactions/1/token/callback").retry_after == 0.0
    assert limits.judge("PATCH", "/webhooks/1/token/messages/@original").retry_after == 0.0
    clock.time += 1.0
    assert limits.judge("GET", "/channels/99").retry_after == 0.0
