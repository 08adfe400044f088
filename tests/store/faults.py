"""Faults of the database file while the bot runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from sqlalchemy import event

from store import Store

FULL: Final = "PRAGMA max_page_count = 1"
READ_ONLY: Final = "PRAGMA query_only = ON"


@asynccontextmanager
async def set_on_connections(store: Store, statement: str) -> AsyncIterator[None]:
    """Every connection is as this makes it; afterwards none is there that was."""

    def prepare(connection: Any, *_: object) -> None:
        cursor = connection.cursor()
        cursor.execute(statement)
        cursor.close()

    event.listen(store._engine.sync_engine, "checkout", prepare)
    yield
    event.remove(store._engine.sync_engine, "checkout", prepare)
    await store._engine.dispose()
