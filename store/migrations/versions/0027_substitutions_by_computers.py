"""Let computers take over seats, and people take theirs back: substitutions with a computer on one side."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("substitutions") as substitutions:
        substitutions.alter_column("before_id", existing_type=sa.BigInteger(), nullable=True)
        substitutions.alter_column("after_id", existing_type=sa.BigInteger(), nullable=True)
        substitutions.add_column(sa.Column("level", sa.String(12)))


def downgrade() -> None:
    op.execute("DELETE FROM substitutions WHERE before_id IS NULL OR after_id IS NULL")
    with op.batch_alter_table("substitutions") as substitutions:
        substitutions.drop_column("level")
        substitutions.alter_column("after_id", existing_type=sa.BigInteger(), nullable=False)
        substitutions.alter_column("before_id", existing_type=sa.BigInteger(), nullable=False)
