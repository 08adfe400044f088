"""Query plans on PostgreSQL: no statement of the host reads more rows when there are more games.

Its planner chooses by the number of rows. So each statement of ``test_plans.py`` is executed among few games and among
many, after as many preparations as the server needs to settle on a generic plan, and rows and pages are counted.
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
Requests = Callable[[Host], Awaitable[None]]
"""A group of requests to a host."""
AFTER_OUTAGE_CONDITION = "clocks.since IS NOT NULL AND clocks.game_id > "
"""Condition of a statement that reads all running clocks on purpose, once after an outage."""
EXECUTIONS_BEFORE_GENERIC_PLAN = 6
"""Executions after which PostgreSQL has chosen between a generic plan and one for the values each time."""


class Touched(NamedTuple):
    """The rows and pages that a statement reads."""

    rows: int
    pages: int

    def grows(self, many: Touched) -> bool:
        """Return whether `many` is larger by more than another plan for the same rows would explain."""
        return many.rows > 2 * self.rows + 100 or many.pages > 2 * self.pages + 100


def steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a step of a plan and all steps below it."""
    yield plan
    for below in plan.get("Plans", ()):
        yield from steps(below)


def touched(plan: dict[str, Any]) -> Touched:
    """Return the rows and pages that an executed plan has read."""
    seen = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck")
    rows = sum(step.get(name, 0) * step["Actual Loops"] for step in steps(plan) for name in seen)
    return Touched(rows, plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


def literal(value: object) -> str:
    """Return a value as a literal whose type the server infers."""
    return "NULL" if value is None else f"'{str(value).replace(chr(39), 2 * chr(39))}'"


async def execute_and_measure(url: str, statements: Sequence[Statement]) -> dict[str, Touched]:
    """Execute and roll back each statement other than inserts; return the most that it touched."""
    measured: dict[str, Touched] = {}
    connection: Any = await asyncpg.connect(url)
    for statement, values in dict.fromkeys((text, tuple(value_list)) for text, value_list in statements):
        if not statement.startswith(("SELECT", "UPDATE", "DELETE")):
            continue
        value_list = f"({', '.join(map(literal, values))})" if values else ""
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute(f"PREPARE measured AS {statement}")
        for _ in range(EXECUTIONS_BEFORE_GENERIC_PLAN):
            await connection.execute(f"EXPLAIN EXECUTE measured{value_list}")
        [(plan,)] = await connection.fetch(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE measured{value_list}")
        await transaction.rollback()
        await connection.execute("DEALLOCATE measured")
        now = touched(json.loads(plan)[0]["Plan"])
        before = measured.get(statement, now)
        measured[statement] = Touched(max(before.rows, now.rows), max(before.pages, now.pages))
    await connection.close()
    return measured


async def touched_among(
    cluster: Cluster, url: str, clock: SettableClock, requests: Sequence[Requests], **games: int
) -> dict[str, Touched]:
    """Return the rows and pages that every statement of these requests touches among this many games."""
    add_games_to_server(cluster, urlsplit(url).path.removeprefix("/"), plies=1, **games)
    store = await Store.open(url)
    host = Host(store, clock=clock)
    with record_statements(store) as statements:
        for make_requests in requests:
            await make_requests(host)
    await store.close()
    return await execute_and_measure(url, statements)


@pytest.fixture
def two_databases(postgresql: Cluster) -> list[str]:
    """Two empty databases with all tables."""
    names = ("few_games", "many_games")
    for name in names:
        postgresql.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name} TEMPLATE begun")
    return [postgresql.url(name) for name in names]


MORE_RUNNING = (
    {"running": 100, "players": 100, "channels": 100, "guilds": 25, "unsent_of": 20},
    {"running": 2000, "players": 2000, "channels": 2000, "guilds": 500, "unsent_of": 400},
)
"""Two sizes in which the games of each player and server stay equally many."""
CASES = {
    "more finished games": (
        {"running": 30, "finished": 200, "channels": 20},
        {"running": 30, "finished": 6000, "channels": 200},
    ),
    "more finished games in one channel": (
        {"running": 30, "finished": 200, "channels": 1},
        {"running": 30, "finished": 6000, "channels": 1},
    ),
    "more running games": tuple({"finished": 100, **games} for games in MORE_RUNNING),
}
"""Sizes of the two databases that are compared, small and large."""


@pytest.mark.parametrize("case", CASES)
async def test_no_statement_reads_more_rows_with_more_games(
    postgresql: Cluster, two_databases: list[str], clock: SettableClock, case: str
) -> None:
    requests = [click_through_a_game, send_posts, complete_game_names, run_a_clock]
    if case == "more finished games in one channel":
        requests = [click_through_a_game, complete_game_names]
    if case == "more finished games":
        requests += [run_a_lobby, start_host]
    among_few, among_many = [
        await touched_among(postgresql, url, clock, requests, **games)
        for url, games in zip(two_databases, CASES[case], strict=True)
    ]
    assert len(among_many) > 20
    none = Touched(0, 0)
    ordinary = [text for text in among_many if AFTER_OUTAGE_CONDITION not in text]
    assert [
        (text, among_few.get(text), among_many[text])
        for text in ordinary
        if among_few.get(text, none).grows(among_many[text])
    ] == []


async def test_scans_of_whole_tables_are_found(postgresql: Cluster, two_databases: list[str]) -> None:
    measured = []
    for url, finished in zip(two_databases, (100, 1000), strict=True):
        add_games_to_server(postgresql, urlsplit(url).path.removeprefix("/"), plies=1, running=30, finished=finished)
        statements: list[Statement] = [
            ("SELECT code FROM games WHERE created_at > $1 ORDER BY name", [5]),
            ("SELECT count(*) FROM outbox", []),
            ("UPDATE outbox SET leased_until = NULL WHERE attempts = $1", [1]),
            ("SELECT count(*) FROM outbox WHERE id > 0 AND ply = 2", []),
            ("SELECT code FROM games WHERE id = $1", [1]),
        ]
        measured.append(await execute_and_measure(url, statements))
    among_few, among_many = measured
    assert [among_few[text].grows(among_many[text]) for text in among_many] == [True] * 4 + [False]
