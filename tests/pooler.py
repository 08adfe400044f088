"""A pooler in transaction mode, as PgBouncer is: a client has a server's connection from BEGIN to the end, no longer.

It refuses startup parameters that it does not know, keeps no prepared statements, and gives each transaction another
connection if there is one.
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

from tests.cluster import USER, as_nobody
from tests.programs import PGBOUNCER

KNOWN = {"user", "database", "client_encoding"}
SOCKET = ".s.PGSQL.5432"
READY, GOODBYE = b"Z", b"X"


class Server:
    """A connection to the true server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.greeting = b""

    async def message(self) -> tuple[bytes, bytes]:
        return await read(self.reader)

    async def until_ready(self) -> bytes:
        """Read the server's messages until it is ready for a query."""
        said = b""
        while True:
            kind, body = await self.message()
            if kind == READY:
                return said
            if kind == b"S":
                said += packed(kind, body)

    async def forget(self) -> None:
        """Nothing that was prepared is left for the next one."""
        self.writer.write(packed(b"Q", b"DEALLOCATE ALL\0"))
        await self.until_ready()


async def read(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    kind = await reader.readexactly(1)
    (size,) = struct.unpack("!I", await reader.readexactly(4))
    return kind, await reader.readexactly(size - 4)


def packed(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", len(body) + 4) + body


class Pooler:
    """Clients on one side, a few connections on the other."""

    def __init__(self, connect: Callable[[], Awaitable[Server]]) -> None:
        self._connect = connect
        self._free: deque[Server] = deque()
        self._returned = asyncio.Semaphore(0)
        self._greeting = b""
        self.ends: set[asyncio.StreamWriter] = set()
        """Of all connections, to close them."""

    async def add(self) -> None:
        """One connection more to the server."""
        server = await self._connect()
        self._greeting = server.greeting
        self.ends.add(server.writer)
        self._give_back(server)

    def _give_back(self, server: Server) -> None:
        self._free.append(server)
        self._returned.release()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.ends.add(writer)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            if await self._greet(reader, writer):
                while True:
                    await self._transaction(reader, writer)
        writer.close()

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        (size,) = struct.unpack("!I", await reader.readexactly(4))
        words = (await reader.readexactly(size - 4))[4:].split(b"\0")
        unknown = {name.decode() for name in words[:-2:2] if name} - KNOWN
        if unknown:
            said = f"SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: {unknown}\0\0"
            writer.write(packed(b"E", said.encode()))
            return False
        writer.write(packed(b"R", struct.pack("!I", 0)) + self._greeting)
        writer.write(packed(b"K", struct.pack("!II", 1, 1)) + packed(READY, b"I"))
        return True

    async def _transaction(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay messages from the first one of a client until the server waits outside of a transaction.

        If the client leaves in the middle, the server's connection is closed, and another one is opened; so it is when
        the server leaves, which does not wait for ever for somebody who has stopped.
        """
        first = await read(reader)
        if first[0] == GOODBYE:
            raise ConnectionError
        await self._returned.acquire()
        server = self._free.popleft()
        server.writer.write(packed(*first))
        ways = [asyncio.create_task(way) for way in (self._forward(reader, server), self._answer(server, writer))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        _, answered = await asyncio.gather(*ways, return_exceptions=True)
        if answered is None:
            await server.forget()
            self._give_back(server)
            return
        server.writer.close()
        await self.add()
        raise ConnectionError

    @staticmethod
    async def _answer(server: Server, writer: asyncio.StreamWriter) -> None:
        while True:
            kind, body = await server.message()
            writer.write(packed(kind, body))
            if (kind, body) == (READY, b"I"):
                return

    @staticmethod
    async def _forward(reader: asyncio.StreamReader, server: Server) -> None:
        while True:
            server.writer.write(packed(*await read(reader)))


@asynccontextmanager
async def bouncer(cluster: Path, folder: Path, database: str, *, size: int = 3) -> AsyncIterator[None]:
    """The same by PgBouncer itself."""
    program = PGBOUNCER.path
    assert program is not None, "PgBouncer is not installed"
    said = {"unix_socket_dir": folder, "auth_type": "trust", "auth_file": folder / "users", "listen_addr": ""}
    kind = {"pool_mode": "transaction", "default_pool_size": size, "listen_port": SOCKET.rpartition(".")[2]}
    lines = [f"{name} = {value}" for name, value in {**said, **kind}.items()]
    settings = folder / "pgbouncer.ini"
    settings.write_text("\n".join([f"[databases]\n{database} = host={cluster}", "[pgbouncer]", *lines, ""]))
    (folder / "users").write_text(f'"{USER}" ""\n')
    whose = as_nobody()
    for file in (folder, settings, folder / "users") if whose else ():
        shutil.chown(file, whose["user"])
    process = await asyncio.create_subprocess_exec(program, "-q", settings, **whose, stderr=DEVNULL)
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
    """Let clients connect to a socket in the folder."""

    async def connect() -> Server:
        server = Server(*await asyncio.open_unix_connection(cluster / SOCKET))
        words = f"user\0{USER}\0database\0{database}\0client_encoding\0UTF8\0\0".encode()
        server.writer.write(struct.pack("!II", len(words) + 8, 196608) + words)
        server.greeting = await server.until_ready()
        return server

    between = Pooler(connect)
    for _ in range(size):
        await between.add()
    listening = await asyncio.start_unix_server(between.serve, folder / SOCKET)
    try:
        yield
    finally:
        listening.close()
        for writer in between.ends:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
