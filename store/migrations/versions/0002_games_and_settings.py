"""Add the game of a lobby, the settings of a table, and the choices of players.

Until now Carcassonne was the only game. Settings and choices are JSON objects; existing rows get empty ones, which mean
the defaults.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_NOTHING = "{}"
"""An empty JSON object, which means the defaults."""


def upgrade() -> None:
    with op.batch_alter_table("lobbies") as lobbies:
        lobbies.add_column(sa.Column("game", sa.String(40), nullable=False, server_default="carcassonne"))
        lobbies.add_column(sa.Column("settings", sa.JSON(), nullable=False, server_default=_NOTHING))
    with op.batch_alter_table("games") as games:
        games.add_column(sa.Column("settings", sa.JSON(), nullable=False, server_default=_NOTHING))
    with op.batch_alter_table("preferences") as preferences:
        preferences.add_column(sa.Column("choices", sa.JSON(), nullable=False, server_default=_NOTHING))


def downgrade() -> None:
    # Not in a batch, which would rebuild the tables: a table that others refer to cannot be dropped.
    op.drop_column("preferences", "choices")
    op.drop_column("games", "settings")
    op.drop_column("lobbies", "settings")
    op.drop_column("lobbies", "game")
