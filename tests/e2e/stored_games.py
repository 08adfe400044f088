"""Functions that read games from the database without the bot: from a SQLite file or a PostgreSQL server.

A stored game is its setup and its log of actions, from which the engine replays the position. `posts` are its messages,
each with the number of actions in the log before it (`from_ply`) and after it (`ply`).
"""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from engine import parse_action, read_setup, replay
from engine.carcassonne import Position
from tests.cluster import Cluster

_GAME = """
SELECT json_build_object(
  'setup', setup, 'ply', ply, 'digest', digest, 'status', status, 'code', code,
  'log', (SELECT coalesce(json_agg(text ORDER BY ply), '[]') FROM actions WHERE game_id = games.id),
  'posts', (SELECT coalesce(
    json_agg(json_build_array(from_ply, ply, kind, sent_at IS NOT NULL, message_id) ORDER BY id), '[]')
    FROM outbox WHERE game_id = games.id),
  'seats', (SELECT json_agg(json_build_array(user_id, name) ORDER BY seat) FROM seats WHERE game_id = games.id))
FROM games WHERE {which} ORDER BY id DESC LIMIT 1
"""
"""A query that returns the newest game as JSON; `which` is an SQL condition that the game has to meet."""


@dataclass(frozen=True, slots=True)
class StoredPost:
    """A message of a game as the database stores it."""

    from_ply: int
    ply: int
    kind: str
    sent: bool
    message_id: int | None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as the database stores it: setup and log as text, the current state, its messages."""

    setup: str
    log: tuple[str, ...]
    ply: int
    digest: str
    status: str
    code: str
    posts: tuple[StoredPost, ...]
    seats: tuple[int, ...]
    """The ids of the users, in the order of play."""
    names: tuple[str, ...]

    def replayed(self) -> Position:
        """Return the position that the engine reaches by replaying the log."""
        return replay(read_setup(self.setup), [parse_action(text) for text in self.log])


def read_stored_game(database: Path, place: int | None = None) -> StoredGame:
    """Read a game from a SQLite file: the newest of a thread (`place`), or the newest of all."""
    with closing(sqlite3.connect(database)) as file:
        number, *game = file.execute(
            "select id, setup, ply, digest, status, code from games where thread_id = :place or :place is null"
            " order by id desc limit 1",
            {"place": place},
        ).fetchone()
        setup, ply, digest, status, code = game
        log = file.execute("select text from actions where game_id = ? order by ply", [number]).fetchall()
        posts = file.execute(
            "select from_ply, ply, kind, sent_at is not null, message_id from outbox where game_id = ? order by id",
            [number],
        ).fetchall()
        users = file.execute("select user_id, name from seats where game_id = ? order by seat", [number]).fetchall()
    seats, names = zip(*users, strict=True)
    messages = tuple(StoredPost(start, end, kind, bool(sent), message) for start, end, kind, sent, message in posts)
    return StoredGame(setup, tuple(text for (text,) in log), ply, digest, status, code, messages, seats, names)


def read_served_game(cluster: Cluster, address: str, place: int | None = None) -> StoredGame:
    """Read a game from a PostgreSQL cluster, at this database address: the newest of a thread, or of all."""
    which = "true" if place is None else f"thread_id = {place}"
    database = urlsplit(address).path.removeprefix("/")
    data = json.loads(cluster.sql(" ".join(_GAME.format(which=which).split()), database=database))
    seats, names = zip(*data["seats"], strict=True)
    posts = tuple(StoredPost(*post) for post in data["posts"])
    about = {name: data[name] for name in ("setup", "ply", "digest", "status", "code")}
    return StoredGame(**about, log=tuple(data["log"]), posts=posts, seats=seats, names=names)
