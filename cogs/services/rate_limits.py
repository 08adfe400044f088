"""Rate limits on what users press and request.

:class:`PressRateLimiter` counts the interactions (presses and commands) of each user, and of each server together,
before anything else is done. It uses *token buckets*, which allow bursts: each interaction takes a token out, and
tokens come back at a fixed rate. A user above the limit is told when to continue, at most once in ``NOTICE_SPACING``;
further interactions are not answered at all, so that they cost next to nothing. The buckets are in memory, because the
interactions of a user come to one process, or to two during a restart.

:class:`Throttle` requires a pause between two expensive requests of a user, such as films.
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
"""The size of a user's bucket: the presses that it allows at once when it is full."""
SERVER_FACTOR: Final = 15
"""The rate and size of a server's bucket, as a multiple of a user's."""
SMALL_BURST: Final = 6
"""The recent presses up to which the bucket of the server does not limit a user."""
MAX_UNANSWERED: Final = 8
"""The most interactions of a user that are worked on at the same time."""
NOTICE_SPACING: Final = 1.0
"""The least seconds between two answers that tell a user of the limit."""
SUGGESTION_COST: Final = 0.25
"""The cost of a request for suggestions while a user types, in presses."""
_PURGE_SIZE: Final = 1000
"""The number of buckets above which full ones are dropped."""
Bucket = tuple[str, int]
"""The kind and id of a bucket's owner: a user or a server."""


class SilencedError(Exception):
    """A user above the limit was told so moments ago, so that this interaction is not answered."""


class PressRateLimiter:
    """The rate limits on presses and commands: a token bucket for each user and each server, in memory."""

    def __init__(self, per_second: float = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        """The presses a second by which a user's bucket is refilled; 0 for no limit."""
        self._clock = clock
        self._full_at: dict[Bucket, float] = {}
        """The time at which each bucket is full again."""
        self._notified_at: dict[int, float] = {}
        """The time of the last answer about the limit, by user id."""
        self._unanswered: Counter[int] = Counter()
        """The number of interactions that are worked on, by user id."""

    @contextmanager
    def pressing(self, user_id: int, guild_id: int | None) -> Iterator[None]:
        """Count an interaction, and the work on it for the duration of the block.

        Raises:
            RefusedError: ``too_many_presses`` or ``too_much_at_once``: the user is above a limit.
            SilencedError: the user is above a limit and was told so moments ago.
        """
        wait = self.take(user_id, guild_id)
        if wait:
            self._record_notice(user_id)
            raise RefusedError("too_many_presses", when=math.ceil(utcnow().timestamp() + wait))
        if self._per_second and self._unanswered[user_id] >= MAX_UNANSWERED:
            self._record_notice(user_id)
            raise RefusedError("too_much_at_once")
        self._unanswered[user_id] += 1
        try:
            yield
        finally:
            self._unanswered[user_id] -= 1
            self._unanswered += Counter()  # drops zero counts

    def take(self, user_id: int, guild_id: int | None, cost: float = 1.0) -> float:
        """Take ``cost`` presses out of the buckets and return 0; above the limit, return the seconds to wait."""
        if not self._per_second:
            return 0.0
        now, user = self._clock(), ("user", user_id)
        user_refill = self._refill_time(user, now) + cost / self._per_second
        refill_times: dict[Bucket, float] = {user: user_refill}
        if guild_id is not None:
            server = ("server", guild_id)
            refill_times[server] = self._refill_time(server, now) + cost / (self._per_second * SERVER_FACTOR)
        # The bucket of the server does not limit users who press little, whatever others in the server do.
        refill = max(refill_times.values()) if user_refill > SMALL_BURST / self._per_second else user_refill
        wait = refill - BURST / self._per_second
        if wait > 0:
            return wait
        self._full_at |= {bucket: now + seconds for bucket, seconds in refill_times.items()}
        if len(self._full_at) > _PURGE_SIZE:
            self._full_at = {bucket: at for bucket, at in self._full_at.items() if at > now}
        return 0.0

    def _refill_time(self, bucket: Bucket, now: float) -> float:
        """Return the seconds until a bucket is full again."""
        return max(0.0, self._full_at.get(bucket, now) - now)

    def _record_notice(self, user_id: int) -> None:
        """Record that a user is told of the limit now.

        Raises:
            SilencedError: they were told less than :data:`NOTICE_SPACING` ago.
        """
        now = self._clock()
        if now - self._notified_at.get(user_id, -NOTICE_SPACING) < NOTICE_SPACING:
            raise SilencedError
        recent = {user: at for user, at in self._notified_at.items() if now - at < NOTICE_SPACING}
        self._notified_at = recent | {user_id: now}


class Costly(StrEnum):
    """The kinds of expensive requests."""

    FILM = "film"
    """An animation of a whole game."""
    RECORD = "record"
    """A file with the record of a game, or with a user's data."""


PAUSES: Final = {Costly.FILM: 20.0, Costly.RECORD: 10.0}
"""The least seconds between two requests of a user, by kind."""


class Throttle:
    """Enforces pauses between the expensive requests of a user."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._free_at: dict[tuple[int, Costly], float] = {}
        """The time at which the pause of a user ends, by user id and kind of request."""

    def remaining_seconds(self, user_id: int, kind: Costly) -> float:
        """Return the seconds that a user still has to wait; 0 or less if they need not wait."""
        return self._free_at.get((user_id, kind), 0.0) - self._clock()

    def start_pause(self, user_id: int, kind: Costly) -> None:
        """Start the pause after a request of a user."""
        now = self._clock()
        self._free_at = {key: at for key, at in self._free_at.items() if at > now}
        self._free_at[user_id, kind] = now + PAUSES[kind]

    def require(self, user_id: int, kind: Costly) -> None:
        """Check that a user does not have to wait.

        Raises:
            RefusedError: the pause is not over; the sentence says when it will be.
        """
        wait = self.remaining_seconds(user_id, kind)
        if wait > 0:
            raise RefusedError(f"too_soon_{kind}", when=math.ceil(utcnow().timestamp() + wait))
