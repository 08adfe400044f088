"""On which databases tests run: on SQLite, and on PostgreSQL where it is installed.

A test that asks for ``location``, or for what rests on it, runs on both; one marked ``sqlite`` only there, because it
looks into a file or at what SQLite alone does, or is long and asks no more of a database than others; one marked
``postgresql`` only there, because it is about several processes. One marked ``repeats_on_postgresql`` is long, and asks
that server for nothing that shorter ones do not: it runs there with ``make soak``.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from _pytest.mark.structures import ParameterSet

from store import Store
from store.connection import postgres
from tests.cluster import USER, Cluster, Kept, cluster
from tests.pooler import pooler
from tests.programs import POSTGRESQL
from tests.store.begun import empty_file

PATIENCE = 60.0
_numbers = count()
_REMEMBER = """
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
"""Keep the rows with which a database begins."""
_BEGIN_ANEW = """
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
"""Leave nothing but those rows, and nobody who still looks at others."""


@pytest.hookimpl
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what needs a database on each."""
    if "location" in metafunc.fixturenames:
        known = ("sqlite", "postgresql")
        alone = [name for name in known if metafunc.definition.get_closest_marker(name)]
        metafunc.parametrize("location", [_run(metafunc, name) for name in alone or known], indirect=True)


def _run(metafunc: pytest.Metafunc, name: str) -> ParameterSet | str:
    if name == "sqlite":
        return name
    repeats = metafunc.definition.get_closest_marker("repeats_on_postgresql")
    return pytest.param(name, marks=[pytest.mark.needs(POSTGRESQL), *([pytest.mark.soak] if repeats else [])])


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """A server, however slow the machine is: in it ``begun`` with all tables, and ``games``, where tests begin anew."""
    with cluster() as running, pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres, "CONNECT_TIMEOUT_SECONDS", PATIENCE)
        patch.setattr(postgres, "DEFAULT_LIMITS", postgres.WaitLimits(statement=PATIENCE, lock=PATIENCE, idle=PATIENCE))
        running.sql("CREATE DATABASE begun")
        asyncio.run(_fill(running.url("begun")))
        running.sql(_REMEMBER, database="begun")
        running.sql("CREATE DATABASE games TEMPLATE begun")
        yield running


async def _fill(url: str) -> None:
    store = await Store.open(url)
    await store.close()


@pytest.fixture(scope="session")
def games_database(postgresql: Cluster) -> Iterator[Kept]:
    with Kept(postgresql.url("games")) as kept:
        yield kept


@pytest.fixture
def new_database(postgresql: Cluster, games_database: Kept) -> str:
    """The address of a database with all tables and nothing in them; making one for each test would take far longer."""
    games_database.sql(_BEGIN_ANEW)
    return postgresql.url("games")


@pytest.fixture
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The location of an empty database for a test: a file with all tables, or a database of a server."""
    if request.param == "postgresql":
        found: str = request.getfixturevalue("new_database")
        return found
    file = tmp_path / "games.db"
    file.write_bytes(empty_file())
    return str(file)


@pytest.fixture
def empty_database(postgresql: Cluster) -> str:
    """The address of a database in which there is nothing yet."""
    name = f"empty{next(_numbers)}"
    postgresql.sql(f"CREATE DATABASE {name}")
    return postgresql.url(name)


@pytest.fixture
async def pooled(postgresql: Cluster, empty_database: str, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """Its address by a pooler that lends connections for one transaction each: ours, or the one that is asked for."""
    name = urlsplit(empty_database).path.removeprefix("/")
    between = getattr(request, "param", pooler)
    with tempfile.TemporaryDirectory(prefix="pool-", dir="/tmp") as folder:
        async with between(postgresql.folder, Path(folder), name, size=5):
            yield f"postgresql://{USER}@/{name}?host={folder}"
