"""Fixtures and settings for all tests."""

from __future__ import annotations

import copy
import functools
import gc
import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import suppress
from types import NoneType, SimpleNamespace
from typing import Any, cast

import hypothesis
import pytest
import simcord
from discord.ui.view import BaseView, ViewStore
from simcord import components, gateway, results
from simcord.backend import serializers
from simcord.http import router
from sqlalchemy import Dialect
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import LRUCache

from cogs.texts import LANGUAGE, UNSAID
from store.connection import dialect
from tests.discord_limits.recorder import Recorder
from tests.rewriting import rewrite_share

pytest_plugins = ["tests.programs", "tests.databases"]

# Two busy cores make a single example slow now and then: no deadlines. `make test` plays the same examples each time,
# so that it turns red by a change and not by luck; `make soak` looks for others, and for many more.
hypothesis.settings.register_profile("default", deadline=None, print_blob=True, max_examples=30, derandomize=True)
hypothesis.settings.register_profile("soak", deadline=None, print_blob=True, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

SETTLE_SECONDS = 60.0
"""For all that one click sets off; generous, since pictures are drawn on a busy machine."""
ENDING_SECONDS = 30
"""Seconds for a thread to end; a picture is rendered to its end even on a busy machine."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Begin with this process's share of what all of them need; nothing that is collected is garbage."""
    rewrite_share(session.config)
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long tests: thousands of short ones then fill up whichever process falls free first."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl
def pytest_collection_finish() -> None:
    """Freeze the collected tests, thousands of objects that the garbage collector need not scan."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """Everything that bots send to simcord in this test; `recorder.problems()` validates it."""
    with Recorder().listening() as recorder:
        yield recorder


@pytest.fixture(autouse=True, scope="session")
def _quick_clicks() -> Iterator[None]:
    """Have simcord notice within a millisecond, not fifty, that the bot has done its work; but let that take long."""
    looking = cast("dict[str, float]", simcord.Env._settle_internal.__kwdefaults__)
    waiting = cast("dict[str, float]", simcord.Env.__init__.__kwdefaults__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(looking, "idle", 0.001)
        patch.setitem(waiting, "settle_timeout", SETTLE_SECONDS)
        yield


@pytest.fixture(autouse=True, scope="session")
def _lasting_panels() -> Iterator[None]:
    """Have discord.py not wait for the day when it forgets a private panel: in simcord time stands still.

    It gives one that it sends beside its answer fifteen minutes. Each bid leaves one behind, and simcord looks through
    all who wait, for each of them, whenever it looks whether the bot is done.
    """
    listen = BaseView._start_listening_from_store

    @functools.wraps(listen)
    def for_good(view: BaseView, store: ViewStore) -> None:
        view.timeout = None
        listen(view, store)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseView, "_start_listening_from_store", for_good)
        yield


@pytest.fixture(autouse=True, scope="session")
def _quick_disk() -> Iterator[None]:
    """Have SQLite not wait for the disk at the end of each transaction: no test cuts the power."""
    durable = dialect.prepare_sqlite

    @functools.wraps(durable)
    def prepare(connection: DBAPIConnection, record: object) -> None:
        durable(connection, record)
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous = OFF")
        cursor.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialect, "prepare_sqlite", prepare)
        yield


@pytest.fixture(autouse=True, scope="session")
def _quick_copies() -> Iterator[None]:
    """Have simcord copy what is sent as JSON is copied; its commands alone are thirty thousand values at each start."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (gateway, router):
            patch.setattr(module, "copy", SimpleNamespace(deepcopy=_copied))
        for module in (components, results, serializers):
            patch.setattr(module, "deepcopy", _copied)
        yield


def _copied(value: Any) -> Any:
    """A copy of its own of whatever can be changed in it."""
    if type(value) is dict:
        return {key: _copied(item) for key, item in value.items()}
    if type(value) is list:
        return [_copied(item) for item in value]
    return value if isinstance(value, _NEVER_CHANGED) else copy.deepcopy(value)


_NEVER_CHANGED = (str, int, float, bytes, NoneType, tuple)
"""Values, and those of discord.py's enumerations."""


@pytest.fixture(autouse=True, scope="session")
def _compiled_once() -> Iterator[None]:
    """Have SQLAlchemy compile each statement once for a kind of database, not for each bot that a test starts.

    It keeps what it compiled by the engine, and by the dialect, of which each engine has its own.
    """
    create = dialect.create_async_engine
    first: dict[type[Dialect], tuple[Any, Any]] = {}

    @functools.wraps(create)
    def remembering(*arguments: Any, **settings: Any) -> AsyncEngine:
        engine = create(*arguments, **settings)
        of = engine.dialect
        compiled, types = first.setdefault(type(of), (LRUCache(5000), of._type_memos))
        vars(engine.sync_engine)["_compiled_cache"], vars(of)["_type_memos"] = compiled, types
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialect, "create_async_engine", remembering)
        patch.setattr(DefaultDialect, "__hash__", lambda of: hash(type(of)))
        patch.setattr(DefaultDialect, "__eq__", lambda of, other: type(of) is type(other))
        yield


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    """Fail a test that leaves a thread or a child process behind; threads that are about to end are waited for."""
    before = set(threading.enumerate())
    yield
    begun = [thread for thread in threading.enumerate() if thread not in before]
    for thread in begun:
        thread.join(ENDING_SECONDS)
    assert not [thread.name for thread in begun if thread.is_alive()]
    with suppress(ChildProcessError):  # there is none
        child, _ = os.waitpid(-1, os.WNOHANG)
        raise AssertionError(f"process {child or 'still running'} was left behind")


class OpenFile(sqlite3.Connection):
    """A connection that can be asked whether it was closed."""

    closed = False

    def close(self) -> None:
        """Close it."""
        super().close()
        self.closed = True


@pytest.fixture(autouse=True)
def _no_file_left_open(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test that leaves a connection to a file open.

    From Python 3.13 on SQLite's driver warns of one, but only when it is collected as garbage, in whatever test that
    happens to be.
    """
    opened: list[tuple[object, OpenFile]] = []
    connect = functools.partial(sqlite3.connect, factory=OpenFile)

    def remember(database: Any, *arguments: Any, **settings: Any) -> sqlite3.Connection:
        connection = connect(database, *arguments, **settings)
        opened.append((database, connection))
        return connection

    monkeypatch.setattr(sqlite3, "connect", remember)
    yield
    assert not [database for database, connection in opened if not connection.closed]


@pytest.fixture(autouse=True)
def _nothing_said_by_its_key() -> Iterator[None]:
    """Fail a test in which a text was wanted that English lacks: the bot says the last word of its key, and goes on."""
    yield
    lacking = [key for language, key in UNSAID if language == LANGUAGE]
    for key in lacking:
        del UNSAID[LANGUAGE, key]
    assert not lacking, lacking


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
