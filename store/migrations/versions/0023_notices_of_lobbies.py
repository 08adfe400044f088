"""Add the number of closing notices to lobbies.

A lobby that does not change for long is closed. Its members get notices before that, and every change of the lobby sets
the number of notices back to zero.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("lobbies", sa.Column("notices", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("lobbies", "notices")
