"""Limits on how often members may press, and on how often one person may ask for what takes long.

:class:`PressRateLimiter` counts presses of each member, and of a server together, before anything is read. Each may
press many times at once, and the allowance refills. Whoever exceeds it is told when to go on, at most once a second;
further presses are not answered, so they cost next to nothing. The counts are kept in memory: one process hears a
member, or two during a restart.

:class:`Throttle` spaces out films and records; whoever asks too early is told privately when to come back.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Final

from discord.utils import utcnow

from cogs.words.refusals import RefusedError

A_SECOND: Final = 2
"""Presses and commands of a member that refill in a second, where nothing else is said."""
AT_ONCE: Final = 60
"""How many of them there may be before that matters."""
OF_A_SERVER: Final = 15
"""So many times what one member may is what all of a server may."""
FEW: Final = 6
"""Whoever has pressed no more lately may go on, however much others of the server press."""
MOST_UNDER_WAY: Final = 8
"""Of a member, presses that are not answered yet."""
TOLD_EVERY: Final = 1.0
"""Seconds between two answers to who presses too much."""
SUGGESTION: Final = 0.25
"""What suggestions for what is typed count, as part of a press."""
_MANY: Final = 1000
"""Who is remembered until those are forgotten who may press as much as anybody."""
Who = tuple[str, int]


class UnheardError(Exception):
    """A press of somebody who was told a moment ago that it is too much: nobody answers."""


class PressRateLimiter:
    """Rate limits of presses and commands: token buckets of each member and of each server, in memory."""

    def __init__(self, a_second: float = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second = a_second
        """Of a member; 0 for as much as anybody likes."""
        self._clock = clock
        self._free_at: dict[Who, float] = {}
        """When all that somebody has pressed counts as done."""
        self._told_at: dict[int, float] = {}
        self._under_way: Counter[int] = Counter()

    @contextmanager
    def pressing(self, user_id: int, guild_id: int | None) -> Iterator[None]:
        """Something that a member has asked for, as long as it lasts.

        Raises:
            RefusedError: ``too_many_presses``, ``too_much_at_once``.
            UnheardError: they were told so a moment ago.
        """
        wait = self.take(user_id, guild_id)
        if wait:
            self._tell_seldom(user_id)
            raise RefusedError("too_many_presses", when=math.ceil(utcnow().timestamp() + wait))
        if self._a_second and self._under_way[user_id] >= MOST_UNDER_WAY:
            self._tell_seldom(user_id)
            raise RefusedError("too_much_at_once")
        self._under_way[user_id] += 1
        try:
            yield
        finally:
            self._under_way[user_id] -= 1
            self._under_way += Counter()  # forgets who waits for nothing

    def take(self, user_id: int, guild_id: int | None, cost: float = 1.0) -> float:
        """Count something that a member asks for, if it is not too much; the seconds until it is not, 0 for none."""
        if not self._a_second:
            return 0.0
        now, user = self._clock(), ("user", user_id)
        own = self._behind(user, now) + cost / self._a_second
        behind: dict[Who, float] = {user: own}
        if guild_id is not None:
            server = ("server", guild_id)
            behind[server] = self._behind(server, now) + cost / (self._a_second * OF_A_SERVER)
        wait = (max(behind.values()) if own > FEW / self._a_second else own) - AT_ONCE / self._a_second
        if wait > 0:
            return wait
        self._free_at |= {who: now + seconds for who, seconds in behind.items()}
        if len(self._free_at) > _MANY:
            self._free_at = {who: at for who, at in self._free_at.items() if at > now}
        return 0.0

    def _behind(self, who: Who, now: float) -> float:
        """The seconds after which all that somebody has pressed counts as done."""
        return max(0.0, self._free_at.get(who, now) - now)

    def _tell_seldom(self, user_id: int) -> None:
        now = self._clock()
        if now - self._told_at.get(user_id, -TOLD_EVERY) < TOLD_EVERY:
            raise UnheardError
        self._told_at = {user: at for user, at in self._told_at.items() if now - at < TOLD_EVERY} | {user_id: now}


class Costly(StrEnum):
    """Requests that take long."""

    FILM = "film"
    RECORD = "record"


PAUSES: Final = {Costly.FILM: 20.0, Costly.RECORD: 10.0}
"""Seconds from one to the next of a person."""


class Throttle:
    """Pauses between costly requests of one person."""

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
        """Refuse to do for a person what was done for them a moment ago.

        Raises:
            RefusedError: it is too early; the sentence says when it is not.
        """
        left = self.left(person, what)
        if left > 0:
            raise RefusedError(f"too_soon_{what}", when=math.ceil(utcnow().timestamp() + left))
