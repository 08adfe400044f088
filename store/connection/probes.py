"""Finding out whether a database can be used again, where the next success proves nothing.

On a full disk whatever changes rows in their places still succeeds, as a heartbeat does. Of a damaged file all other
parts can be read.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from time import monotonic
from typing import Final

from sqlalchemy import delete, insert, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from store.connection.outages import WAITS, Doubt
from store.errors import StoreError
from store.schema import marks

log = logging.getLogger(__name__)

Begin = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
"""Begins a transaction."""

PROBE_BYTES: Final = 64 * 1024
"""More than any transaction of a game needs: one that begins stores two thousand bytes, in a dozen pages."""
CHECK_SPACING_SECONDS: Final = 60.0
"""Between two looks through a damaged file: one of 256 MiB takes two seconds."""
_PROBE: Final = "room"
_NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Probes:
    """Tries what was refused, one thing at a time."""

    def __init__(self, read: Begin, write: Begin) -> None:
        self._read = read
        self._write = write
        self._busy = False
        self._checked_at = -CHECK_SPACING_SECONDS

    async def dispel(self, doubt: Doubt) -> bool:
        """Return whether what was refused would succeed now, as far as anybody has found out."""
        if self._busy:
            return False
        self._busy, waits = True, WAITS.set(None)  # nobody waits for what is tried here
        try:
            return await (self._has_room() if doubt is Doubt.FULL else self._is_sound())
        except (StoreError, DBAPIError) as error:
            log.debug("the database still cannot be used: %s", error)
            return False
        finally:
            WAITS.reset(waits)
            self._busy = False

    async def _has_room(self) -> bool:
        """Store as much as a game may need at once, then take it out again."""
        for step in (fill, clear):
            async with self._write() as tx:
                await step(tx)
        return True

    async def _is_sound(self) -> bool:
        """Look through the whole file now and then."""
        if monotonic() - self._checked_at < CHECK_SPACING_SECONDS:
            return False
        self._checked_at = monotonic()
        async with self._read() as tx:
            return await is_sound(tx)


async def fill(tx: AsyncConnection) -> None:
    """Write the probe: bytes that no database can make smaller."""
    await clear(tx)
    value = secrets.token_hex(PROBE_BYTES // 2)
    await tx.execute(insert(marks).values(name=_PROBE, value=value, at=_NO_TIME))


async def clear(tx: AsyncConnection) -> None:
    """Take the probe out."""
    await tx.execute(delete(marks).where(marks.c.name == _PROBE))


async def is_sound(tx: AsyncConnection) -> bool:
    """Return whether each page of an SQLite file can be read and is what it should be; its indexes are not compared."""
    found: str = (await tx.execute(text("PRAGMA quick_check(1)"))).scalar_one()
    return found == "ok"
