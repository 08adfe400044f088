"""Limits on the cost of a careful tile move, in statements, transactions, requests and pictures.

Counts are the same on every machine; times are measured by `make bench` only.
"""

import pytest

from benchmarks.load import Disturbances, LoadParameters
from benchmarks.load import measure as measure_load
from benchmarks.move import measure
from store.connection.dialect import POSTGRESQL
from tests import programs

ERROR_COUNTS = ("cards_twice", "cards_missing", "moves_without_card")
BOARD_COUNT = 3
MAX_COSTS = {"statements": 13, "write_transactions": 2, "requests": 2, "pictures": 6}
"""The current costs of a move. Lower them after a change that makes a move cheaper."""


async def test_the_cost_of_a_move_does_not_grow() -> None:
    figures = await measure(BOARD_COUNT, warm_up=1)
    found = {name: figures[name] for name in MAX_COSTS}
    assert all(found[name] <= limit for name, limit in MAX_COSTS.items()), found
    assert figures["confirm_cpu_ms"] < figures["cpu_ms"]


@pytest.mark.soak  # games that are killed under load (tests/e2e/test_kill_under_load.py) are played each time
async def test_every_confirmed_move_is_posted_under_load() -> None:
    figures = await measure_load(LoadParameters(games=4, rate=2, seconds=2))
    assert figures["posted"] == figures["confirmed"] > 0
    assert figures["too_many_requests"] == 0
    assert [figures[name] for name in ERROR_COUNTS] == [0, 0, 0]


@pytest.mark.soak
@pytest.mark.needs(programs.POSTGRESQL)
async def test_killed_processes_lose_no_move_and_post_no_duplicate() -> None:
    disturbances = Disturbances(kill=20, restart=True)
    parameters = LoadParameters(
        games=60, rate=2, seconds=500, processes=2, database=POSTGRESQL, disturbances=disturbances
    )
    figures = await measure_load(parameters)
    assert figures["killed"] > 10
    assert figures["confirmed"] > 0
    assert [figures[name] for name in ERROR_COUNTS] == [0, 0, 0]
