"""The database of a benchmark: an SQLite file, or a temporary PostgreSQL server.

The network between bot and server can be given a latency, as if the server stood in another data centre.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from store.connection.dialect import POSTGRESQL, SQLITE
from tests.cluster import DURABLE_SETTINGS, Cluster, cluster
from tests.proxy import proxy

KINDS = (SQLITE, POSTGRESQL)
DATABASE_NAME = "games"


@dataclass(frozen=True, slots=True)
class DatabasePlace:
    """The addresses of a database, and its server if it has one."""

    address: str
    """For the bot, with the simulated latency."""
    direct_address: str
    """For the benchmark itself, without latency."""
    cluster: Cluster | None = None

    def restart(self) -> None:
        """Stop the server at once, and start it again; does nothing for a file."""
        if self.cluster is not None:
            self.cluster.stop()
            self.cluster.start()


@asynccontextmanager
async def open_database(kind: str, folder: Path, *, round_trip: float = 0.0) -> AsyncIterator[DatabasePlace]:
    """Create an empty database; ``round_trip`` is the latency to the server and back, in seconds."""
    if kind == SQLITE:
        file = str(folder / "games.sqlite3")
        yield DatabasePlace(file, file)
        return
    with cluster(**DURABLE_SETTINGS) as running:
        running.sql(f"CREATE DATABASE {DATABASE_NAME}")
        address = running.url(DATABASE_NAME)
        if not round_trip:
            yield DatabasePlace(address, address, running)
            return
        async with proxy(running.folder) as network:
            network.round_trip_seconds = round_trip
            yield DatabasePlace(network.url(address), address, running)
