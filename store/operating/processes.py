"""Which processes work on this database, and what only one of them does at a time.

Times are those of the clock that all of them share (``host.clock.SharedClock``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, or_, select, update

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.schema import identifies, leases, processes
from store.shards import Shards


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process with the shards from the first to the last of so many; with none of them before it is connected."""

    id: str
    release: str
    first_shard: int = 0
    last_shard: int = -1
    shards: int = 1
    started_at: datetime
    seen_at: datetime
    level: int = 0

    @property
    def held(self) -> Shards | None:
        """Its shards, if it has any."""
        return None if self.last_shard < self.first_shard else Shards(self.first_shard, self.last_shard, self.shards)


async def put(tx: Transaction, process: Process) -> None:
    """A process lives."""
    await tx.execute(upsert(processes, asdict(process)))


async def living(tx: Transaction, since: datetime) -> Sequence[Process]:
    """Who was seen since then, the eldest first."""
    query = select(processes).where(processes.c.seen_at > since).order_by(processes.c.started_at, processes.c.id)
    return [Process(**row._mapping) for row in await tx.execute(query)]  # noqa: SLF001 - its public name for a mapping


async def end(tx: Transaction, process_id: str) -> None:
    """A process is no more, and does nothing any more that only one does."""
    await tx.execute(delete(processes).where(processes.c.id == process_id))
    await tx.execute(delete(leases).where(leases.c.holder == process_id))


async def forget(tx: Transaction, before: datetime) -> None:
    """Those that were last seen before then are no more."""
    await tx.execute(delete(processes).where(processes.c.seen_at < before))


async def take(tx: Transaction, name: str, holder: str, now: datetime, until: datetime) -> bool:
    """Do alone what has this name until then; False when somebody else does."""
    wanted = upsert(leases, {"name": name, "holder": holder, "until": until}, where=leases.c.until <= now)
    return (await tx.execute(wanted.returning(leases.c.name))).first() is not None


async def renew(tx: Transaction, holder: str, now: datetime, until: datetime) -> set[str]:
    """Go on with all that one does alone; what that is."""
    mine = (leases.c.holder == holder, leases.c.until > now)
    renewed = await tx.scalars(update(leases).where(*mine).values(until=until).returning(leases.c.name))
    return set(renewed)


async def give_back(tx: Transaction, name: str, holder: str) -> None:
    """It is done, or left to others."""
    await tx.execute(delete(leases).where(leases.c.name == name, leases.c.holder == holder))


async def begin_session(tx: Transaction, turn: int, now: datetime, spacing: timedelta) -> datetime | None:
    """Let a shard of this turn begin a session now; else when the last one did, less than so long ago.

    A time that lies further ahead than that is a clock's mistake.
    """
    free = or_(identifies.c.at <= now - spacing, identifies.c.at > now + spacing)
    begun = upsert(identifies, {"turn": turn, "at": now}, where=free).returning(identifies.c.turn)
    if (await tx.execute(begun)).first() is not None:
        return None
    last: datetime = (await tx.execute(select(identifies.c.at).where(identifies.c.turn == turn))).scalar_one()
    return last
