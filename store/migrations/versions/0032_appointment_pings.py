"""Remember when the proposal of a time pinged people, so that further ones ping them no more for a while."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("appointments", sa.Column("pinged_at", sa.BigInteger()))


def downgrade() -> None:
    op.drop_column("appointments", "pinged_at")
