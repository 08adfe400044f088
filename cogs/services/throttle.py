"""How often one person may ask for what takes long; who is too early is told privately when to come back."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from discord.utils import utcnow

from cogs.services.refused import RefusedError


class Costly(StrEnum):
    """What takes long."""

    FILM = "film"
    RECORD = "record"


PAUSES: Final = {Costly.FILM: 20.0, Costly.RECORD: 10.0}
"""Seconds from one to the next of a person."""


class Throttle:
    """Who has asked for what a short while ago."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._free_at: dict[tuple[int, Costly], float] = {}

    def left(self, person: int, what: Costly) -> float:
        """The seconds that a person (user id) still has to wait; not above 0 when it may be now."""
        return self._free_at.get((person, what), 0.0) - self._clock()

    def rest(self, person: int, what: Costly) -> None:
        """The pause of a person begins."""
        now = self._clock()
        self._free_at = {key: at for key, at in self._free_at.items() if at > now}
        self._free_at[person, what] = now + PAUSES[what]

    def require(self, person: int, what: Costly) -> None:
        """Refuse to do for a person what was done for him a moment ago.

        Raises:
            RefusedError: it is too early; the sentence says when it is not.
        """
        left = self.left(person, what)
        if left > 0:
            raise RefusedError(f"too_soon_{what}", when=math.ceil(utcnow().timestamp() + left))
