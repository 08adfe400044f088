"""The database of a measurement: a file, or a server of its own that keeps what it has stored, near or far away."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from store.connection.dialect import POSTGRESQL, SQLITE
from tests.cluster import DURABLE_SETTINGS, Cluster, cluster
from tests.proxy import proxy

KINDS = (SQLITE, POSTGRESQL)
NAME = "games"


@dataclass(frozen=True, slots=True)
class DatabasePlace:
    """The databases with the games of a measurement."""

    address: str
    """For the bot, by whatever way there is."""
    near: str
    """The same without the way."""
    cluster: Cluster | None = None

    def restart(self) -> None:
        """Stop the server in the middle of what it does, and start it again."""
        if self.cluster is not None:
            self.cluster.stop()
            self.cluster.start()


@asynccontextmanager
async def place(kind: str, folder: Path, *, away: float = 0.0) -> AsyncIterator[DatabasePlace]:
    """An empty database; ``away`` is how many seconds a question to the server and its answer are under way."""
    if kind == SQLITE:
        file = str(folder / "games.sqlite3")
        yield DatabasePlace(file, file)
        return
    with cluster(**DURABLE_SETTINGS) as running:
        running.sql(f"CREATE DATABASE {NAME}")
        address = running.url(NAME)
        if not away:
            yield DatabasePlace(address, address, running)
            return
        async with proxy(running.folder) as network:
            network.round_trip_seconds = away
            yield DatabasePlace(network.url(address), address, running)
