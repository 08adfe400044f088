"""Two processes with shards of the same servers: in a rolling restart for a moment, else by mistake.

Both hear every click meanwhile, and one of them answers. What lasts is a mistake: then the younger one leaves those
servers to the elder until that is gone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from store import Process, Shards

log = logging.getLogger(__name__)

PATIENCE: Final = timedelta(minutes=2)
"""How long two processes may have shards of the same servers."""


class Overlap:
    """What this process makes of the shards of others."""

    def __init__(self) -> None:
        self.wanted: Shards | None = None
        """The shards of this process, once that is known."""
        self.rival: Process | None = None
        """The eldest of those that were there first."""
        self._since: datetime | None = None
        self.aside = False
        """Whether this process leaves its shards to the other one."""

    @property
    def held(self) -> Shards | None:
        """The shards that this process has, or is about to."""
        return None if self.aside else self.wanted

    def judge(self, mine: Process, others: Iterable[Process], now: datetime) -> None:
        """See who else lives."""
        elders = [other for other in others if self._is_elder(other, mine)]
        self.rival = min(elders, key=_age, default=None)
        if self.rival is None:
            if self.aside:
                log.warning("the other process is gone: these shards are taken up again", extra=self._about())
            self._since, self.aside = None, False
            return
        self._since = self._since or now
        if now - self._since >= PATIENCE and not self.aside:
            self.aside = True
            log.error("another process has shards of the same servers: they are left to it", extra=self._about())

    def trouble(self) -> str:
        """What is wrong, in words; empty for nothing."""
        if not self.aside or self.rival is None:
            return ""
        return f"{self.wanted} are left to process {self.rival.id}, which has {self.rival.held}: stop one of the two"

    def _is_elder(self, other: Process, mine: Process) -> bool:
        return self.wanted is not None and _age(other) < _age(mine) and shares(other, self.wanted)

    def _about(self) -> dict[str, object]:
        rival = self.rival
        found: dict[str, object] = {"shards": str(self.wanted)}
        return found if rival is None else {**found, "other": rival.id, "theirs": str(rival.held)}


def shares(process: Process, shards: Shards) -> bool:
    """Whether a process has shards of some of the same servers."""
    return process.held is not None and process.held.meet(shards)


def _age(process: Process) -> tuple[datetime, str]:
    return process.started_at, process.id
