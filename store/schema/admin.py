"""Tables of administration: settings of servers, limits, actions of operators, and processes of the bot.

A *server* is a Discord server (a guild), a *shard* a connection to Discord, an *operator* a person who runs the bot. A
*lease* gives a task to one process until a time.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, String

from store.schema.columns import ROW_ID, Document, Instant, key, stored_table

guild_settings: Final = stored_table(
    "guild_settings", key("guild_id", BigInteger), Column("settings", Document, nullable=False)
)

# Servers that have their own copy of the bot's commands.
command_copies: Final = stored_table("command_copies", key("guild_id", BigInteger))

# The most games and open lobbies that a server may have, set by an operator; NULL for the bot's own limit.
allowances: Final = stored_table(
    "allowances", key("guild_id", BigInteger), Column("games", Integer), Column("lobbies", Integer)
)

# The same as ``thinking_for_people`` has for people: the time for which computers thought in a server on a day.
thinking_for_servers: Final = stored_table(
    "thinking_for_servers",
    key("guild_id", BigInteger),
    Column("day", Instant, nullable=False, index=True),
    Column("spent", BigInteger, nullable=False),
)

# Members and servers that may not open or join games.
bans: Final = stored_table(
    "bans",
    Column("kind", String(8), primary_key=True),
    key("subject", BigInteger),
    Column("reason", String(200), nullable=False),
    Column("at", Instant, nullable=False),
)

# Games that an operator has frozen.
operator_holds: Final = stored_table(
    "frozen_by_hand",
    key("game_id", of="games.id"),
    Column("reason", String(200), nullable=False),
    Column("at", Instant, nullable=False),
)

# Actions of operators; rows are only ever added.
operator_log: Final = stored_table(
    "operator_log",
    Column("id", ROW_ID, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("by", String(100), nullable=False),
    Column("what", String(20), nullable=False),
    Column("details", Document, nullable=False),
)

# Keyed hashes of people who asked to be forgotten.
forgotten: Final = stored_table(
    "forgotten", Column("key", String(64), primary_key=True), Column("at", Instant, nullable=False)
)

# Facts about the database as a whole, by name.
marks: Final = stored_table(
    "marks",
    Column("name", String(40), primary_key=True),
    Column("value", Document, nullable=False),
    Column("at", Instant, nullable=False),
)

# Processes that work on the database.
processes: Final = stored_table(
    "processes",
    Column("id", String(32), primary_key=True),
    Column("release", String(40), nullable=False),
    # The shards of the process, and the total number of shards.
    Column("first_shard", Integer, nullable=False),
    Column("last_shard", Integer, nullable=False),
    Column("shards", Integer, nullable=False),
    Column("started_at", Instant, nullable=False),
    Column("seen_at", Instant, nullable=False),
    # The number of the newest migration that its release knows: larger is newer.
    Column("level", Integer, nullable=False, server_default="0"),
)

# Leases: tasks that only one process may do at a time, with that process and the end of its lease.
leases: Final = stored_table(
    "leases",
    Column("name", String(40), primary_key=True),
    Column("holder", String(32), nullable=False),
    Column("until", Instant, nullable=False),
)

# The last session with Discord that was begun, by turn.
identifies: Final = stored_table(
    "identifies",
    # Shards of the same turn may not begin their sessions at the same time.
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
)

# The last time at which each shard was connected, for the previous release, which knows a single number of shards.
heartbeats: Final = stored_table(
    "heartbeats", key("shard"), Column("shards", Integer, nullable=False), Column("at", Instant, nullable=False)
)

# The last time at which each shard was connected, by the total number of shards.
shard_heartbeats: Final = stored_table(
    "shard_heartbeats",
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("shards", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
)
