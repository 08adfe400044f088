"""Let players challenge each other: who is challenged, to what match, and whom somebody does not want to play with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("lobbies", sa.Column("best_of", sa.Integer()))
    op.add_column("lobbies", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("lobbies", sa.Column("event_id", sa.BigInteger()))
    op.create_table(
        "lobby_challenged",
        sa.Column(
            "lobby_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False
        ),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("declined", sa.Boolean(), nullable=False),
        sa.Column("declines_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["lobby_id"], ["lobbies.id"], name="fk_lobby_challenged_lobby_id"),
        sa.PrimaryKeyConstraint("lobby_id", "user_id", name="pk_lobby_challenged"),
    )
    op.create_index("ix_lobby_challenged_user_id", "lobby_challenged", ["user_id"])
    op.create_index("ix_lobby_challenged_declines_at", "lobby_challenged", ["declines_at"])
    op.create_table(
        "avoided",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("avoided_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "avoided_id", name="pk_avoided"),
    )
    op.create_index("ix_avoided_avoided_id", "avoided", ["avoided_id"])


def downgrade() -> None:
    op.drop_table("avoided")
    op.drop_table("lobby_challenged")
    op.drop_column("lobbies", "event_id")
    op.drop_column("lobbies", "rated")
    op.drop_column("lobbies", "best_of")
