"""Count the time for which computers think for servers and for people, by day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

TABLES = {"thinking_for_servers": "guild_id", "thinking_for_people": "user_id"}
"""The new tables, with the keys of each."""


def upgrade() -> None:
    for table, key in TABLES.items():
        op.create_table(
            table,
            sa.Column(key, sa.BigInteger(), autoincrement=False, nullable=False),
            sa.Column("day", sa.BigInteger(), nullable=False),
            sa.Column("spent", sa.BigInteger(), nullable=False),
            sa.PrimaryKeyConstraint(key, name=f"pk_{table}"),
        )
        op.create_index(f"ix_{table}_day", table, ["day"])


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
