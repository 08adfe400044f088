"""Events side by side: what takes long in one of them holds up no other."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from host.events import EventState
from tests.host.conftest import NewHost
from tests.host.events.field import BOSS_ASKS, Threads, announced, drive, duels, play_round, player, started
from tests.host.people import GUILD, SettableClock, click
from tournaments.lasting.ratings import Scale


@pytest.mark.postgresql
async def test_an_event_goes_on_while_another_one_takes_long(
    new_host: NewHost, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, other = await new_host(), await new_host()
    slow, quick = await announced(host, duels(), 4), await started(host, duels(), 4)
    begun, goes_on, note = asyncio.Event(), asyncio.Event(), host.events.log.note

    async def slowly(*args: Any, **details: Any) -> int:
        begun.set()
        await goes_on.wait()
        return await note(*args, **details)

    monkeypatch.setattr(host.events.log, "note", slowly)
    asking = asyncio.create_task(host.events.starts.begin_check_in(slow.code, BOSS_ASKS, click()))
    await begun.wait()
    async with asyncio.timeout(60):
        threads = Threads(other)
        assert await play_round(other, clock, threads, quick.code) == 2
        await drive(other, clock, threads, 3)
    assert (await other.events.reader.round(quick.code)).number == 2
    assert await other.events.ratings.profile(GUILD, player(0).user_id)
    await other.events.ladder.enter(player(7), GUILD, 1, Scale.DUEL)
    joining = asyncio.create_task(other.events.sign_up.join(slow.code, player(9), GUILD, click()))
    await asyncio.sleep(0.2)
    assert not joining.done()  # what concerns the same event waits for its turn
    goes_on.set()
    assert (await asking).state is EventState.CHECK_IN
    assert (await joining).entry_of(player(9).user_id) is not None
