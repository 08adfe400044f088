"""Processes of the bot that share a database: their releases, shards, leases and heartbeats, and marks for all of them.

A *shard* is a connection to Discord that gets the events of a part of the servers; a large bot runs several processes,
each with a range of shards. A *heartbeat* is the last time at which a shard was connected. A *lease* gives a named task
to one process until a time. A *mark* is a named fact about the whole database, such as the oldest release that may use
it.

Times are those of the clock that all processes share (``host.clock.SharedClock``). While the number of shards is being
changed, processes with different numbers run side by side, so a heartbeat is stored with the number of shards. The
previous release knows a single number: heartbeats are read from and written to its table, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from math import gcd
from typing import Any, Final, Self

from sqlalchemy import delete, inspect, or_, select, union_all, update

from store.connection.database import Transaction
from store.connection.dialect import upsert
from store.connection.migrating import known_revisions
from store.records import record_of
from store.schema.admin import heartbeats as former_heartbeats
from store.schema.admin import identifies, leases, marks, processes, shard_heartbeats

OLDEST_RELEASE: Final = "0024"
"""The newest migration that the oldest compatible release knows.

That release, and all later ones, may use a database that this release has migrated. A release that removes a column, or
changes its meaning, has to raise the value.
"""
RELEASE_MARK: Final = "oldest release"
"""The name of the mark that stores :data:`OLDEST_RELEASE` in the database."""
_SHARDS_PATTERN: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", re.ASCII)
"""The text form of shards: first, perhaps last, and total number."""
_UNSHARDED_BITS: Final = 22
"""The low bits of a server's id, which do not decide which shard it belongs to."""


@dataclass(frozen=True, slots=True)
class Shards:
    """A range of Discord's shards, and their total number ``of``; as text ``0-3/16`` or ``5/16``."""

    first: int
    last: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text form.

        Raises:
            ValueError: the text has another form, or there are no such shards.
        """
        match = _SHARDS_PATTERN.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"no shards: {text!r}")
        first, last, of = int(match[1]), int(match[2] or match[1]), int(match[3])
        if not first <= last < of:
            raise ValueError(f"no shards: {text!r}")
        return cls(first, last, of)

    def __str__(self) -> str:
        span = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        return f"{span}/{self.of}"

    @property
    def numbers(self) -> range:
        """The numbers of the single shards."""
        return range(self.first, self.last + 1)

    def covers(self, guild_id: int) -> bool:
        """Return whether one of these shards gets the events of a server; direct messages count as server 0."""
        return (guild_id >> _UNSHARDED_BITS) % self.of in self.numbers

    def overlaps(self, other: Shards) -> bool:
        """Return whether both may get events of the same server, whatever their total numbers: 3/16 meets 19/32.

        A server belongs to the shard that is the remainder of its id. A remainder by each of two totals is possible for
        one and the same id exactly when both agree by the greatest common divisor of the totals.
        """
        divisor = gcd(self.of, other.of)
        own_remainders = {number % divisor for number in self.numbers}
        return any(number % divisor in own_remainders for number in other.numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process that uses the database, with its shards; it has no shards before it is connected."""

    id: str
    release: str
    first_shard: int = 0
    last_shard: int = -1
    shards: int = 1
    started_at: datetime
    seen_at: datetime
    level: int = 0
    """The number of the newest migration that its release knows: larger is newer."""

    @property
    def own_shards(self) -> Shards | None:
        """Its shards, if it has any."""
        return None if self.last_shard < self.first_shard else Shards(self.first_shard, self.last_shard, self.shards)


async def save_process(tx: Transaction, process: Process) -> None:
    """Store a process, with the time at which it was last seen."""
    await tx.execute(upsert(processes, asdict(process)))


async def living(tx: Transaction, since: datetime) -> Sequence[Process]:
    """Return the processes that were seen after a time, the earliest started first."""
    query = select(processes).where(processes.c.seen_at > since).order_by(processes.c.started_at, processes.c.id)
    return [record_of(Process, row) for row in await tx.execute(query)]


async def remove_process(tx: Transaction, process_id: str) -> None:
    """Remove a process that ends, with its leases."""
    await tx.execute(delete(processes).where(processes.c.id == process_id))
    await tx.execute(delete(leases).where(leases.c.holder == process_id))


async def forget_processes(tx: Transaction, before: datetime) -> None:
    """Remove processes that were last seen before a time."""
    await tx.execute(delete(processes).where(processes.c.seen_at < before))


async def take_lease(tx: Transaction, name: str, holder: str, now: datetime, until: datetime) -> bool:
    """Lease a named task until a time; return False when another process has it."""
    statement = upsert(leases, {"name": name, "holder": holder, "until": until}, where=leases.c.until <= now)
    return (await tx.execute(statement.returning(leases.c.name))).first() is not None


async def renew_leases(tx: Transaction, holder: str, now: datetime, until: datetime) -> set[str]:
    """Renew all leases of a process; return their names."""
    is_held = (leases.c.holder == holder, leases.c.until > now)
    renewed = await tx.scalars(update(leases).where(*is_held).values(until=until).returning(leases.c.name))
    return set(renewed)


async def end_lease(tx: Transaction, name: str, holder: str) -> None:
    """End a lease, so that any process may take the task."""
    await tx.execute(delete(leases).where(leases.c.name == name, leases.c.holder == holder))


async def begin_session(tx: Transaction, turn: int, now: datetime, spacing: timedelta) -> datetime | None:
    """Let a shard begin a session with Discord now, if it may.

    Discord divides the shards into groups, the turns, and allows one new session of a turn in each ``spacing``. Return
    None if the shard may begin; otherwise the time at which the last session of its turn began. A stored time that is
    further ahead than ``spacing`` comes from a wrong clock, and is ignored.
    """
    may_begin = or_(identifies.c.at <= now - spacing, identifies.c.at > now + spacing)
    statement = upsert(identifies, {"turn": turn, "at": now}, where=may_begin).returning(identifies.c.turn)
    if (await tx.execute(statement)).first() is not None:
        return None
    last: datetime = (await tx.execute(select(identifies.c.at).where(identifies.c.turn == turn))).scalar_one()
    return last


def level() -> int:
    """Return a number that grows with each change of the tables: that of the newest migration that this release knows.

    Releases before 1.0.0 counted their migrations, eighteen at most.
    """
    return int(known_revisions()[-1])


def is_newer(other: Process, own: Process) -> bool:
    """Return whether another process is of a newer release than the own one."""
    return (other.level, _numbers(other.release)) > (own.level, _numbers(own.release))


def _numbers(release: str) -> tuple[int, ...]:
    """Return the numbers of a release such as ``1.20.3``, by which releases are ordered."""
    return tuple(int(digits) for digits in re.findall(r"\d{1,9}", release))


async def mark_of(tx: Transaction, name: str) -> Any:  # noqa: ANN401 - JSON
    """Return the value of a mark; None if it is not set."""
    return await tx.scalar(select(marks.c.value).where(marks.c.name == name))


async def save_mark(tx: Transaction, name: str, value: object, now: datetime) -> None:
    """Store a mark in place of its previous value."""
    await tx.execute(upsert(marks, {"name": name, "value": value, "at": now}))


async def drop_mark(tx: Transaction, name: str) -> None:
    """Remove a mark."""
    await tx.execute(delete(marks).where(marks.c.name == name))


async def name_oldest_release(tx: Transaction, now: datetime) -> None:
    """Store the oldest release that may use this database, unless a newer release has stored a later one."""
    stored = await mark_of(tx, RELEASE_MARK)
    if stored is None or int(stored) < int(OLDEST_RELEASE):
        await save_mark(tx, RELEASE_MARK, OLDEST_RELEASE, now)


async def admits_this_release(tx: Transaction) -> bool:
    """Return whether this release may use a database that a newer release has migrated."""
    has_marks = await tx.run_sync(lambda connection: inspect(connection).has_table(marks.name))
    return has_marks and await mark_of(tx, RELEASE_MARK) in known_revisions()


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The last time at which a shard was connected; ``shards`` is the total number."""

    shard: int
    shards: int
    at: datetime

    def covers(self, guild_id: int) -> bool:
        """Return whether this shard gets the events of a server."""
        return Shards(self.shard, self.shard, self.shards).covers(guild_id)


async def heartbeats(tx: Transaction) -> list[Heartbeat]:
    """Return the last heartbeat of each shard, for each total number of shards."""
    tables = (shard_heartbeats, former_heartbeats)
    query = union_all(*(select(table.c.shard, table.c.shards, table.c.at) for table in tables))
    newest: dict[tuple[int, int], Heartbeat] = {}
    for row in await tx.execute(query):
        previous = newest.get((row.shard, row.shards))
        if previous is None or previous.at < row.at:
            newest[row.shard, row.shards] = Heartbeat(row.shard, row.shards, row.at)
    return list(newest.values())


def last_heartbeat(beats: Iterable[Heartbeat], guild_id: int) -> datetime | None:
    """Return the last of these heartbeats of a shard that gets the events of a server, with any total number."""
    return max((beat.at for beat in beats if beat.covers(guild_id)), default=None)


async def read_last_heartbeat(tx: Transaction, guild_id: int) -> datetime | None:
    """Return when a shard that gets the events of a server was last connected."""
    return last_heartbeat(await heartbeats(tx), guild_id)


async def save_heartbeat(tx: Transaction, beat: Heartbeat) -> None:
    """Store that a shard is connected."""
    values = {"shard": beat.shard, "shards": beat.shards, "at": beat.at}
    await tx.execute(upsert(shard_heartbeats, values))
    table = former_heartbeats
    await tx.execute(delete(table).where(table.c.shards != beat.shards))
    await tx.execute(upsert(table, values))


async def forget_heartbeats(tx: Transaction, shards: int, before: datetime) -> None:
    """Remove heartbeats from before a time that belong to another total number of shards."""
    outdated = (shard_heartbeats.c.shards != shards, shard_heartbeats.c.at < before)
    await tx.execute(delete(shard_heartbeats).where(*outdated))
