"""Very many copies of a stored game, made by a few SQL statements, for benchmarks of starts and of databases.

One statement for each table copies the rows of the game with the id :data:`STORED_ID` many times. In the copies, ids,
codes, players and channels differ as :data:`_CHANGED_VALUES` says.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from time import time
from typing import Final

from sqlalchemy import Table

from benchmarks.bot.databases import DATABASE_NAME, DatabasePlace
from store.schema.play import actions, clocks, games, outbox, playing, seats, timers

STORED_ID: Final = 1
"""The id of the game that is copied."""
PLAYER_COUNT, CHANNEL_COUNT, GUILD_COUNT = 4_000, 2_000, 500
SHARDS: Final = 2
"""Number of Discord's shards; the servers of the copies all belong to one of them."""
_TABLES: Final = (games, seats, actions, outbox, clocks)
"""Tables with rows of all games."""
_RUNNING_TABLES: Final = (playing, timers)
"""Tables with rows of running games only."""
_COPY_STATEMENT: Final = (
    "WITH RECURSIVE copy(n) AS (SELECT CAST({first} AS BIGINT) UNION ALL SELECT n + 1 FROM copy WHERE n < {last}) "
    "INSERT INTO {table} ({columns}) SELECT {values} FROM copy, {table} AS stored WHERE stored.{key} = {stored}"
)
_CHANGED_VALUES: Final = {
    "games.id": "n",
    "games.code": "'Y' || n",
    "games.guild_id": f"({{shard}} + {SHARDS} * (n % {GUILD_COUNT})) * {1 << 22}",
    "games.channel_id": f"100000 + n % {CHANNEL_COUNT}",
    "games.thread_id": "1000000 + n",
    "games.status": "CASE WHEN n < {running} THEN 'finished' ELSE stored.status END",
    "games.seat_to_act": "CASE WHEN n < {running} THEN NULL ELSE stored.seat_to_act END",
    "seats.user_id": f"5000 + (n * 4 + stored.seat) % {PLAYER_COUNT}",
    "playing.user_id": f"5000 + (n * 4 + (SELECT seat FROM seats WHERE seats.game_id = {STORED_ID}"
    f" AND seats.user_id = stored.user_id)) % {PLAYER_COUNT}",
    "outbox.nonce": "'Y' || n || '-' || stored.id",
    "outbox.message_id": "stored.message_id + n",
    "clocks.since": "CASE WHEN n < {running} THEN NULL ELSE stored.since END",
    "timers.due_at": "stored.due_at + 86400000 + n * 1000",
}
"""SQL expressions for the columns whose values change in copy number ``n``; ``stored`` is the copied row."""


def fill(where: DatabasePlace, *, running: int, finished: int, shard: int) -> None:
    """Copy the game: first the finished games, then the running ones, each of which has a running clock."""
    execute(where, [*_start_clock(), *copy_statements(running, finished, shard)], STORED_ID + running + finished)


def execute(where: DatabasePlace, statements: Sequence[str], last: int) -> None:
    """Execute statements after which the last game has this id."""
    if where.cluster is not None:
        set_sequence = f"SELECT setval('games_id_seq', {last})"
        where.cluster.sql(*statements, set_sequence, database=DATABASE_NAME)
        where.cluster.sql("VACUUM ANALYZE", database=DATABASE_NAME)
        return
    with closing(sqlite3.connect(where.direct_address)) as file, file:
        for statement in statements:
            file.execute(statement)


def _start_clock() -> Iterator[str]:
    """Yield statements that start a clock in the copied game, and move the last heartbeat two hours back."""
    now = int(time() * 1000)
    columns = "game_id, seat, granted, given_back, used, timeouts, reminders, asked, free, since, held, late, untold"
    asked_columns = "CASE WHEN seat = seat_to_act THEN ply END, 28800000, CASE WHEN seat = seat_to_act THEN {since} END"
    yield """UPDATE games SET settings = '{"pace": "standard"}'"""
    yield (
        f"INSERT INTO clocks ({columns}, settled, decisions) SELECT id, seat, 259200000, 0, 0, 0, 0, "
        f"{asked_columns.format(since=now - 3_600_000)}, FALSE, FALSE, 0, 0, '[]' "
        f"FROM seats JOIN games ON id = game_id WHERE id = {STORED_ID}"
    )
    yield "DELETE FROM waiting"
    yield "DELETE FROM timers WHERE kind NOT IN ('present', 'clock')"
    later = now + 10**8
    yield f"INSERT INTO timers (game_id, kind, subject, due_at, attempts) VALUES ({STORED_ID}, 'clock', 0, {later}, 0)"
    yield f"UPDATE heartbeats SET at = {now - 2 * 3_600_000}"


def copy_statements(running: int, finished: int, shard: int = 0) -> Iterator[str]:
    """Yield the statements that create the copies; the finished games come first."""
    first = STORED_ID + 1
    numbers = {"running": first + finished, "last": first + finished + running - 1, "shard": shard}
    for table in _TABLES:
        yield _copy(table, first=first, **numbers)
    for table in _RUNNING_TABLES:
        yield _copy(table, first=first + finished, **numbers)


def _copy(table: Table, *, first: int, running: int, last: int, shard: int) -> str:
    """Return the statement that copies the rows of a table for the games from ``first`` to ``last``."""
    generated_id = table is outbox  # its ids are generated by the database
    names = [column.name for column in table.columns if not (generated_id and column.name == "id")]
    key = "id" if table is games else "game_id"
    values = [_CHANGED_VALUES.get(f"{table.name}.{name}", "n" if name == key else f"stored.{name}") for name in names]
    return _COPY_STATEMENT.format(
        first=first,
        last=last,
        table=table.name,
        columns=", ".join(names),
        values=", ".join(values).format(running=running, shard=shard),
        key=key,
        stored=STORED_ID,
    )
