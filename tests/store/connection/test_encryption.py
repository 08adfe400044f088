"""Encrypted connections to PostgreSQL, and the parameters that hosting services put into an address.

A second PostgreSQL server accepts encrypted connections only, with a certificate that the test creates. The
parameters, such as `sslmode`, are those of libpq, which the driver asyncpg understands only in part.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import Store, UnreachableDatabaseError, UnusableDatabaseError
from store.connection.files import open_store
from tests.cluster import USER, Cluster, cluster
from tests.programs import OPENSSL, POSTGRESQL
from tests.store.rows import store_game

pytestmark = pytest.mark.needs(POSTGRESQL, OPENSSL)

ENCRYPTED = "SELECT count(*) FROM pg_stat_ssl WHERE ssl"
"""Number of encrypted connections that the server counts."""
MODES = ("sslmode=require", "sslmode=prefer", "sslmode=no-verify", "ssl=true", "ssl=require", "")
"""Parameters with which an encrypted server has to be reachable."""


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """Create a self-signed certificate of a server on localhost; return its file and that of its key."""
    certificate_file, key = folder / f"{name}.crt", folder / f"{name}.key"
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    kind = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    command = ["openssl", "req", *kind, *names, "-keyout", str(key), "-out", str(certificate_file)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - a program of the installation
    key.chmod(0o600)
    return certificate_file, key


def free_port() -> int:
    """Return a TCP port of this machine that is not in use."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class EncryptedServer:
    """A server that accepts only encrypted connections, with its certificate and an unrelated one."""

    def __init__(self, running: Cluster, port: int, trusted: Path, other: Path) -> None:
        self.running = running
        self.port = port
        self.trusted = trusted
        self.other = other

    def url(self, *parameters: str) -> str:
        """Return the address of its database with these parameters, in the form hosting services use."""
        return f"postgres://{USER}@127.0.0.1:{self.port}/games?{'&'.join(parameters)}"


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EncryptedServer]:
    """A running server that requires encryption."""
    folder = tmp_path_factory.mktemp("certificates")
    trusted, key = certificate(folder, "server")
    other, _ = certificate(folder, "other")
    port = free_port()
    with cluster(listen_addresses="127.0.0.1", port=str(port)) as running:
        data = running.folder / "data"
        for file, name in ((trusted, "server.crt"), (key, "server.key")):
            shutil.copy(file, data / name)
            shutil.chown(data / name, data.owner())
        access = data / "pg_hba.conf"
        access.write_text(access.read_text().replace("host    all", "hostssl all"))
        running.sql("ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()", "CREATE DATABASE games")
        yield EncryptedServer(running, port, trusted, other)


@pytest.mark.parametrize("mode", MODES)
async def test_a_store_connects_encrypted(secured: EncryptedServer, mode: str) -> None:
    store = await Store.open(secured.url(*filter(None, [mode])))
    await store_game(store, f"C{MODES.index(mode)}")
    assert int(secured.running.sql(ENCRYPTED)) > 0
    await store.close()


async def test_the_servers_certificate_is_verified_on_request(secured: EncryptedServer) -> None:
    store = await Store.open(secured.url("sslmode=verify-full", f"sslrootcert={secured.trusted}"))
    await store.close()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (("sslmode=verify-full", "sslrootcert={other}"), "certificate"),
        (("sslmode=verify-ca", "sslrootcert={other}"), "certificate"),
        (("sslmode=verify-full", "sslrootcert=/nowhere.crt"), "/nowhere.crt"),
        (("sslmode=disable",), "no encryption"),
        (("sslmode=maybe",), "sslmode"),
        (("target_session_attrs=maybe",), "target_session_attrs"),
    ],
)
async def test_unusable_parameters_are_explained_in_one_line(
    secured: EncryptedServer, parameters: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UnusableDatabaseError) as caught:
        await open_store(secured.url(*(part.format(other=secured.other) for part in parameters)))
    line = str(caught.value)
    assert message in line
    assert "\n" not in line
    assert "check user and password" not in line


async def test_a_server_without_encryption_is_named_as_the_problem(secured: EncryptedServer) -> None:
    secured.running.sql("ALTER SYSTEM SET ssl = off", "SELECT pg_reload_conf()")
    try:
        await asyncio.sleep(0.5)
        with pytest.raises(UnusableDatabaseError, match="does not encrypt") as caught:
            await open_store(secured.url("sslmode=require"))
        assert not isinstance(caught.value, UnreachableDatabaseError), "an unreachable database would be waited for"
    finally:
        secured.running.sql("ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()")
        await asyncio.sleep(0.5)


async def test_unused_parameters_are_logged_in_one_line(
    secured: EncryptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    used = ("sslmode=require", "target_session_attrs=any", "options=-c%20geqo%3Doff", "pgbouncer=true")
    unused = ("connect_timeout=10", "application_name=web", "channel_binding=require", "pool_timeout=0")
    with caplog.at_level(logging.INFO, "store"):
        store = await Store.open(secured.url(*used, *unused))
    await store_game(store, "CUSED")
    await store.close()
    (line,) = [record.getMessage() for record in caplog.records if "address" in record.getMessage()]
    assert all(part.partition("=")[0] in line for part in unused)
    assert not any(part.partition("=")[0] in line for part in used)
