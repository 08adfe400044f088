"""Heartbeats of the connection to Discord, and refunds for the time in which there was none.

Players cannot move while the bot is disconnected, so that time must not count on their clocks. Discord sends the events
of a server through a *gateway* connection. A large bot has several, the *shards*, each for a part of the servers. While
a shard is connected, its process stores a *heartbeat* now and then. The first heartbeat after a gap refunds the gap to
all running clocks of the shard's servers. Both happen in one transaction, so that no process ever sees a fresh
heartbeat together with a clock that still counts the gap.

When the number of shards changes, processes with the old and the new number run side by side for a while. A server
counts as connected if its shard under any of these numbers was.
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
"""The time after which the heartbeats of an old number of shards are deleted, once all shards of the new one beat."""


class GatewayMonitor:
    """Stores heartbeats, and refunds the time without a connection to the clocks of games."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.beats = False
        """True once this process has stored a heartbeat, and so has refunded any gap before it."""

    async def beat(self, shards: Collection[int] = (0,), of: int = 1) -> int:
        """Store heartbeats of connected shards, of ``of`` in all; return the number of clocks that got a refund."""
        longest_gap = timedelta(0)
        count = 0
        async with self._store.writing("pulse") as tx:
            # Read the time inside the lock: a process that waited for the lock must not store an older heartbeat.
            now = self._clock.now()
            before = await processes.heartbeats(tx)
            beats = [Heartbeat(shard, of, now) for shard in shards]
            late = [beat for beat in beats if _had_gap(before, beat)]
            if before and late:
                count, longest_gap = await self._refund(tx, before, late, now)
            for beat in beats:
                await processes.save_heartbeat(tx, beat)
            if _has_retired_counts(before, of, now):
                await processes.forget_heartbeats(tx, of, now - SHARD_COUNT_RETENTION)
        self.beats = True
        if longest_gap:
            hours = longest_gap / timedelta(hours=1)
            log.warning("disconnected for %.2f hours, refunded to %s clocks", hours, count)
        return count

    async def _refund(
        self, tx: Transaction, before: Collection[Heartbeat], late: Collection[Heartbeat], now: datetime
    ) -> tuple[int, timedelta]:
        """Refund the gaps that end with the ``late`` heartbeats; return the number of clocks and the longest gap.

        ``before`` are all earlier heartbeats. Servers for which there are none are skipped, since the length of their
        gap is unknown.
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
    """Return whether a heartbeat comes after a gap of its own shard.

    Shards of another number of shards may have covered its servers meanwhile; the caller checks that for each server.
    """
    same_shard = [last for last in before if (last.shard, last.shards) == (beat.shard, beat.shards)]
    return not any(beat.at - last.at <= MAX_HEARTBEAT_GAP for last in same_shard)


def _has_retired_counts(before: Collection[Heartbeat], of: int, now: datetime) -> bool:
    """Return whether all of ``of`` shards have beaten lately, and there are old heartbeats of another number."""
    recent = {beat.shard for beat in before if beat.shards == of and now - beat.at < SHARD_COUNT_RETENTION}
    return len(recent) == of and any(beat.shards != of and now - beat.at > SHARD_COUNT_RETENTION for beat in before)
