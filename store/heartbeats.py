"""When each shard was last connected to the gateway."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select

from store.database import Transaction
from store.dialect import upsert
from store.schema import heartbeats


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """That a shard, one of so many, was connected at a time."""

    shard: int
    shards: int
    at: datetime

    def looks_after(self, guild_id: int) -> bool:
        """Whether what happens in a server comes by this shard."""
        return (guild_id >> 22) % self.shards == self.shard


async def all_of_them(tx: Transaction) -> list[Heartbeat]:
    """The last of each shard."""
    return [Heartbeat(row.shard, row.shards, row.at) for row in await tx.execute(select(heartbeats))]


async def put(tx: Transaction, beat: Heartbeat) -> None:
    """Store that a shard is connected; those of another number of shards are of the past."""
    await tx.execute(delete(heartbeats).where(heartbeats.c.shards != beat.shards))
    await tx.execute(upsert(heartbeats, {"shard": beat.shard, "shards": beat.shards, "at": beat.at}))
