"""Add games whose place is closed to the bot.

The place of a game is the channel or thread in which its messages are posted. While the bot may not post there, the
clocks of the game stand still.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_GAME = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""The type of ids of games."""


def upgrade() -> None:
    op.create_table(
        "closed_places",
        sa.Column("game_id", _GAME, sa.ForeignKey("games.id", name="fk_closed_places_game_id"), autoincrement=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("elsewhere", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_closed_places"),
    )


def downgrade() -> None:
    op.drop_table("closed_places")
