"""A pooler in transaction mode, as PgBouncer is: a client has a server's connection from BEGIN to the end, no longer.

It refuses startup parameters that it does not know, keeps no prepared statements, and gives each transaction another
connection if there is one.
"""

from __future__ import annotations

import asyncio
import struct
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from tests.cluster import USER

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
        """What it says until it is ready for a query."""
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

    def __init__(self, servers: list[Server]) -> None:
        self._free: deque[Server] = deque(servers)
        self._returned = asyncio.Semaphore(len(servers))
        self.clients: set[asyncio.StreamWriter] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.clients.add(writer)
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
        writer.write(packed(b"R", struct.pack("!I", 0)) + self._free[0].greeting)
        writer.write(packed(b"K", struct.pack("!II", 1, 1)) + packed(READY, b"I"))
        return True

    async def _transaction(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """From the first message of a client until the server waits outside of a transaction."""
        first = await read(reader)
        if first[0] == GOODBYE:
            raise ConnectionError
        async with self._returned:
            server = self._free.popleft()
            server.writer.write(packed(*first))
            sending = asyncio.create_task(self._forward(reader, server))
            while True:
                kind, body = await server.message()
                writer.write(packed(kind, body))
                if (kind, body) == (READY, b"I"):
                    break
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            await server.forget()
            self._free.append(server)

    @staticmethod
    async def _forward(reader: asyncio.StreamReader, server: Server) -> None:
        while True:
            server.writer.write(packed(*await read(reader)))


@asynccontextmanager
async def pooler(cluster: Path, folder: Path, database: str, *, size: int = 3) -> AsyncIterator[None]:
    """Let clients connect to a socket in the folder."""
    servers = []
    for _ in range(size):
        server = Server(*await asyncio.open_unix_connection(cluster / SOCKET))
        words = f"user\0{USER}\0database\0{database}\0client_encoding\0UTF8\0\0".encode()
        server.writer.write(struct.pack("!II", len(words) + 8, 196608) + words)
        server.greeting = await server.until_ready()
        servers.append(server)
    between = Pooler(servers)
    listening = await asyncio.start_unix_server(between.serve, folder / SOCKET)
    try:
        yield
    finally:
        listening.close()
        for writer in (*between.clients, *(server.writer for server in servers)):
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
