"""Queries of every click use indexes, so that they cost the same however many games are finished."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import event

from store import Store, Transaction, games, lobbies
from tests.store.rows import NOW

pytestmark = pytest.mark.sqlite

LOOKED_FOR: dict[str, Callable[[Transaction], Awaitable[object]]] = {
    "games around": lambda tx: games.around(tx, 12, 25),
    "games of a server": lambda tx: games.newest_unfinished(tx, 1, 25, 7),
    "number of games of a server": lambda tx: games.count_unfinished(tx, 1),
    "number of games of a player": lambda tx: games.count_unfinished(tx, 1, 2),
    "lobbies of a server": lambda tx: lobbies.open_in(tx, 1, 25),
    "number of lobbies": lambda tx: lobbies.count_open(tx, 1, 2),
    "lobbies that expire": lambda tx: lobbies.unchanged_since(tx, NOW, 25, notices=2),
}


@pytest.mark.parametrize("name", LOOKED_FOR)
async def test_no_table_is_scanned(store: Store, name: str) -> None:
    asked: list[tuple[str, object]] = []

    def hear(_connection: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        asked.append((statement, parameters))

    async with store.reading() as tx:
        connection = tx.sync_connection
        assert connection is not None
        event.listen(connection, "before_cursor_execute", hear)
        await LOOKED_FOR[name](tx)
        event.remove(connection, "before_cursor_execute", hear)
        for statement, parameters in asked:
            plan = (await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)).all()
            steps = [row[-1] for row in plan]
            assert not [step for step in steps if step.startswith("SCAN") and "CONSTANT" not in step], steps
            assert not [step for step in steps if "ix_seats_user_id" in step], "all games that somebody has ever played"
    assert asked
