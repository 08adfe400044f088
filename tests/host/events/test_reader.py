"""Reading events: the number of statements, computations in threads, and the cache of stored facts.

The reader answers every request about an event. An event is stored as a log of facts, from which its state is
computed; the reader keeps the computed state of recent events in memory.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest

from host import ErrorCode, Host
from host.events import exports, reader
from host.events.log import EventLog
from host.events.reader import ChannelAccess, EventReader
from tests.host.conftest import NewHost
from tests.host.events.driver import (
    AS_ORGANISER,
    EVENT_CHANNEL,
    ORGANISER,
    announce_event,
    duel_plan,
    player,
    start_event,
)
from tests.host.people import GUILD, click_id, expect_error
from tests.host.test_plans import record_statements
from tournaments import facts


@pytest.mark.both_databases
async def test_a_longer_list_of_events_takes_no_more_statements(host: Host) -> None:
    """List events as autocompletion does on each keystroke."""
    counts = []
    for event_count in (1, 3):
        while len(await host.events.reader.unfinished(GUILD)) < event_count:
            await announce_event(host, duel_plan(), event_count)
        with record_statements(host._store) as statements:
            unfinished = await host.events.reader.unfinished(GUILD)
        counts.append(len([text for text, _ in statements if text.startswith("SELECT")]))
    assert sorted(event.entries for event in unfinished) == [1, 3, 3]
    assert counts[0] == counts[1]


@pytest.mark.both_databases
async def test_only_organisers_find_an_event_before_it_is_announced(host: Host) -> None:
    """Without a code, a command means the draft of its organiser; a running event comes first, an old one last."""
    reader = host.events.reader
    with expect_error(ErrorCode.UNKNOWN_EVENT):
        await reader.candidates(GUILD, ORGANISER.user_id)
    draft = await host.events.plans.create("Cup", duel_plan(), ORGANISER, AS_ORGANISER, EVENT_CHANNEL, click_id())
    assert [event.code for event in await reader.candidates(GUILD, ORGANISER.user_id)] == [draft.code]
    assert await reader.drafts(GUILD + 1, ORGANISER.user_id) == []
    with expect_error(ErrorCode.UNKNOWN_EVENT):
        await reader.candidates(GUILD, player(1).user_id)
    announced = await announce_event(host, duel_plan(), 1)
    assert [event.code for event in await reader.candidates(GUILD, ORGANISER.user_id)] == [announced.code]
    assert [event.code for event in await reader.drafts(GUILD, ORGANISER.user_id)] == [draft.code]


@pytest.mark.sqlite
async def test_standings_are_computed_in_a_thread(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the event loop free: the standings of a large event take a tenth of a second."""
    event = await start_event(host, duel_plan(), 4)
    event_loop_thread, threads = threading.get_ident(), set[int]()

    def recording_thread(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            threads.add(threading.get_ident())
            return work(*arguments)

        return run

    for module in (reader, exports):
        monkeypatch.setattr(module, "standings", recording_thread(module.standings))
    await host.events.reader.standings(event.code)
    with expect_error(ErrorCode.BAD_PLAN, reason="level"):  # no game is finished
        await host.events.reader.explain(event.code, 0, 1)
    await host.events.exports.as_json(event.code)
    assert threads
    assert event_loop_thread not in threads


@pytest.mark.sqlite
async def test_only_new_facts_of_an_event_are_read(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parse each stored fact once per process, and leave the views returned before unchanged."""
    event = await start_event(host, duel_plan(), 8)
    await host.events.driver.drive(event.id)
    before = await host.events.reader.view(event.code)
    assert before.event is not None
    count, read, read_fact = len(before.event.facts), [], facts.read_fact
    monkeypatch.setattr(facts, "read_fact", lambda text: read.append(text) or read_fact(text))
    for number in range(2):
        await host.events.sign_up.leave(event.code, player(number).user_id, click_id())
    after = await host.events.reader.view(event.code)
    assert after.event is not None
    assert (len(before.event.facts), len(after.event.facts), len(after.event.gone)) == (count, count + 2, 2)
    assert not before.event.gone
    assert max(Counter(read).values()) <= 3 * 2  # nothing is cached within a transaction, which may be rolled back
    assert len(Counter(read)) == 2
    fresh_reader = EventReader(host._store, EventLog(host._store, host._clock), ChannelAccess())
    again = await fresh_reader.view(event.code)
    assert again.event is not None
    assert vars(again.event) == vars(after.event)


@pytest.mark.sqlite
async def test_a_rolled_back_fact_is_not_cached(new_host: NewHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read a fact's number again after a rollback, as another process may have stored another fact under it."""
    host, other_host = await new_host(), await new_host()
    event = await start_event(host, duel_plan(), 8)
    await host.events.driver.drive(event.id)
    with monkeypatch.context() as patch:
        patch.setattr(host.events.log, "view_of", Mock(side_effect=InterruptedError))
        with pytest.raises(InterruptedError):
            await host.events.sign_up.leave(event.code, player(0).user_id, click_id())
    await other_host.events.sign_up.leave(event.code, player(1).user_id, click_id())
    view = await host.events.reader.view(event.code)
    assert view.event is not None
    assert {view.name_of(number) for number in view.event.gone} == {player(1).name}
