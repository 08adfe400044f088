"""A process on a machine with a wrong clock: it is told another time of day, and what counts evenly goes on."""

import datetime as dt
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import discord.utils
from aiohttp import ClientSession

import host.clock
from cogs.background.requests import RequestLimiter
from tests.loopback.rest import SENT


def be_ahead(by: dt.timedelta) -> None:
    """Let this process, and those that are forked from it, live in the future."""
    _live(lambda: by)


def follow(path: Path) -> None:
    """Let it live so many seconds in the future as a file says at each moment, by the clock that all share, too."""

    def ahead() -> dt.timedelta:
        return dt.timedelta(seconds=float(path.read_text(encoding="utf-8")))

    _live(ahead)
    shared = host.clock.SharedClock.now
    host.clock.SharedClock.now = lambda clock: shared(clock) + ahead()  # type: ignore[method-assign]


def say_when_sent() -> None:
    """Let each request say when it was sent: a machine that has much to do may leave it lying about."""
    before = RequestLimiter._before

    async def sent(self: RequestLimiter, session: ClientSession, context: SimpleNamespace, params: Any) -> None:
        await before(self, session, context, params)
        params.headers[SENT] = str(time.monotonic())

    RequestLimiter._before = sent  # type: ignore[method-assign]


def _live(ahead: Callable[[], dt.timedelta]) -> None:
    exact, machine = time.time, dt.datetime

    class Ahead(machine):  # type: ignore[misc, valid-type]
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            return machine.now(tz) + ahead()

    module = ModuleType("datetime")
    module.__dict__.update(dt.__dict__, datetime=Ahead)
    time.time = lambda: exact() + ahead().total_seconds()
    host.clock.datetime = Ahead  # type: ignore[attr-defined]
    discord.utils.datetime = module  # type: ignore[attr-defined]
