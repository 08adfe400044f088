"""The process is killed, and nine hours later two start together: nobody has lost anything, and nothing storms."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from host.time.clocks import HOUR, PACES, left_at, new_clock
from store import SeatClock
from tests.e2e.many_games import ManyGames, many_games

pytestmark = pytest.mark.long

OUTAGE = timedelta(hours=9)
STEP = 40
"""Seconds that pass between two heartbeats: a gap of a minute would be downtime."""
SOON = 5
"""Minutes."""
STANDARD = PACES["standard"]


def asked_for_days(game_id: int, number: int, now: datetime) -> tuple[SeatClock, ...]:
    """The first was asked up to three days ago, and reminded; in many games less is left than the outage lasts.

    In the first game the last two hours begin soon.
    """
    random = Random(number)
    left = random.uniform(1.5, 8) if number % 3 == 0 else random.uniform(2.5, 70)
    if number == 0:
        left = 2 + SOON / 60
    since = now - timedelta(milliseconds=round((72 - left) * HOUR))
    mine = SeatClock(game_id=game_id, seat=0, granted=72 * HOUR, asked=0, since=since, reminded_at=now)
    return mine, new_clock(game_id, 1, STANDARD), new_clock(game_id, 2, STANDARD)


def check_given_back(before: dict[int, SeatClock], last: datetime, after: dict[int, SeatClock]) -> timedelta:
    """Every clock stands where it stood at the last heartbeat, to the millisecond; how long the gap was."""
    (lost,) = {one.untold for one in after.values()}
    gap = timedelta(milliseconds=lost)
    assert {game: left_at(one, last + gap) for game, one in after.items()} == {
        game: left_at(one, last) for game, one in before.items()
    }
    assert all(one.timeouts == 0 and one.left > 0 for one in after.values())
    return gap


async def outage(crowd: ManyGames, games: int, passes: timedelta) -> None:
    """It is over when so much time has passed."""
    await crowd.create_games(games, "standard", asked_for_days)
    first, second = crowd.bots
    await first.start()
    await crowd.wait_for_heartbeat()
    await crowd.wait_until_idle()
    await first.kill()
    last, before = await crowd.last_heartbeat(), await crowd.running()
    assert last is not None
    assert len(before) == games
    assert any(left_at(one, last + OUTAGE) == 0 for one in before.values()), "some would have run out"

    crowd.advance_clock(OUTAGE.total_seconds())
    await asyncio.gather(first.start(), second.start())
    await crowd.server.until(lambda: crowd.server.gateway.identifies == 3)
    await crowd.wait_for_heartbeat()
    after = await crowd.running()
    assert OUTAGE <= check_given_back(before, last, after) < OUTAGE + timedelta(minutes=10)
    assert not any(crowd.server.messages(place) for place in crowd.threads.values()), "the outage reminds nobody"

    for _ in range(passes // timedelta(seconds=STEP)):
        crowd.advance_clock(STEP)
        await crowd.wait_for_heartbeat()
    await crowd.wait_until_idle()
    crowd.advance_clock(STEP)  # whoever was looked after while two steps passed counts as not connected, for 15 seconds
    await crowd.wait_for_heartbeat()
    await crowd.wait_until_idle()
    later = await crowd.running()
    assert later.keys() == after.keys()
    assert all(one.timeouts == 0 and one.since >= after[game].since for game, one in later.items() if one.since)
    told = {game: len(crowd.server.messages(place)) for game, place in crowd.threads.items()}
    assert max(told.values()) == told[1] == 1, told
    assert crowd.server.limits is not None
    assert crowd.server.limits.refused == 0


async def test_nobody_loses_anything_by_an_outage(tmp_path: Path, new_database: str) -> None:
    async with many_games(tmp_path, new_database, processes=2) as crowd:
        await outage(crowd, games=12, passes=timedelta(minutes=8))


@pytest.mark.soak
async def test_three_hundred_clocks_and_their_first_hour(tmp_path: Path, new_database: str) -> None:
    async with many_games(tmp_path, new_database, processes=2) as crowd:
        await outage(crowd, games=300, passes=timedelta(hours=1))
