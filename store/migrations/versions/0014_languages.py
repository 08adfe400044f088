"""Add the locales that Discord last reported for users.

Messages that answer no interaction, such as reminders, are written in that language.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "locales",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("locale", sa.String(20), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_locales")),
    )


def downgrade() -> None:
    op.drop_table("locales")
