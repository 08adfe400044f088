"""Heartbeats: while the gateway is connected they are stored, and a gap between two of them is given back.

Whoever beats after a gap gives it back to all clocks that run on games of that shard, in the same transaction: so
nobody ever finds a fresh heartbeat and a clock that still counts the gap, in whichever process.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from host.time.clocks import give_back
from store import Heartbeat, Store, Transaction, clocks, heartbeats

log = logging.getLogger(__name__)

GAP: Final = timedelta(seconds=60)
"""What is longer without a heartbeat is downtime."""


class Pulse:
    """Whether the bot hears what players do."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def beat(self, shards: Collection[int] = (0,), of: int = 1) -> int:
        """These shards are connected; how many clocks got a gap back."""
        now = self._clock.now()
        async with self._store.writing("pulse") as tx:
            before = await heartbeats.all_of_them(tx)
            gaps = {shard: last for shard in shards if (last := _last(before, shard, of)) and now - last > GAP}
            count = await self._give_back(tx, gaps, of, now) if gaps else 0
            for shard in shards:
                await heartbeats.put(tx, Heartbeat(shard, of, now))
        if gaps:
            hours = max(now - last for last in gaps.values()) / timedelta(hours=1)
            log.warning("not connected for %.2f hours, given back to %s clocks", hours, count)
        return count

    async def _give_back(self, tx: Transaction, gaps: dict[int, datetime], of: int, now: datetime) -> int:
        lost = [Heartbeat(shard, of, last) for shard, last in gaps.items()]
        await clocks.hold_running(tx)
        changed = [
            give_back(clock, beat.at, now)
            for clock, guild_id in await clocks.running(tx)
            for beat in lost
            if beat.looks_after(guild_id)
        ]
        await clocks.save(tx, changed)
        return len(changed)


def _last(before: Collection[Heartbeat], shard: int, of: int) -> datetime | None:
    """When a shard was last connected; after a change of their number, when the first of them was lost."""
    same = [beat.at for beat in before if beat.shards == of and beat.shard == shard]
    others = [beat.at for beat in before if beat.shards != of]
    return min(same or others, default=None)


async def heard_at(tx: Transaction, guild_id: int) -> datetime | None:
    """When the shard of a server was last connected."""
    beats = [beat.at for beat in await heartbeats.all_of_them(tx) if beat.looks_after(guild_id)]
    return max(beats, default=None)
