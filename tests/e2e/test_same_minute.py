"""Turns of many games run out in the same minute: each has its cards, once and in order, and no limit is broken."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from host.time.clocks import PACES, SECOND, new_clock
from store import SeatClock
from tests.e2e.many_games import PLAYERS, ManyGames, many_games
from tests.e2e.stored_games import read_stored_game

pytestmark = pytest.mark.long

BANK, FIRST, STEP = 600, 40, 50
"""Seconds that everybody has, that the first have left, and that pass at once: a gap of a minute would be downtime."""
STARTING = 30
"""Requests of a start, and to spare."""
LIVE = PACES["live"]


def soon_over(game_id: int, _: int, now: datetime) -> tuple[SeatClock, ...]:
    """Everybody has some minutes, and the first has been asked until little was left."""
    seats = [replace(new_clock(game_id, seat, LIVE), granted=BANK * SECOND) for seat in range(PLAYERS)]
    return replace(seats[0], asked=0, since=now - timedelta(seconds=BANK - FIRST)), *seats[1:]


async def minutes(crowd: ManyGames, database: Path, games: int, turns: int) -> None:
    """So many turns run out in each game, at the same time in all of them."""
    await crowd.create_games(games, "live", soon_over)
    await crowd.bots[0].start()
    await crowd.wait_until_idle()
    while await crowd.fewest_plies() < turns:
        assert crowd.ahead <= 2 * BANK * turns
        crowd.advance_clock(STEP)
        await crowd.wait_for_heartbeat()
        await crowd.wait_until_idle()
    cards = 0
    for place in crowd.threads.values():
        stored = read_stored_game(database, place)
        assert [post.ply for post in stored.posts] == list(range(1, len(stored.posts) + 1))
        assert stored.log == ("skip",) * stored.ply
        assert stored.ply >= turns
        assert [post.message_id for post in stored.posts] == [each.id for each in crowd.server.messages(place)]
        cards += stored.ply
    requests = crowd.server.requests
    posted = [each for each in requests if each.method == "POST" and each.path.endswith("/messages")]
    assert len(posted) == cards, "each card was sent once"
    assert len(requests) <= 4 * cards + STARTING, "who plays there is looked up, and the card before loses its buttons"
    assert crowd.server.limits is not None
    assert crowd.server.limits.refused == 0


async def test_turns_that_are_due_at_once_make_no_storm(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    async with many_games(tmp_path, str(database), processes=1) as crowd:
        await minutes(crowd, database, games=12, turns=2)


@pytest.mark.soak
async def test_two_hundred_turns_that_are_due_at_once_make_no_storm(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    async with many_games(tmp_path, str(database), processes=1) as crowd:
        await minutes(crowd, database, games=200, turns=3)
