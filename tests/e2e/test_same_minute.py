"""Timeouts of many games in the same minute: each card is posted once and in order, within the rate limits.

The bot's process reads from a file how far to shift its clock; the games are inserted as rows. At the pace "live" a
turn that times out is skipped.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from host.clocks import PACES, SECOND, new_clock
from store import SeatClock
from tests.e2e.many_games import PLAYER_COUNT, ManyGames, many_games
from tests.e2e.stored_games import read_stored_game

pytestmark = pytest.mark.long

BANK_SECONDS, FIRST_LEFT_SECONDS, STEP_SECONDS = 600, 40, 50
"""Time of each player, time left to the first ones, and clock step; a step of a minute would count as downtime."""
START_REQUESTS = 30
"""Upper bound of the requests of a start."""
LIVE = PACES["live"]
"""The pace of the games, in minutes."""


def clocks_about_to_expire(game_id: int, _: int, now: datetime) -> tuple[SeatClock, ...]:
    """Return clocks of which the first one runs and has little time left."""
    seats = [replace(new_clock(game_id, seat, LIVE), granted=BANK_SECONDS * SECOND) for seat in range(PLAYER_COUNT)]
    return replace(seats[0], asked=0, since=now - timedelta(seconds=BANK_SECONDS - FIRST_LEFT_SECONDS)), *seats[1:]


async def let_turns_expire(world: ManyGames, database: Path, games: int, turns: int) -> None:
    """Let this many turns expire in each game, at the same time in all games, and check the cards."""
    await world.create_games(games, "live", clocks_about_to_expire)
    await world.bots[0].start()
    await world.wait_until_idle()
    while await world.fewest_plies() < turns:
        assert world.offset_seconds <= 2 * BANK_SECONDS * turns
        world.advance_clock(STEP_SECONDS)
        await world.wait_for_heartbeat()
        await world.wait_until_idle()
    cards = 0
    for place in world.threads.values():
        stored = read_stored_game(database, place)
        assert [post.ply for post in stored.posts] == list(range(1, len(stored.posts) + 1))
        assert stored.log == ("skip",) * stored.ply
        assert stored.ply >= turns
        assert [post.message_id for post in stored.posts] == [request.id for request in world.server.messages(place)]
        cards += stored.ply
    requests = world.server.requests
    posted = [request for request in requests if request.method == "POST" and request.path.endswith("/messages")]
    assert len(posted) == cards, "each card was sent once"
    assert len(requests) <= 4 * cards + START_REQUESTS, (
        "each card: its players, the post, its record, the buttons of the card before"
    )
    assert world.server.limits is not None
    assert world.server.limits.refused == 0


async def test_simultaneous_timeouts_keep_the_rate_limits(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    async with many_games(tmp_path, str(database), processes=1) as world:
        await let_turns_expire(world, database, games=12, turns=2)


@pytest.mark.soak
async def test_two_hundred_simultaneous_timeouts_keep_the_rate_limits(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    async with many_games(tmp_path, str(database), processes=1) as world:
        await let_turns_expire(world, database, games=200, turns=3)
