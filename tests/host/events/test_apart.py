"""Events side by side: what takes long in one of them holds up no other."""

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
async def test_an_event_goes_on_while_another_one_takes_long(
    new_host: NewHost, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, other = await new_host(), await new_host()
    slow, quick = await announce_event(host, duel_plan(), 4), await start_event(host, duel_plan(), 4)
    begun, goes_on, note = asyncio.Event(), asyncio.Event(), host.events.log.note

    async def slowly(*args: Any, **details: Any) -> int:
        begun.set()
        await goes_on.wait()
        return await note(*args, **details)

    monkeypatch.setattr(host.events.log, "note", slowly)
    asking = asyncio.create_task(host.events.starts.begin_check_in(slow.code, AS_ORGANISER, click_id()))
    await begun.wait()
    async with asyncio.timeout(60):
        threads = FakeThreads(other)
        assert await play_round(other, clock, threads, quick.code) == 2
        await advance_event(other, clock, threads, 3)
    assert (await other.events.reader.round(quick.code)).number == 2
    assert await other.events.ratings.profile(GUILD, player(0).user_id)
    await other.events.ladder.enter(player(7), GUILD, 1, Scale.DUEL)
    joining = asyncio.create_task(other.events.sign_up.join(slow.code, player(9), GUILD, click_id()))
    await asyncio.sleep(0.2)
    assert not joining.done()  # what concerns the same event waits for its turn
    goes_on.set()
    assert (await asking).state is EventState.CHECK_IN
    assert (await joining).entry_of(player(9).user_id) is not None
