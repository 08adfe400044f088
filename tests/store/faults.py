"""Faults of an SQLite file that occur while the bot runs: a full disk, a read-only file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from sqlalchemy import event

from store import Store

DISK_FULL: Final = "PRAGMA max_page_count = 1"
READ_ONLY: Final = "PRAGMA query_only = ON"


@asynccontextmanager
async def set_pragma(store: Store, pragma: str) -> AsyncIterator[None]:
    """Execute a PRAGMA on every connection within the block; close those connections afterwards."""

    def prepare(connection: Any, *_: object) -> None:
        cursor = connection.cursor()
        cursor.execute(pragma)
        cursor.close()

    event.listen(store._engine.sync_engine, "checkout", prepare)
    yield
    event.remove(store._engine.sync_engine, "checkout", prepare)
    await store._engine.dispose()
