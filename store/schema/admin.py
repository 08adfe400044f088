"""Tables of administration: servers, limits, the hand of operators, the processes on a database."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, String, Table

from store.schema.columns import ROW_ID, Document, Instant, key, metadata

guild_settings: Final = Table(
    "guild_settings", metadata, key("guild_id", BigInteger), Column("settings", Document, nullable=False)
)

# Servers that have a copy of the commands of their own.
command_copies: Final = Table("command_copies", metadata, key("guild_id", BigInteger))

# How many games and open lobbies a server may have, where an operator has decided it; NULL for the usual.
allowances: Final = Table(
    "allowances", metadata, key("guild_id", BigInteger), Column("games", Integer), Column("lobbies", Integer)
)

# Members and servers that may not open or join games.
bans: Final = Table(
    "bans",
    metadata,
    Column("kind", String(8), primary_key=True),
    key("subject", BigInteger),
    Column("reason", String(200), nullable=False),
    Column("at", Instant, nullable=False),
)

# Games that an operator has frozen.
operator_holds: Final = Table(
    "frozen_by_hand",
    metadata,
    key("game_id", of="games.id"),
    Column("reason", String(200), nullable=False),
    Column("at", Instant, nullable=False),
)

# Actions of operators; rows are only ever added.
operator_log: Final = Table(
    "operator_log",
    metadata,
    Column("id", ROW_ID, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("by", String(100), nullable=False),
    Column("what", String(20), nullable=False),
    Column("details", Document, nullable=False),
)

# Keyed hashes of people who asked to be forgotten.
forgotten: Final = Table(
    "forgotten", metadata, Column("key", String(64), primary_key=True), Column("at", Instant, nullable=False)
)

# Facts about the database as a whole, by name.
marks: Final = Table(
    "marks",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Document, nullable=False),
    Column("at", Instant, nullable=False),
)

# Processes that work on the database.
processes: Final = Table(
    "processes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("release", String(40), nullable=False),
    # Its shards at Discord, and of how many.
    Column("first_shard", Integer, nullable=False),
    Column("last_shard", Integer, nullable=False),
    Column("shards", Integer, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("seen_at", Instant, nullable=False),
    # How many migrations its release knows; more is newer.
    Column("level", Integer, nullable=False, server_default="0"),
)

# Tasks that only one process does at a time.
leases: Final = Table(
    "leases",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("holder", String(32), nullable=False),
    Column("until", Instant, nullable=False),
)

# Sessions at Discord that were begun.
identifies: Final = Table(
    "identifies",
    metadata,
    # Shards of one turn may not begin a session at the same time.
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
)

# When each shard was last connected, for the release before, which knows a single number of shards.
heartbeats: Final = Table(
    "heartbeats",
    metadata,
    key("shard"),
    Column("shards", Integer, nullable=False),
    Column("at", Instant, nullable=False),
)

# When each shard was last connected, by the number of shards.
shard_heartbeats: Final = Table(
    "shard_heartbeats",
    metadata,
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("shards", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
)
