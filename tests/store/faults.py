"""Faults of an SQLite file that occur while the bot runs: a full disk, a read-only file.

A test sets a PRAGMA on every connection of an open store, which then fails like a full disk or a read-only file, and
works again after the block.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from sqlalchemy import event

from store import Store

DISK_FULL: Final = "PRAGMA max_page_count = 1"
"""Refuses new pages, as a full disk does."""
READ_ONLY: Final = "PRAGMA query_only = ON"
"""Refuses writes, as a read-only file does."""


@asynccontextmanager
async def set_pragma(store: Store, pragma: str) -> AsyncIterator[None]:
    """Execute a PRAGMA on every connection within the block; close those connections afterwards."""

    def prepare(connection: Any, *_: object) -> None:
        """Execute the PRAGMA on a connection that is taken from the pool."""
        cursor = connection.cursor()
        cursor.execute(pragma)
        cursor.close()

    event.listen(store._engine.sync_engine, "checkout", prepare)
    yield
    event.remove(store._engine.sync_engine, "checkout", prepare)
    await store._engine.dispose()
