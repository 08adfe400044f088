"""Outages of the database: full disks, damaged or read-only files, failovers.

Each is logged once when it begins and once when it is over; requests fail with `UnavailableError` meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import cast

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from store import RETRY_BUDGET, CollisionError, RetryBudget, Store, UnavailableError, processes
from store.connection import outages, postgres
from store.connection.dialect import translate_error
from store.errors import DiskFullError
from store.schema.admin import marks
from tests.cluster import Cluster
from tests.proxy import Proxy, proxy
from tests.store.empty_database import empty_database_file, open_store
from tests.store.faults import DISK_FULL, READ_ONLY, set_pragma
from tests.store.rows import NOW


async def put(store: Store, value: object) -> None:
    """Store a value under the mark "name"."""
    async with store.writing("name") as tx:
        await processes.save_mark(tx, "name", value, NOW)


async def read(store: Store) -> object:
    """Return the value of the mark "name"."""
    async with store.reading() as tx:
        return await processes.mark_of(tx, "name")


def damage(file: Path, copy: Path) -> None:
    """Copy a file, then overwrite all but its first page, as a failing disk might."""
    shutil.copy(file, copy)
    file.write_bytes(file.read_bytes()[:4096] + b"\xff" * (len(empty_database_file()) - 4096))


def damage_pages(file: Path, copy: Path, pages: bytes) -> None:
    """Copy a file, then overwrite the pages that match the pattern."""
    shutil.copy(file, copy)
    file.write_bytes(re.sub(pages, b"\xff" * 4096, file.read_bytes(), flags=re.DOTALL))


@contextmanager
def logged_once(caplog: pytest.LogCaptureFixture, reason: str) -> Iterator[None]:
    """Expect one log line at the beginning of an outage and one at its end, without a traceback."""
    yield
    first, last = [record.getMessage() for record in caplog.records if record.name == outages.__name__]
    assert reason in first
    assert "can be used again" in last
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("statement", "reason"), [(DISK_FULL, "the disk is full"), (READ_ONLY, "the file may only be read")]
)
async def test_writes_fail_during_an_outage_and_work_afterwards(
    store: Store, caplog: pytest.LogCaptureFixture, statement: str, reason: str
) -> None:
    await put(store, "before")
    with logged_once(caplog, reason):
        async with set_pragma(store, statement):
            for _ in range(3):
                with pytest.raises(UnavailableError, match=reason):
                    await put(store, "x" * 20_000)
                assert await read(store) == "before"
        await put(store, "after")
    assert await read(store) == "after"


def outage_lines(caplog: pytest.LogCaptureFixture) -> int:
    """Count the log's lines about the beginning and the end of outages."""
    return len([record for record in caplog.records if record.name == outages.__name__])


@pytest.mark.sqlite
async def test_small_writes_do_not_end_a_full_disk_outage(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    """Store small values, as a heartbeat does, between large ones that do not fit."""
    await put(store, 0)
    with logged_once(caplog, "the disk is full"):
        async with set_pragma(store, DISK_FULL):
            for count in range(1, 28):
                with pytest.raises(UnavailableError):
                    await put(store, "x" * 20_000)
                await put(store, count)
                assert await read(store) == count
                assert outage_lines(caplog) == 1
        await put(store, "after")
        assert outage_lines(caplog) == 2
        await put(store, "x" * 20_000)
    async with store.reading() as tx:
        assert await tx.scalar(select(func.count()).select_from(marks)) == 1, "the trial write is rolled back"


@pytest.mark.sqlite
async def test_a_little_free_space_does_not_end_the_outage(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    await put(store, 0)
    with logged_once(caplog, "the disk is full"):
        async with set_pragma(store, DISK_FULL):
            with pytest.raises(UnavailableError):
                await put(store, "x" * 20_000)
        pages = await pages_of(store)
        async with set_pragma(store, f"PRAGMA max_page_count = {pages + 8}"):
            await put(store, "x" * 20_000)
            assert outage_lines(caplog) == 1
        await asyncio.gather(*(put(store, count) for count in range(5)))


async def pages_of(store: Store) -> int:
    """Return the number of pages of the file."""
    async with store.reading() as tx:
        page_count: int = (await tx.execute(text("PRAGMA page_count"))).scalar_one()
    return page_count


@pytest.mark.postgresql
async def test_small_writes_do_not_end_a_servers_full_disk_outage(
    location: str, postgresql: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    name = location.partition("?")[0].rpartition("/")[2]
    postgresql.sql(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;"
        "CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON marks FOR EACH ROW "
        "WHEN (length(NEW.value::text) > 10000) EXECUTE FUNCTION refuse()",
        database=name,
    )
    store: Store = await open_store(location)
    try:
        with logged_once(caplog, "No space left on device"):
            for count in range(3):
                with pytest.raises(DiskFullError):
                    await put(store, "x" * 20_000)
                await put(store, count)
                assert outage_lines(caplog) == 1
            postgresql.sql("DROP TRIGGER full_disk ON marks", database=name)
            await put(store, "after")
    finally:
        postgresql.sql("DROP TRIGGER IF EXISTS full_disk ON marks; DROP FUNCTION refuse", database=name)
        await store.close()


@pytest.mark.sqlite
async def test_a_damaged_file_is_reported_until_it_is_replaced(
    location: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, copy = Path(location), tmp_path / "copy.db"
    store: Store = await open_store(location)
    await put(store, "before")
    await store._engine.dispose()
    damage(file, copy)
    with logged_once(caplog, "the file is damaged"):
        for _ in range(2):
            with pytest.raises(UnavailableError, match="put a copy in its place"):
                await read(store)
        copy.replace(file)
        assert await read(store) == "before"
    await put(store, "after")
    await store.close()


@pytest.mark.sqlite
async def test_reads_of_intact_pages_do_not_end_the_outage(
    location: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "CHECK_SPACING_SECONDS", 0.0)
    file, copy = Path(location), tmp_path / "copy.db"
    store: Store = await open_store(location)
    await put(store, "x" * 100_000)
    await store._engine.dispose()
    damage_pages(file, copy, rb"....x{4092}")
    with logged_once(caplog, "the file is damaged"):
        for _ in range(5):
            assert await pages_of(store) > 5
            with pytest.raises(UnavailableError, match="the file is damaged"):
                await read(store)
            assert outage_lines(caplog) == 1
        copy.replace(file)
        assert len(cast("str", await read(store))) == 100_000
    await store.close()


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        ("53100", DiskFullError),
        ("53300", UnavailableError),  # too many connections
        ("57P01", UnavailableError),  # the server is shutting down
        ("57P03", UnavailableError),  # the server is starting
        ("58030", UnavailableError),  # an I/O error of the server
        ("08006", UnavailableError),  # the connection is lost
        ("25006", UnavailableError),  # the server is read-only
        ("40001", CollisionError),
        ("40P01", CollisionError),
        ("42601", type(None)),  # a syntax error, which is no outage
    ],
)
def test_error_codes_of_a_server_are_translated(code: str, meaning: type[object]) -> None:
    error = Exception("error")
    vars(error)["sqlstate"] = code
    assert type(translate_error(DBAPIError("SELECT 1", {}, error))) is meaning


@pytest.mark.postgresql
async def test_a_read_only_server_has_all_connections_replaced(
    location: str, postgresql: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    """Reconnect as after a failover, when open connections stay with the demoted server."""
    name = location.partition("?")[0].rpartition("/")[2]
    postgresql.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    store: Store = await open_store(location)
    async with store.reading(), store.reading(), store.reading():
        pass  # three connections of the pool are open
    postgresql.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
    with logged_once(caplog, "read-only"):
        with pytest.raises(UnavailableError):
            await put(store, "before")
        await asyncio.gather(*(put(store, number) for number in range(3)))
    await store.close()


@pytest.mark.postgresql
async def test_a_request_with_a_retry_budget_survives_a_restart(
    location: str, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "RETRY_INTERVAL_SECONDS", 0.05)
    store: Store = await open_store(location)
    postgresql.stop()
    token = RETRY_BUDGET.set(RetryBudget(60.0))
    write = asyncio.create_task(put(store, "stored"))
    await asyncio.sleep(0.2)
    await asyncio.to_thread(postgresql.start)
    await write
    RETRY_BUDGET.reset(token)
    assert await read(store) == "stored"
    await store.close()


async def test_a_slow_request_fails_when_its_budget_is_used_up(store: Store) -> None:
    """Fail in time even if something other than the database is slow."""
    token = RETRY_BUDGET.set(RetryBudget(0.05))
    with pytest.raises(UnavailableError, match="in time"):
        async with store.reading():
            await asyncio.sleep(60)
    RETRY_BUDGET.reset(token)
    assert await read(store) is None


async def write_into_blocked_network(store: Store, network: Proxy) -> None:
    """Block the network in the middle of a write."""
    async with store.writing() as tx:
        network.block()
        await processes.save_mark(tx, "name", "lost", NOW)


@pytest.mark.postgresql
async def test_a_request_fails_in_time_even_if_its_rollback_is_not_answered(
    location: str, postgresql: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "DEFAULT_LIMITS", postgres.WaitLimits(statement=20.0, lock=20.0, idle=20.0))
    async with proxy(postgresql.folder) as network:
        store = await Store.open(network.url(location), migrate=False)
        await put(store, "before")
        budget = RetryBudget(0.2)
        token, began = RETRY_BUDGET.set(budget), monotonic()
        with pytest.raises(UnavailableError, match="in time"):
            await write_into_blocked_network(store, network)
        with pytest.raises(UnavailableError, match="in time"):
            await read(store)
        assert budget.remaining == 0, "the next statement of the request does not wait as long again"
        assert monotonic() - began < 10
        RETRY_BUDGET.reset(token)
        network.unblock()
        assert await read(store) == "before"
        await store.close()


@pytest.mark.sqlite
async def test_opening_a_damaged_file_raises_and_logs_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file, whole = tmp_path / "games.db", empty_database_file()
    file.write_bytes(whole[:4096] + bytes(range(256)) * 144 + whole[40960:])
    with pytest.raises(UnavailableError, match="the file is damaged"):
        await Store.open(file)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
