"""The processes of a bot on one database: which are alive, their shards, and what only one of them does at a time.

A lease lasts half a minute by the clock that all share, and is renewed with every beat; a process that is held up for
longer has lost it, and knows. On SQLite one process is alone: nothing is stored there, and everything is its own.

Two processes with shards of the same servers are a rolling restart for a moment, else a mistake. Both hear every click
meanwhile, and one of them answers. If it lasts, the younger one leaves those servers to the elder until that is gone.

A shard begins a session at Discord in its turn: one every five seconds, of all processes.
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
"""How long what only one does is his without his renewing it."""
FORGOTTEN: Final = timedelta(days=1)
"""How long a process is remembered that is no more."""


class ProcessRegistry:
    """This process among the others."""

    def __init__(self, store: Store, clock: Clock, messages: Outbox, release: str) -> None:
        self._store = store
        self._clock = clock
        self._messages = messages
        self._release = release
        self.id = secrets.token_hex(8)
        messages.holder = self.id
        messages.newer.is_about = self.is_newer_about
        self._started_at: datetime | None = None
        self._held: dict[str, datetime] = {}
        self.overlap = Overlap()
        """Which shards it has, and whether somebody else has them, too."""
        self.alive = 1
        """How many processes live, as of the last beat."""

    @property
    def is_alone(self) -> bool:
        """Whether no other process can be at work."""
        return not self._store.is_shared

    async def take_up(self, shards: Shards) -> None:
        """Say which shards this process is going to have, before it has them."""
        self.overlap.wanted = shards
        await self.beat()

    async def beat(self) -> None:
        """Say that this process lives, with its shards, and go on with all that it does alone; see who else lives."""
        if self.is_alone:
            return
        await self._set_clock()
        now = self._clock.now()
        self._started_at = self._started_at or now
        async with self._store.writing() as tx:
            living = await processes.living(tx, now - LEASE)
            others = [process for process in living if process.id != self.id]
            self.overlap.judge(self._mine(self._started_at, now), others, now)
            await processes.put(tx, self._mine(self._started_at, now))
            await processes.forget(tx, now - FORGOTTEN)
            names = await processes.renew_leases(tx, self.id, now, now + LEASE)
            await self._messages.renew(tx, now)
        self._held = dict.fromkeys(names, now + LEASE)
        self.alive = 1 + len(others)

    def _mine(self, started_at: datetime, now: datetime) -> Process:
        level = processes.level()
        mine = Process(id=self.id, release=self._release, level=level, started_at=started_at, seen_at=now)
        held = self.overlap.held
        return mine if held is None else replace(mine, first_shard=held.first, last_shard=held.last, shards=held.of)

    async def is_shared(self, guild_id: int) -> bool:
        """Whether another process that lives hears what happens in a server, too; asked of the database."""
        if self.is_alone:
            return False
        return any(other.held is not None and other.held.look_after(guild_id) for other in await self.others())

    async def is_newer_about(self) -> bool:
        """Whether a process of a newer release lives, which knows what this one may not."""
        now = self._clock.now()
        mine = self._mine(now, now)
        return not self.is_alone and any(processes.is_newer(other, mine) for other in await self.others())

    async def unheld(self) -> str:
        """Which of as many shards as this process knows nobody has, as text; empty for none of them."""
        wanted = self.overlap.wanted
        if self.is_alone or wanted is None:
            return ""
        held = [process.held for process in await self.others()] + [self.overlap.held]
        single = [Shards(number, number, wanted.of) for number in range(wanted.of)]
        missing = [shard for shard in single if not any(one is not None and one.meet(shard) for one in held)]
        return ", ".join(map(str, missing))

    async def end(self) -> None:
        """This process is no more: others may do at once what was its own."""
        if self.is_alone:
            return
        async with self._store.writing() as tx:
            await processes.end(tx, self.id)
            await self._messages.leave(tx)

    async def others(self) -> Sequence[Process]:
        """The other processes that live."""
        async with self._store.reading() as tx:
            living = await processes.living(tx, self._clock.now() - LEASE)
        return [process for process in living if process.id != self.id]

    async def take(self, name: str) -> bool:
        """Begin to do what has this name, alone; False when another process does it."""
        if self.is_alone:
            return True
        now = self._clock.now()
        async with self._store.writing() as tx:
            taken = await processes.take_lease(tx, name, self.id, now, now + LEASE)
        if taken:
            self._held[name] = now + LEASE
        return taken

    def holds(self, name: str) -> bool:
        """Whether it is still for this process alone to do."""
        return self.is_alone or self._clock.now() < self._held.get(name, self._clock.now())

    async def give_back(self, name: str) -> None:
        """It is done, or left to others."""
        self._held.pop(name, None)
        if not self.is_alone:
            async with self._store.writing() as tx:
                await processes.end_lease(tx, name, self.id)

    async def _set_clock(self) -> None:
        if isinstance(self._clock, SharedClock):
            asked_at = time.monotonic()
            now = await self._store.now()
            self._clock.set(now, (asked_at + time.monotonic()) / 2)


PATIENCE: Final = timedelta(minutes=2)
"""How long two processes may have shards of the same servers."""


class Overlap:
    """What this process makes of the shards of others."""

    def __init__(self) -> None:
        self.wanted: Shards | None = None
        """The shards of this process, once that is known."""
        self.rival: Process | None = None
        """The eldest of those that were there first."""
        self._since: datetime | None = None
        self.aside = False
        """Whether this process leaves its shards to the other one."""

    @property
    def held(self) -> Shards | None:
        """The shards that this process has, or is about to."""
        return None if self.aside else self.wanted

    def judge(self, mine: Process, others: Iterable[Process], now: datetime) -> None:
        """See who else lives."""
        elders = [other for other in others if self._is_elder(other, mine)]
        self.rival = min(elders, key=_age, default=None)
        if self.rival is None:
            if self.aside:
                log.warning("the other process is gone: these shards are taken up again", extra=self._about())
            self._since, self.aside = None, False
            return
        self._since = self._since or now
        if now - self._since >= PATIENCE and not self.aside:
            self.aside = True
            log.error("another process has shards of the same servers: they are left to it", extra=self._about())

    def trouble(self) -> str:
        """What is wrong, in words; empty for nothing."""
        if not self.aside or self.rival is None:
            return ""
        return f"{self.wanted} are left to process {self.rival.id}, which has {self.rival.held}: stop one of the two"

    def _is_elder(self, other: Process, mine: Process) -> bool:
        return self.wanted is not None and _age(other) < _age(mine) and shares(other, self.wanted)

    def _about(self) -> dict[str, object]:
        rival = self.rival
        found: dict[str, object] = {"shards": str(self.wanted)}
        return found if rival is None else {**found, "other": rival.id, "theirs": str(rival.held)}


def shares(process: Process, shards: Shards) -> bool:
    """Whether a process has shards of some of the same servers."""
    return process.held is not None and process.held.meet(shards)


def _age(process: Process) -> tuple[datetime, str]:
    return process.started_at, process.id


SPACING: Final = timedelta(seconds=5)
"""Between two sessions of shards that are the same modulo Discord's ``max_concurrency``."""


class Sessions:
    """Rations them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._begun: dict[int, datetime] = {}
        """By their turns, where this process is alone."""

    async def begin(self, turn: int) -> timedelta:
        """How long a shard of this turn has to wait; if it has not, its session begins now."""
        now = self._clock.now()
        if self._store.is_shared:
            async with self._store.writing() as tx:
                last = await processes.begin_session(tx, turn, now, SPACING)
        else:
            last = self._begun.get(turn)
            if last is None or now - last >= SPACING:
                self._begun[turn], last = now, None
        return timedelta(0) if last is None else max(last + SPACING - now, timedelta(milliseconds=1))
