"""A clock for the offline Discord that shows the real time.

The clock of simcord, which simulates Discord, stands still until a test advances it. In the preview, people play: their
messages and clicks need the real time, and ids that never repeat those of an earlier run.
"""

from __future__ import annotations

from datetime import UTC, datetime
from time import time

import simcord
from simcord._clock import Clock


class PresentClock(Clock):
    """A clock that follows the real time, unlike simcord's own, which stands still; it can be advanced, too."""

    def __init__(self) -> None:
        self._start = time()
        super().__init__()
        self._epoch = datetime.fromtimestamp(self._start, UTC)

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was created, plus the seconds by which it was advanced."""
        return time() - self._start

    @elapsed.setter
    def elapsed(self, seconds: float) -> None:
        self._start = time() - seconds


def follow_present(env: simcord.Env) -> None:
    """Use the real time from now on, so that ids of messages and interactions never repeat those of an earlier run."""
    env.backend.clock = PresentClock()
