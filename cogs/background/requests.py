"""Rate limits on the bot's requests to Discord.

Discord allows a bot fifty requests a second over all its processes, and bans the address of a bot that it has to refuse
too often. :class:`RequestLimiter` makes every request wait just before it is sent, so that the processes together stay
below the first limit, and pauses all requests after too many refusals. Answers to interactions never wait: Discord does
not count them, and a user waits for them.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
from yarl import URL

from host.observability import REQUESTS

log = logging.getLogger(__name__)

REQUESTS_A_SECOND: Final = 45
"""The default of requests a second, below Discord's limit of fifty, since clocks and network delays differ."""
MAX_WAIT_SECONDS: Final = 60.0
"""The longest wait of a request; one that would have to wait longer fails, and its caller tries again later."""
MIN_WAIT_SECONDS: Final = 0.001
"""Waits below this are skipped."""
REFUSAL_WINDOW: Final = 600.0
"""The seconds for which a refusal counts; Discord counts over the same time."""
REFUSED: Final = frozenset({401, 403, 429})
"""The status codes of refusals; Discord bans an address that gets 10,000 of them in ten minutes."""
WARNED_REFUSALS: Final = 3_000
"""The refusals within ``REFUSAL_WINDOW`` at which a warning is logged."""
MAX_REFUSALS: Final = 8_000
"""The refusals within ``REFUSAL_WINDOW`` at which only answers to interactions are sent."""
DEFAULT_PAUSE: Final = 60.0
"""The seconds of a pause if Discord names no time."""
_RECHECK: Final[ContextVar[Callable[[], None] | None]] = ContextVar("_RECHECK", default=None)
"""The check of the enclosing :func:`rechecking` block."""
_API: Final = "/api/"
"""The part that the paths of all requests to Discord's API have; files have other paths."""
_UNLIMITED: Final = ("/interactions/", "/webhooks/")
"""The parts that the paths of answers to interactions have, which Discord does not count."""


class HeldBackError(TimeoutError):
    """A request was not sent, because it would have had to wait too long."""


@contextmanager
def rechecking(check: Callable[[], None]) -> Iterator[None]:
    """Call ``check`` before each request of this block, after its wait; if it raises, the request is not sent."""
    token = _RECHECK.set(check)
    try:
        yield
    finally:
        _RECHECK.reset(token)


class RequestLimiter:
    """Delays the requests of this process to Discord, so that all processes together stay within the limits.

    ``alive`` returns the number of live processes, among which the limits are divided.
    """

    def __init__(self, per_second: float = REQUESTS_A_SECOND, alive: Callable[[], int] = lambda: 1) -> None:
        self._per_second = per_second
        self._alive = alive
        self._scheduled: deque[float] = deque()
        """The times for which the requests of the last second, and those that still wait, were scheduled."""
        self._sent: deque[float] = deque(maxlen=max(1, int(per_second)))
        """The times at which the latest requests were sent."""
        self._paused_until = 0.0
        self._refused: deque[float] = deque(maxlen=MAX_REFUSALS)
        """The times of the latest refusals."""
        self._warned_at = -REFUSAL_WINDOW

    def trace_config(self) -> aiohttp.TraceConfig:
        """Return the configuration of aiohttp by which all requests of a client pass this limiter."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._before)
        config.on_request_end.append(self._after)
        config.on_request_exception.append(self._broken)
        return config

    def problem(self) -> str:
        """Return the reason for which requests are paused, in words; empty if they are not."""
        pause = self._pause()
        return f"only answers to interactions are sent for {pause:.0f} s" if pause > 1 else ""

    async def wait(self) -> None:
        """Wait until a request may be sent.

        Raises:
            HeldBackError: the wait would exceed :data:`MAX_WAIT_SECONDS`.
        """
        end = monotonic() + MAX_WAIT_SECONDS
        while True:
            pause = self._pause()
            if monotonic() + pause > end:
                raise HeldBackError(f"requests to Discord are paused for {pause:.0f} s")
            if pause > 0:
                await asyncio.sleep(pause)
                continue
            start = self._next_start()
            if start > end:
                raise HeldBackError("too many requests to Discord wait already")
            self._scheduled.append(start)
            await self._wait_until(start)
            if self._pause() <= 0:
                self._sent.append(monotonic())
                return

    def record(self, status: int, headers: Mapping[str, str]) -> None:
        """Record the status of an answer; if it tells of a global rate limit, pause all requests."""
        scope = headers.get("X-RateLimit-Scope", "")
        if status not in REFUSED or scope == "shared":  # a limit of the channel, not of the bot
            return
        self._refused.append(monotonic())
        is_global = scope == "global" or headers.get("X-RateLimit-Global", "").lower() == "true"
        # An answer without the header "Via" comes from the proxy before Discord, which limits the whole address.
        if status == 429 and (is_global or "Via" not in headers):
            seconds = _seconds(headers.get("Retry-After", ""))
            self._paused_until = max(self._paused_until, monotonic() + seconds)
            log.warning("globally rate limited by Discord for %.1f seconds", seconds)
        self._warn_of_refusals()

    async def _wait_until(self, start: float) -> None:
        """Wait for a scheduled time, or longer if requests that were sent late would otherwise exceed the limit."""
        while (delay := max(start, self._earliest()) - monotonic()) > MIN_WAIT_SECONDS:  # noqa: ASYNC110 - a time, no event
            await asyncio.sleep(delay)

    def _earliest(self) -> float:
        """Return the earliest time for a request, given those that were sent in the last second."""
        limit = self._limit()
        return self._sent[-limit] + 1 if len(self._sent) >= limit else 0.0

    def _limit(self) -> int:
        """Return this process's share of the requests a second."""
        return max(1, int(self._per_second / max(1, self._alive())))

    def _next_start(self) -> float:
        """Return the time for which the next request is scheduled."""
        now, limit = monotonic(), self._limit()
        while self._scheduled and self._scheduled[0] <= now - 1:
            self._scheduled.popleft()
        return now if len(self._scheduled) < limit else max(now, self._scheduled[-limit] + 1)

    def _pause(self) -> float:
        """Return the seconds for which only answers to interactions are sent."""
        now, limit = monotonic(), MAX_REFUSALS // max(1, self._alive())
        ban = self._refused[-limit] + REFUSAL_WINDOW if len(self._refused) >= limit else 0.0
        return max(0.0, self._paused_until - now, ban - now)

    def _warn_of_refusals(self) -> None:
        """Log that there are many refusals, at most once in the window."""
        now, limit = monotonic(), WARNED_REFUSALS // max(1, self._alive())
        exceeded = len(self._refused) >= limit and self._refused[-limit] > now - REFUSAL_WINDOW
        if exceeded and now - self._warned_at >= REFUSAL_WINDOW:
            self._warned_at = now
            log.error("%s requests refused by Discord in ten minutes: 10,000 ban this address", limit)

    async def _before(self, _session: aiohttp.ClientSession, _context: SimpleNamespace, params: Any) -> None:  # noqa: ANN401
        """Delay a request until it may be sent, then run the check of the enclosing :func:`rechecking` block."""
        if _is_limited(params.url):
            await self.wait()
            if (check := _RECHECK.get()) is not None:
                check()

    async def _after(self, _session: aiohttp.ClientSession, _context: SimpleNamespace, params: Any) -> None:  # noqa: ANN401
        """Count an answered request, and record its status."""
        REQUESTS.labels(str(params.response.status)).inc()
        if _API in params.url.path:
            self.record(params.response.status, params.response.headers)

    async def _broken(self, _session: aiohttp.ClientSession, _context: SimpleNamespace, _params: Any) -> None:  # noqa: ANN401
        """Count a request that ended without an answer."""
        REQUESTS.labels("none").inc()


def _is_limited(url: URL) -> bool:
    """Return whether a request counts: it goes to Discord's API, and does not answer an interaction."""
    return _API in url.path and not any(part in url.path for part in _UNLIMITED)


def _seconds(text: str) -> float:
    """Read the seconds in a header; :data:`DEFAULT_PAUSE` if they are missing or malformed."""
    try:
        return max(0.0, float(text))
    except ValueError:
        return DEFAULT_PAUSE
