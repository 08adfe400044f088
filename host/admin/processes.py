"""The processes of one bot on a shared database: which are alive, and how they divide the work.

- Each process stores a *heartbeat* now and then, by which the others know that it is alive.
- A *lease* lets one process alone do a task. It lasts for ``LEASE`` by the clock that all processes share, and each
  heartbeat renews it. A process that was held up for longer knows that it has lost its leases.
- A *shard* is a connection to Discord for a part of the servers. If two processes have shards of the same servers,
  both receive every click. For a short time that is normal, in a rolling restart. If it lasts, it is a mistake, and the
  younger process gives up its shards until the elder one has ended (:class:`Overlap`).
- Discord limits how often shards may begin a session, over all processes (:class:`Sessions`).

On SQLite there is only one process. It stores nothing of this, and holds every lease.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from host.clock import Clock, SharedClock
from host.games.outbox import Outbox
from store import Process, Shards, Store, processes

log = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=30)
"""The duration of a lease that is not renewed, and the age of a heartbeat from which its process counts as dead."""
DEAD_PROCESS_RETENTION: Final = timedelta(days=1)
"""The time for which the row of a dead process is kept."""


class ProcessRegistry:
    """Sends the heartbeats of this process, takes leases for it, and knows the other live processes."""

    def __init__(self, store: Store, clock: Clock, outbox: Outbox, release: str) -> None:
        self._store = store
        self._clock = clock
        self._outbox = outbox
        self._release = release
        self.id = secrets.token_hex(8)
        outbox.holder = self.id
        outbox.newer_releases.is_running = self.has_newer_release
        self._started_at: datetime | None = None
        self._held: dict[str, datetime] = {}
        """The ends of the leases that this process holds, by name."""
        self.overlap = Overlap()
        """The shards of this process, and their conflict with those of another one."""
        self.alive = 1
        """The number of live processes at the last heartbeat."""

    @property
    def is_alone(self) -> bool:
        """True if there can be no other process, because the database cannot be shared."""
        return not self._store.is_shared

    async def take_up(self, shards: Shards) -> None:
        """Announce the shards of this process; call this before it connects them."""
        self.overlap.wanted = shards
        await self.beat()

    async def beat(self) -> None:
        """Send a heartbeat: store this process with its shards, renew its leases, and count the live processes."""
        if self.is_alone:
            return
        await self._set_clock()
        now = self._clock.now()
        self._started_at = self._started_at or now
        async with self._store.writing() as tx:
            living = await processes.living(tx, now - LEASE)
            others = [process for process in living if process.id != self.id]
            self.overlap.judge(self._own_row(self._started_at, now), others, now)
            await processes.save_process(tx, self._own_row(self._started_at, now))
            await processes.forget_processes(tx, now - DEAD_PROCESS_RETENTION)
            names = await processes.renew_leases(tx, self.id, now, now + LEASE)
            await self._outbox.renew(tx, now)
        self._held = dict.fromkeys(names, now + LEASE)
        self.alive = 1 + len(others)

    def _own_row(self, started_at: datetime, now: datetime) -> Process:
        """Return the row of this process, as its heartbeat stores it."""
        level = processes.level()
        row = Process(id=self.id, release=self._release, level=level, started_at=started_at, seen_at=now)
        held = self.overlap.held
        return row if held is None else replace(row, first_shard=held.first, last_shard=held.last, shards=held.of)

    async def is_shared(self, guild_id: int) -> bool:
        """Return whether another live process receives the events of a server as well; reads the database."""
        if self.is_alone:
            return False
        return any(other.own_shards is not None and other.own_shards.covers(guild_id) for other in await self.others())

    async def has_newer_release(self) -> bool:
        """Return whether a process of a newer release is alive, which may store what this one cannot read."""
        now = self._clock.now()
        own_row = self._own_row(now, now)
        return not self.is_alone and any(processes.is_newer(other, own_row) for other in await self.others())

    async def missing_shards(self) -> str:
        """Return the shards that no live process has, as text; empty if none is missing."""
        wanted = self.overlap.wanted
        if self.is_alone or wanted is None:
            return ""
        held = [process.own_shards for process in await self.others()] + [self.overlap.held]
        single = [Shards(number, number, wanted.of) for number in range(wanted.of)]
        missing = [shard for shard in single if not any(own is not None and own.overlaps(shard) for own in held)]
        return ", ".join(map(str, missing))

    async def end(self) -> None:
        """Remove this process and its leases, so that others need not wait for these to expire."""
        if self.is_alone:
            return
        async with self._store.writing() as tx:
            await processes.remove_process(tx, self.id)
            await self._outbox.release_leases(tx)

    async def others(self) -> Sequence[Process]:
        """Return the other live processes."""
        living = await self._store.read(processes.living, self._clock.now() - LEASE)
        return [process for process in living if process.id != self.id]

    async def take(self, name: str) -> bool:
        """Take the lease of this name; return False if another process holds it."""
        if self.is_alone:
            return True
        now = self._clock.now()
        taken = await self._store.write(processes.take_lease, name, self.id, now, now + LEASE)
        if taken:
            self._held[name] = now + LEASE
        return taken

    def holds(self, name: str) -> bool:
        """Return whether this process still holds the lease of this name; reads no database."""
        return self.is_alone or self._clock.now() < self._held.get(name, self._clock.now())

    async def give_back(self, name: str) -> None:
        """Release the lease of this name."""
        self._held.pop(name, None)
        if not self.is_alone:
            await self._store.write(processes.end_lease, name, self.id)

    async def _set_clock(self) -> None:
        """Set a shared clock to the time of the database."""
        if isinstance(self._clock, SharedClock):
            # The database read its clock between our two readings of the local clock: assume the middle.
            asked_at = time.monotonic()
            now = await self._store.now()
            self._clock.set(now, (asked_at + time.monotonic()) / 2)


OVERLAP_TOLERANCE: Final = timedelta(minutes=2)
"""The time for which two processes may have shards of the same servers, since a rolling restart needs that."""


class Overlap:
    """The conflict of this process with an elder one that has shards of the same servers, if there is one."""

    def __init__(self) -> None:
        self.wanted: Shards | None = None
        """The shards that this process is meant to have; None until they are announced."""
        self.rival: Process | None = None
        """The eldest process with shards of the same servers; None if there is none older than this one."""
        self._since: datetime | None = None
        """The time at which the conflict was first seen."""
        self.yields = False
        """True while this process leaves its shards to the rival."""

    @property
    def held(self) -> Shards | None:
        """The shards that this process has or is about to have; None while it leaves them to the rival."""
        return None if self.yields else self.wanted

    def judge(self, own_row: Process, others: Iterable[Process], now: datetime) -> None:
        """Find the rival among the other live processes, and give up the shards or take them back."""
        elders = [other for other in others if self._is_elder_rival(other, own_row)]
        self.rival = min(elders, key=_start_order, default=None)
        if self.rival is None:
            if self.yields:
                log.warning("the other process is gone: this one takes its shards back", extra=self._log_fields())
            self._since, self.yields = None, False
            return
        self._since = self._since or now
        if now - self._since >= OVERLAP_TOLERANCE and not self.yields:
            self.yields = True
            log.error("another process has shards of the same servers: this one gives its up", extra=self._log_fields())

    def problem(self) -> str:
        """Return a description of the conflict for operators; empty if there is none."""
        if not self.yields or self.rival is None:
            return ""
        return (
            f"{self.wanted} are left to process {self.rival.id}, which has {self.rival.own_shards}: stop one of the two"
        )

    def _is_elder_rival(self, other: Process, own_row: Process) -> bool:
        """Return whether another process is older than this one and has shards of the same servers."""
        return self.wanted is not None and _start_order(other) < _start_order(own_row) and shares(other, self.wanted)

    def _log_fields(self) -> dict[str, object]:
        """Return the log fields of the conflict."""
        rival = self.rival
        fields: dict[str, object] = {"shards": str(self.wanted)}
        return fields if rival is None else {**fields, "other": rival.id, "theirs": str(rival.own_shards)}


def shares(process: Process, shards: Shards) -> bool:
    """Return whether a process has shards of some of the servers of these shards."""
    return process.own_shards is not None and process.own_shards.overlaps(shards)


def _start_order(process: Process) -> tuple[datetime, str]:
    """Return a key that sorts processes by their start, and is never equal for two of them."""
    return process.started_at, process.id


SESSION_SPACING: Final = timedelta(seconds=5)
"""The least time between the starts of two sessions in the same rate limit bucket of Discord."""


class Sessions:
    """The rate limit for starting sessions at Discord's gateway, shared by all processes.

    Discord divides shards into buckets, by the shard's number modulo ``max_concurrency``; each has a limit of its own.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._last_starts: dict[int, datetime] = {}
        """The last start of a session in each bucket; used if the database is not shared."""

    async def begin(self, bucket: int) -> timedelta:
        """Return the time that a shard of this bucket has to wait; if that is zero, record that its session starts."""
        now = self._clock.now()
        if self._store.is_shared:
            last = await self._store.write(processes.begin_session, bucket, now, SESSION_SPACING)
        else:
            last = self._last_starts.get(bucket)
            if last is None or now - last >= SESSION_SPACING:
                self._last_starts[bucket], last = now, None
        return timedelta(0) if last is None else max(last + SESSION_SPACING - now, timedelta(milliseconds=1))
