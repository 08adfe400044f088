"""When each shard was last connected to the gateway.

Processes with different numbers of shards may live side by side, so a row is one of a number. The release before knows
one number at a time: what it wrote is read here, too, and it finds ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select, union_all

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import heartbeats as heartbeats_of_one_number
from store.schema import shard_heartbeats
from store.shards import Shards


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """That a shard, one of so many, was connected at a time."""

    shard: int
    shards: int
    at: datetime

    def looks_after(self, guild_id: int) -> bool:
        """Whether what happens in a server comes by this shard."""
        return Shards(self.shard, self.shard, self.shards).look_after(guild_id)


async def all_of_them(tx: Transaction) -> list[Heartbeat]:
    """The last of each shard of each number."""
    tables = (shard_heartbeats, heartbeats_of_one_number)
    query = union_all(*(select(table.c.shard, table.c.shards, table.c.at) for table in tables))
    last: dict[tuple[int, int], Heartbeat] = {}
    for row in await tx.execute(query):
        known = last.get((row.shard, row.shards))
        if known is None or known.at < row.at:
            last[row.shard, row.shards] = Heartbeat(row.shard, row.shards, row.at)
    return list(last.values())


def heard_by(beats: Iterable[Heartbeat], guild_id: int) -> datetime | None:
    """When the last of these heard a server, of whatever number of shards it was one."""
    return max((beat.at for beat in beats if beat.looks_after(guild_id)), default=None)


async def heard_at(tx: Transaction, guild_id: int) -> datetime | None:
    """When a server was last heard."""
    return heard_by(await all_of_them(tx), guild_id)


async def put(tx: Transaction, beat: Heartbeat) -> None:
    """Store that a shard is connected."""
    values = {"shard": beat.shard, "shards": beat.shards, "at": beat.at}
    await tx.execute(upsert(shard_heartbeats, values))
    old = heartbeats_of_one_number
    await tx.execute(delete(old).where(old.c.shards != beat.shards))
    await tx.execute(upsert(old, values))


async def forget(tx: Transaction, shards: int, before: datetime) -> None:
    """What was last heard before then by shards of other numbers than this one does not count any more."""
    of_another = (shard_heartbeats.c.shards != shards, shard_heartbeats.c.at < before)
    await tx.execute(delete(shard_heartbeats).where(*of_another))
