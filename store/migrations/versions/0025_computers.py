"""Let computers sit at tables: seats without a user, computers in lobbies, and what each decision was made with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.alter_column("user_id", existing_type=sa.BigInteger(), nullable=True)
        seats.add_column(sa.Column("level", sa.String(12)))
        seats.add_column(sa.Column("version", sa.Integer()))
    op.add_column("lobbies", sa.Column("computers", sa.JSON(), nullable=False, server_default="[]"))
    op.create_table(
        "decisions",
        sa.Column("game_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("level", sa.String(12), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_decisions_game_id"),
        sa.PrimaryKeyConstraint("game_id", "revision", name="pk_decisions"),
    )


def downgrade() -> None:
    op.drop_table("decisions")
    op.drop_column("lobbies", "computers")
    op.execute("DELETE FROM seats WHERE user_id IS NULL")
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("version")
        seats.drop_column("level")
        seats.alter_column("user_id", existing_type=sa.BigInteger(), nullable=False)
