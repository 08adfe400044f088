"""The dispatcher of timers: each due timer is handled exactly once, and a failing handler does not delay the others.

A timer is a stored row with a kind and a due time. A handler claims it, that is deletes it, in the transaction that
does its work; `RecordingHandler` only records the timer's subject.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from host import Host, Timer, TimerDispatcher, TimerKind
from store import QueueRecord, Store, ladder, timers
from tests.host.conftest import NewHost
from tests.host.people import ADA, SettableClock, start_game

KIND = TimerKind.RESULT
"""The kind of all timers here; any would do."""


class RecordingHandler:
    """A handler that claims timers in its own transaction and records their subjects."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.handled: list[int] = []
        self.fails = False

    async def __call__(self, timer: Timer) -> None:
        async with self._store.writing() as tx:
            if not await timers.claim(tx, timer):
                return
            if self.fails:
                raise ValueError("cannot be handled")
            self.handled.append(timer.subject)


@pytest.fixture
async def store(tmp_path: Path, host: Host) -> Store:
    """The host's store."""
    return host._store


def create_dispatcher(store: Store, clock: SettableClock) -> tuple[TimerDispatcher, RecordingHandler]:
    """Return a dispatcher and the handler that it calls."""
    dispatcher, handler = TimerDispatcher(store, clock), RecordingHandler(store)
    dispatcher.handle(KIND, handler)
    return dispatcher, handler


async def put_timers(store: Store, host: Host, clock: SettableClock, *seconds: int) -> None:
    """Store a timer due in each of these numbers of seconds, with its index as the subject."""
    game = await start_game(host)
    async with store.writing() as tx:
        for subject, wait in enumerate(seconds):
            await timers.save(tx, Timer(game.id, KIND, clock.in_seconds(wait), subject=subject))


async def test_due_timers_are_handled_in_order(host: Host, store: Store, clock: SettableClock) -> None:
    await put_timers(store, host, clock, 20, 10, 30)
    dispatcher, handler = create_dispatcher(store, clock)
    assert await dispatcher.work() == 0
    clock.advance(20)
    assert await dispatcher.work() == 2
    assert handler.handled == [1, 0]


async def test_two_processes_handle_a_timer_once(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    await put_timers(host._store, host, clock, 0)
    (dispatcher, handler), (other, second) = (
        create_dispatcher(process._store, clock) for process in (host, await new_host())
    )
    due = await dispatcher._due()
    assert due == await other._due()
    for dispatching in (dispatcher, other):
        await dispatching._dispatch(due[0])
    assert (handler.handled, second.handled) == ([0], [])


async def test_a_failed_timer_is_retried_and_delays_no_other(
    host: Host, store: Store, clock: SettableClock, caplog: pytest.LogCaptureFixture
) -> None:
    await put_timers(store, host, clock, 0, 0)
    dispatcher, handler = create_dispatcher(store, clock)
    handler.fails = True
    assert await dispatcher.work() == 2
    assert "a timer has failed" in caplog.text
    handler.fails = False
    assert await dispatcher.work() == 0
    clock.advance(60)
    assert await dispatcher.work() == 2
    assert sorted(handler.handled) == [0, 1]


async def test_a_registered_check_runs_only_when_work_is_due(host: Host, store: Store, clock: SettableClock) -> None:
    dispatcher, _ = create_dispatcher(store, clock)
    calls: list[str] = []

    async def check() -> int:
        calls.append("a queue")
        return 1

    dispatcher.poll(check)
    assert await dispatcher.work() == 0
    assert not calls, "one statement found that nothing is due"
    async with store.writing() as tx:
        waiting = QueueRecord(guild_id=1, scale="base", person=ADA, channel_id=2, joined_at=clock.now())
        await ladder.join_queue(tx, waiting, clock.now())
    assert await dispatcher.work() == 1
    assert calls
