"""Add tasks for finished games, and link the lobby of a rematch to the game before it.

A *chore* is a task that is due some time after a game has ended, such as archiving its thread. The table ``chores``
holds the tasks that are still to be done. For a rematch, the column ``rematch_of`` of the lobby holds the id of the
game that was just played.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Added without rebuilding a table: other tables refer to lobbies.
    op.add_column("lobbies", sa.Column("rematch_of", sa.BigInteger(), nullable=True))
    op.create_index("ix_lobbies_rematch_of", "lobbies", ["rematch_of"])
    op.create_index("ix_lobbies_game_id", "lobbies", ["game_id"])
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "chores",
        sa.Column("game_id", row_id, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_chores_game_id"),
        sa.PrimaryKeyConstraint("game_id", "kind", name="pk_chores"),
    )
    op.create_index("ix_chores_due_at", "chores", ["due_at"])


def downgrade() -> None:
    op.drop_table("chores")
    op.drop_index("ix_lobbies_game_id", "lobbies")
    op.drop_index("ix_lobbies_rematch_of", "lobbies")
    op.drop_column("lobbies", "rematch_of")
