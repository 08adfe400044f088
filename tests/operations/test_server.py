"""PostgreSQL as an operator sets it up: addresses of hosting services, and a one-line error for each problem.

The tests' own PostgreSQL server stands for that of a hosting service. An address with a problem (a wrong password, a
missing database, an unknown driver) is refused with one line that says what to do.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import quote

import pytest

from operations import database
from operations.settings import Settings, SettingsError
from store import Store, UnusableDatabaseError, games
from store.connection.files import display_name
from tests.cluster import PASSWORD, PASSWORD_USER, Cluster

HOSTING_PARAMETERS = "&sslmode=prefer&channel_binding=require&application_name=web&connect_timeout=10&pgbouncer=true"
"""Parameters that hosting services append to their addresses."""


def login(postgresql: Cluster, password: str) -> str:
    """Return the address of the server for a user with a password."""
    return f"postgres://{PASSWORD_USER}:{password}@/games?host={postgresql.folder}"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
async def test_addresses_of_hosting_services_are_accepted(new_database: str, scheme: str) -> None:
    address = new_database.replace("postgresql", scheme, 1) + HOSTING_PARAMETERS
    store = await database.open_for_bot(Settings(database=address))
    async with store.reading() as tx:
        assert await games.unfinished_ids(tx) == []
    await store.close()


async def open_error(address: str) -> str:
    """Open the database, which has to be refused; return the error's one line."""
    with pytest.raises(SettingsError) as caught:
        await database.open_for_bot(Settings(database=address))
    (line,) = caught.value.lines
    assert line.startswith("CASTELLAN_DATABASE: ")
    assert "\n" not in line
    assert PASSWORD not in line
    assert quote(PASSWORD, safe="") not in line
    return line


async def test_a_wrong_password_is_named_as_the_problem(postgresql: Cluster) -> None:
    line = await open_error(login(postgresql, "wrong"))
    assert "check user and password" in line
    assert "wrong" not in line


async def test_a_password_may_contain_special_characters(postgresql: Cluster) -> None:
    """Log in; the refusal is that this user may not create tables."""
    assert "may not make tables" in await open_error(login(postgresql, quote(PASSWORD, safe="")))


async def test_a_missing_database_is_named_as_the_problem(postgresql: Cluster) -> None:
    assert "no database of this name" in await open_error(postgresql.url("nothing"))


@pytest.mark.parametrize("address", ["mysql://localhost/games", "oracle+nothing://x/y"])
async def test_an_unknown_driver_is_refused_with_an_example(address: str) -> None:
    assert "postgresql://user:password@host/name" in await open_error(address)


async def test_a_server_that_does_not_answer_is_waited_for(
    new_database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database, "_RETRY_SECONDS", 0.01)
    real_open_store, available = database.open_store, asyncio.Event()

    async def open_store(_: str, *, pool: int) -> Store:
        """Fail to connect until the server is available."""
        return await real_open_store(
            new_database if available.is_set() else "postgresql://127.0.0.1:1/games", pool=pool
        )

    monkeypatch.setattr(database, "open_store", open_store)
    starting = asyncio.create_task(database.open_for_bot(Settings(database="postgresql://127.0.0.1:1/games")))
    await asyncio.wait([starting], timeout=1)
    assert not starting.done()
    assert caplog.text.count("waiting for the database") > 0
    available.set()
    await (await asyncio.wait_for(starting, 20)).close()


def test_displayed_addresses_have_no_password() -> None:
    assert display_name("postgres://ann:secret@db.example.org:5432/games?sslmode=require") == (
        "postgresql://ann:***@db.example.org:5432/games"
    )


def test_database_url_is_used_unless_our_setting_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CASTELLAN_DATABASE", raising=False)
    monkeypatch.setenv("DATABASE_URL", "postgres://host/games")
    settings = Settings.from_env(tmp_path / ".env")
    assert (settings.database, settings.database_setting) == ("postgres://host/games", "DATABASE_URL")
    assert "postgres://" not in repr(settings)
    monkeypatch.setenv("CASTELLAN_DATABASE", "games.sqlite3")
    settings = Settings.from_env(tmp_path / ".env")
    assert (settings.database, settings.database_setting) == ("games.sqlite3", "CASTELLAN_DATABASE")


@pytest.mark.parametrize("variable", ["DYNO", "RENDER", "RAILWAY_ENVIRONMENT"])
async def test_a_file_on_an_ephemeral_disk_needs_confirmation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "1")
    file = str(tmp_path / "games.sqlite3")
    assert "CASTELLAN_FILE_STAYS=1" in await file_error(file)
    store = await database.open_for_bot(Settings(database=file, create=True, file_stays=True))
    await store.close()


@pytest.mark.parametrize("variable", database._EPHEMERAL_HOSTS)
async def test_a_database_server_needs_no_confirmation(
    new_database: str, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "1")
    with pytest.raises(UnusableDatabaseError, match=f"^{database._EPHEMERAL_HOSTS[variable]} wipes its disk"):
        database.check_file_survives_restarts(Settings())
    await (await database.open_for_bot(Settings(database=new_database))).close()


async def file_error(file: str) -> str:
    """Open a file, which has to be refused; return the error."""
    with pytest.raises(SettingsError) as caught:
        await database.open_for_bot(Settings(database=file, create=True))
    return str(caught.value)
