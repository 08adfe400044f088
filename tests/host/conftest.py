"""Fixtures of the host's tests: a clock that stands still until a test advances it, a database, and hosts on it.

A host is the layer between Discord and the database; one bot process has one host. Several hosts on one database
stand for several processes, or for one process before and after a restart.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any

import pytest

from host import Host, HostSettings, Thinker
from tests.host.people import SettableClock
from tests.short_piles import FEW_TILES, deal_short_piles
from tests.store.empty_database import open_store

NewHost = Callable[..., Awaitable[Host]]
"""Opens one more host; keyword arguments are settings of the host."""


@pytest.fixture
def clock() -> SettableClock:
    """A clock that stands at noon UTC on 1 January 2030 until a test advances it."""
    return SettableClock()


@pytest.fixture
def few_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal piles with which a game is over after some thirty moves."""
    deal_short_piles(monkeypatch, FEW_TILES)


@pytest.fixture
async def new_host(location: str, clock: SettableClock) -> AsyncIterator[NewHost]:
    """Return a function that opens one more host on the same database, like a second process or a restart."""
    async with AsyncExitStack() as stack:

        async def open_host(*, thinker: Thinker | None = None, **settings: Any) -> Host:
            """Open a host with the given settings on a store of its own; ``thinker`` decides for computers."""
            store = await open_store(location)
            stack.push_async_callback(store.close)
            defaults: dict[str, Any] = {"new_seed": lambda: "seed 1", "second_look": timedelta(seconds=0.01)}
            defaults["patience"] = timedelta(minutes=1)  # a busy machine must not exhaust the retries
            return Host(store, clock=clock, settings=HostSettings(**defaults | settings), thinker=thinker)

        yield open_host


@pytest.fixture
async def host(new_host: NewHost) -> Host:
    """A host on the test's database."""
    return await new_host()
