"""A proxy between a bot and its database that simulates a bad network: latency, stalls, and lost answers to COMMIT.

Data that is held back in a stall is not lost: as with TCP, it arrives when the network works again, if the other end
still listens.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SOCKET = ".s.PGSQL.5432"
"""The name that PostgreSQL gives its socket on the default port."""
MAX_READ_BYTES = 1 << 16
"""Bytes that are read from a socket at once."""
COMMIT_COMPLETE = b"C\0\0\0\x0bCOMMIT\0"
"""The message of PostgreSQL's protocol that reports a successful commit."""


class Proxy:
    """A socket in a folder of its own that forwards to the socket of a server."""

    def __init__(self, server: Path, folder: Path) -> None:
        self.folder = folder
        self.round_trip_seconds = 0.0
        self.loses_commit_answer: Callable[[], bool] = lambda: False
        """Called at each answer to COMMIT: True breaks the connection, so that the client never learns the outcome."""
        self._server = server
        self._is_open = asyncio.Event()
        self._is_open.set()
        self._transfers: set[asyncio.Task[None]] = set()

    def url(self, address: str) -> str:
        """Return the address by which a database of the server is reached through this proxy."""
        parts = urlsplit(address)
        assert Path(parse_qs(parts.query)["host"][0]) == self._server
        return parts._replace(query=f"host={self.folder}").geturl()

    def block(self) -> None:
        """Hold back all data from now on; connections stay open."""
        self._is_open.clear()

    def unblock(self) -> None:
        """Deliver the data that was held back, and all later data."""
        self._is_open.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until one side closes it, then close the other side."""
        from_server, to_server = await asyncio.open_unix_connection(self._server / SOCKET)
        directions = ((reader, to_server, False), (from_server, writer, True))
        transfers = {asyncio.create_task(self._transfer(*direction)) for direction in directions}
        self._transfers |= transfers
        await asyncio.wait(transfers, return_when=asyncio.FIRST_COMPLETED)
        self._transfers -= transfers
        for transfer in transfers:
            transfer.cancel()
        await asyncio.gather(*transfers, return_exceptions=True)
        for end in (to_server, writer):
            end.close()
            with suppress(ConnectionError):
                await end.wait_closed()

    async def _transfer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, from_server: bool) -> None:
        """Transfer one direction of a connection to its end; data under way does not delay the data behind it."""
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        clock = asyncio.get_running_loop().time

        async def deliver() -> None:
            """Pass on data half a round trip after it was sent."""
            while True:
                sent_at, data = await under_way.get()
                await asyncio.sleep(max(0.0, sent_at + self.round_trip_seconds / 2 - clock()))
                await self._is_open.wait()
                if not data or (from_server and COMMIT_COMPLETE in data and self.loses_commit_answer()):
                    return
                writer.write(data)
                await writer.drain()

        async def collect() -> None:
            """Read data and note when it was sent."""
            data = b"-"  # not empty, for an empty read ends the stream
            while data:
                try:
                    data = await reader.read(MAX_READ_BYTES)
                except ConnectionError:
                    data = b""
                under_way.put_nowait((clock(), data))

        collecting = asyncio.create_task(collect())
        try:
            with suppress(ConnectionError):
                await deliver()
        finally:
            collecting.cancel()
            await asyncio.gather(collecting, return_exceptions=True)

    async def close(self) -> None:
        """Close all connections."""
        for transfer in tuple(self._transfers):
            transfer.cancel()
        while self._transfers:  # noqa: ASYNC110  # asyncio's server does not expose the tasks that serve connections
            await asyncio.sleep(0.001)


@asynccontextmanager
async def proxy(server: Path) -> AsyncIterator[Proxy]:
    """Run a proxy within the block, in front of the server whose socket is in this folder."""
    with tempfile.TemporaryDirectory(prefix="net-", dir="/tmp") as name:
        network = Proxy(server, Path(name))
        listening = await asyncio.start_unix_server(network.serve, network.folder / SOCKET)
        try:
            yield network
        finally:
            listening.close()
            await network.close()
