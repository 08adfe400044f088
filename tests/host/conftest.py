"""A clock to set, a database file, and hosts on it as often as a test wants one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any

import pytest

from host import Host, HostSettings
from tests.host.people import SettableClock
from tests.store.begun import begun

NewHost = Callable[..., Awaitable[Host]]


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
async def new_host(location: str, clock: SettableClock) -> AsyncIterator[NewHost]:
    """Open one more host on the same database, as another process or a restart would."""
    async with AsyncExitStack() as stack:

        async def open_host(**settings: Any) -> Host:
            store = await begun(location)
            stack.push_async_callback(store.close)
            usual: dict[str, Any] = {"new_seed": lambda: "seed 1", "second_look": timedelta(seconds=0.01)}
            usual["patience"] = timedelta(minutes=1)  # on however busy a machine
            return Host(store, clock=clock, settings=HostSettings(**usual | settings))

        yield open_host


@pytest.fixture
async def host(new_host: NewHost) -> Host:
    return await new_host()
