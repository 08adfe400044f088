"""Looking at events: how much is asked of the database, and what is worked out beside the loop."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest

from host import ErrorCode, Host
from host.events import exports, log, reader
from host.events.log import EventLog
from host.events.reader import ChannelAccess, EventReader
from tests.host.conftest import NewHost
from tests.host.events.driver import announce_event, duel_plan, player, start_event
from tests.host.people import GUILD, click_id, expect_error
from tests.host.test_plans import record_statements


async def test_a_list_of_events_asks_no_more_often_the_longer_it_is(host: Host) -> None:
    """It is what completes the name of an event, key by key."""
    asked = []
    for most in (1, 3):
        while len(await host.events.reader.listed(GUILD)) < most:
            await announce_event(host, duel_plan(), most)
        with record_statements(host._store) as statements:
            found = await host.events.reader.listed(GUILD)
        asked.append(len([text for text, _ in statements if text.startswith("SELECT")]))
    assert sorted(event.entries for event in found) == [1, 3, 3]
    assert asked[0] == asked[1]


@pytest.mark.sqlite
async def test_places_are_worked_out_beside_the_loop(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a large event that takes a tenth of a second."""
    event = await start_event(host, duel_plan(), 4)
    here, threads = threading.get_ident(), set[int]()

    def elsewhere(work: Callable[..., Any]) -> Callable[..., Any]:
        def working(*given: Any) -> Any:
            threads.add(threading.get_ident())
            return work(*given)

        return working

    for room in (reader, exports):
        monkeypatch.setattr(room, "standings", elsewhere(room.standings))
    await host.events.reader.standings(event.code)
    with expect_error(ErrorCode.BAD_PLAN, reason="level"):  # nobody has played
        await host.events.reader.explain(event.code, 0, 1)
    await host.events.exports.as_json(event.code)
    assert threads
    assert here not in threads


@pytest.mark.sqlite
async def test_what_is_added_to_an_event_is_read_alone(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process reads each fact once, however many there are, and what was handed out before stays as it was."""
    event = await start_event(host, duel_plan(), 8)
    await host.events.driver.drive(event.id)
    before = await host.events.reader.view(event.code)
    assert before.event is not None
    count, read, plain = len(before.event.facts), [], log.read_fact
    monkeypatch.setattr(log, "read_fact", lambda text: read.append(text) or plain(text))
    for number in range(2):
        await host.events.sign_up.leave(event.code, player(number).user_id, click_id())
    after = await host.events.reader.view(event.code)
    assert after.event is not None
    assert (len(before.event.facts), len(after.event.facts), len(after.event.gone)) == (count, count + 2, 2)
    assert not before.event.gone
    assert max(Counter(read).values()) <= 3 * 2  # in a transaction that may be given up nothing is kept
    assert len(Counter(read)) == 2
    afresh = EventReader(host._store, EventLog(host._store, host._clock), ChannelAccess())
    again = await afresh.view(event.code)
    assert again.event is not None
    assert vars(again.event) == vars(after.event)


@pytest.mark.sqlite
async def test_what_was_given_up_is_nowhere(new_host: NewHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that was never stored is not known by its number: another process may have given it to another one."""
    host, other = await new_host(), await new_host()
    event = await start_event(host, duel_plan(), 8)
    await host.events.driver.drive(event.id)
    with monkeypatch.context() as disturbed:
        disturbed.setattr(host.events.log, "shown", Mock(side_effect=InterruptedError))
        with pytest.raises(InterruptedError):
            await host.events.sign_up.leave(event.code, player(0).user_id, click_id())
    await other.events.sign_up.leave(event.code, player(1).user_id, click_id())
    view = await host.events.reader.view(event.code)
    assert view.event is not None
    assert {view.name_of(number) for number in view.event.gone} == {player(1).name}
