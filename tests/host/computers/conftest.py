"""Fixtures of tests with computers: a host whose computers think in this process."""

from __future__ import annotations

import pytest

from host import Host
from tests.host.computers.thinker import FakeThinker
from tests.host.conftest import NewHost


@pytest.fixture
def thinker() -> FakeThinker:
    """A thinker in this process."""
    return FakeThinker()


@pytest.fixture
async def host(new_host: NewHost, thinker: FakeThinker) -> Host:
    """A host whose computers think in this process."""
    return await new_host(thinker=thinker)
