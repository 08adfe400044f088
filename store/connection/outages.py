"""Outages of the database: the time that callers wait for it, log lines about them, and probes for their end.

An *outage* begins with the first transaction that fails because the database cannot be used, and ends with the next one
that succeeds. An operator reads one line in the log for each, however many clicks fail in between. A *retry budget* is
the time for which a caller, such as the answer to a click, can wait.

After some errors the next success proves nothing: on a full disk an update in place still succeeds, and other parts of
a damaged file can still be read. After these, :class:`Probes` tests the disk or the file.
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

READ: Final = "read"
"""The kind of a transaction that reads; an outage may affect only one of the two kinds."""
WRITE: Final = "write"
"""The kind of a transaction that writes."""
RETRY_INTERVAL_SECONDS: Final = 0.5
"""Seconds between attempts to begin a transaction, while a retry budget lasts."""
PROBE_BYTES: Final = 64 * 1024
"""Bytes that a probe of the disk writes, more than any transaction of a game: a new game stores about 2,000."""
CHECK_SPACING_SECONDS: Final = 60.0
"""Seconds between two checks of a damaged file: one of 256 MiB takes two seconds."""
_PROBE_MARK: Final = "room"
"""The name of the mark in which a probe stores its bytes."""
_NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The time stored with that mark; it is never read."""

Begin = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
"""A function that begins a transaction."""


@dataclass(slots=True)
class RetryBudget:
    """The remaining seconds for which a caller waits for the database, over all of its transactions together."""

    remaining: float


RETRY_BUDGET: Final[ContextVar[RetryBudget | None]] = ContextVar("RETRY_BUDGET", default=None)
"""The retry budget of the current task; None for background work, for which no caller waits."""


class Probe(Enum):
    """A check that has to succeed before an outage is over, because ordinary successes do not prove it."""

    DISK_SPACE = auto()
    """After a full disk, where a write that needs no more room succeeds."""
    FILE_INTEGRITY = auto()
    """After damage to a file, of which other parts can be read and written."""


class Outages:
    """The current outages, of reading and of writing; each is logged once when it begins and once when it ends."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._required: dict[str, Probe] = {}
        self.muted = False
        """True while a caller opens the database, and reports its errors."""

    def record_failure(self, kind: str, reason: StoreError) -> None:
        """Record a failed transaction of a kind; log the first one."""
        if self.muted:
            return
        if kind not in self._since:
            self._since[kind] = monotonic()
            log.error("the database cannot be used (to %s): %s; the bot continues once it can", kind, reason)
        if isinstance(reason, DamagedFileError):
            self._required[kind] = Probe.FILE_INTEGRITY
        elif isinstance(reason, DiskFullError) and kind == WRITE:
            self._required.setdefault(kind, Probe.DISK_SPACE)

    def required_probe(self, kind: str) -> Probe | None:
        """Return the probe that has to succeed before an outage is over; None if any success proves it."""
        return self._required.get(kind)

    def record_success(self, kind: str) -> None:
        """End the outage of a kind of transaction, if there is one."""
        self._required.pop(kind, None)
        since = self._since.pop(kind, None) if self._since else None
        if since is not None:
            log.warning("the database can be used again (to %s), after %d seconds", kind, monotonic() - since)


class Probes:
    """Tests of the disk and of the file after an outage, one at a time."""

    def __init__(self, read: Begin, write: Begin) -> None:
        self._read = read
        self._write = write
        self._busy = False
        self._checked_at = -CHECK_SPACING_SECONDS

    async def succeeds(self, probe: Probe) -> bool:
        """Return whether a probe succeeds; False also while another one runs, or too soon after the last."""
        if self._busy:
            return False
        # No caller waits for a probe, so it must not spend the retry budget of the transaction that it follows.
        self._busy, budget = True, RETRY_BUDGET.set(None)
        try:
            return await (self._has_disk_space() if probe is Probe.DISK_SPACE else self._is_sound())
        except (StoreError, DBAPIError) as error:
            log.debug("the database still cannot be used: %s", error)
            return False
        finally:
            RETRY_BUDGET.reset(budget)
            self._busy = False

    async def _has_disk_space(self) -> bool:
        """Store as many bytes as a game may need at once, and delete them again."""
        for step in (write_probe, delete_probe):
            async with self._write() as tx:
                await step(tx)
        return True

    async def _is_sound(self) -> bool:
        """Check the whole file, at most once in :data:`CHECK_SPACING_SECONDS`."""
        if monotonic() - self._checked_at < CHECK_SPACING_SECONDS:
            return False
        self._checked_at = monotonic()
        async with self._read() as tx:
            return await is_sound(tx)


async def write_probe(tx: AsyncConnection) -> None:
    """Store :data:`PROBE_BYTES` random bytes, which no database can compress."""
    await delete_probe(tx)
    value = secrets.token_hex(PROBE_BYTES // 2)
    await tx.execute(insert(marks).values(name=_PROBE_MARK, value=value, at=_NO_TIME))


async def delete_probe(tx: AsyncConnection) -> None:
    """Delete the bytes of :func:`write_probe`."""
    await tx.execute(delete(marks).where(marks.c.name == _PROBE_MARK))


async def is_sound(tx: AsyncConnection) -> bool:
    """Return whether each page of an SQLite file can be read and is well-formed; its indexes are not compared."""
    verdict: str = (await tx.execute(text("PRAGMA quick_check(1)"))).scalar_one()
    return verdict == "ok"
