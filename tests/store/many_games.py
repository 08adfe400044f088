"""Fill a database with many games quickly: rows such as the store writes, inserted by SQL without playing.

The tests of query plans and the benchmarks use it. The named parameters of the statements are the numbers that
`add_games` computes; `over` is the first id of the games that still run.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.cluster import Cluster


def add_games(
    database: Path,
    *,
    running: int,
    finished: int,
    plies: int,
    setup: str = "{}",
    players: int = 50,
    channels: int = 20,
    guilds: int = 1,
    unsent_of: int = 3,
    analyze: bool = False,
) -> None:
    """Add games for two players, finished ones first. Each has this many plies (actions) and a sent post for each.

    In every ``unsent_of``-th running game, the newest post is not sent. No game runs in channel 1000.
    """
    with closing(sqlite3.connect(database)) as file, file:
        file.execute("PRAGMA foreign_keys = ON")
        first = 1 + (file.execute("SELECT max(id) FROM games").fetchone()[0] or 0)
        last = first + running + finished - 1
        numbers = {"first": first, "last": last, "over": first + finished, "plies": plies, "setup": setup}
        numbers |= {"players": players, "channels": channels, "guilds": guilds, "unsent_of": unsent_of}
        for statement in _statements():
            file.execute(statement, numbers)
        if analyze:
            file.execute("ANALYZE")


def add_games_to_server(
    cluster: Cluster,
    database: str,
    *,
    running: int,
    finished: int,
    plies: int,
    players: int = 50,
    channels: int = 20,
    guilds: int = 1,
    unsent_of: int = 3,
) -> None:
    """Add the same games to an empty PostgreSQL database, then update its planner statistics as autovacuum would."""
    values = {"first": 1, "last": running + finished, "over": 1 + finished, "plies": plies, "setup": "'{}'"}
    values |= {"players": players, "channels": channels, "guilds": guilds, "unsent_of": unsent_of}
    statements = [re.sub(r":(\w+)", lambda name: str(values[name[1]]), statement) for statement in _statements()]
    cluster.sql(*statements, f"SELECT setval('games_id_seq', {running + finished})", database=database)
    cluster.sql("VACUUM ANALYZE", database=database)


def _statements() -> list[str]:
    """Return the statements that insert the rows, with the numbering SQL where it is needed."""
    templates = (_GAMES, _SEATS, _CLOCKS, _TIMERS, _PLAYING, _ACTIONS, _OUTBOX, _UNSENT, _INTERACTIONS)
    return [_NUMBERS + statement if ":last" in statement else statement for statement in templates]


def schema_revision(database: Path) -> str:
    """Return the schema revision of a database file."""
    with closing(sqlite3.connect(database)) as file:
        return str(file.execute("SELECT version_num FROM alembic_version").fetchone()[0])


_NUMBERS = """
WITH RECURSIVE
  game(id) AS (SELECT :first UNION ALL SELECT id + 1 FROM game WHERE id < :last),
  step(ply) AS (SELECT 0 UNION ALL SELECT ply + 1 FROM step WHERE ply < :plies)
"""
"""SQL that numbers games and plies, for the statements below that select from `game`.

Each of these statements names ``:last`` in a comment, which marks it as one that needs the numbers.
"""
_GAMES = """
INSERT INTO games (id, code, name, guild_id, channel_id, thread_id, setup, ply, digest, seat_to_act, status,
                   created_at, updated_at, settings, epoch)
SELECT id, 'X' || id, 'Amber Gate', 1 + id % :guilds, 1000 + id % :channels + CASE WHEN id >= :over THEN 1 ELSE 0 END,
       100000 + id, :setup, :plies, '', CASE WHEN id >= :over THEN 0 END,
       CASE WHEN id < :over THEN 'finished' ELSE 'running' END, 1700000000000 + id, 1700000000000 + id, '{}', 0
FROM game -- :last
"""
_CLOCKS = """
INSERT INTO clocks (game_id, seat, granted, given_back, used, timeouts, reminders, asked, free, since, held, late,
                    untold, settled, decisions)
SELECT id, seat, 259200000, 0, 0, 0, 0, CASE WHEN id >= :over AND seat = 0 THEN :plies END, 28800000,
       CASE WHEN id >= :over AND seat = 0 THEN 1900000000000 + id END, FALSE, FALSE, 0, 0, '[]'
FROM game, (SELECT 0 AS seat UNION SELECT 1) AS two -- :last
"""
_TIMERS = """
INSERT INTO timers (game_id, kind, subject, due_at, attempts)
SELECT id, 'clock', 0, 2900000000000 + id, 0 FROM game WHERE id >= :over -- :last
"""
_SEATS = """
INSERT INTO seats (game_id, seat, user_id, name, withdrawn)
SELECT id, seat, 5000 + (id + seat) % :players, 'Ada', FALSE
FROM game, (SELECT 0 AS seat UNION SELECT 1) AS two -- :last
"""
_PLAYING = """
INSERT INTO playing (user_id, game_id) SELECT user_id, game_id FROM seats WHERE game_id >= :over
"""
_ACTIONS = """
INSERT INTO actions (game_id, ply, seat, user_id, text, at)
SELECT id, ply, ply % 2, 5000, 'pass', 1700000000000 FROM game, step WHERE ply < :plies -- :last
"""
_OUTBOX = """
INSERT INTO outbox (game_id, from_ply, ply, kind, nonce, created_at, due_at, parked, attempts, first_attempt_at,
                    sent_at, message_id, refused)
SELECT id, CASE ply WHEN 0 THEN 0 ELSE ply - 1 END, ply, CASE ply WHEN 0 THEN 'start' ELSE 'card' END,
       'X' || id || '-' || ply, 1700000000000, 1700000000000, FALSE, 1, 1700000000000, 1700000000000,
       id * 1000 + ply, FALSE
FROM game, step -- :last
"""
_UNSENT = """
UPDATE outbox SET sent_at = NULL, message_id = NULL, attempts = 0, first_attempt_at = NULL
WHERE game_id >= :over AND game_id % :unsent_of = 0 AND ply = :plies
"""
_INTERACTIONS = """
INSERT INTO processed_interactions (id, game_id, before_ply, ply, at)
SELECT id * 100, id, 0, 1, 1700000000000 FROM game -- :last
"""
