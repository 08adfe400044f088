"""The processes of a bot on one database: which are alive, their shards, and leases for tasks that only one may do.

A lease lasts half a minute by the clock that all processes share, and every heartbeat renews it. A process that was
held up for longer knows that it has lost its leases. On SQLite there is only one process: it stores no leases, and
holds all of them.

Two processes with shards of the same servers are a rolling restart if that is brief, else a mistake. Both receive every
click meanwhile, and one of them answers. If it lasts, the younger one leaves those servers to the elder until the elder
is gone.

Shards take turns to begin a session at Discord: one every five seconds, over all processes.
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
"""The duration of a lease that is not renewed."""
DEAD_PROCESS_RETENTION: Final = timedelta(days=1)
"""The time for which the row of a dead process is kept."""


class ProcessRegistry:
    """The registry of live processes, with the heartbeat and the leases of this one."""

    def __init__(self, store: Store, clock: Clock, messages: Outbox, release: str) -> None:
        self._store = store
        self._clock = clock
        self._outbox = messages
        self._release = release
        self.id = secrets.token_hex(8)
        messages.holder = self.id
        messages.newer_releases.is_running = self.has_newer_release
        self._started_at: datetime | None = None
        self._held: dict[str, datetime] = {}
        self.overlap = Overlap()
        """The shards of this process, and their conflict with those of another one."""
        self.alive = 1
        """The number of live processes at the last heartbeat."""

    @property
    def is_alone(self) -> bool:
        """True if there can be no other process: the database is not shared."""
        return not self._store.is_shared

    async def take_up(self, shards: Shards) -> None:
        """Announce the shards of this process before it connects them."""
        self.overlap.wanted = shards
        await self.beat()

    async def beat(self) -> None:
        """Send a heartbeat: store this process and its shards, renew its leases, and read the other live processes."""
        if self.is_alone:
            return
        await self._set_clock()
        now = self._clock.now()
        self._started_at = self._started_at or now
        async with self._store.writing() as tx:
            living = await processes.living(tx, now - LEASE)
            others = [process for process in living if process.id != self.id]
            self.overlap.judge(self._mine(self._started_at, now), others, now)
            await processes.save_process(tx, self._mine(self._started_at, now))
            await processes.forget_processes(tx, now - DEAD_PROCESS_RETENTION)
            names = await processes.renew_leases(tx, self.id, now, now + LEASE)
            await self._outbox.renew(tx, now)
        self._held = dict.fromkeys(names, now + LEASE)
        self.alive = 1 + len(others)

    def _mine(self, started_at: datetime, now: datetime) -> Process:
        level = processes.level()
        mine = Process(id=self.id, release=self._release, level=level, started_at=started_at, seen_at=now)
        held = self.overlap.held
        return mine if held is None else replace(mine, first_shard=held.first, last_shard=held.last, shards=held.of)

    async def is_shared(self, guild_id: int) -> bool:
        """Return whether another live process receives the events of a server, too; reads the database."""
        if self.is_alone:
            return False
        return any(other.own_shards is not None and other.own_shards.covers(guild_id) for other in await self.others())

    async def has_newer_release(self) -> bool:
        """Return whether a process of a newer release is alive, which may store kinds unknown to this one."""
        now = self._clock.now()
        mine = self._mine(now, now)
        return not self.is_alone and any(processes.is_newer(other, mine) for other in await self.others())

    async def unheld(self) -> str:
        """Return the shards that no live process has, as text; empty if every shard is held."""
        wanted = self.overlap.wanted
        if self.is_alone or wanted is None:
            return ""
        held = [process.own_shards for process in await self.others()] + [self.overlap.held]
        single = [Shards(number, number, wanted.of) for number in range(wanted.of)]
        missing = [shard for shard in single if not any(one is not None and one.overlaps(shard) for one in held)]
        return ", ".join(map(str, missing))

    async def end(self) -> None:
        """Remove this process and its leases, so that others can take them at once."""
        if self.is_alone:
            return
        async with self._store.writing() as tx:
            await processes.remove_process(tx, self.id)
            await self._outbox.release_leases(tx)

    async def others(self) -> Sequence[Process]:
        """Return the other live processes."""
        async with self._store.reading() as tx:
            living = await processes.living(tx, self._clock.now() - LEASE)
        return [process for process in living if process.id != self.id]

    async def take(self, name: str) -> bool:
        """Take the lease of this name; return False if another process holds it."""
        if self.is_alone:
            return True
        now = self._clock.now()
        async with self._store.writing() as tx:
            taken = await processes.take_lease(tx, name, self.id, now, now + LEASE)
        if taken:
            self._held[name] = now + LEASE
        return taken

    def holds(self, name: str) -> bool:
        """Return whether this process still holds the lease of this name."""
        return self.is_alone or self._clock.now() < self._held.get(name, self._clock.now())

    async def give_back(self, name: str) -> None:
        """Release the lease of this name."""
        self._held.pop(name, None)
        if not self.is_alone:
            async with self._store.writing() as tx:
                await processes.end_lease(tx, name, self.id)

    async def _set_clock(self) -> None:
        if isinstance(self._clock, SharedClock):
            # The database read its clock between the two readings of ours: assume the middle.
            asked_at = time.monotonic()
            now = await self._store.now()
            self._clock.set(now, (asked_at + time.monotonic()) / 2)


OVERLAP_TOLERANCE: Final = timedelta(minutes=2)
"""The time for which two processes may have shards of the same servers, as in a rolling restart."""


class Overlap:
    """The conflict between the shards of this process and those of elder ones."""

    def __init__(self) -> None:
        self.wanted: Shards | None = None
        """The shards that this process is meant to have; None until they are announced."""
        self.rival: Process | None = None
        """The eldest process with shards of the same servers, if it is older than this one."""
        self._since: datetime | None = None
        self.aside = False
        """True while this process leaves its shards to the rival."""

    @property
    def held(self) -> Shards | None:
        """The shards that this process has or is about to have; None while it leaves them to the rival."""
        return None if self.aside else self.wanted

    def judge(self, mine: Process, others: Iterable[Process], now: datetime) -> None:
        """Find the rival among the live processes, and give up or take back the shards."""
        elders = [other for other in others if self._is_elder(other, mine)]
        self.rival = min(elders, key=_start_order, default=None)
        if self.rival is None:
            if self.aside:
                log.warning("the other process is gone: these shards are taken up again", extra=self._about())
            self._since, self.aside = None, False
            return
        self._since = self._since or now
        if now - self._since >= OVERLAP_TOLERANCE and not self.aside:
            self.aside = True
            log.error("another process has shards of the same servers: they are left to it", extra=self._about())

    def problem(self) -> str:
        """Return a description of the conflict for operators; empty if there is none."""
        if not self.aside or self.rival is None:
            return ""
        return (
            f"{self.wanted} are left to process {self.rival.id}, which has {self.rival.own_shards}: stop one of the two"
        )

    def _is_elder(self, other: Process, mine: Process) -> bool:
        return self.wanted is not None and _start_order(other) < _start_order(mine) and shares(other, self.wanted)

    def _about(self) -> dict[str, object]:
        rival = self.rival
        found: dict[str, object] = {"shards": str(self.wanted)}
        return found if rival is None else {**found, "other": rival.id, "theirs": str(rival.own_shards)}


def shares(process: Process, shards: Shards) -> bool:
    """Return whether a process has shards of some of the same servers."""
    return process.own_shards is not None and process.own_shards.overlaps(shards)


def _start_order(process: Process) -> tuple[datetime, str]:
    return process.started_at, process.id


SESSION_SPACING: Final = timedelta(seconds=5)
"""The time between two sessions of shards whose numbers are equal modulo Discord's ``max_concurrency``."""


class Sessions:
    """The rate limit of sessions at Discord's gateway, shared by all processes."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._begun: dict[int, datetime] = {}
        """The last session of each turn; used if this process is alone."""

    async def begin(self, turn: int) -> timedelta:
        """Return the time that a shard of this turn has to wait; if that is zero, its session is recorded now."""
        now = self._clock.now()
        if self._store.is_shared:
            async with self._store.writing() as tx:
                last = await processes.begin_session(tx, turn, now, SESSION_SPACING)
        else:
            last = self._begun.get(turn)
            if last is None or now - last >= SESSION_SPACING:
                self._begun[turn], last = now, None
        return timedelta(0) if last is None else max(last + SESSION_SPACING - now, timedelta(milliseconds=1))
