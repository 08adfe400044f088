"""Rate limits for expensive requests, such as pictures of boards, hints and replays: a token bucket for each user.

A bucket is stored as the time at which it will be full again. Each request moves that time into the future by its cost;
a request is refused if it would lie more than ``QUOTA`` ahead. Moves cost nothing.

Use is counted in memory. If several processes share a database, heavy use is counted there as well, so that a user has
one quota over all processes.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from store import Store, guilds

QUOTA: Final = timedelta(seconds=60)
"""The size of a bucket, as the time in which an empty one is refilled."""
LOCAL_QUOTA: Final = timedelta(seconds=20)
"""The part of the quota that is counted in memory only, to save a transaction for light use."""
_MAX_TRACKED_USERS: Final = 1000
"""The number of users in memory above which those with a full bucket are dropped."""


class RequestQuotas:
    """The quotas of all users: the time at which the bucket of each is full again."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._full_at: dict[int, datetime] = {}

    async def take(self, user_id: int, cost: timedelta) -> datetime | None:
        """Charge a cost to a user if the quota allows it, and return None; else return the time from which it will."""
        now = self._clock.now()
        full_at = max(now, self._full_at.get(user_id, now))
        if full_at + cost <= now + QUOTA and self._store.is_shared and full_at + cost > now + LOCAL_QUOTA:
            full_at = max(full_at, await self._charge_in_database(user_id, cost, now))
        if full_at + cost > now + QUOTA:
            return full_at + cost - QUOTA
        self._remember(user_id, full_at + cost, now)
        return None

    async def _charge_in_database(self, user_id: int, cost: timedelta, now: datetime) -> datetime:
        """Charge the cost in the database if it fits there; return the time before it at which the bucket was full."""
        async with self._store.writing(f"share {user_id}") as tx:
            full_at = max(now, await guilds.quota_free_at(tx, user_id) or now)
            if full_at + cost <= now + QUOTA:
                await guilds.save_quota(tx, user_id, full_at + cost)
        return full_at

    def _remember(self, user_id: int, full_at: datetime, now: datetime) -> None:
        """Store the bucket of a user in memory, and drop full ones if there are many."""
        self._full_at[user_id] = full_at
        if len(self._full_at) > _MAX_TRACKED_USERS:
            self._full_at = {user: at for user, at in self._full_at.items() if at > now}
