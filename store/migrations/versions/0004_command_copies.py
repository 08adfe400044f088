"""Add the servers that have their own copy of the bot's commands, in addition to the global ones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "command_copies",
        sa.Column("guild_id", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_command_copies"),
    )


def downgrade() -> None:
    op.drop_table("command_copies")
