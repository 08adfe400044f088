"""A temporary PostgreSQL server for tests: created from the installed binaries and removed afterwards.

It listens on a Unix socket in a folder of its own, so that it cannot collide with another server of the machine.
"""

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

FAST_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
"""Settings for tests: nothing has to survive a power cut, and no server lives long enough for a vacuum."""
USER = "castellan"
"""The database user; it owns the server."""
DURABLE_SETTINGS = {"fsync": "on", "full_page_writes": "on", "autovacuum": "on"}
"""Changes to the settings for benchmarks, which measure a server that writes as in production."""
PASSWORD_USER, PASSWORD = "secured", "p@ss/word#1"
"""The only user with a password. Some of its characters have to be escaped in a URL."""


def unprivileged_user() -> dict[str, Any]:
    """Return the subprocess arguments that switch from root to another user: PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


class Cluster:
    """A PostgreSQL server whose data and socket are in one folder."""

    def __init__(self, programs: Path, folder: Path, settings: Mapping[str, str] = FAST_SETTINGS) -> None:
        self._programs = programs
        self._settings = settings
        self.folder = folder

    def url(self, database: str) -> str:
        """Return the address of a database of this server."""
        return f"postgresql://{USER}@/{database}?host={self.folder}"

    def create(self) -> None:
        """Create the data directory and start the server."""
        data = self.folder / "data"
        self._run(
            "initdb", "-D", data, "-U", USER, "-A", "trust", "-N", "--no-instructions", "-E", "UTF8", "--locale=C"
        )
        (data / "postgresql.auto.conf").write_text(
            "".join(f"{name} = '{value}'\n" for name, value in self._settings.items())
        )
        access = data / "pg_hba.conf"
        access.write_text(f"local all {PASSWORD_USER} scram-sha-256\n{access.read_text()}")
        self.start()
        self.sql(f"CREATE ROLE {PASSWORD_USER} LOGIN PASSWORD '{PASSWORD}'")

    def start(self) -> None:
        """Start the server on its existing data."""
        log, data = self.folder / "log", self.folder / "data"
        self._run("pg_ctl", "start", "-w", "-s", "-D", data, "-l", log, "-o", f"-k {self.folder}")

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server. By default it stops at once and aborts running statements."""
        self._run("pg_ctl", "stop", "-w", "-s", "-D", self.folder / "data", "-m", mode)

    def sql(self, *statements: str, database: str = "postgres") -> str:
        """Run statements in a new psql process, and return a line for each row."""
        commands = [part for statement in statements for part in ("-c", statement)]
        return self._run("psql", "-qAtXv", "ON_ERROR_STOP=1", "-h", self.folder, "-U", USER, "-d", database, *commands)

    def _run(self, program: str, *arguments: object) -> str:
        """Run one of the installed programs and return its output."""
        command = [str(self._programs / program), *map(str, arguments)]
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PGPORT": self._settings.get("port", "5432")}
        result = subprocess.run(  # noqa: S603 - programs of the installation
            command,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=environment,
            check=False,
            **unprivileged_user(),
        )
        assert result.returncode == 0, f"{program}: {result.stdout}{result.stderr}"
        return result.stdout.strip()


@contextmanager
def cluster(**changes: str) -> Iterator[Cluster]:
    """Run a server within the block, with some settings changed.

    Its folder is short and directly below ``/tmp``, because the path of a Unix socket may have only 107 bytes.
    """
    initdb = POSTGRESQL.path
    assert initdb is not None, "PostgreSQL is not installed"
    folder = Path(tempfile.mkdtemp(prefix="castellan-pg-", dir="/tmp"))
    try:
        if os.getuid() == 0:
            shutil.chown(folder, "nobody")
        running = Cluster(initdb.resolve().parent, folder, FAST_SETTINGS | changes)
        running.create()
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder)


class PersistentConnection:
    """A connection that stays open between statements, ten times as fast as a psql process for each.

    It has its own event loop, which runs only during a statement.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.run_until_complete(self._terminate())
        self._loop.close()

    def sql(self, statement: str) -> None:
        """Execute a statement; reconnect first if the server was restarted meanwhile."""
        self._loop.run_until_complete(self._execute(statement))

    async def _execute(self, statement: str) -> None:
        """Execute a statement on a connection that is kept between tests."""
        if self._connection is None or not await self._is_alive(self._connection):
            await self._terminate()
            self._connection = await asyncpg.connect(self._url)
        await self._connection.execute(statement)

    @staticmethod
    async def _is_alive(connection: asyncpg.Connection[asyncpg.Record]) -> bool:
        """Return whether a connection still answers."""
        try:
            await connection.execute("SELECT")
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            return False
        return True

    async def _terminate(self) -> None:
        """Drop the kept connection."""
        if self._connection is not None:
            self._connection.terminate()
            await asyncio.sleep(0)
