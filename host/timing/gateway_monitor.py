"""Heartbeats: while the gateway is connected they are stored, and a gap between two of them is given back.

Whoever beats after a gap gives it back to all clocks that run on games of that shard, in the same transaction: so
nobody ever finds a fresh heartbeat and a clock that still counts the gap, in whichever process. Different numbers of
shards may be connected side by side: a server was heard as long as its shard of any number was.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock
from host.clocks import GAP
from store import Heartbeat, Store, Transaction, clocks, processes

log = logging.getLogger(__name__)

PAST: Final = timedelta(days=1)
"""How long a number of shards is remembered that was given up, once all shards of another one are connected."""


class GatewayMonitor:
    """Whether the bot hears what players do."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.beats = False
        """Whether this process has beaten: what was lost before it is given back then."""

    async def beat(self, shards: Collection[int] = (0,), of: int = 1) -> int:
        """These shards are connected; how many clocks got a gap back."""
        lost = timedelta(0)
        count = 0
        async with self._store.writing("pulse") as tx:
            now = self._clock.now()  # whoever had to wait does not put the heart back
            before = await processes.heartbeats(tx)
            beats = [Heartbeat(shard, of, now) for shard in shards]
            late = [beat for beat in beats if _is_late(before, beat)]
            if before and late:
                count, lost = await self._give_back(tx, before, late, now)
            for beat in beats:
                await processes.put_heartbeat(tx, beat)
            if _are_past(before, of, now):
                await processes.forget_heartbeats(tx, of, now - PAST)
        self.beats = True
        if lost:
            hours = lost / timedelta(hours=1)
            log.warning("not connected for %.2f hours, given back to %s clocks", hours, count)
        return count

    async def _give_back(
        self, tx: Transaction, before: Collection[Heartbeat], late: Collection[Heartbeat], now: datetime
    ) -> tuple[int, timedelta]:
        """How many clocks got a gap back, and the longest; of servers that no shard ever heard nothing is known."""
        await clocks.lock_running(tx)
        gaps: dict[datetime, list[int]] = {}
        for guild_id in await clocks.servers_running(tx):
            last = processes.heard_by(before, guild_id) if any(beat.looks_after(guild_id) for beat in late) else None
            if last is not None and now - last > GAP:
                gaps.setdefault(last, []).append(guild_id)
        count = 0
        for last, servers in gaps.items():
            count += await clocks.give_back(tx, servers, last, now)
        return count, max((now - last for last in gaps), default=timedelta(0))


def _is_late(before: Collection[Heartbeat], beat: Heartbeat) -> bool:
    """Whether a shard itself was not heard: then shards of other numbers may have been, of its servers."""
    same = [last for last in before if (last.shard, last.shards) == (beat.shard, beat.shards)]
    return not any(beat.at - last.at <= GAP for last in same)


def _are_past(before: Collection[Heartbeat], of: int, now: datetime) -> bool:
    """Whether other numbers of shards were given up long ago, and all of this one have been there since."""
    recent = {beat.shard for beat in before if beat.shards == of and now - beat.at < PAST}
    return len(recent) == of and any(beat.shards != of and now - beat.at > PAST for beat in before)
