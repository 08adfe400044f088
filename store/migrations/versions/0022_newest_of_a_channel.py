"""Add indexes that find the newest game of a channel without reading all games that were opened there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0018"
branch_labels = None
depends_on = None

_WITHOUT_THREAD = sa.text("thread_id IS NULL")
"""The condition of the index of games that are played in a channel itself."""


def upgrade() -> None:
    op.create_index("ix_games_channel_id_id", "games", ["channel_id", "id"])
    op.create_index(
        "ix_games_alone_in_channel",
        "games",
        ["channel_id", "id"],
        sqlite_where=_WITHOUT_THREAD,
        postgresql_where=_WITHOUT_THREAD,
    )


def downgrade() -> None:
    op.drop_index("ix_games_alone_in_channel", "games")
    op.drop_index("ix_games_channel_id_id", "games")
