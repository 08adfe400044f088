"""The same of PostgreSQL as of SQLite in ``test_plans.py``: nothing looks through what grows with the games.

Which way a statement goes there depends on how much there is. So it is carried out among few games and among many,
as often as it takes until the server keeps to one way, and what it touches is counted.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import asyncpg
import pytest

from host import Host
from store import Store
from tests.cluster import Cluster
from tests.host.people import SettableClock
from tests.host.test_plans import (
    Statement,
    click_through_a_game,
    complete_game_names,
    record_statements,
    run_a_clock,
    run_a_lobby,
    send_posts,
    start_host,
)
from tests.store.many_games import add_games_to_server

pytestmark = pytest.mark.postgresql
Doing = Callable[[Host], Awaitable[None]]
AFTER_AN_OUTAGE = "clocks.since IS NOT NULL AND clocks.game_id > "
"""Then everything is gone through of which a clock runs, once."""
UNTIL_SETTLED = 6
"""Executions after which the server has decided whether it goes on planning for the values each time."""


class Touched(NamedTuple):
    """The rows and pages that a statement looks at."""

    rows: int
    pages: int

    def grows(self, many: Touched) -> bool:
        """Return whether it grows with twenty times as many games, beyond the cost of other ways to the same rows."""
        return many.rows > 2 * self.rows + 100 or many.pages > 2 * self.pages + 100


def steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A step of a plan, and all below it."""
    yield plan
    for below in plan.get("Plans", ()):
        yield from steps(below)


def touched(plan: dict[str, Any]) -> Touched:
    """Return the rows and pages that an executed plan has looked at."""
    seen = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck")
    rows = sum(step.get(name, 0) * step["Actual Loops"] for step in steps(plan) for name in seen)
    return Touched(rows, plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


def written(value: object) -> str:
    """A value as a text of which the server knows what it is."""
    return "NULL" if value is None else f"'{str(value).replace(chr(39), 2 * chr(39))}'"


async def carried_out(url: str, statements: Sequence[Statement]) -> dict[str, Touched]:
    """Return the most that each statement touches, all rolled back and inserts left out."""
    found: dict[str, Touched] = {}
    connection: Any = await asyncpg.connect(url)
    for statement, values in dict.fromkeys((text, tuple(given)) for text, given in statements):
        if not statement.startswith(("SELECT", "UPDATE", "DELETE")):
            continue
        given = f"({', '.join(map(written, values))})" if values else ""
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute(f"PREPARE asked AS {statement}")
        for _ in range(UNTIL_SETTLED):
            await connection.execute(f"EXPLAIN EXECUTE asked{given}")
        [(plan,)] = await connection.fetch(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE asked{given}")
        await transaction.rollback()
        await connection.execute("DEALLOCATE asked")
        now = touched(json.loads(plan)[0]["Plan"])
        before = found.get(statement, now)
        found[statement] = Touched(max(before.rows, now.rows), max(before.pages, now.pages))
    await connection.close()
    return found


async def asked_among(
    cluster: Cluster, url: str, clock: SettableClock, doings: Sequence[Doing], **crowd: int
) -> dict[str, Touched]:
    """Return the rows and pages touched by every statement among so many games."""
    add_games_to_server(cluster, urlsplit(url).path.removeprefix("/"), plies=1, **crowd)
    store = await Store.open(url)
    host = Host(store, clock=clock)
    with record_statements(store) as statements:
        for doing in doings:
            await doing(host)
    await store.close()
    return await carried_out(url, statements)


@pytest.fixture
def two_databases(postgresql: Cluster) -> list[str]:
    """Two with all tables and nothing in them."""
    names = ("few_games", "many_games")
    for name in names:
        postgresql.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name} TEMPLATE begun")
    return [postgresql.url(name) for name in names]


GOING_ON = (
    {"running": 100, "players": 100, "channels": 100, "guilds": 25, "unsent_of": 20},
    {"running": 2000, "players": 2000, "channels": 2000, "guilds": 500, "unsent_of": 400},
)
CASES = {
    "more are over": (
        {"running": 30, "finished": 200, "channels": 20},
        {"running": 30, "finished": 6000, "channels": 200},
    ),
    "more are over in one channel": (
        {"running": 30, "finished": 200, "channels": 1},
        {"running": 30, "finished": 6000, "channels": 1},
    ),
    "more go on": tuple({"finished": 100, **crowd} for crowd in GOING_ON),
}


@pytest.mark.parametrize("case", CASES)
async def test_nothing_is_looked_through_that_grows(
    postgresql: Cluster, two_databases: list[str], clock: SettableClock, case: str
) -> None:
    doings = [click_through_a_game, send_posts, complete_game_names, run_a_clock]
    if case == "more are over in one channel":
        doings = [click_through_a_game, complete_game_names]
    if case == "more are over":
        doings += [run_a_lobby, start_host]
    few, many = [
        await asked_among(postgresql, url, clock, doings, **crowd)
        for url, crowd in zip(two_databases, CASES[case], strict=True)
    ]
    assert len(many) > 20
    none = Touched(0, 0)
    ordinary = [text for text in many if AFTER_AN_OUTAGE not in text]
    assert [(text, few.get(text), many[text]) for text in ordinary if few.get(text, none).grows(many[text])] == []


async def test_what_looks_through_a_table_is_noticed(postgresql: Cluster, two_databases: list[str]) -> None:
    found = []
    for url, finished in zip(two_databases, (100, 1000), strict=True):
        add_games_to_server(postgresql, urlsplit(url).path.removeprefix("/"), plies=1, running=30, finished=finished)
        asked: list[Statement] = [
            ("SELECT code FROM games WHERE created_at > $1 ORDER BY name", [5]),
            ("SELECT count(*) FROM outbox", []),
            ("UPDATE outbox SET leased_until = NULL WHERE attempts = $1", [1]),
            ("SELECT count(*) FROM outbox WHERE id > 0 AND ply = 2", []),
            ("SELECT code FROM games WHERE id = $1", [1]),
        ]
        found.append(await carried_out(url, asked))
    few, many = found
    assert [few[text].grows(many[text]) for text in many] == [True] * 4 + [False]
