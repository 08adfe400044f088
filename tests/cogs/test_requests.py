"""Limits of requests to Discord: per second over all processes, global rate limits, and refused requests.

Discord bans an address after 10,000 refused requests (401, 403, 429) in ten minutes. A response with a ``Via`` header
comes from Discord, one without it from Cloudflare in front of it.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from cogs.background import requests
from cogs.background.requests import MAX_REFUSALS, WARNED_REFUSALS, HeldBackError, RequestLimiter, rechecking
from host import LeaseLostError

VIA_DISCORD = {"Via": "1.1 google"}
"""A header of Discord's own responses, which those of Cloudflare lack."""


class FakeTime:
    """A fake clock that advances only by sleeping."""

    def __init__(self) -> None:
        self.now = 1000.0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    """Replace clock and sleeping of the limiter."""
    time = FakeTime()
    monkeypatch.setattr(requests, "monotonic", lambda: time.now)
    monkeypatch.setattr(requests, "asyncio", SimpleNamespace(sleep=time.sleep))
    return time


async def seconds_for(time: FakeTime, limiter: RequestLimiter, count: int) -> float:
    """Send this many requests; return the seconds that they had to wait."""
    start = time.now
    for _ in range(count):
        await limiter.wait()
    return time.now - start


async def test_requests_per_second_are_limited(time: FakeTime) -> None:
    limiter = RequestLimiter(45)
    assert await seconds_for(time, limiter, 45) == 0
    assert await seconds_for(time, limiter, 90) == pytest.approx(2)


async def test_a_late_event_loop_does_not_send_a_burst(monkeypatch: pytest.MonkeyPatch) -> None:
    now, sleeping, sent = [1000.0], list[tuple[float, asyncio.Future[None]]](), list[float]()

    async def sleep(seconds: float) -> None:
        sleeping.append((now[0] + seconds, asyncio.get_running_loop().create_future()))
        await sleeping[-1][1]

    async def send(limiter: RequestLimiter) -> None:
        """Wait for permission, then record the time."""
        await limiter.wait()
        sent.append(now[0])

    monkeypatch.setattr(requests, "monotonic", lambda: now[0])
    monkeypatch.setattr(requests, "asyncio", SimpleNamespace(sleep=sleep))
    limiter = RequestLimiter(10)
    sending = [asyncio.create_task(send(limiter)) for _ in range(40)]
    while not all(task.done() for task in sending):
        await asyncio.sleep(0)
        now[0] += 0.7  # the event loop is late: a sleeper may wake up 0.7 s after its time
        for until, future in sleeping:
            if until <= now[0] and not future.done():
                future.set_result(None)
    assert len(sent) == 40
    assert all(later_time - time_sent >= 1 for time_sent, later_time in zip(sent, sent[10:], strict=False))


async def test_all_processes_share_the_limit(time: FakeTime) -> None:
    limiter = RequestLimiter(45, lambda: 3)
    assert await seconds_for(time, limiter, 15) == 0
    assert await seconds_for(time, limiter, 15) == pytest.approx(1)


@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "7"},
        {**VIA_DISCORD, "Retry-After": "7", "X-RateLimit-Scope": "global"},
        {**VIA_DISCORD, "Retry-After": "7.0", "X-RateLimit-Global": "true"},
    ],
)
async def test_a_global_rate_limit_holds_all_requests(time: FakeTime, headers: dict[str, str]) -> None:
    limiter = RequestLimiter()
    limiter.record(429, headers)
    assert limiter.problem() == "only answers to interactions are sent for 7 s"
    assert await seconds_for(time, limiter, 1) == pytest.approx(7)
    assert limiter.problem() == ""


async def test_a_route_limit_does_not_hold_other_requests(time: FakeTime) -> None:
    limiter = RequestLimiter()
    limiter.record(429, {**VIA_DISCORD, "Retry-After": "7", "X-RateLimit-Scope": "user"})
    limiter.record(429, {"Retry-After": "7", "X-RateLimit-Scope": "shared"})
    assert await seconds_for(time, limiter, 1) == 0


async def test_a_long_wait_raises_instead(time: FakeTime) -> None:
    limiter = RequestLimiter()
    limiter.record(429, {"Retry-After": "3600"})
    with pytest.raises(HeldBackError):
        await limiter.wait()
    assert issubclass(HeldBackError, OSError), "handled as a connection error"


async def test_refused_requests_are_logged_and_then_hold_all_but_answers(
    time: FakeTime, caplog: pytest.LogCaptureFixture
) -> None:
    limiter = RequestLimiter()
    for number in range(MAX_REFUSALS - 1):
        limiter.record((401, 403, 429)[number % 3], VIA_DISCORD)
    assert [line.getMessage() for line in caplog.records] == [
        f"{WARNED_REFUSALS} requests refused by Discord in ten minutes: 10,000 ban this address"
    ]
    await limiter.wait()
    limiter.record(403, VIA_DISCORD)
    with pytest.raises(HeldBackError):
        await limiter.wait()
    time.now += 601
    await limiter.wait()


async def test_answers_to_interactions_are_never_held() -> None:
    """Tested on a socket: the arrived requests are the sent ones."""
    arrived: list[str] = []

    async def respond(request: web.Request) -> web.Response:
        arrived.append(request.path)
        return web.Response(status=429, headers={"Retry-After": "3600"})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", respond)
    limiter: Any = RequestLimiter()
    async with TestServer(app) as server, ClientSession(trace_configs=[limiter.trace_config()]) as session:
        paths = ["/api/v10/users/@me", "/api/v10/interactions/1/token/callback", "/api/v10/webhooks/1/token", "/?v=10"]
        for path in paths:
            async with session.get(server.make_url(path)) as response:
                assert response.status == 429
        with pytest.raises(asyncio.TimeoutError):
            await session.get(server.make_url("/api/v10/channels/1/messages"))
    assert len(arrived) == len(paths)


async def test_a_lease_is_checked_again_after_waiting() -> None:
    """A process that was stopped while waiting may have lost the lease of its post."""
    arrived: list[str] = []

    async def respond(request: web.Request) -> web.Response:
        arrived.append(request.path)
        return web.Response()

    def check_lease() -> None:
        """Fail if a request has already arrived."""
        if arrived:
            raise LeaseLostError(1)

    app = web.Application()
    app.router.add_post("/api/v10/channels/1/messages", respond)
    async with TestServer(app) as server, ClientSession(trace_configs=[RequestLimiter(45).trace_config()]) as session:
        url = server.make_url("/api/v10/channels/1/messages")
        with rechecking(check_lease):
            (await session.post(url)).close()
            with pytest.raises(LeaseLostError):
                await session.post(url)
        assert len(arrived) == 1
        (await session.post(url)).close()
