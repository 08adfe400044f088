"""A connection pooler in transaction mode, like PgBouncer: a client holds a server connection for one transaction.

It is as strict as poolers are: it refuses unknown startup parameters, keeps no prepared statements, and gives each
transaction a different connection if there is one. The messages are those of PostgreSQL's frontend/backend protocol.
"""

from __future__ import annotations

import asyncio
import shutil
import struct
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL

from tests.cluster import USER, unprivileged_user
from tests.programs import PGBOUNCER

KNOWN_STARTUP_PARAMETERS = {"user", "database", "client_encoding"}
"""Parameters that a client may send when it connects."""
SOCKET = ".s.PGSQL.5432"
"""The name that PostgreSQL gives its socket on the default port."""
READY_FOR_QUERY, PARAMETER_STATUS, QUERY, TERMINATE = b"Z", b"S", b"Q", b"X"
"""Types of protocol messages."""
PROTOCOL_VERSION = 196608
"""Version 3.0 of the protocol, as a startup message gives it."""


class ServerConnection:
    """A connection from the pooler to the PostgreSQL server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.parameters = b""
        """The messages by which the server reported its parameters."""

    async def read(self) -> tuple[bytes, bytes]:
        """Read one message."""
        return await read_message(self.reader)

    async def until_ready(self) -> bytes:
        """Read until the server is ready for a query; return the parameters that it reported."""
        parameters = b""
        while True:
            kind, body = await self.read()
            if kind == READY_FOR_QUERY:
                return parameters
            if kind == PARAMETER_STATUS:
                parameters += pack(kind, body)

    async def deallocate(self) -> None:
        """Drop all prepared statements, so that the next client finds none."""
        self.writer.write(pack(QUERY, b"DEALLOCATE ALL\0"))
        await self.until_ready()


async def read_message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Read one message; return its type and its body."""
    kind = await reader.readexactly(1)
    (size,) = struct.unpack("!I", await reader.readexactly(4))
    return kind, await reader.readexactly(size - 4)


def pack(kind: bytes, body: bytes) -> bytes:
    """Return a message on the wire."""
    return kind + struct.pack("!I", len(body) + 4) + body


class Pooler:
    """Relay transactions of many clients over a few server connections."""

    def __init__(self, connect: Callable[[], Awaitable[ServerConnection]]) -> None:
        self._connect = connect
        self._free: deque[ServerConnection] = deque()
        self._returned = asyncio.Semaphore(0)
        self._parameters = b""
        self.writers: set[asyncio.StreamWriter] = set()
        """The writers of all connections, to close them at the end."""

    async def add(self) -> None:
        """Open one more connection to the server."""
        server = await self._connect()
        self._parameters = server.parameters
        self.writers.add(server.writer)
        self._give_back(server)

    def _give_back(self, server: ServerConnection) -> None:
        """Return a connection to the pool."""
        self._free.append(server)
        self._returned.release()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client until it disconnects."""
        self.writers.add(writer)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            if await self._accept(reader, writer):
                while True:
                    await self._relay_transaction(reader, writer)
        writer.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer the startup message of a client; return whether it was accepted."""
        (size,) = struct.unpack("!I", await reader.readexactly(4))
        parameters = (await reader.readexactly(size - 4))[4:].split(b"\0")
        unknown = {name.decode() for name in parameters[:-2:2] if name} - KNOWN_STARTUP_PARAMETERS
        if unknown:
            error = f"SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: {unknown}\0\0"
            writer.write(pack(b"E", error.encode()))
            return False
        writer.write(pack(b"R", struct.pack("!I", 0)) + self._parameters)
        writer.write(pack(b"K", struct.pack("!II", 1, 1)) + pack(READY_FOR_QUERY, b"I"))
        return True

    async def _relay_transaction(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay messages from the client's first one until the server is idle outside of a transaction.

        If either side disconnects in the middle, the server connection is closed and a new one is opened. (The server
        does so when a client stays silent in a transaction for too long.)
        """
        first = await read_message(reader)
        if first[0] == TERMINATE:
            raise ConnectionError
        await self._returned.acquire()
        server = self._free.popleft()
        server.writer.write(pack(*first))
        forward = asyncio.create_task(self._forward(reader, server))
        answer = asyncio.create_task(self._answer(server, writer))
        await asyncio.wait([forward, answer], return_when=asyncio.FIRST_COMPLETED)
        forward.cancel()
        answer.cancel()
        _, failure = await asyncio.gather(forward, answer, return_exceptions=True)
        if failure is None:
            await server.deallocate()
            self._give_back(server)
            return
        server.writer.close()
        await self.add()
        raise ConnectionError

    @staticmethod
    async def _answer(server: ServerConnection, writer: asyncio.StreamWriter) -> None:
        """Pass on answers of the server until its transaction has ended."""
        while True:
            kind, body = await server.read()
            writer.write(pack(kind, body))
            if (kind, body) == (READY_FOR_QUERY, b"I"):  # "I": idle, in no transaction
                return

    @staticmethod
    async def _forward(reader: asyncio.StreamReader, server: ServerConnection) -> None:
        """Pass on messages of the client."""
        while True:
            server.writer.write(pack(*await read_message(reader)))


@asynccontextmanager
async def bouncer(cluster: Path, folder: Path, database: str, *, size: int = 3) -> AsyncIterator[None]:
    """Run PgBouncer itself within the block, with the same interface as `pooler`."""
    program = PGBOUNCER.path
    assert program is not None, "PgBouncer is not installed"
    access = {"unix_socket_dir": folder, "auth_type": "trust", "auth_file": folder / "users", "listen_addr": ""}
    pool = {"pool_mode": "transaction", "default_pool_size": size, "listen_port": SOCKET.rpartition(".")[2]}
    lines = [f"{name} = {value}" for name, value in {**access, **pool}.items()]
    settings = folder / "pgbouncer.ini"
    settings.write_text("\n".join([f"[databases]\n{database} = host={cluster}", "[pgbouncer]", *lines, ""]))
    (folder / "users").write_text(f'"{USER}" ""\n')
    user = unprivileged_user()
    for file in (folder, settings, folder / "users") if user else ():
        shutil.chown(file, user["user"])
    process = await asyncio.create_subprocess_exec(program, "-q", settings, **user, stderr=DEVNULL)
    try:
        while not (folder / SOCKET).exists():
            assert process.returncode is None, "PgBouncer does not start"
            await asyncio.sleep(0.02)
        yield
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def pooler(cluster: Path, folder: Path, database: str, *, size: int = 3) -> AsyncIterator[None]:
    """Run a pooler within the block: clients connect to a socket in the folder."""

    async def connect() -> ServerConnection:
        """Open a connection to the server."""
        server = ServerConnection(*await asyncio.open_unix_connection(cluster / SOCKET))
        parameters = f"user\0{USER}\0database\0{database}\0client_encoding\0UTF8\0\0".encode()
        server.writer.write(struct.pack("!II", len(parameters) + 8, PROTOCOL_VERSION) + parameters)
        server.parameters = await server.until_ready()
        return server

    relay = Pooler(connect)
    for _ in range(size):
        await relay.add()
    listening = await asyncio.start_unix_server(relay.serve, folder / SOCKET)
    try:
        yield
    finally:
        listening.close()
        for writer in relay.writers:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
