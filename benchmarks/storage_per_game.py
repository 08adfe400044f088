"""Bytes that a finished game of four takes in the database: ``python -m benchmarks.storage_per_game [--games N]``.

The bot's host plays whole random games, with the expansion *Bridges, Castles & Bazaars* and with clocks. Each decision
is a click of its own, every card is recorded as posted, and old clicks are deleted once an hour. The size is measured
three times: when the games are over, two hours later, when old posts have been deleted, and a month later, when the
lobbies have been deleted, too.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine.carcassonne.expansions import BCB
from engine.selfplay import random_action
from host import Host, HostSettings, NewLobby, Person, TableSettings
from host.admin.retention import LOBBY_RETENTION, POST_RETENTION
from store import Store, retention
from tests.cluster import Cluster, cluster
from tests.programs import POSTGRESQL

PLAYERS = [Person(user_id, name) for user_id, name in enumerate(("Ana", "Ben", "Cleo", "Dan"), 10**17)]
SizeReader = Callable[[], int]
"""A function that returns the current size of the database in bytes."""


class StoredBytes(NamedTuple):
    """Bytes per game: when it is over, two hours later, and a month later."""

    finished: float
    after_hours: float
    after_month: float


@dataclass
class FakeClock:
    """A clock that stands still until it is set."""

    time: datetime = field(default=datetime(2030, 1, 1, tzinfo=UTC))

    def now(self) -> datetime:
        """Return the time."""
        return self.time


async def measure(location: str, games: int, size: SizeReader) -> StoredBytes:
    """Play this many games in an empty database, and return their sizes as read by ``size``."""
    store, clock = await Store.open(location), FakeClock()
    interaction_ids = count(10**18)
    host = Host(store, clock=clock, settings=HostSettings(publish_window=timedelta(0)))
    before, begin = await asyncio.to_thread(size), clock.time
    for number in range(games):
        clock.time = begin  # all games at the same time, so that retention deletes nothing before all have ended
        await _play(host, store, clock, Random(number), interaction_ids)
    finished = await asyncio.to_thread(size)
    clock.time += POST_RETENTION + timedelta(hours=1)
    await host.retention.work()
    after_hours = await asyncio.to_thread(size)
    clock.time += LOBBY_RETENTION
    await host.retention.work()
    after_month = await asyncio.to_thread(size)
    await store.close()
    return StoredBytes(*((size_then - before) / games for size_then in (finished, after_hours, after_month)))


async def _play(host: Host, store: Store, clock: FakeClock, random: Random, interaction_ids: count[int]) -> None:
    """Play a whole game, ten minutes for each decision."""
    settings = TableSettings(pace="standard")
    new = NewLobby(
        guild_id=10**17,
        channel_id=10**17 + 1,
        owner=PLAYERS[0],
        game="carcassonne",
        capacity=len(PLAYERS),
        expansions=(BCB,),
        options={},
        settings=settings,
    )
    lobby = await host.lobbies.open(new, next(interaction_ids))
    for person in PLAYERS[1:]:
        await host.lobbies.join(lobby.id, person, next(interaction_ids))
    game = await host.lobbies.start(lobby.id, PLAYERS[0].user_id, next(interaction_ids), thread_id=10**17 + 2)
    while True:
        for post in await host.outbox.due():
            if await host.outbox.lease(post.id):
                await host.outbox.record_sent(post.id, 10**18 + post.id)
        table = await host.games.table(game.id)
        if table.position.is_over:
            break
        clock.time += timedelta(minutes=10)
        if clock.time.minute == 0:
            async with store.writing() as tx:
                await retention.drop_interactions(tx, clock.time - HostSettings().remember_interactions, 10_000)
        person = table.game.seats[table.position.player]
        action = random_action(table.position, random)
        await host.moves.act(game.id, person.user_id, table.game.revision, [action], next(interaction_ids))
    for timer in await host.timers.due():
        await host.timers.done(timer)


def file_size(file: Path) -> int:
    """Return the bytes of a SQLite database without its free pages."""
    with closing(sqlite3.connect(file)) as connection, tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite3"
        connection.execute("VACUUM INTO ?", [str(copy)])
        return copy.stat().st_size


_TOTAL_SIZE = """
SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""
_COPY_ROWS = """
DO $$
DECLARE copy int; of_games record;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR copy IN 1..{copies} LOOP
        FOR of_games IN
            SELECT table_name, string_agg(quote_ident(column_name), ', ') AS names, string_agg(
                CASE
                WHEN column_name IN ('id', 'game_id', 'lobby_id') THEN format('%I + %s', column_name, copy * 1000000)
                WHEN column_name IN ('code', 'nonce') THEN format('%I || %L', column_name, 'x' || copy)
                WHEN column_name ~ '^(thread|message|user|owner)_id$' THEN format('%I + %s', column_name, copy)
                ELSE quote_ident(column_name) END, ', ') AS moved
            FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name
            HAVING table_name IN ('games', 'lobbies') OR bool_or(column_name IN ('game_id', 'lobby_id'))
        LOOP
            EXECUTE format('INSERT INTO %I (%s) SELECT %s FROM kept.%I', of_games.table_name, of_games.names,
                of_games.moved, of_games.table_name);
        END LOOP;
    END LOOP;
END $$
"""
_SAVE_ROWS = """
DO $$
DECLARE name text;
BEGIN
    CREATE SCHEMA kept;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('CREATE TABLE kept.%I AS TABLE public.%I', name, name);
    END LOOP;
END $$
"""


def server_size(server: Cluster, database: str, copies: int = 100) -> int:
    """Return the bytes of all games in the tables and indexes of PostgreSQL, measured on a hundred copies of them.

    With few games, half-empty pages and the pages of an empty database would distort the result. The copies are made in
    a transaction that is rolled back.
    """
    server.sql("VACUUM FULL", database=database)
    sizes = server.sql(
        "BEGIN", _SAVE_ROWS, _TOTAL_SIZE, _COPY_ROWS.format(copies=copies), _TOTAL_SIZE, "ROLLBACK", database=database
    )
    before, after = map(int, sizes.split())
    server.sql("VACUUM FULL", database=database)
    return (after - before) // copies


def main() -> None:
    """Measure on SQLite, and on PostgreSQL if it is installed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.storage_per_game")
    parser.add_argument("--games", type=int, default=10)
    games = parser.parse_args().games
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.sqlite3"
        _print_sizes("SQLite", asyncio.run(measure(str(file), games, lambda: file_size(file))))
    if POSTGRESQL.path is not None:
        with cluster() as server:
            server.sql("CREATE DATABASE games")
            stored = asyncio.run(measure(server.url("games"), games, lambda: server_size(server, "games")))
            _print_sizes("PostgreSQL", stored)


def _print_sizes(name: str, stored: StoredBytes) -> None:
    finished, hours, month = (size / 1024 for size in stored)
    print(f"{name:<10} finished {finished:5.1f} KiB, two hours later {hours:5.1f} KiB, then {month:5.1f} KiB a game")


if __name__ == "__main__":
    main()
