"""Outages of the database: the retry budget of a caller, one line in the log for each, and probes for their end.

An operator reads one line when an outage begins and one when it is over, however many clicks fail in between.

After some errors the next success proves nothing: on a full disk an update in place, such as a heartbeat, still
succeeds, and all other parts of a damaged file can be read. There :class:`Probes` repeats what was refused.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from time import monotonic
from typing import Final

from sqlalchemy import delete, insert, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from store.errors import DamagedFileError, DiskFullError, StoreError
from store.schema.admin import marks

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Patience:
    """How long somebody waits for a database that does not answer: all in all, not each time anew."""

    left: float


WAITS: Final[ContextVar[Patience | None]] = ContextVar("WAITS", default=None)
"""How long somebody waits for what is done here; None where nobody does."""
WRITING: Final = "write"
"""What a transaction does that is no look."""
PAUSE: Final = 0.5
"""Seconds until a database that does not answer is asked again, as long as somebody waits."""


class Doubt(Enum):
    """A reason for which a success proves nothing: what was refused may still be."""

    FULL = auto()
    """A disk on which a write that needs no more room succeeds."""
    DAMAGED = auto()
    """A file of which other parts can be read and written."""


class Outages:
    """What does not work at the moment: reading, or writing; the one may without the other."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._doubts: dict[str, Doubt] = {}
        self.opening = False
        """Whether somebody opens the database, hears of it and says so."""

    def began(self, kind: str, reason: StoreError) -> None:
        """Note that something failed; said once."""
        if self.opening:
            return
        if kind not in self._since:
            self._since[kind] = monotonic()
            log.error("the database cannot be used (to %s): %s; the bot goes on by itself when it can be", kind, reason)
        if isinstance(reason, DamagedFileError):
            self._doubts[kind] = Doubt.DAMAGED
        elif isinstance(reason, DiskFullError) and kind == WRITING:
            self._doubts.setdefault(kind, Doubt.FULL)

    def doubt(self, kind: str) -> Doubt | None:
        """Return why a success does not prove that it is over; None where it does."""
        return self._doubts.get(kind)

    def over(self, kind: str) -> None:
        """Note that it works."""
        self._doubts.pop(kind, None)
        since = self._since.pop(kind, None) if self._since else None
        if since is not None:
            log.warning("the database can be used again (to %s), after %d seconds", kind, monotonic() - since)


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
