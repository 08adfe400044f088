"""Tables of the versions before, which go with a later release, since this one may run beside them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, String, Table

from store.schema.columns import Document, Instant, key, metadata

# Timers, which had no subject.
chores: Final = Table(
    "chores",
    metadata,
    key("game_id", of="games.id"),
    Column("kind", String(12), primary_key=True),
    Column("due_at", Instant, nullable=False, index=True),
    Column("attempts", Integer, nullable=False),
)

# Plans of the composer, which are kept in memory now.
drafts: Final = Table(
    "drafts",
    metadata,
    key("game_id", of="games.id"),
    key("user_id", BigInteger),
    Column("ply", Integer, nullable=False),
    Column("data", Document, nullable=False),
    Column("updated_at", Instant, nullable=False),
)

TABLES: Final = (chores, drafts)
