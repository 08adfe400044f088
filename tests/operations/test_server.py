"""PostgreSQL as an operator meets it: the addresses that hosts give, and one line for whatever is wrong with one."""

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

APPENDED = "&sslmode=prefer&channel_binding=require&application_name=web&connect_timeout=10&pgbouncer=true"
"""Parameters that hosts append to their addresses."""


def login(postgresql: Cluster, password: str) -> str:
    return f"postgres://{PASSWORD_USER}:{password}@/games?host={postgresql.folder}"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
async def test_addresses_as_hosts_give_them(new_database: str, scheme: str) -> None:
    address = new_database.replace("postgresql", scheme, 1) + APPENDED
    store = await database.open_for_bot(Settings(database=address))
    async with store.reading() as tx:
        assert await games.unfinished(tx) == []
    await store.close()


async def refused(address: str) -> str:
    with pytest.raises(SettingsError) as caught:
        await database.open_for_bot(Settings(database=address))
    (line,) = caught.value.lines
    assert line.startswith("CASTELLAN_DATABASE: ")
    assert "\n" not in line
    assert PASSWORD not in line
    assert quote(PASSWORD, safe="") not in line
    return line


async def test_a_wrong_password(postgresql: Cluster) -> None:
    line = await refused(login(postgresql, "wrong"))
    assert "check user and password" in line
    assert "wrong" not in line


async def test_a_password_with_signs_in_it(postgresql: Cluster) -> None:
    """It gets in, where it may make no tables."""
    assert "may not make tables" in await refused(login(postgresql, quote(PASSWORD, safe="")))


async def test_no_such_database(postgresql: Cluster) -> None:
    assert "no database of this name" in await refused(postgresql.url("nothing"))


@pytest.mark.parametrize("address", ["mysql://localhost/games", "oracle+nothing://x/y"])
async def test_a_driver_that_there_is_not(address: str) -> None:
    assert "postgresql://user:password@host/name" in await refused(address)


async def test_a_server_that_does_not_answer_is_waited_for(
    new_database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database, "_RETRY_SECONDS", 0.01)
    opened, there = database.open_store, asyncio.Event()

    async def opening(_: str, *, pool: int) -> Store:
        return await opened(new_database if there.is_set() else "postgresql://127.0.0.1:1/games", pool=pool)

    monkeypatch.setattr(database, "open_store", opening)
    starting = asyncio.create_task(database.open_for_bot(Settings(database="postgresql://127.0.0.1:1/games")))
    await asyncio.wait([starting], timeout=1)
    assert not starting.done()
    assert caplog.text.count("waiting for the database") > 0
    there.set()
    await (await asyncio.wait_for(starting, 20)).close()


def test_no_password_in_what_is_said() -> None:
    assert display_name("postgres://ann:secret@db.example.org:5432/games?sslmode=require") == (
        "postgresql://ann:***@db.example.org:5432/games"
    )


def test_what_a_host_sets_counts_where_nothing_else_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CASTELLAN_DATABASE", raising=False)
    monkeypatch.setenv("DATABASE_URL", "postgres://host/games")
    settings = Settings.from_env(tmp_path / ".env")
    assert (settings.database, settings.database_setting) == ("postgres://host/games", "DATABASE_URL")
    assert "postgres://" not in repr(settings)
    monkeypatch.setenv("CASTELLAN_DATABASE", "games.sqlite3")
    settings = Settings.from_env(tmp_path / ".env")
    assert (settings.database, settings.database_setting) == ("games.sqlite3", "CASTELLAN_DATABASE")


@pytest.mark.parametrize("sign", ["DYNO", "RENDER", "RAILWAY_ENVIRONMENT"])
async def test_a_file_where_the_disk_is_wiped_needs_confirming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sign: str
) -> None:
    monkeypatch.setenv(sign, "1")
    file = str(tmp_path / "games.sqlite3")
    assert "CASTELLAN_FILE_STAYS=1" in await refused_file(file)
    store = await database.open_for_bot(Settings(database=file, create=True, file_stays=True))
    await store.close()


@pytest.mark.parametrize("sign", database._EPHEMERAL_HOSTS)
async def test_a_database_on_a_server_is_no_file_wherever_the_bot_runs(
    new_database: str, monkeypatch: pytest.MonkeyPatch, sign: str
) -> None:
    monkeypatch.setenv(sign, "1")
    with pytest.raises(UnusableDatabaseError, match=f"^{database._EPHEMERAL_HOSTS[sign]} wipes its disk"):
        database.check_file_survives_restarts(Settings())
    await (await database.open_for_bot(Settings(database=new_database))).close()


async def refused_file(file: str) -> str:
    with pytest.raises(SettingsError) as caught:
        await database.open_for_bot(Settings(database=file, create=True))
    return str(caught.value)
