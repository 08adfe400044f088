"""Tables of time: timers, clocks with their pauses and gifts, and reminders."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table

from store.schema.columns import ROW_ID, Document, Instant, index_where, key, metadata

# Tasks about games that are due at a time. The subject is a seat, a person or a request, or 0.
timers: Final = Table(
    "timers",
    metadata,
    key("game_id", of="games.id"),
    Column("kind", String(12), primary_key=True),
    key("subject", BigInteger),
    Column("due_at", Instant, nullable=False),
    Column("attempts", Integer, nullable=False),
    Index("ix_timers_kind_due_at", "kind", "due_at"),
)

# The clock of each seat of a timed game; spans are milliseconds.
clocks: Final = Table(
    "clocks",
    metadata,
    key("game_id", of="games.id"),
    key("seat"),
    Column("granted", BigInteger, nullable=False),
    Column("given_back", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Column("timeouts", Integer, nullable=False),
    Column("reminders", Integer, nullable=False),
    Column("asked", Integer),
    Column("free", BigInteger, nullable=False),
    Column("since", Instant),
    Column("held", Boolean, nullable=False),
    Column("late", Boolean, nullable=False),
    Column("reminded_at", Instant),
    Column("untold", BigInteger, nullable=False),
    Column("settled", BigInteger, nullable=False),
    Column("decisions", Document, nullable=False),
    Column("spent", BigInteger, nullable=False, server_default="0"),
)
index_where("ix_clocks_running", clocks.c.game_id, where=clocks.c.since.is_not(None))

# Pauses that stop all clocks of a game, with the users who may end them.
pauses: Final = Table(
    "pauses",
    metadata,
    key("game_id", of="games.id"),
    Column("ends_at", Instant, nullable=False),
    Column("users", Document, nullable=False),
)

# Time that players have given each other, in milliseconds.
gifts: Final = Table(
    "gifts",
    metadata,
    Column("id", ROW_ID, primary_key=True),
    Column("game_id", ROW_ID, ForeignKey("games.id"), nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("at", Instant, nullable=False),
    Column("interaction_id", BigInteger, nullable=False),
)
Index("ix_gifts_game_id", gifts.c.game_id)

# Untimed games: since when they wait, and the warnings before they are closed.
waiting: Final = Table(
    "waiting",
    metadata,
    key("game_id", of="games.id"),
    Column("since", Instant, nullable=False),
    Column("looked_at", Instant, nullable=False),
    Column("kept_at", Instant),
    Column("warnings", Integer, nullable=False),
    Column("warned_at", Instant),
)

# Reminders that players got.
calls: Final = Table(
    "calls",
    metadata,
    key("user_id", BigInteger),
    Column("at", Instant, primary_key=True, autoincrement=False),
    key("game_id", of="games.id"),
    # Whether it does not count towards the daily limit.
    Column("exempt", Boolean, nullable=False),
)

# What players want for a single turn: a reminder of their own, or no more of them.
turns: Final = Table(
    "turns",
    metadata,
    key("game_id", of="games.id"),
    key("user_id", BigInteger),
    Column("revision", Integer, nullable=False),
    Column("hushed", Boolean, nullable=False),
)
