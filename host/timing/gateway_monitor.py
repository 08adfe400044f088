"""Heartbeats of the Discord gateway, and time refunds for the gaps between them.

A heartbeat is stored while the gateway is connected. The first heartbeat after a gap refunds that gap to all running
clocks of the shard's games, in the same transaction: no process ever sees a fresh heartbeat together with a clock that
still counts the gap. Processes with different shard counts may be connected side by side, as during a change of the
shard count: a server counts as connected if its shard under any of the counts was.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from host.clocks import MAX_HEARTBEAT_GAP
from store import Heartbeat, Store, Transaction, clocks, processes

log = logging.getLogger(__name__)

SHARD_COUNT_RETENTION: Final = timedelta(days=1)
"""Time after which the heartbeats of a retired shard count are deleted, once all shards of the new one beat."""


class GatewayMonitor:
    """Stores heartbeats, and refunds to the clocks the time without a connection."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.beats = False
        """True once this process has stored a heartbeat; from then on, earlier gaps are refunded."""

    async def beat(self, shards: Collection[int] = (0,), of: int = 1) -> int:
        """Store heartbeats of connected shards, out of ``of`` shards; return the number of clocks that got a refund."""
        lost = timedelta(0)
        count = 0
        async with self._store.writing("pulse") as tx:
            # Read inside the lock: a process that waited for it must not store an older heartbeat.
            now = self._clock.now()
            before = await processes.heartbeats(tx)
            beats = [Heartbeat(shard, of, now) for shard in shards]
            late = [beat for beat in beats if _had_gap(before, beat)]
            if before and late:
                count, lost = await self._give_back(tx, before, late, now)
            for beat in beats:
                await processes.put_heartbeat(tx, beat)
            if _has_retired_counts(before, of, now):
                await processes.forget_heartbeats(tx, of, now - SHARD_COUNT_RETENTION)
        self.beats = True
        if lost:
            hours = lost / timedelta(hours=1)
            log.warning("disconnected for %.2f hours, refunded to %s clocks", hours, count)
        return count

    async def _give_back(
        self, tx: Transaction, before: Collection[Heartbeat], late: Collection[Heartbeat], now: datetime
    ) -> tuple[int, timedelta]:
        """Refund gaps to running clocks; return the number of clocks and the longest gap.

        Servers without any earlier heartbeat are skipped: the length of their gap is unknown.
        """
        await clocks.lock_running_games(tx)
        gaps: dict[datetime, list[int]] = {}
        for guild_id in await clocks.servers_with_running_clocks(tx):
            last = processes.last_heartbeat(before, guild_id) if any(beat.covers(guild_id) for beat in late) else None
            if last is not None and now - last > MAX_HEARTBEAT_GAP:
                gaps.setdefault(last, []).append(guild_id)
        count = 0
        for last, servers in gaps.items():
            count += await clocks.give_back(tx, servers, last, now)
        return count, max((now - last for last in gaps), default=timedelta(0))


def _had_gap(before: Collection[Heartbeat], beat: Heartbeat) -> bool:
    """Return True if a shard has no recent heartbeat of its own.

    Shards under another shard count may still have covered its servers; the caller checks that for each server.
    """
    same = [last for last in before if (last.shard, last.shards) == (beat.shard, beat.shards)]
    return not any(beat.at - last.at <= MAX_HEARTBEAT_GAP for last in same)


def _has_retired_counts(before: Collection[Heartbeat], of: int, now: datetime) -> bool:
    """Return True if all shards of this count beat lately, and another count has heartbeats past retention."""
    recent = {beat.shard for beat in before if beat.shards == of and now - beat.at < SHARD_COUNT_RETENTION}
    return len(recent) == of and any(beat.shards != of and now - beat.at > SHARD_COUNT_RETENTION for beat in before)
