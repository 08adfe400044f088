"""Faults between a bot and Discord: at random by a seed, or injected by a test.

The same seed gives the same faults, so that a failed test can be repeated. A fault may hit before or after the
request has taken effect; a retry is dangerous only in the second case.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from random import Random

SETUP_ROUTES = ("GET /users/@me", "GET /oauth2/*", "GET /gateway*", "PUT /applications/*")
"""Requests a bot makes before it listens: discord.py gives up at the first broken connection there."""


class FaultKind(StrEnum):
    """A way in which a request fails."""

    RATE_LIMIT = "429"
    SERVER_ERROR = "500"
    BAD_GATEWAY = "502"
    DROPPED = "dropped"
    """The connection is cut before the request is served."""
    LOST = "lost"
    """The request is served, then the connection is cut. This is the dangerous kind: a retry may repeat the effect."""
    LOST_500 = "lost 500"
    """The request is served, then the answer is a 500, after which discord.py retries."""
    SLOW = "slow"
    """The request is delayed before it is served."""
    SLOW_REPLY = "slow reply"
    """The request is served, and its answer is delayed."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one request; `delay` is in seconds."""

    kind: FaultKind
    delay: float = 0.0


@dataclass(slots=True)
class Faults:
    """The probability (0 to 1) of each fault. The same seed and order of requests give the same faults.

    `only` and `spare` are patterns of `METHOD /path` (`*` matches anything, the path without `/api/v10`).
    """

    seed: int = 0
    rate_429: float = 0.0
    rate_500: float = 0.0
    rate_502: float = 0.0
    rate_dropped: float = 0.0
    rate_lost: float = 0.0
    rate_lost_500: float = 0.0
    rate_slow: float = 0.0
    rate_gateway_drop: float = 0.0
    retry_after: float = 0.05
    delay: tuple[float, float] = (0.02, 0.2)
    only: tuple[str, ...] = ("*",)
    spare: tuple[str, ...] = SETUP_ROUTES
    _random: Random = field(init=False, repr=False, compare=False)
    _injected: deque[tuple[str, Fault]] = field(default_factory=deque, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Start the random sequence."""
        self._random = Random(self.seed)

    def inject(self, pattern: str, kind: FaultKind, *, delay: float = 0.0, times: int = 1) -> None:
        """Let the next requests that match the pattern fail in this way, regardless of the rates."""
        self._injected.extend([(pattern, Fault(kind, delay))] * times)

    def next_fault(self, method: str, path: str) -> Fault | None:
        """Return the fault of the request that has just arrived, or None; an injected fault is used up."""
        line = f"{method} {path}"
        for entry in self._injected:
            if fnmatchcase(line, entry[0]):
                self._injected.remove(entry)
                return entry[1]
        if not matches(line, self.only) or matches(line, self.spare):
            return None
        return self._draw()

    def drops_gateway(self) -> bool:
        """Return whether the gateway connection breaks at this event."""
        return self.rate_gateway_drop > 0 and self._random.random() < self.rate_gateway_drop

    def _draw(self) -> Fault | None:
        """Draw the fault of the next request, if any."""
        draw = self._random.random()
        for kind, rate in self._rates():
            if draw < rate:
                return Fault(kind, self._random.uniform(*self.delay))
            draw -= rate
        return None

    def _rates(self) -> Iterator[tuple[FaultKind, float]]:
        """Yield the probability of each kind."""
        yield FaultKind.RATE_LIMIT, self.rate_429
        yield FaultKind.SERVER_ERROR, self.rate_500
        yield FaultKind.BAD_GATEWAY, self.rate_502
        yield FaultKind.DROPPED, self.rate_dropped
        yield FaultKind.LOST, self.rate_lost
        yield FaultKind.LOST_500, self.rate_lost_500
        yield FaultKind.SLOW, self.rate_slow / 2
        yield FaultKind.SLOW_REPLY, self.rate_slow / 2


def matches(line: str, patterns: tuple[str, ...]) -> bool:
    """Return whether `METHOD /path` matches one of the patterns."""
    return any(fnmatchcase(line, pattern) for pattern in patterns)
