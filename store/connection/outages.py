"""When the database does not answer or stores nothing: how long somebody waits for it, and who is told.

Whoever runs the bot reads one line when it begins and one when it is over, however many clicks and rounds fail between.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Final

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Patience:
    """How long somebody waits for a database that does not answer: all in all, not each time anew."""

    left: float


WAITS: Final[ContextVar[Patience | None]] = ContextVar("WAITS", default=None)
"""How long somebody waits for what is done here; None where nobody does."""
PAUSE: Final = 0.5
"""Seconds until a database that does not answer is asked again, as long as somebody waits."""


class Outages:
    """What does not work at the moment: reading, or writing; the one may without the other."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self.opening = False
        """Whether somebody opens the database, hears of it and says so."""

    def began(self, kind: str, reason: object) -> None:
        """It does not work; said once."""
        if kind not in self._since and not self.opening:
            self._since[kind] = monotonic()
            log.error("the database cannot be used (to %s): %s; the bot goes on by itself when it can be", kind, reason)

    def over(self, kind: str) -> None:
        """It works."""
        since = self._since.pop(kind, None) if self._since else None
        if since is not None:
            log.warning("the database can be used again (to %s), after %d seconds", kind, monotonic() - since)
