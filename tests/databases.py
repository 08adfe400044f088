"""Database fixtures: tests run on SQLite, and on PostgreSQL where it is installed.

A test that uses the fixture ``location``, directly or through another fixture, runs on both. Markers restrict it:

- ``sqlite``: only on SQLite, because the test reads the file, covers something that only SQLite does, or is long and
  uses the database as other tests do;
- ``postgresql``: only on PostgreSQL, because the test is about several processes;
- ``repeats_on_postgresql``: on PostgreSQL only with ``make soak``, because shorter tests cover the same statements.

A test of one host repeats there in the same way. Every run includes PostgreSQL for tests that open several hosts
(``new_host``) and for those marked ``both_databases``. The latter have concurrent tasks, or are the cheapest tests that
together execute every statement of the host.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from inspect import signature
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from _pytest.mark.structures import ParameterSet

from store import Store
from store.connection import postgres
from tests.cluster import USER, Cluster, PersistentConnection, cluster
from tests.pooler import pooler
from tests.programs import POSTGRESQL
from tests.store.empty_database import empty_database_file

WAIT_LIMIT_SECONDS = 60.0
"""Limit for connecting, statements and locks; generous, so that a busy machine fails no test."""
_numbers = count()
_SAVE_INITIAL_ROWS = """
CREATE SCHEMA begun;
DO $$
DECLARE name text; filled boolean;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', name) INTO filled;
        IF filled THEN EXECUTE format('CREATE TABLE begun.%I AS TABLE public.%I', name, name); END IF;
    END LOOP;
END $$
"""
"""SQL that copies the rows of a new database, which its migrations insert, to the schema ``begun``."""
_RESET = """
DO $$
DECLARE name text;
BEGIN
    PERFORM pg_terminate_backend(pid, 1000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('DELETE FROM public.%I', name);
    END LOOP;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'begun' LOOP
        EXECUTE format('INSERT INTO public.%I SELECT * FROM begun.%I', name, name);
    END LOOP;
    PERFORM setval(format('public.%I', sequencename)::regclass, start_value, false)
        FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL;
END $$
"""
"""SQL that ends all other connections, deletes all rows, and restores the initial rows and the sequences."""


@pytest.hookimpl
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that uses ``location`` on every database that its markers allow."""
    if "location" in metafunc.fixturenames:
        known = ("sqlite", "postgresql")
        marked = [name for name in known if metafunc.definition.get_closest_marker(name)]
        metafunc.parametrize("location", [_parameter(metafunc, name) for name in marked or known], indirect=True)


def _parameter(metafunc: pytest.Metafunc, name: str) -> ParameterSet | str:
    """Return the parameter for one database, with its marks."""
    if name == "sqlite":
        return name
    marks = [pytest.mark.needs(POSTGRESQL), *([pytest.mark.soak] if _repeats_on_postgresql(metafunc) else [])]
    return pytest.param(name, marks=marks)


def _repeats_on_postgresql(metafunc: pytest.Metafunc) -> bool:
    """Return whether a test runs on PostgreSQL only with `make soak`."""
    marked = metafunc.definition.get_closest_marker
    one_host = "new_host" in metafunc.fixturenames and "new_host" not in signature(metafunc.function).parameters
    required = marked("both_databases") or marked("postgresql")
    return bool(marked("repeats_on_postgresql") or (one_host and not required))


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """Run a server with two databases: the template ``begun`` with all tables, and ``games``, reset for each test."""
    with cluster() as running, pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres, "CONNECT_TIMEOUT_SECONDS", WAIT_LIMIT_SECONDS)
        patch.setattr(
            postgres,
            "DEFAULT_LIMITS",
            postgres.WaitLimits(statement=WAIT_LIMIT_SECONDS, lock=WAIT_LIMIT_SECONDS, idle=WAIT_LIMIT_SECONDS),
        )
        running.sql("CREATE DATABASE begun")
        asyncio.run(_create_tables(running.url("begun")))
        running.sql(_SAVE_INITIAL_ROWS, database="begun")
        running.sql("CREATE DATABASE games TEMPLATE begun")
        yield running


async def _create_tables(url: str) -> None:
    """Create all tables in a database."""
    store = await Store.open(url)
    await store.close()


@pytest.fixture(scope="session")
def games_database(postgresql: Cluster) -> Iterator[PersistentConnection]:
    """Keep one connection open by which ``games`` is reset."""
    with PersistentConnection(postgresql.url("games")) as connection:
        yield connection


@pytest.fixture
def new_database(postgresql: Cluster, games_database: PersistentConnection) -> str:
    """Reset the database ``games`` and return its address; creating a database for each test would take far longer."""
    games_database.sql(_RESET)
    return postgresql.url("games")


@pytest.fixture
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the location of a database with empty tables: the path of a file, or an address on the server."""
    if request.param == "postgresql":
        address: str = request.getfixturevalue("new_database")
        return address
    file = tmp_path / "games.db"
    file.write_bytes(empty_database_file())
    return str(file)


@pytest.fixture
def empty_database(postgresql: Cluster) -> str:
    """Create a database without tables and return its address."""
    name = f"empty{next(_numbers)}"
    postgresql.sql(f"CREATE DATABASE {name}")
    return postgresql.url(name)


@pytest.fixture
async def pooled(postgresql: Cluster, empty_database: str, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """Return the address of an empty database behind a pooler in transaction mode.

    The pooler is ours, unless the test is parametrized with another one.
    """
    name = urlsplit(empty_database).path.removeprefix("/")
    start_pooler = getattr(request, "param", pooler)
    with tempfile.TemporaryDirectory(prefix="pool-", dir="/tmp") as folder:
        async with start_pooler(postgresql.folder, Path(folder), name, size=5):
            yield f"postgresql://{USER}@/{name}?host={folder}"
