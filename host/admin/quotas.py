"""Fair shares of what takes long: pictures of boards, hints, replays, records. Everybody has the same, and it refills.

What somebody has asked for is counted in memory. Only of who has asked for much it is counted in the database, too,
where several processes share one: so that he has one share, not one in each. A move costs nothing of it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from store import Store, guilds

MOST: Final = timedelta(seconds=60)
"""What somebody may ask for at once, as the time in which it refills."""
UNCOUNTED: Final = timedelta(seconds=20)
"""So much of it is not counted in the database."""
_MANY: Final = 1000
"""People who are remembered until those are forgotten who have all of their share again."""


class RequestQuotas:
    """Who has asked for how much."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._free_at: dict[int, datetime] = {}

    async def take(self, user_id: int, cost: timedelta) -> datetime | None:
        """Let somebody have what costs so much; None when he may, else when he may."""
        now = self._clock.now()
        busy = max(now, self._free_at.get(user_id, now))
        if busy + cost <= now + MOST and self._store.is_shared and busy + cost > now + UNCOUNTED:
            busy = max(busy, await self._counted(user_id, cost, now))
        if busy + cost > now + MOST:
            return busy + cost - MOST
        self._keep(user_id, busy + cost, now)
        return None

    async def _counted(self, user_id: int, cost: timedelta, now: datetime) -> datetime:
        """When all of it counts as done that he has asked for in any process; this, too, if it is not too much."""
        async with self._store.writing(f"share {user_id}") as tx:
            busy = max(now, await guilds.quota_free_at(tx, user_id) or now)
            if busy + cost <= now + MOST:
                await guilds.put_quota(tx, user_id, busy + cost)
        return busy

    def _keep(self, user_id: int, free_at: datetime, now: datetime) -> None:
        self._free_at[user_id] = free_at
        if len(self._free_at) > _MANY:
            self._free_at = {user: at for user, at in self._free_at.items() if at > now}
