"""Events driven by two processes that are killed repeatedly, on a Discord that at first opens no threads.

The result must equal that of an undisturbed event: the same games, seats, results and standings.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from host import Host
from host.events import EventPlan, EventState
from store import Transaction, whole_database
from tests.host.conftest import NewHost
from tests.host.events.driver import IDLE_SECONDS, SKIP_SECONDS, FakeThreads, end_game, open_tables, start_event
from tests.host.people import SettableClock
from tournaments.specification import Parameters

FULL_SECONDS = 600
"""Seconds for which the fake Discord opens no threads."""
TABLE_PLAN = EventPlan(format="swiss-tables", parameters=Parameters(pace="fast", rounds=2, final="none"))
"""Two rounds of games of four, without a final."""


class KilledError(BaseException):
    """Stands for the death of a process; a `BaseException`, so that no handler catches it."""


@dataclass
class Killer:
    """Kills processes at random, before or right after the commit of a write."""

    rng: Random
    probability: float
    limit: int
    kills: int = 0

    def strikes(self) -> bool:
        """Decide at random to kill the process; `limit` bounds the number of kills."""
        if self.kills < self.limit and self.rng.random() < self.probability:
            self.kills += 1
            return True
        return False

    def attach(self, host: Host) -> Host:
        """Let this host die in its writes from now on, and return it."""
        immortal_writing = host._store.writing

        @asynccontextmanager
        async def writing(*names: str, **about: Any) -> AsyncIterator[Transaction]:
            """Open a transaction, and perhaps kill the process just before or after its commit."""
            async with immortal_writing(*names, **about) as tx:
                yield tx
                if self.strikes():
                    raise KilledError("before the commit")
            if self.strikes():
                raise KilledError("after the commit")

        host._store.writing = writing  # type: ignore[method-assign]
        return host


@dataclass
class Process:
    """A host with its sender that is restarted whenever it is killed."""

    new_host: NewHost
    killer: Killer
    threads: FakeThreads
    host: Host

    async def work(self) -> int:
        """Dispatch due timers and send due posts, and return their number; restart after a kill."""
        try:
            work_count = await self.host.timer_dispatcher.work()
            self.threads.host = self.host
            return work_count + await self.threads.send_due_posts()
        except KilledError:
            await self.host._store.close()
            fresh = await self.new_host()
            await fresh.start()
            self.host = self.killer.attach(fresh)
            return 1


def without_times(text: str) -> dict[str, Any]:
    """Return the parts of an exported event that do not depend on when it was played."""
    data = json.loads(text)
    return {name: data[name] for name in ("entries", "games", "standings", "commitment", "seed", "state")}


async def run_event(
    new_host: NewHost, clock: SettableClock, killer: Killer, players: int, processes: int, full: float
) -> tuple[dict[str, Any], int]:
    """Play an event to its end; return its export and the number of threads."""
    immortal = await new_host()
    event = await start_event(immortal, TABLE_PLAN, players)
    threads: dict[int, int] = {}
    running = [
        Process(new_host, killer, FakeThreads(immortal, opened=threads), killer.attach(await new_host()))
        for _ in range(processes)
    ]
    began, idle = clock.now(), 0
    for _ in range(3600):
        for process in running:
            process.threads.full = (clock.now() - began).total_seconds() < full
        idle = 0 if any(await asyncio.gather(*(process.work() for process in running))) else idle + 1
        clock.advance(1 if idle < IDLE_SECONDS else SKIP_SECONDS)
        await check_clocks(immortal, threads)
        view = await immortal.events.reader.view(event.code)
        if view.state is EventState.FINISHED:
            return without_times(await immortal.events.exports.as_json(event.code)), len(threads)
        for table in await open_tables(immortal, event.code):
            game = await immortal.games.get(table.game_id or 0)
            if game.thread_id is not None and game.person_to_act is not None and not game.ply:
                await end_game(immortal, game, 2)
    raise AssertionError("the event does not end")


async def check_clocks(host: Host, threads: dict[int, int]) -> None:
    """Check that no clock runs in a game without a thread or before its card is recorded as sent."""
    query = (
        "SELECT c.game_id FROM clocks c WHERE c.since IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM outbox o WHERE o.game_id = c.game_id AND o.kind = 'start' AND o.sent_at IS NOT NULL)"
    )
    async with host._store.reading() as tx:
        assert (await tx.exec_driver_sql(query)).all() == []
        timed = (await tx.exec_driver_sql("SELECT game_id FROM clocks WHERE since IS NOT NULL")).scalars().all()
    assert set(timed) <= threads.keys()


async def compare(clock: SettableClock, new_host: NewHost, players: int, tables: int, kills: int) -> None:
    """Play the same event undisturbed and disturbed, and compare the results."""
    undisturbed, expected = await run_event(new_host, clock, Killer(Random(0), 0, 0), players, 1, 0)
    assert expected == tables
    async with (await new_host())._store.writing() as tx:
        await whole_database.delete_all_rows(tx)  # ratings of the first event would seed the second one otherwise
    killer = Killer(Random(kills), 0.08, kills)
    disturbed, threads = await run_event(new_host, clock, killer, players, 2, FULL_SECONDS)
    assert killer.kills == kills
    assert threads == tables
    assert disturbed == undisturbed


@pytest.mark.long
@pytest.mark.postgresql  # SQLite allows a single process; the long test runs there, too
async def test_a_disturbed_event_equals_an_undisturbed_one(clock: SettableClock, new_host: NewHost) -> None:
    await compare(clock, new_host, players=8, tables=4, kills=12)


@pytest.mark.soak
async def test_a_large_event_survives_a_hundred_kills(clock: SettableClock, new_host: NewHost) -> None:
    await compare(clock, new_host, players=128, tables=64, kills=100)
