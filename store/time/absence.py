"""The tables of those who are away, or have left."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, String, Table

from store.columns import Instant, key, metadata

# Who has taken over whose seat, by the revision of the game after that, and at which ply.
substitutions: Final = Table(
    "substitutions",
    metadata,
    key("game_id", of="games.id"),
    key("revision"),
    Column("ply", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("before_id", BigInteger, nullable=False, index=True),
    Column("before_name", String(100), nullable=False),
    Column("after_id", BigInteger, nullable=False, index=True),
    Column("after_name", String(100), nullable=False),
    Column("at", Instant, nullable=False),
)

# When somebody is away from all games: whole days where he lives, from midnight to midnight.
vacations: Final = Table(
    "vacations",
    metadata,
    key("user_id", BigInteger),
    Column("starts_at", Instant, primary_key=True),
    Column("ends_at", Instant, nullable=False),
    Column("first", String(10), nullable=False),
    Column("days", Integer, nullable=False),
    Column("at", Instant, nullable=False),
)

# Who plays and was found to have left the server, since when.
departures: Final = Table(
    "departures",
    metadata,
    key("game_id", of="games.id"),
    key("user_id", BigInteger),
    Column("found_at", Instant, nullable=False),
)
