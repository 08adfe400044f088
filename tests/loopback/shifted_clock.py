"""Patches that shift the wall clock of a process into the future, as on a machine whose clock is wrong.

Only the time of day is shifted; monotonic clocks, and so the event loop and its timeouts, are not.
"""

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
from tests.loopback.rest import SENT_AT_HEADER


def shift_clock(by: dt.timedelta) -> None:
    """Shift the clock of this process, and of those that are forked from it, by a fixed time."""
    _patch_clocks(lambda: by)


def follow_clock_file(path: Path) -> None:
    """Shift the clock, and the clock shared through the database, by the seconds that a file contains at the time."""

    def offset() -> dt.timedelta:
        """Read the current shift from the file."""
        return dt.timedelta(seconds=float(path.read_text(encoding="utf-8")))

    _patch_clocks(offset)
    shared = host.clock.SharedClock.now
    host.clock.SharedClock.now = lambda clock: shared(clock) + offset()  # type: ignore[method-assign]


def stamp_requests() -> None:
    """Add to each request the time at which it was sent, since a busy machine may deliver it much later."""
    before = RequestLimiter._before

    async def stamp(self: RequestLimiter, session: ClientSession, context: SimpleNamespace, params: Any) -> None:
        """Add a header with the time at which the request is sent, by the unshifted clock."""
        await before(self, session, context, params)
        params.headers[SENT_AT_HEADER] = str(time.monotonic())

    RequestLimiter._before = stamp  # type: ignore[method-assign]


def _patch_clocks(offset: Callable[[], dt.timedelta]) -> None:
    """Add the offset to all ways of reading the time of day."""
    real_time, real_datetime = time.time, dt.datetime

    class ShiftedDatetime(real_datetime):  # type: ignore[misc, valid-type]
        """A `datetime` whose `now` is shifted."""

        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            return real_datetime.now(tz) + offset()

    module = ModuleType("datetime")
    module.__dict__.update(dt.__dict__, datetime=ShiftedDatetime)
    time.time = lambda: real_time() + offset().total_seconds()
    host.clock.datetime = ShiftedDatetime  # type: ignore[attr-defined]
    discord.utils.datetime = module  # type: ignore[attr-defined]
