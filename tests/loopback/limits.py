"""Discord's rate limits: so many requests of a kind in a channel, so many in all; answers to interactions are free."""

import re
from collections import deque
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
    taken: deque[float] = field(default_factory=deque)

    def wait(self, now: float) -> float:
        """Seconds until another one may come; 0 when one may now."""
        while self.taken and self.taken[0] <= now - self.seconds:
            self.taken.popleft()
        return 0.0 if len(self.taken) < self.most else self.taken[0] + self.seconds - now


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the limits say of a request: 0 or the seconds to wait, and the headers of the answer."""

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
        self._global.taken.append(now)
        if bucket is None:
            return Verdict(0.0)
        bucket.taken.append(now)
        return Verdict(0.0, headers=_headers(name, bucket, now))

    def _bucket(self, method: str, path: str) -> tuple[str, Bucket | None]:
        found = _MESSAGES.fullmatch(path)
        if found is None:
            return "", None
        key = (f"{method} message{'s' if found[2] is None else ''}", found[1])
        return key[0], self._buckets.setdefault(key, Bucket(MESSAGES, WINDOW))


def _headers(name: str, bucket: Bucket, now: float) -> dict[str, str]:
    reset = bucket.taken[0] + bucket.seconds - now
    return {
        "X-RateLimit-Limit": str(bucket.most),
        "X-RateLimit-Remaining": str(bucket.most - len(bucket.taken)),
        "X-RateLimit-Reset-After": f"{reset:.3f}",
        "X-RateLimit-Bucket": name.replace(" ", "-"),
    }
