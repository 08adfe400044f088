"""Discord's rate limits: per channel and kind of request, and for all requests together.

Discord allows each bot 50 requests a second, and in each channel five messages within five seconds; any further request
is refused with status 429 and the time after which it may be retried. Answers to interactions are not limited.
"""

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

CHANNEL_LIMIT = 5
"""Number of messages that may be posted, and separately edited, in a channel within a window."""
CHANNEL_WINDOW_SECONDS = 5.0
"""Length of the window for messages in a channel."""
GLOBAL_LIMIT = 50
"""Number of requests of a bot within a second."""
_UNLIMITED_PATHS = ("/interactions/", "/webhooks/")
"""The beginnings of paths that answer interactions."""
_MESSAGE_PATH = re.compile(r"/channels/(\d+)/messages(/\d+)?")
"""Path of a message or of all messages of a channel."""


@dataclass(slots=True)
class Bucket:
    """A sliding window: at most `limit` requests within `seconds`."""

    limit: int
    seconds: float
    taken: list[float] = field(default_factory=list)
    """The times of the requests, in order. Two windows are kept, since a request may be reported late."""

    def wait(self, now: float) -> float:
        """Return the seconds until another request is allowed; 0 if one is allowed now."""
        del self.taken[: bisect_right(self.taken, now - 2 * self.seconds)]
        near = sorted([*self.within(now - self.seconds, now + self.seconds), now])
        windows = zip(near, near[self.limit :], strict=False)
        if not any(later - first < self.seconds for first, later in windows):
            return 0.0
        return max(0.001, near[0] + self.seconds - now)

    def within(self, start: float, end: float) -> list[float]:
        """Return the times of the requests after `start` and before `end`."""
        return self.taken[bisect_right(self.taken, start) : bisect_left(self.taken, end)]

    def take(self, now: float) -> None:
        """Record a request."""
        insort(self.taken, now)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision about a request: the seconds to wait before it (0 if it is allowed), and headers of the answer."""

    retry_after: float
    is_global: bool = False
    headers: dict[str, str] = field(default_factory=dict)


class Limits:
    """Enforcement of the rate limits: counts requests, and refuses those that come too early."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.refused = 0
        """Number of refused requests."""
        self._clock = clock
        self._global = Bucket(GLOBAL_LIMIT, 1.0)
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def judge(self, method: str, path: str, at: float | None = None) -> Verdict:
        """Count a request unless it comes too early.

        ``at`` is the time at which it was sent, if that is known; otherwise it counts from its arrival.
        """
        if path.startswith(_UNLIMITED_PATHS):
            return Verdict(0.0)
        now = self._clock() if at is None else at
        name, bucket = self._bucket(method, path)
        wait, global_wait = (bucket.wait(now) if bucket else 0.0), self._global.wait(now)
        if wait or global_wait:
            self.refused += 1
            return Verdict(max(wait, global_wait), is_global=global_wait > wait)
        self._global.take(now)
        if bucket is None:
            return Verdict(0.0)
        bucket.take(now)
        return Verdict(0.0, headers=_headers(name, bucket, now))

    def _bucket(self, method: str, path: str) -> tuple[str, Bucket | None]:
        """Return the kind of a limited request and its window, or none."""
        match = _MESSAGE_PATH.fullmatch(path)
        if match is None:
            return "", None
        key = (f"{method} message{'s' if match[2] is None else ''}", match[1])
        return key[0], self._buckets.setdefault(key, Bucket(CHANNEL_LIMIT, CHANNEL_WINDOW_SECONDS))


def _headers(name: str, bucket: Bucket, now: float) -> dict[str, str]:
    """Return the headers by which Discord reports a bucket's state."""
    recent = [request_time for request_time in bucket.taken if request_time > now - bucket.seconds]
    reset = recent[0] + bucket.seconds - now
    return {
        "X-RateLimit-Limit": str(bucket.limit),
        "X-RateLimit-Remaining": str(max(0, bucket.limit - len(recent))),
        "X-RateLimit-Reset-After": f"{reset:.3f}",
        "X-RateLimit-Bucket": name.replace(" ", "-"),
    }
