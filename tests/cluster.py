"""A PostgreSQL of the tests' own: begun from installed binaries in a folder of its own, gone with them."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import asyncpg

from tests.programs import POSTGRESQL

SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
"""No test cuts the power, and none lives long."""
USER = "castellan"
DURABLE = {"fsync": "on", "full_page_writes": "on", "autovacuum": "on"}
"""As it is in earnest, for what is measured."""
WITH_PASSWORD, PASSWORD = "secured", "p@ss/word#1"
"""The user with a password; all others need none."""


def as_nobody() -> dict[str, Any]:
    """The prefix of a command that must not run as root."""
    if os.getuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


class Cluster:
    """A running server with sockets in its folder."""

    def __init__(self, programs: Path, folder: Path, settings: Mapping[str, str] = SETTINGS) -> None:
        self._programs = programs
        self._settings = settings
        self.folder = folder

    def url(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def begin(self) -> None:
        """Make it and start it."""
        data = self.folder / "data"
        self._run(
            "initdb", "-D", data, "-U", USER, "-A", "trust", "-N", "--no-instructions", "-E", "UTF8", "--locale=C"
        )
        (data / "postgresql.auto.conf").write_text(
            "".join(f"{name} = '{value}'\n" for name, value in self._settings.items())
        )
        access = data / "pg_hba.conf"
        access.write_text(f"local all {WITH_PASSWORD} scram-sha-256\n{access.read_text()}")
        self.start()
        self.sql(f"CREATE ROLE {WITH_PASSWORD} LOGIN PASSWORD '{PASSWORD}'")

    def start(self) -> None:
        """Start it, as it was."""
        log, data = self.folder / "log", self.folder / "data"
        self._run("pg_ctl", "start", "-w", "-s", "-D", data, "-l", log, "-o", f"-k {self.folder}")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it: what is at work breaks off."""
        self._run("pg_ctl", "stop", "-w", "-s", "-D", self.folder / "data", "-m", mode)

    def sql(self, *statements: str, database: str = "postgres") -> str:
        """Run statements in a client of their own, and return a line for each row."""
        asked = [part for statement in statements for part in ("-c", statement)]
        return self._run("psql", "-qAtXv", "ON_ERROR_STOP=1", "-h", self.folder, "-U", USER, "-d", database, *asked)

    def _run(self, program: str, *arguments: object) -> str:
        command = [str(self._programs / program), *map(str, arguments)]
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PGPORT": self._settings.get("port", "5432")}
        done = subprocess.run(  # noqa: S603 - programs of the installation
            command, capture_output=True, text=True, cwd=self.folder, env=environment, check=False, **as_nobody()
        )
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"
        return done.stdout.strip()


@contextmanager
def cluster(**changes: str) -> Iterator[Cluster]:
    """A server for a while, with changed settings; its folder has a short name, as names of sockets must be."""
    initdb = POSTGRESQL.path
    assert initdb is not None, "PostgreSQL is not installed"
    folder = Path(tempfile.mkdtemp(prefix="castellan-pg-", dir="/tmp"))
    try:
        if os.getuid() == 0:
            shutil.chown(folder, "nobody")
        running = Cluster(initdb.resolve().parent, folder, SETTINGS | changes)
        running.begin()
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder)


class Kept:
    """A connection to a database that stays open: a new one for each statement would take ten times as long.

    It has a loop of its own, which runs only while it is asked.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.run_until_complete(self._let_go())
        self._loop.close()

    def sql(self, statement: str) -> None:
        """Carry a statement out, also where the server was started anew meanwhile."""
        self._loop.run_until_complete(self._execute(statement))

    async def _execute(self, statement: str) -> None:
        if self._connection is None or not await self._answers(self._connection):
            await self._let_go()
            self._connection = await asyncpg.connect(self._url)
        await self._connection.execute(statement)

    @staticmethod
    async def _answers(connection: asyncpg.Connection[asyncpg.Record]) -> bool:
        try:
            await connection.execute("SELECT")
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False
        return True

    async def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            await asyncio.sleep(0)
