"""The costs of a careful tile move in statements, transactions, requests and pictures: none of them may grow.

Counts are the same on every machine; only `make bench` looks at times.
"""

import pytest

from benchmarks.load import Asked, Disturbances
from benchmarks.load import measure as measure_load
from benchmarks.move import measure
from store.connection.dialect import POSTGRESQL
from tests import programs

AMISS = ("cards_twice", "cards_missing", "moves_without_card")
BOARDS = 3
MOST = {"statements": 13, "write_transactions": 2, "requests": 2, "pictures": 6}
"""A move at present; whoever makes it cheaper lowers these."""


async def test_a_move_costs_no_more_than_it_did() -> None:
    figures = await measure(BOARDS, warm_up=1)
    found = {name: figures[name] for name in MOST}
    assert all(found[name] <= most for name, most in MOST.items()), found
    assert figures["confirm_cpu_ms"] < figures["cpu_ms"]


async def test_under_load_every_confirmed_move_is_posted() -> None:
    figures = await measure_load(Asked(games=4, rate=2, seconds=2))
    assert figures["posted"] == figures["confirmed"] > 0
    assert figures["too_many_requests"] == 0
    assert [figures[name] for name in AMISS] == [0, 0, 0]


@pytest.mark.soak
@pytest.mark.needs(programs.POSTGRESQL)
async def test_two_processes_that_are_killed_lose_nothing_and_post_nothing_twice() -> None:
    trouble = Disturbances(kill=20, restart=True)
    asked = Asked(games=60, rate=2, seconds=500, processes=2, database=POSTGRESQL, trouble=trouble)
    figures = await measure_load(asked)
    assert figures["killed"] > 10
    assert figures["confirmed"] > 0
    assert [figures[name] for name in AMISS] == [0, 0, 0]
