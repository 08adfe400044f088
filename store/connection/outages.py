"""When the database does not answer or stores nothing: how long somebody waits for it, and who is told.

Whoever runs the bot reads one line when it begins and one when it is over, however many clicks and rounds fail between.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum, auto
from time import monotonic
from typing import Final

from store.errors import DamagedFileError, DiskFullError, StoreError

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
