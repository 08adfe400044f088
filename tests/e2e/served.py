"""What a database of a server says about a game, read without the bot."""

import json
from urllib.parse import urlsplit

from tests.cluster import Cluster
from tests.e2e.table import StoredGame, StoredPost

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


def read_served_game(cluster: Cluster, address: str, place: int | None = None) -> StoredGame:
    """The game of a thread, or the newest."""
    which = "true" if place is None else f"thread_id = {place}"
    database = urlsplit(address).path.removeprefix("/")
    found = json.loads(cluster.sql(" ".join(_GAME.format(which=which).split()), database=database))
    seats, names = zip(*found["seats"], strict=True)
    posts = tuple(StoredPost(*post) for post in found["posts"])
    about = {name: found[name] for name in ("setup", "ply", "digest", "status", "code")}
    return StoredGame(**about, log=tuple(found["log"]), posts=posts, seats=seats, names=names)
