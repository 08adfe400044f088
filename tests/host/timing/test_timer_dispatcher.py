"""Due timers are handled exactly once, and no failing handler holds up the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from host import Host, Timer, TimerDispatcher, TimerKind
from store import QueueRecord, Store, ladder, timers
from tests.host.conftest import NewHost
from tests.host.people import ADA, SettableClock, start_game

KIND = TimerKind.RESULT


class Doer:
    """Does timers in a transaction of its own, and remembers which."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.done: list[int] = []
        self.fails = False

    async def __call__(self, timer: Timer) -> None:
        async with self._store.writing() as tx:
            if not await timers.claim(tx, timer):
                return
            if self.fails:
                raise ValueError("cannot be done")
            self.done.append(timer.subject)


@pytest.fixture
async def store(tmp_path: Path, host: Host) -> Store:
    return host._store


def sweep_of(store: Store, clock: SettableClock) -> tuple[TimerDispatcher, Doer]:
    sweep, doer = TimerDispatcher(store, clock), Doer(store)
    sweep.handle(KIND, doer)
    return sweep, doer


async def put(store: Store, host: Host, clock: SettableClock, *seconds: int) -> None:
    game = await start_game(host)
    async with store.writing() as tx:
        for subject, wait in enumerate(seconds):
            await timers.put(tx, Timer(game.id, KIND, clock.in_seconds(wait), subject=subject))


async def test_what_is_due_is_done_in_its_order(host: Host, store: Store, clock: SettableClock) -> None:
    await put(store, host, clock, 20, 10, 30)
    sweep, doer = sweep_of(store, clock)
    assert await sweep.work() == 0
    clock.advance(20)
    assert await sweep.work() == 2
    assert doer.done == [1, 0]


async def test_two_processes_do_it_once(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    await put(host._store, host, clock, 0)
    (sweep, doer), (other, second) = (sweep_of(one._store, clock) for one in (host, await new_host()))
    found = await sweep._due()
    assert found == await other._due()
    for each in (sweep, other):
        await each._dispatch(found[0])
    assert (doer.done, second.done) == ([0], [])


async def test_what_fails_comes_up_again_and_holds_nothing_up(
    host: Host, store: Store, clock: SettableClock, caplog: pytest.LogCaptureFixture
) -> None:
    await put(store, host, clock, 0, 0)
    sweep, doer = sweep_of(store, clock)
    doer.fails = True
    assert await sweep.work() == 2
    assert "what was due has failed" in caplog.text
    doer.fails = False
    assert await sweep.work() == 0
    clock.advance(60)
    assert await sweep.work() == 2
    assert sorted(doer.done) == [0, 1]


async def test_what_is_looked_for_beside_timers_is_looked_for_when_it_is_due(
    host: Host, store: Store, clock: SettableClock
) -> None:
    sweep, _ = sweep_of(store, clock)
    asked: list[str] = []

    async def look() -> int:
        asked.append("a queue")
        return 1

    sweep.poll(look)
    assert await sweep.work() == 0
    assert not asked, "one statement has found that there is nothing to do"
    async with store.writing() as tx:
        waiting = QueueRecord(guild_id=1, scale="base", person=ADA, channel_id=2, joined_at=clock.now())
        await ladder.enter(tx, waiting, clock.now())
    assert await sweep.work() == 1
    assert asked
