"""Bytes that a finished game of four leaves in the database: ``python -m benchmarks.kept [--games N]``.

Whole random games with *Bridges, Castles & Bazaars* and clocks, through the host: each decision a press of its
own, each card posted, clicks thinned out once an hour, as the bot does. Measured when they are over, two hours later,
when their posts are thinned out, too, and when all is that nobody needs any more.
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

PEOPLE = [Person(user_id, name) for user_id, name in enumerate(("Ana", "Ben", "Cleo", "Dan"), 10**17)]
Sizes = Callable[[], int]


class KeptBytes(NamedTuple):
    """Bytes that a game leaves: when it is over, two hours later, and a month later."""

    finished: float
    soon: float
    thinned: float


@dataclass
class Days:
    """A clock that is set."""

    time: datetime = field(default=datetime(2030, 1, 1, tzinfo=UTC))

    def now(self) -> datetime:
        """Return the time."""
        return self.time


async def measure(location: str, games: int, size: Sizes) -> KeptBytes:
    """Play so many games in an empty database; ``size`` says how large it is."""
    store, clock = await Store.open(location), Days()
    numbers = count(10**18)
    host = Host(store, clock=clock, settings=HostSettings(publish_window=timedelta(0)))
    before, begin = await asyncio.to_thread(size), clock.time
    for number in range(games):
        clock.time = begin  # all at the same time, so that none is over before another ends
        await _played(host, store, clock, Random(number), numbers)
    finished = await asyncio.to_thread(size)
    clock.time += POST_RETENTION + timedelta(hours=1)
    await host.retention.work()
    soon = await asyncio.to_thread(size)
    clock.time += LOBBY_RETENTION
    await host.retention.work()
    thinned = await asyncio.to_thread(size)
    await store.close()
    return KeptBytes(*((found - before) / games for found in (finished, soon, thinned)))


async def _played(host: Host, store: Store, clock: Days, random: Random, numbers: count[int]) -> None:
    """A whole game."""
    settings = TableSettings(pace="standard")
    new = NewLobby(
        guild_id=10**17,
        channel_id=10**17 + 1,
        owner=PEOPLE[0],
        game="carcassonne",
        capacity=len(PEOPLE),
        expansions=(BCB,),
        options={},
        settings=settings,
    )
    lobby = await host.lobbies.open(new, next(numbers))
    for person in PEOPLE[1:]:
        await host.lobbies.join(lobby.id, person, next(numbers))
    game = await host.lobbies.start(lobby.id, PEOPLE[0].user_id, next(numbers), thread_id=10**17 + 2)
    while True:
        for post in await host.outbox.due():
            if await host.outbox.sending(post.id):
                await host.outbox.sent(post.id, 10**18 + post.id)
        table = await host.games.table(game.id)
        if table.position.is_over:
            break
        clock.time += timedelta(minutes=10)
        if clock.time.minute == 0:
            async with store.writing() as tx:
                await retention.drop_interactions(tx, clock.time - HostSettings().remember_interactions, 10_000)
        person = table.game.seats[table.position.player]
        action = random_action(table.position, random)
        await host.moves.act(game.id, person.user_id, table.game.revision, [action], next(numbers))
    for timer in await host.timers.due():
        await host.timers.done(timer)


def file_size(file: Path) -> int:
    """The bytes of a file of SQLite with nothing free in it."""
    with closing(sqlite3.connect(file)) as connection, tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite3"
        connection.execute("VACUUM INTO ?", [str(copy)])
        return copy.stat().st_size


_ALL = """
SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""
_COPY = """
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
_KEEP = """
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
    """The bytes that all games take in tables and indexes of PostgreSQL, where a hundred times as many are.

    Of few games pages that are half empty would be counted, and those that an empty database has. The copies are made
    in a transaction that is given up.
    """
    server.sql("VACUUM FULL", database=database)
    found = server.sql("BEGIN", _KEEP, _ALL, _COPY.format(copies=copies), _ALL, "ROLLBACK", database=database)
    before, after = map(int, found.split())
    server.sql("VACUUM FULL", database=database)
    return (after - before) // copies


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kept")
    parser.add_argument("--games", type=int, default=10)
    games = parser.parse_args().games
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.sqlite3"
        _show("SQLite", asyncio.run(measure(str(file), games, lambda: file_size(file))))
    if POSTGRESQL.path is not None:
        with cluster() as server:
            server.sql("CREATE DATABASE kept")
            kept = asyncio.run(measure(server.url("kept"), games, lambda: server_size(server, "kept")))
            _show("PostgreSQL", kept)


def _show(name: str, kept: KeptBytes) -> None:
    finished, soon, thinned = (bytes_ / 1024 for bytes_ in kept)
    print(f"{name:<10} finished {finished:5.1f} KiB, two hours later {soon:5.1f} KiB, then {thinned:5.1f} KiB a game")


if __name__ == "__main__":
    main()
