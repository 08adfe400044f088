"""Fixtures and settings for all tests."""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Iterator
from typing import cast

import hypothesis
import pytest
import simcord
from sqlalchemy.engine.interfaces import DBAPIConnection

from store import database
from tests.discord_limits.recorder import Recorder

# Two busy cores make a single example slow now and then: no deadlines.
hypothesis.settings.register_profile("default", deadline=None, print_blob=True)
hypothesis.settings.register_profile("soak", deadline=None, print_blob=True, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long tests: thousands of short ones then fill up whichever process falls free first."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """Everything that bots send to simcord in this test; `recorder.problems()` validates it."""
    with Recorder().listening() as recorder:
        yield recorder


@pytest.fixture(autouse=True, scope="session")
def _quick_clicks() -> Iterator[None]:
    """Have simcord notice within a millisecond, not fifty, that the bot has done its work after a click."""
    defaults = cast("dict[str, float]", simcord.Env._settle_internal.__kwdefaults__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(defaults, "idle", 0.001)
        yield


@pytest.fixture(autouse=True, scope="session")
def _quick_disk() -> Iterator[None]:
    """Have SQLite not wait for the disk at the end of each transaction: no test cuts the power."""
    durable = database._prepare_sqlite

    @functools.wraps(durable)
    def prepare(connection: DBAPIConnection, record: object) -> None:
        durable(connection, record)
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous = OFF")
        cursor.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_prepare_sqlite", prepare)
        yield


@pytest.fixture(autouse=True)
def _no_swallowed_errors(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test in which discord.py logged an error: it swallows what callbacks of buttons raise."""
    yield
    if request.node.get_closest_marker("logs_errors"):
        return
    errors = [
        record.getMessage()
        for when in ("setup", "call")
        for record in caplog.get_records(when)
        if record.levelno >= logging.ERROR and record.name.startswith("discord")
    ]
    assert not errors, errors
