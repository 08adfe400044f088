"""Query plans of lists and limits that any click may need. Each uses an index on unfinished games.

SQLite explains each query; its plan must not contain the scan of a table. Ids are arbitrary, as the tables are empty.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import event

from store import Store, Transaction, games, lobbies
from tests.store.rows import NOW

pytestmark = pytest.mark.sqlite

QUERIES: dict[str, Callable[[Transaction], Awaitable[object]]] = {
    "games around": lambda tx: games.newest_in_place(tx, 12, 25),
    "games of a server": lambda tx: games.newest_unfinished(tx, 1, 25, 7),
    "number of games of a server": lambda tx: games.count_unfinished(tx, 1),
    "number of games of a player": lambda tx: games.count_unfinished(tx, 1, 2),
    "lobbies of a server": lambda tx: lobbies.open_in(tx, 1, 25),
    "number of lobbies": lambda tx: lobbies.count_open(tx, 1, 2),
    "lobbies that expire": lambda tx: lobbies.unchanged_since(tx, NOW, 25, notices=2),
}
"""The queries, each with a description of its result."""


@pytest.mark.parametrize("name", QUERIES)
async def test_no_query_scans_a_table(store: Store, name: str) -> None:
    recorded: list[tuple[str, object]] = []

    def record(_connection: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        """Record an executed statement with its parameters."""
        recorded.append((statement, parameters))

    async with store.reading() as tx:
        connection = tx.sync_connection
        assert connection is not None
        event.listen(connection, "before_cursor_execute", record)
        await QUERIES[name](tx)
        event.remove(connection, "before_cursor_execute", record)
        for statement, parameters in recorded:
            plan = (await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)).all()
            steps = [row[-1] for row in plan]
            assert not [step for step in steps if step.startswith("SCAN") and "CONSTANT" not in step], steps
            assert not [step for step in steps if "ix_seats_user_id" in step], (
                "it would read all games the player ever played"
            )
    assert recorded
