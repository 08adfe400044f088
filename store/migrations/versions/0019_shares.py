"""Add quotas of expensive requests, and indexes by which the retention job finds old rows.

The table of quotas is called ``shares``: each person has a share of the bot's time, and a used share refills over time.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0012"
branch_labels = None
depends_on = None

_FINISHED = sa.text("status = 'finished'")
"""The condition of the index of finished games."""
_OF_LOBBIES = sa.text("lobby_id IS NOT NULL")
"""The condition of the index of interactions with lobbies."""


def upgrade() -> None:
    op.create_table(
        "shares",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("free_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_shares"),
    )
    op.create_index("ix_shares_free_at", "shares", ["free_at"])
    op.create_index("ix_games_finished", "games", ["id"], sqlite_where=_FINISHED, postgresql_where=_FINISHED)
    op.create_index(
        "ix_processed_interactions_lobby_id",
        "processed_interactions",
        ["lobby_id"],
        sqlite_where=_OF_LOBBIES,
        postgresql_where=_OF_LOBBIES,
    )


def downgrade() -> None:
    op.drop_index("ix_processed_interactions_lobby_id", "processed_interactions")
    op.drop_index("ix_games_finished", "games")
    op.drop_table("shares")
