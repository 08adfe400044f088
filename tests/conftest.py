"""Fixtures and settings for all tests.

Among them: fixed examples of property tests, garbage collection, databases that do not wait for the disk, and checks
after each test that no thread, process or connection is left behind.
"""

from __future__ import annotations

import copy
import faulthandler
import functools
import gc
import logging
import math
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from types import NoneType, SimpleNamespace
from typing import Any, cast

import hypothesis
import pytest
import simcord
from _pytest.faulthandler import fault_handler_stderr_fd_key
from discord.ui.view import BaseView, ViewStore
from simcord import components, gateway, results
from simcord.backend import serializers
from simcord.http import router
from sqlalchemy import Dialect
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import LRUCache

from cogs.texts import FAILED_TEXTS, LANGUAGE
from store.connection import dialect
from tests.dealing import dealt
from tests.discord_limits.recorder import Recorder
from tests.engine.examples import SOAK_EXAMPLES
from tests.rewriting import rewrite_share
from tests.short_piles import deal_short_piles

pytest_plugins = ["tests.programs", "tests.databases", "tests.selection"]

# No deadlines: on two busy cores a single example is slow now and then. `make test` runs the same examples each time,
# so that it fails because of a change and never by chance; `make soak` tries new examples, and many more of them.
hypothesis.settings.register_profile("default", deadline=None, print_blob=True, max_examples=10, derandomize=True)
hypothesis.settings.register_profile("soak", deadline=None, print_blob=True, max_examples=SOAK_EXAMPLES)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

SETTLE_SECONDS = 60.0
"""Timeout for everything that one click causes; generous, because a busy machine draws pictures slowly."""
THREAD_JOIN_SECONDS = 30
"""Timeout for a thread to end; generous, because a started picture is always finished."""
HANG_SECONDS = 240
"""The time without a new test after which all threads' tracebacks are printed."""
REARM_SECONDS = 60
"""The age at which the timer of those tracebacks is set anew by the next test."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Rewrite this worker's share of the test modules. Pause garbage collection, since collected tests are kept."""
    rewrite_share(session.config)
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the long tests. The thousands of short ones then keep all workers busy until the end."""
    workers = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    items[:] = dealt(items, workers, lambda item: item.get_closest_marker("long") is not None)


@pytest.hookimpl
def pytest_collection_finish() -> None:
    """Keep the garbage collector from scanning the collected tests, and let it scan other objects less often.

    With Python's own thresholds garbage collection takes a sixteenth of the time of all tests, with these a
    twenty-fifth.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


class HangReporter:
    """Print the tracebacks of all threads when no test has begun for long.

    pytest's ``faulthandler_timeout`` does so, too, but starts and joins a thread for each test, which takes a quarter
    of the CPU time of an empty one.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._stash = config.stash
        self._set_at = -math.inf

    @pytest.hookimpl
    def pytest_runtest_logstart(self) -> None:
        """Set the timer anew, unless it is young."""
        now = time.monotonic()
        if now - self._set_at > REARM_SECONDS:
            faulthandler.dump_traceback_later(
                HANG_SECONDS + REARM_SECONDS, file=self._stash[fault_handler_stderr_fd_key]
            )
            self._set_at = now

    @pytest.hookimpl
    def pytest_sessionfinish(self) -> None:
        """Stop the timer."""
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl
def pytest_configure(config: pytest.Config) -> None:
    """Watch for hanging tests."""
    config.pluginmanager.register(HangReporter(config))


@pytest.fixture(params=["short", pytest.param("whole", marks=pytest.mark.soak)])
def game_length(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Deal short piles; with `make soak` the test is repeated with whole ones."""
    if request.param == "short":
        deal_short_piles(monkeypatch)
    return str(request.param)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """Record all requests of bots to simcord, the fake Discord; `recorder.problems()` validates them."""
    with Recorder().recording() as recorder:
        yield recorder


@pytest.fixture(autouse=True, scope="session")
def _fast_settling() -> Iterator[None]:
    """Let simcord check each millisecond, not every fifty, whether the bot is idle, and time out later."""
    polling_defaults = cast("dict[str, float]", simcord.Env._settle_internal.__kwdefaults__)
    timeout_defaults = cast("dict[str, float]", simcord.Env.__init__.__kwdefaults__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(polling_defaults, "idle", 0.001)
        patch.setitem(timeout_defaults, "settle_timeout", SETTLE_SECONDS)
        yield


@pytest.fixture(autouse=True, scope="session")
def _panels_without_timeout() -> Iterator[None]:
    """Disable the timeout of private panels, which simcord's frozen clock would never reach.

    discord.py starts a timeout of fifteen minutes for each panel that is sent as a follow-up. Each bid would leave one
    such task behind, and simcord examines every waiting task whenever it checks whether the bot has settled.
    """
    listen = BaseView._start_listening_from_store

    @functools.wraps(listen)
    def listen_without_timeout(view: BaseView, store: ViewStore) -> None:
        """Let a view listen to presses without a timer of its own."""
        view.timeout = None
        listen(view, store)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseView, "_start_listening_from_store", listen_without_timeout)
        yield


@pytest.fixture(autouse=True, scope="session")
def _sqlite_without_fsync() -> Iterator[None]:
    """Keep SQLite from waiting for the disk at each commit: no test cuts the power."""
    prepare_durably = dialect.prepare_sqlite

    @functools.wraps(prepare_durably)
    def prepare(connection: DBAPIConnection, record: object) -> None:
        """Prepare a connection as the bot does, but do not wait for the disk."""
        prepare_durably(connection, record)
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous = OFF")
        cursor.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialect, "prepare_sqlite", prepare)
        yield


@pytest.fixture(autouse=True, scope="session")
def _fast_deepcopy() -> Iterator[None]:
    """Replace simcord's deep copies by a faster one for JSON: at each start it copies commands of 30,000 values."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (gateway, router):
            patch.setattr(module, "copy", SimpleNamespace(deepcopy=_copy_json))
        for module in (components, results, serializers):
            patch.setattr(module, "deepcopy", _copy_json)
        yield


def _copy_json(value: Any) -> Any:
    """Copy dicts and lists recursively, share immutable values, and deep-copy anything else."""
    if type(value) is dict:
        return {key: _copy_json(item) for key, item in value.items()}
    if type(value) is list:
        return [_copy_json(item) for item in value]
    return value if isinstance(value, _IMMUTABLE_TYPES) else copy.deepcopy(value)


_IMMUTABLE_TYPES = (str, int, float, bytes, NoneType, tuple)
"""Types that are shared instead of copied; discord.py's enumerations are tuples."""


@pytest.fixture(autouse=True, scope="session")
def _shared_statement_cache() -> Iterator[None]:
    """Let SQLAlchemy compile each statement once per kind of database, not once per bot that a test starts.

    Its cache belongs to an engine and is keyed by the dialect, of which each engine has its own instance. So all
    engines share one cache, and all dialects of a class are equal.
    """
    create = dialect.create_async_engine
    caches: dict[type[Dialect], tuple[Any, Any]] = {}

    @functools.wraps(create)
    def create_with_shared_cache(*arguments: Any, **settings: Any) -> AsyncEngine:
        """Create an engine that uses the compiled statements of all earlier ones."""
        engine = create(*arguments, **settings)
        own = engine.dialect
        compiled, types = caches.setdefault(type(own), (LRUCache(5000), own._type_memos))
        vars(engine.sync_engine)["_compiled_cache"], vars(own)["_type_memos"] = compiled, types
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialect, "create_async_engine", create_with_shared_cache)
        patch.setattr(DefaultDialect, "__hash__", lambda own: hash(type(own)))
        patch.setattr(DefaultDialect, "__eq__", lambda own, other: type(own) is type(other))
        yield


@pytest.fixture(autouse=True)
def _no_leaked_threads_or_processes() -> Iterator[None]:
    """Fail a test that leaves a thread or a child process behind; wait for threads that are about to end."""
    before = set(threading.enumerate())
    yield
    started = [thread for thread in threading.enumerate() if thread not in before]
    for thread in started:
        thread.join(THREAD_JOIN_SECONDS)
    assert not [thread.name for thread in started if thread.is_alive()]
    with suppress(ChildProcessError):  # no child process is left, as it should be
        child, _ = os.waitpid(-1, os.WNOHANG)
        raise AssertionError(f"process {child or 'still running'} was left behind")


class TrackedConnection(sqlite3.Connection):
    """A connection that knows whether it was closed."""

    closed = False

    def close(self) -> None:
        """Close the connection and record it."""
        super().close()
        self.closed = True


@pytest.fixture(autouse=True)
def _no_leaked_connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test that leaves a SQLite connection open.

    From Python 3.13 on the driver warns about one, but only when it is garbage collected, which may happen in any later
    test.
    """
    opened: list[tuple[object, TrackedConnection]] = []
    connect = functools.partial(sqlite3.connect, factory=TrackedConnection)

    def connect_tracked(database: Any, *arguments: Any, **settings: Any) -> sqlite3.Connection:
        """Open a connection and remember it."""
        connection = connect(database, *arguments, **settings)
        opened.append((database, connection))
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_tracked)
    yield
    assert not [database for database, connection in opened if not connection.closed]


@pytest.fixture(autouse=True)
def _no_missing_english_texts() -> Iterator[None]:
    """Fail a test that used a text key without an English text; the bot itself shows the end of the key instead."""
    yield
    missing = [key for language, key in FAILED_TEXTS if language == LANGUAGE]
    for key in missing:
        del FAILED_TEXTS[LANGUAGE, key]
    assert not missing, missing


@pytest.fixture(autouse=True)
def _no_swallowed_errors(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test in which discord.py logged an error: it only logs what callbacks of buttons raise."""
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
