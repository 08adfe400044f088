"""Rate limits of interactions, and of expensive requests of a user.

:class:`PressRateLimiter` counts the presses and commands of each user, and of each server together, before anything is
read. Its token buckets allow bursts. A user above the limit is told when to continue, at most once a second; further
presses are not answered, so they cost next to nothing. The buckets are in memory, because a user's interactions come to
one process, or to two during a restart.

:class:`Throttle` spaces out films and records; a user who asks too early is told privately when to come back.
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

BURST: Final = 60
"""Presses of a user that a full bucket allows at once."""
SERVER_FACTOR: Final = 15
"""Rate and burst of a server, as a multiple of a user's rate."""
SMALL_BURST: Final = 6
"""Recent presses up to which a user is not limited by the server's bucket."""
MAX_UNANSWERED: Final = 8
"""Maximum number of a user's interactions that are being worked on."""
NOTICE_SPACING: Final = 1.0
"""Minimum seconds between two answers that tell a user of the limit."""
SUGGESTION: Final = 0.25
"""Cost of a request for suggestions, in presses."""
_PURGE_SIZE: Final = 1000
"""Number of buckets above which full ones are dropped."""
Bucket = tuple[str, int]
"""The kind and id of a bucket's owner: a user or a server."""


class UnheardError(Exception):
    """A user above the limit was told so moments ago; this interaction is not answered."""


class PressRateLimiter:
    """Rate limits of presses and commands: token buckets of each user and of each server, in memory."""

    def __init__(self, a_second: float = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second = a_second
        """Refill rate of a user's bucket; 0 for no limit."""
        self._clock = clock
        self._full_at: dict[Bucket, float] = {}
        """Time at which each bucket is full again."""
        self._told_at: dict[int, float] = {}
        """Time of the last answer about the limit, by user id."""
        self._unanswered: Counter[int] = Counter()
        """Interactions that are being worked on, by user id."""

    @contextmanager
    def pressing(self, user_id: int, guild_id: int | None) -> Iterator[None]:
        """Count an interaction for the duration of the block.

        Raises:
            RefusedError: ``too_many_presses`` or ``too_much_at_once``: the user is above a limit.
            UnheardError: the user is above a limit and was told so moments ago.
        """
        wait = self.take(user_id, guild_id)
        if wait:
            self._limit_notices(user_id)
            raise RefusedError("too_many_presses", when=math.ceil(utcnow().timestamp() + wait))
        if self._a_second and self._unanswered[user_id] >= MAX_UNANSWERED:
            self._limit_notices(user_id)
            raise RefusedError("too_much_at_once")
        self._unanswered[user_id] += 1
        try:
            yield
        finally:
            self._unanswered[user_id] -= 1
            self._unanswered += Counter()  # drops zero counts

    def take(self, user_id: int, guild_id: int | None, cost: float = 1.0) -> float:
        """Take ``cost`` presses out of the buckets and return 0; above the limit return the seconds to wait."""
        if not self._a_second:
            return 0.0
        now, user = self._clock(), ("user", user_id)
        user_wait = self._refill_time(user, now) + cost / self._a_second
        used: dict[Bucket, float] = {user: user_wait}
        if guild_id is not None:
            server = ("server", guild_id)
            used[server] = self._refill_time(server, now) + cost / (self._a_second * SERVER_FACTOR)
        # The bucket of the server does not limit users who press little, whatever others of the server do.
        wait = (max(used.values()) if user_wait > SMALL_BURST / self._a_second else user_wait) - BURST / self._a_second
        if wait > 0:
            return wait
        self._full_at |= {bucket: now + seconds for bucket, seconds in used.items()}
        if len(self._full_at) > _PURGE_SIZE:
            self._full_at = {bucket: at for bucket, at in self._full_at.items() if at > now}
        return 0.0

    def _refill_time(self, bucket: Bucket, now: float) -> float:
        """Return the seconds until a bucket is full again."""
        return max(0.0, self._full_at.get(bucket, now) - now)

    def _limit_notices(self, user_id: int) -> None:
        """Note that a user is told of the limit now.

        Raises:
            UnheardError: they were told less than :data:`NOTICE_SPACING` ago.
        """
        now = self._clock()
        if now - self._told_at.get(user_id, -NOTICE_SPACING) < NOTICE_SPACING:
            raise UnheardError
        recent = {user: at for user, at in self._told_at.items() if now - at < NOTICE_SPACING}
        self._told_at = recent | {user_id: now}


class Costly(StrEnum):
    """Expensive kinds of requests."""

    FILM = "film"
    RECORD = "record"


PAUSES: Final = {Costly.FILM: 20.0, Costly.RECORD: 10.0}
"""Minimum seconds between two requests of a user."""


class Throttle:
    """Enforced pauses between the expensive requests of a user."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._free_at: dict[tuple[int, Costly], float] = {}

    def left(self, person: int, kind: Costly) -> float:
        """Return the seconds that a user (by id) still has to wait; 0 or less if there is no need to."""
        return self._free_at.get((person, kind), 0.0) - self._clock()

    def rest(self, person: int, kind: Costly) -> None:
        """Start the pause of a user."""
        now = self._clock()
        self._free_at = {key: at for key, at in self._free_at.items() if at > now}
        self._free_at[person, kind] = now + PAUSES[kind]

    def require(self, person: int, kind: Costly) -> None:
        """Check that a user does not have to wait.

        Raises:
            RefusedError: the pause is not over; the sentence says when it is.
        """
        wait = self.left(person, kind)
        if wait > 0:
            raise RefusedError(f"too_soon_{kind}", when=math.ceil(utcnow().timestamp() + wait))
