"""Two processes drive an event while Discord has no room for threads and they are killed again and again.

What comes of it is what comes of an undisturbed event: the same games, seats, results and standings.
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
TABLES = EventPlan(format="swiss-tables", parameters=Parameters(pace="fast", rounds=2, final="none"))


class KilledError(BaseException):
    """The process is no more; nothing in it can do anything about it."""


@dataclass
class Fate:
    """A plan of when processes die: before a write is stored, or right after it."""

    random: Random
    share: float
    most: int
    kills: int = 0

    def strikes(self) -> bool:
        if self.kills < self.most and self.random.random() < self.share:
            self.kills += 1
            return True
        return False

    def awaits(self, host: Host) -> Host:
        """The same host, mortal from now on."""
        lasting = host._store.writing

        @asynccontextmanager
        async def writing(*names: str, **about: Any) -> AsyncIterator[Transaction]:
            async with lasting(*names, **about) as tx:
                yield tx
                if self.strikes():
                    raise KilledError("before the commit")
            if self.strikes():
                raise KilledError("after the commit")

        host._store.writing = writing  # type: ignore[method-assign]
        return host


@dataclass
class Process:
    """A host that is started again when it was killed, with its sender."""

    new_host: NewHost
    fate: Fate
    threads: FakeThreads
    host: Host

    async def live(self) -> int:
        """A second of its life: what is due, and what is to be posted; how much that was."""
        try:
            done = await self.host.timer_dispatcher.work()
            self.threads.host = self.host
            return done + await self.threads.send_due_posts()
        except KilledError:
            await self.host._store.close()
            fresh = await self.new_host()
            await fresh.start()
            self.host = self.fate.awaits(fresh)
            return 1


def without_times(text: str) -> dict[str, Any]:
    data = json.loads(text)
    return {name: data[name] for name in ("entries", "games", "standings", "commitment", "seed", "state")}


async def run(
    new_host: NewHost, clock: SettableClock, fate: Fate, players: int, processes: int, full: float
) -> tuple[dict[str, Any], int]:
    """An event from its start to its end; its file, and how many threads there are."""
    lasting = await new_host()
    event = await start_event(lasting, TABLES, players)
    threads: dict[int, int] = {}
    lives = [
        Process(new_host, fate, FakeThreads(lasting, opened=threads), fate.awaits(await new_host()))
        for _ in range(processes)
    ]
    begun, still = clock.now(), 0
    for _ in range(3600):
        for each in lives:
            each.threads.full = (clock.now() - begun).total_seconds() < full
        still = 0 if any(await asyncio.gather(*(each.live() for each in lives))) else still + 1
        clock.advance(1 if still < IDLE_SECONDS else SKIP_SECONDS)
        await check_clocks(lasting, threads)
        view = await lasting.events.reader.view(event.code)
        if view.state is EventState.FINISHED:
            return without_times(await lasting.events.exports.as_json(event.code)), len(threads)
        for table in await open_tables(lasting, event.code):
            game = await lasting.games.get(table.game_id or 0)
            if game.thread_id is not None and game.person_to_act is not None and not game.ply:
                await end_game(lasting, game, 2)
    raise AssertionError("the event does not end")


async def check_clocks(host: Host, threads: dict[int, int]) -> None:
    """No clock runs in a game without a thread, nor before its card is recorded."""
    query = (
        "SELECT c.game_id FROM clocks c WHERE c.since IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM outbox o WHERE o.game_id = c.game_id AND o.kind = 'start' AND o.sent_at IS NOT NULL)"
    )
    async with host._store.reading() as tx:
        assert (await tx.exec_driver_sql(query)).all() == []
        going = (await tx.exec_driver_sql("SELECT game_id FROM clocks WHERE since IS NOT NULL")).scalars().all()
    assert set(going) <= threads.keys()


async def compare(clock: SettableClock, new_host: NewHost, players: int, tables: int, kills: int) -> None:
    """The same event, undisturbed and disturbed."""
    quiet, expected = await run(new_host, clock, Fate(Random(0), 0, 0), players, 1, 0)
    assert expected == tables
    async with (await new_host())._store.writing() as tx:
        await whole_database.clear(tx)  # ratings of the first event would seed the second one otherwise
    fate = Fate(Random(kills), 0.08, kills)
    disturbed, threads = await run(new_host, clock, fate, players, 2, FULL_SECONDS)
    assert fate.kills == kills
    assert threads == tables
    assert disturbed == quiet


@pytest.mark.long
@pytest.mark.postgresql  # where two processes can be; on a file, too, in the long one
async def test_disturbed_or_not_it_is_the_same_event(clock: SettableClock, new_host: NewHost) -> None:
    await compare(clock, new_host, players=8, tables=4, kills=12)


@pytest.mark.soak
async def test_sixty_four_tables_and_a_hundred_kills(clock: SettableClock, new_host: NewHost) -> None:
    await compare(clock, new_host, players=128, tables=64, kills=100)
