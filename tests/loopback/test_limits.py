"""The rate limits of the loopback Discord."""

from tests.loopback.limits import GLOBAL, MESSAGES, WINDOW, Limits


class Hands:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_so_many_messages_go_into_a_channel_within_a_window() -> None:
    clock = Hands()
    limits = Limits(clock)
    verdicts = [limits.judge("POST", "/channels/1/messages") for _ in range(MESSAGES + 1)]
    assert [verdict.retry_after for verdict in verdicts] == [0.0] * MESSAGES + [WINDOW]
    assert verdicts[-2].headers["X-RateLimit-Remaining"] == "0"
    assert limits.judge("POST", "/channels/2/messages").retry_after == 0.0
    assert limits.judge("PATCH", "/channels/1/messages/5").retry_after == 0.0
    assert limits.refused == 1
    clock.time += WINDOW
    assert limits.judge("POST", "/channels/1/messages").retry_after == 0.0


def test_so_many_requests_go_everywhere_within_a_second_but_answers_are_free() -> None:
    clock = Hands()
    limits = Limits(clock)
    for channel in range(GLOBAL):
        assert limits.judge("GET", f"/channels/{channel}").retry_after == 0.0
    late = limits.judge("GET", "/channels/99")
    assert late.retry_after == 1.0
    assert late.everywhere
    assert limits.judge("POST", "/interactions/1/token/callback").retry_after == 0.0
    assert limits.judge("PATCH", "/webhooks/1/token/messages/@original").retry_after == 0.0
    clock.time += 1.0
    assert limits.judge("GET", "/channels/99").retry_after == 0.0
