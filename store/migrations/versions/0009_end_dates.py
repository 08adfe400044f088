"""Add end dates of games, and the time for which each seat has kept the other players waiting."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("ends_at", sa.BigInteger(), nullable=True))
    op.add_column("clocks", sa.Column("spent", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("clocks", "spent")
    op.drop_column("games", "ends_at")
