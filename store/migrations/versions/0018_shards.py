"""Add heartbeats by number of shards, turns to connect, claims on lobbies, and the level of a release.

A shard is a connection to Discord. While their number is changed, processes with different numbers run side by side, so
that a heartbeat is stored for each pair of a shard and a number. Only one shard of a turn may connect at a time. A
claim lets a single interaction start the game of a lobby. The level orders releases by age.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shard_heartbeats",
        sa.Column("shard", sa.Integer(), autoincrement=False),
        sa.Column("shards", sa.Integer(), autoincrement=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("shard", "shards", name="pk_shard_heartbeats"),
    )
    op.create_table(
        "identifies",
        sa.Column("turn", sa.Integer(), autoincrement=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("turn", name="pk_identifies"),
    )
    op.add_column("processes", sa.Column("level", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("lobbies", sa.Column("starting", sa.BigInteger()))
    op.add_column("lobbies", sa.Column("starting_until", sa.BigInteger()))


def downgrade() -> None:
    op.drop_column("lobbies", "starting_until")
    op.drop_column("lobbies", "starting")
    op.drop_column("processes", "level")
    op.drop_table("identifies")
    op.drop_table("shard_heartbeats")
