"""Concurrent events: a slow operation of one event does not delay another.

Opening the check-in of the event `slow` writes an entry to its log by `note`. The test blocks this call until it sets
`may_finish`. Meanwhile a second process plays a round of the event `quick`.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from host.events import EventState
from tests.host.conftest import NewHost
from tests.host.events.driver import (
    AS_ORGANISER,
    FakeThreads,
    advance_event,
    announce_event,
    duel_plan,
    play_round,
    player,
    start_event,
)
from tests.host.people import GUILD, SettableClock, click_id
from tournaments.lasting.ratings import Scale


@pytest.mark.postgresql
async def test_an_event_proceeds_while_another_is_blocked(
    new_host: NewHost, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, second_host = await new_host(), await new_host()
    slow, quick = await announce_event(host, duel_plan(), 4), await start_event(host, duel_plan(), 4)
    started, may_finish, note = asyncio.Event(), asyncio.Event(), host.events.log.note

    async def slow_note(*args: Any, **details: Any) -> int:
        started.set()
        await may_finish.wait()
        return await note(*args, **details)

    monkeypatch.setattr(host.events.log, "note", slow_note)
    check_in = asyncio.create_task(host.events.starts.begin_check_in(slow.code, AS_ORGANISER, click_id()))
    await started.wait()
    async with asyncio.timeout(60):
        threads = FakeThreads(second_host)
        assert await play_round(second_host, clock, threads, quick.code) == 2
        await advance_event(second_host, clock, threads, 3)
    assert (await second_host.events.reader.round(quick.code)).number == 2
    assert await second_host.events.ratings.profile(GUILD, player(0).user_id)
    await second_host.events.ladder.enter(player(7), GUILD, 1, Scale.DUEL)
    joining = asyncio.create_task(second_host.events.sign_up.join(slow.code, player(9), GUILD, click_id()))
    await asyncio.sleep(0.2)
    assert not joining.done()  # operations of one event are serialised
    may_finish.set()
    await check_in
    assert (await host.events.reader.view(slow.code)).state is EventState.CHECK_IN
    assert (await joining).entry_of(player(9).user_id) is not None
