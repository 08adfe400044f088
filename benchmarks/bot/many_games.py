"""A database with very many games: copies of a stored one, made by a few statements of the database itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from time import time
from typing import Final

from sqlalchemy import Table

from benchmarks.bot.databases import NAME, DatabasePlace
from store.schema.play import actions, clocks, games, outbox, playing, seats, timers

STORED: Final = 1
"""The id of the game that is copied."""
PLAYERS, CHANNELS, GUILDS = 4_000, 2_000, 500
SHARDS: Final = 2
"""Of Discord: the servers of the copies belong to one of them."""
_COPIES: Final = (games, seats, actions, outbox, clocks)
_OF_RUNNING: Final = (playing, timers)
_COUNTED: Final = (
    "WITH RECURSIVE copy(n) AS (SELECT CAST({first} AS BIGINT) UNION ALL SELECT n + 1 FROM copy WHERE n < {last}) "
    "INSERT INTO {table} ({columns}) SELECT {values} FROM copy, {table} AS stored WHERE stored.{key} = {stored}"
)
_VALUES: Final = {
    "games.id": "n",
    "games.code": "'Y' || n",
    "games.guild_id": f"({{shard}} + {SHARDS} * (n % {GUILDS})) * {1 << 22}",
    "games.channel_id": f"100000 + n % {CHANNELS}",
    "games.thread_id": "1000000 + n",
    "games.status": "CASE WHEN n < {running} THEN 'finished' ELSE stored.status END",
    "games.seat_to_act": "CASE WHEN n < {running} THEN NULL ELSE stored.seat_to_act END",
    "seats.user_id": f"5000 + (n * 4 + stored.seat) % {PLAYERS}",
    "playing.user_id": f"5000 + (n * 4 + (SELECT seat FROM seats WHERE seats.game_id = {STORED}"
    f" AND seats.user_id = stored.user_id)) % {PLAYERS}",
    "outbox.nonce": "'Y' || n || '-' || stored.id",
    "outbox.message_id": "stored.message_id + n",
    "clocks.since": "CASE WHEN n < {running} THEN NULL ELSE stored.since END",
    "timers.due_at": "stored.due_at + 86400000 + n * 1000",
}
"""The differences of a copy from the game that is copied."""


def fill(where: DatabasePlace, *, running: int, finished: int, shard: int) -> None:
    """Copy the game so often: first those that are over, then those that go on, of each of which a clock runs."""
    carry_out(where, [*_made_to_run(), *copied(running, finished, shard)], STORED + running + finished)


def carry_out(where: DatabasePlace, statements: Sequence[str], last: int) -> None:
    """Carry out statements after which the last game has this number."""
    if where.cluster is not None:
        done = f"SELECT setval('games_id_seq', {last})"
        where.cluster.sql(*statements, done, database=NAME)
        where.cluster.sql("VACUUM ANALYZE", database=NAME)
        return
    with closing(sqlite3.connect(where.near)) as file, file:
        for statement in statements:
            file.execute(statement)


def _made_to_run() -> Iterator[str]:
    """The game that is copied has a pace, and the clock of whom it asks runs; the bot was last connected hours ago."""
    now = int(time() * 1000)
    columns = "game_id, seat, granted, given_back, used, timeouts, reminders, asked, free, since, held, late, untold"
    asked = "CASE WHEN seat = seat_to_act THEN ply END, 28800000, CASE WHEN seat = seat_to_act THEN {since} END"
    yield """UPDATE games SET settings = '{"pace": "standard"}'"""
    yield (
        f"INSERT INTO clocks ({columns}, settled, decisions) SELECT id, seat, 259200000, 0, 0, 0, 0, "
        f"{asked.format(since=now - 3_600_000)}, FALSE, FALSE, 0, 0, '[]' "
        f"FROM seats JOIN games ON id = game_id WHERE id = {STORED}"
    )
    yield "DELETE FROM waiting"
    yield "DELETE FROM timers WHERE kind NOT IN ('present', 'clock')"
    yield (
        f"INSERT INTO timers (game_id, kind, subject, due_at, attempts) VALUES ({STORED}, 'clock', 0, {now + 10**8}, 0)"
    )
    yield f"UPDATE heartbeats SET at = {now - 2 * 3_600_000}"


def copied(running: int, finished: int, shard: int = 0) -> Iterator[str]:
    """Return the statements that make the copies of running and of finished games."""
    first = STORED + 1
    numbers = {"running": first + finished, "last": first + finished + running - 1, "shard": shard}
    for table in _COPIES:
        yield _copy(table, first=first, **numbers)
    for table in _OF_RUNNING:
        yield _copy(table, first=first + finished, **numbers)


def _copy(table: Table, *, first: int, running: int, last: int, shard: int) -> str:
    numbered = table is outbox
    names = [column.name for column in table.columns if not (numbered and column.name == "id")]
    key = "id" if table is games else "game_id"
    wanted = [_VALUES.get(f"{table.name}.{name}", "n" if name == key else f"stored.{name}") for name in names]
    return _COUNTED.format(
        first=first,
        last=last,
        table=table.name,
        columns=", ".join(names),
        values=", ".join(wanted).format(running=running, shard=shard),
        key=key,
        stored=STORED,
    )
