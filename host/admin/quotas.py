"""Token buckets for expensive requests (pictures of boards, hints, replays, records): one per user, refilled with time.

Use is counted in memory. If several processes share a database, heavy use is counted there, too, so that a user has one
quota and not one in each process. Moves are free.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from store import Store, guilds

QUOTA: Final = timedelta(seconds=60)
"""The size of the bucket, as the time in which an empty one refills."""
LOCAL_QUOTA: Final = timedelta(seconds=20)
"""The part of the quota that is counted in memory only, to save a transaction."""
_MAX_TRACKED_USERS: Final = 1000
"""The number of users in memory above which those with a full bucket are dropped."""


class RequestQuotas:
    """The quotas of all users."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._free_at: dict[int, datetime] = {}

    async def take(self, user_id: int, cost: timedelta) -> datetime | None:
        """Charge a cost to a user; return None if the quota allows it, else the time from which it will."""
        now = self._clock.now()
        busy = max(now, self._free_at.get(user_id, now))
        if busy + cost <= now + QUOTA and self._store.is_shared and busy + cost > now + LOCAL_QUOTA:
            busy = max(busy, await self._charge_in_database(user_id, cost, now))
        if busy + cost > now + QUOTA:
            return busy + cost - QUOTA
        self._remember(user_id, busy + cost, now)
        return None

    async def _charge_in_database(self, user_id: int, cost: timedelta, now: datetime) -> datetime:
        """Return the time at which the user's bucket is full again over all processes; charge the cost if it fits."""
        async with self._store.writing(f"share {user_id}") as tx:
            busy = max(now, await guilds.quota_free_at(tx, user_id) or now)
            if busy + cost <= now + QUOTA:
                await guilds.save_quota(tx, user_id, busy + cost)
        return busy

    def _remember(self, user_id: int, free_at: datetime, now: datetime) -> None:
        self._free_at[user_id] = free_at
        if len(self._free_at) > _MAX_TRACKED_USERS:
            self._free_at = {user: at for user, at in self._free_at.items() if at > now}
