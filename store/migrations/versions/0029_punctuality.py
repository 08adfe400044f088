"""Count the games that people have finished, their timeouts, and the games that they have left."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_COUNT_EARLIER_GAMES = """
    INSERT INTO punctuality (user_id, finished, timeouts, withdrawals)
    SELECT seats.user_id,
        SUM(CASE WHEN games.status = 'finished' AND games.seat_to_act IS NULL AND NOT seats.withdrawn
            THEN 1 ELSE 0 END),
        SUM(COALESCE(clocks.timeouts, 0)),
        SUM(CASE WHEN seats.withdrawn THEN 1 ELSE 0 END)
    FROM seats
    JOIN games ON games.id = seats.game_id
    LEFT JOIN clocks ON clocks.game_id = seats.game_id AND clocks.seat = seats.seat
    WHERE seats.user_id > 0 AND EXISTS (
        SELECT 1 FROM seats AS others
        WHERE others.game_id = seats.game_id AND others.seat <> seats.seat AND others.user_id IS NOT NULL
    )
    GROUP BY seats.user_id
"""


def upgrade() -> None:
    op.create_table(
        "punctuality",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("finished", sa.Integer(), nullable=False),
        sa.Column("timeouts", sa.Integer(), nullable=False),
        sa.Column("withdrawals", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_punctuality"),
    )
    op.execute(_COUNT_EARLIER_GAMES)


def downgrade() -> None:
    op.drop_table("punctuality")
