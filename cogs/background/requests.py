"""Requests to Discord, of all processes together: so many a second, none while it says so, and few that it refuses.

What waits here is about to be sent: each request, each further try of one. Answers to interactions never wait; Discord
does not count them, and somebody has clicked.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import aiohttp

from host.observability import REQUESTS

if TYPE_CHECKING:
    from types import SimpleNamespace

    from yarl import URL

log = logging.getLogger(__name__)

A_SECOND: Final = 45
"""Of Discord's fifty: clocks differ, and so does the way."""
LONGEST_SECONDS: Final = 60.0
"""Who would have to wait for longer gives up, and tries again by himself."""
SHORTEST_SECONDS: Final = 0.001
"""What is not waited for."""
SPAN_SECONDS: Final = 600.0
REFUSED: Final = frozenset({401, 403, 429})
"""What counts towards a ban of the address: 10,000 in ten minutes."""
MANY: Final = 3_000
"""So many are said in the log."""
TOO_MANY: Final = 8_000
"""With so many only clicks are answered."""
BANNED_SECONDS: Final = 60.0
"""How long to rest where Discord does not say it."""
_LOOKS: Final[ContextVar[Callable[[], None] | None]] = ContextVar("_LOOKS", default=None)
_API: Final = "/api/"
_FREE: Final = ("/interactions/", "/webhooks/")


class HeldBackError(TimeoutError):
    """A request that was not sent: Discord wants none for a while."""


@contextmanager
def looking_again(look: Callable[[], None]) -> Iterator[None]:
    """Within the block each request looks again whether it may be sent, when it has waited: what raises ends it."""
    before = _LOOKS.set(look)
    try:
        yield
    finally:
        _LOOKS.reset(before)


class Requests:
    """Holds requests back."""

    def __init__(self, a_second: float = A_SECOND, alive: Callable[[], int] = lambda: 1) -> None:
        self._a_second = a_second
        self._alive = alive
        self._begun: deque[float] = deque()
        """When those of the last second began, or are going to."""
        self._sent: deque[float] = deque(maxlen=max(1, int(a_second)))
        """When the last ones were sent indeed."""
        self._rests_until = 0.0
        self._refused: deque[float] = deque(maxlen=TOO_MANY)
        self._said_at = -SPAN_SECONDS

    def traced(self) -> aiohttp.TraceConfig:
        """What the client's requests pass."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._before)
        config.on_request_end.append(self._after)
        config.on_request_exception.append(self._broken)
        return config

    def trouble(self) -> str:
        """What is wrong, in words; empty for nothing."""
        rest = self._rest()
        return f"nothing but answers to clicks is sent for {rest:.0f} s" if rest > 1 else ""

    async def wait(self) -> None:
        """Wait until a request may be sent.

        Raises:
            HeldBackError: that is not soon.
        """
        end = monotonic() + LONGEST_SECONDS
        while True:
            rest = self._rest()
            if monotonic() + rest > end:
                raise HeldBackError(f"requests to Discord rest for {rest:.0f} s")
            if rest > 0:
                await asyncio.sleep(rest)
                continue
            begin = self._next()
            if begin > end:
                raise HeldBackError("too many requests to Discord wait already")
            self._begun.append(begin)
            await self._turn(begin)
            if self._rest() <= 0:
                self._sent.append(monotonic())
                return

    def note(self, status: int, headers: Mapping[str, str]) -> None:
        """Discord has answered."""
        scope = headers.get("X-RateLimit-Scope", "")
        if status not in REFUSED or scope == "shared":  # which is the channel's limit, not ours
            return
        self._refused.append(monotonic())
        everywhere = scope == "global" or headers.get("X-RateLimit-Global", "").lower() == "true"
        if status == 429 and (everywhere or "Via" not in headers):
            seconds = _seconds(headers.get("Retry-After", ""))
            self._rests_until = max(self._rests_until, monotonic() + seconds)
            log.warning("Discord wants no requests for %.1f seconds", seconds)
        self._tell()

    async def _turn(self, begin: float) -> None:
        """Wait for a time; a loop that wakes up late sends what it has held up no quicker than anything else."""
        while (left := max(begin, self._room()) - monotonic()) > SHORTEST_SECONDS:  # noqa: ASYNC110 - a time, no event
            await asyncio.sleep(left)

    def _room(self) -> float:
        """From when on not so many were sent within a second that another one would be too many."""
        most = self._most()
        return self._sent[-most] + 1 if len(self._sent) >= most else 0.0

    def _most(self) -> int:
        """How many this process sends in a second."""
        return max(1, int(self._a_second / max(1, self._alive())))

    def _next(self) -> float:
        """When the next one may begin: so many in any second, shared with the other processes."""
        now, most = monotonic(), self._most()
        while self._begun and self._begun[0] <= now - 1:
            self._begun.popleft()
        return now if len(self._begun) < most else max(now, self._begun[-most] + 1)

    def _rest(self) -> float:
        """Seconds for which nothing is sent that does not answer a click."""
        now, most = monotonic(), TOO_MANY // max(1, self._alive())
        ban = self._refused[-most] + SPAN_SECONDS if len(self._refused) >= most else 0.0
        return max(0.0, self._rests_until - now, ban - now)

    def _tell(self) -> None:
        """Say now and then that there are many refusals."""
        now, most = monotonic(), MANY // max(1, self._alive())
        lately = len(self._refused) >= most and self._refused[-most] > now - SPAN_SECONDS
        if lately and now - self._said_at >= SPAN_SECONDS:
            self._said_at = now
            log.error("%s refusals of Discord in ten minutes: 10,000 from all processes ban this address", most)

    async def _before(self, _session: aiohttp.ClientSession, _context: SimpleNamespace, params: Any) -> None:  # noqa: ANN401
        if _waits(params.url):
            await self.wait()
            if (look := _LOOKS.get()) is not None:
                look()

    async def _after(self, _session: aiohttp.ClientSession, _context: SimpleNamespace, params: Any) -> None:  # noqa: ANN401
        REQUESTS.labels(str(params.response.status)).inc()
        if _API in params.url.path:
            self.note(params.response.status, params.response.headers)

    async def _broken(self, _session: aiohttp.ClientSession, _context: SimpleNamespace, _params: Any) -> None:  # noqa: ANN401
        REQUESTS.labels("none").inc()


def _waits(url: URL) -> bool:
    """Whether a request counts: not the gateway, not files, no answer to an interaction."""
    return _API in url.path and not any(free in url.path for free in _FREE)


def _seconds(text: str) -> float:
    try:
        return max(0.0, float(text))
    except ValueError:
        return BANNED_SECONDS
