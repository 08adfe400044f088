"""An outage of nine hours: clocks are compensated, and two processes start together without a burst of messages.

After an outage the host gives all clocks back the time since the last heartbeat. The processes read from a file how
far to shift their clocks; the games are inserted as rows.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from host.clocks import HOUR, PACES, left_at, new_clock
from store import SeatClock
from tests.e2e.many_games import ManyGames, many_games

pytestmark = pytest.mark.long

OUTAGE = timedelta(hours=9)
"""Length of the outage; longer than the time left in a third of the games."""
STEP_SECONDS = 40
"""Seconds between two heartbeats; a gap of a minute would count as downtime."""
SOON_MINUTES = 5
"""Minutes until the last two hours begin in the first game."""
STANDARD = PACES["standard"]


def clocks_with_little_left(game_id: int, number: int, now: datetime) -> tuple[SeatClock, ...]:
    """Return clocks whose first seat was asked up to three days ago; in a third of the games the outage is longer.

    In the first game the last two hours, and so a reminder, begin soon.
    """
    random = Random(number)
    hours_left = random.uniform(1.5, 8) if number % 3 == 0 else random.uniform(2.5, 70)
    if number == 0:
        hours_left = 2 + SOON_MINUTES / 60
    since = now - timedelta(milliseconds=round((72 - hours_left) * HOUR))
    running_clock = SeatClock(game_id=game_id, seat=0, granted=72 * HOUR, asked=0, since=since, reminded_at=now)
    return running_clock, new_clock(game_id, 1, STANDARD), new_clock(game_id, 2, STANDARD)


def check_compensation(before: dict[int, SeatClock], last: datetime, after: dict[int, SeatClock]) -> timedelta:
    """Check that every clock has the time it had at the last heartbeat, to the millisecond; return the gap."""
    (lost,) = {seat_clock.untold for seat_clock in after.values()}
    gap = timedelta(milliseconds=lost)
    assert {game: left_at(seat_clock, last + gap) for game, seat_clock in after.items()} == {
        game: left_at(seat_clock, last) for game, seat_clock in before.items()
    }
    assert all(seat_clock.timeouts == 0 and seat_clock.left > 0 for seat_clock in after.values())
    return gap


async def outage_of_nine_hours(world: ManyGames, games: int, passes: timedelta) -> None:
    """Play through an outage; afterwards let this much time pass."""
    await world.create_games(games, "standard", clocks_with_little_left)
    first, second = world.bots
    await first.start()
    await world.wait_for_heartbeat()
    await world.wait_until_idle()
    await first.kill()
    last, before = await world.last_heartbeat(), await world.running()
    assert last is not None
    assert len(before) == games
    assert any(left_at(seat_clock, last + OUTAGE) == 0 for seat_clock in before.values()), (
        "without compensation some clocks would have run out"
    )

    world.advance_clock(OUTAGE.total_seconds())
    await asyncio.gather(first.start(), second.start())
    await world.server.until(lambda: world.server.gateway.identifies == 3)
    await world.wait_for_heartbeat()
    after = await world.running()
    assert OUTAGE <= check_compensation(before, last, after) < OUTAGE + timedelta(minutes=10)
    assert not any(world.server.messages(place) for place in world.threads.values()), (
        "no reminders are sent during the outage"
    )

    for _ in range(passes // timedelta(seconds=STEP_SECONDS)):
        world.advance_clock(STEP_SECONDS)
        await world.wait_for_heartbeat()
    await world.wait_until_idle()
    world.advance_clock(STEP_SECONDS)  # shards checked while two steps passed count as disconnected for 15 seconds
    await world.wait_for_heartbeat()
    await world.wait_until_idle()
    later = await world.running()
    assert later.keys() == after.keys()
    assert all(
        seat_clock.timeouts == 0 and seat_clock.since >= after[game].since
        for game, seat_clock in later.items()
        if seat_clock.since
    )
    reminder_counts = {game: len(world.server.messages(place)) for game, place in world.threads.items()}
    assert max(reminder_counts.values()) == reminder_counts[1] == 1, reminder_counts
    assert world.server.limits is not None
    assert world.server.limits.refused == 0


async def test_an_outage_costs_no_time_and_sends_no_burst(tmp_path: Path, new_database: str) -> None:
    async with many_games(tmp_path, new_database, processes=2) as world:
        await outage_of_nine_hours(world, games=12, passes=timedelta(minutes=8))


@pytest.mark.soak
async def test_three_hundred_clocks_survive_an_outage_and_the_first_hour(tmp_path: Path, new_database: str) -> None:
    async with many_games(tmp_path, new_database, processes=2) as world:
        await outage_of_nine_hours(world, games=300, passes=timedelta(hours=1))
