"""A network between a bot and its database: it may be long, swallow everything for a while, or cut answers off.

What is swallowed is not lost: as by TCP it arrives when the network is there again, if anybody still listens.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SOCKET = ".s.PGSQL.5432"
LARGEST = 1 << 16
COMMITTED = b"C\0\0\0\x0bCOMMIT\0"
"""The server's message after a commit."""


class Proxy:
    """A socket in a folder, before that of a server."""

    def __init__(self, server: Path, folder: Path) -> None:
        self.folder = folder
        self.away = 0.0
        """Seconds there and back."""
        self.cuts: Callable[[], bool] = lambda: False
        """Asked at each answer to COMMIT: whether nobody hears it, and the connection breaks."""
        self._server = server
        self._is_whole = asyncio.Event()
        self._is_whole.set()
        self._ways: set[asyncio.Task[None]] = set()

    def url(self, address: str) -> str:
        """An address of the server, by this way."""
        parts = urlsplit(address)
        assert Path(parse_qs(parts.query)["host"][0]) == self._server
        return parts._replace(query=f"host={self.folder}").geturl()

    def swallow(self) -> None:
        """Nothing arrives from now on."""
        self._is_whole.clear()

    def heal(self) -> None:
        """Everything arrives again."""
        self._is_whole.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A connection, until either side ends it and the other can know."""
        there, back = await asyncio.open_unix_connection(self._server / SOCKET)
        ways = {asyncio.create_task(self._carry(*way)) for way in ((reader, back, False), (there, writer, True))}
        self._ways |= ways
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        self._ways -= ways
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        for end in (back, writer):
            end.close()
            with suppress(ConnectionError):
                await end.wait_closed()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool) -> None:
        """One way of a connection, to its end; what is long on its way keeps nothing after it waiting."""
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        clock = asyncio.get_running_loop().time

        async def arrive() -> None:
            while True:
                sent_at, data = await under_way.get()
                await asyncio.sleep(max(0.0, sent_at + self.away / 2 - clock()))
                await self._is_whole.wait()
                if not data or (answers and COMMITTED in data and self.cuts()):
                    return
                writer.write(data)
                await writer.drain()

        async def leave() -> None:
            data = b"-"
            while data:
                try:
                    data = await reader.read(LARGEST)
                except ConnectionError:
                    data = b""
                under_way.put_nowait((clock(), data))

        leaving = asyncio.create_task(leave())
        try:
            with suppress(ConnectionError):
                await arrive()
        finally:
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)

    async def close(self) -> None:
        """End all connections."""
        for way in tuple(self._ways):
            way.cancel()
        while self._ways:  # noqa: ASYNC110  # whoever serves them says no more
            await asyncio.sleep(0.001)


@asynccontextmanager
async def proxy(server: Path) -> AsyncIterator[Proxy]:
    """A network to the server with its sockets in a folder."""
    with tempfile.TemporaryDirectory(prefix="net-", dir="/tmp") as name:
        between = Proxy(server, Path(name))
        listening = await asyncio.start_unix_server(between.serve, between.folder / SOCKET)
        try:
            yield between
        finally:
            listening.close()
            await between.close()
