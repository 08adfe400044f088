"""Discord's rate limits: so many requests of a kind in a channel, so many in all; answers to interactions are free."""

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

MESSAGES = 5
"""Messages that may be posted (and, counted apart, edited) in one channel within a window."""
WINDOW = 5.0
GLOBAL = 50
"""Requests of a bot within a second."""
_FREE = ("/interactions/", "/webhooks/")
_MESSAGES = re.compile(r"/channels/(\d+)/messages(/\d+)?")


@dataclass(slots=True)
class Bucket:
    """A sliding window: at most so many in so many seconds."""

    most: int
    seconds: float
    taken: list[float] = field(default_factory=list)
    """Times of the requests, in order; two windows are kept, since a request may be reported late."""

    def wait(self, now: float) -> float:
        """Seconds until another one may come; 0 when one may now."""
        del self.taken[: bisect_right(self.taken, now - 2 * self.seconds)]
        near = sorted([*self.within(now - self.seconds, now + self.seconds), now])
        windows = zip(near, near[self.most :], strict=False)
        if not any(later - first < self.seconds for first, later in windows):
            return 0.0
        return max(0.001, near[0] + self.seconds - now)

    def within(self, start: float, end: float) -> list[float]:
        """Those that came after a time, and before another one."""
        return self.taken[bisect_right(self.taken, start) : bisect_left(self.taken, end)]

    def take(self, now: float) -> None:
        """One has come."""
        insort(self.taken, now)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Return the seconds to wait before a request (0 for none), and the headers of the answer."""

    retry_after: float
    everywhere: bool = False
    headers: dict[str, str] = field(default_factory=dict)


class Limits:
    """Counts requests and says which come too early."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.refused = 0
        """Requests that came too early."""
        self._clock = clock
        self._global = Bucket(GLOBAL, 1.0)
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def judge(self, method: str, path: str, at: float | None = None) -> Verdict:
        """Count a request, unless it comes too early; ``at`` is when it was sent, if the way is not to count."""
        if path.startswith(_FREE):
            return Verdict(0.0)
        now = self._clock() if at is None else at
        name, bucket = self._bucket(method, path)
        wait, everywhere = (bucket.wait(now) if bucket else 0.0), self._global.wait(now)
        if wait or everywhere:
            self.refused += 1
            return Verdict(max(wait, everywhere), everywhere=everywhere > wait)
        self._global.take(now)
        if bucket is None:
            return Verdict(0.0)
        bucket.take(now)
        return Verdict(0.0, headers=_headers(name, bucket, now))

    def _bucket(self, method: str, path: str) -> tuple[str, Bucket | None]:
        found = _MESSAGES.fullmatch(path)
        if found is None:
            return "", None
        key = (f"{method} message{'s' if found[2] is None else ''}", found[1])
        return key[0], self._buckets.setdefault(key, Bucket(MESSAGES, WINDOW))


def _headers(name: str, bucket: Bucket, now: float) -> dict[str, str]:
    taken = [one for one in bucket.taken if one > now - bucket.seconds]
    reset = taken[0] + bucket.seconds - now
    return {
        "X-RateLimit-Limit": str(bucket.most),
        "X-RateLimit-Remaining": str(max(0, bucket.most - len(taken))),
        "X-RateLimit-Reset-After": f"{reset:.3f}",
        "X-RateLimit-Bucket": name.replace(" ", "-"),
    }
