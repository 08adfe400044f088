"""Add tables for operators: marks, the log of their actions, bans, allowances of servers, and erased people.

A mark is a named fact about the whole database, such as that its games were moved to another one. Erased people are
stored as keyed hashes, so that they can be found and erased again after an older copy of the database was restored.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0014"
branch_labels = None
depends_on = None

_ROW = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""The type of generated ids; SQLite generates them only for the type INTEGER."""


def upgrade() -> None:
    op.create_table(
        "marks",
        sa.Column("name", sa.String(40)),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_marks"),
    )
    op.create_table(
        "operator_log",
        sa.Column("id", _ROW, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.String(100), nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operator_log"),
    )
    op.create_table(
        "bans",
        sa.Column("kind", sa.String(8)),
        sa.Column("subject", sa.BigInteger(), autoincrement=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", name="pk_bans"),
    )
    op.create_table(
        "allowances",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False),
        sa.Column("games", sa.Integer()),
        sa.Column("lobbies", sa.Integer()),
        sa.PrimaryKeyConstraint("guild_id", name="pk_allowances"),
    )
    op.create_table(
        "frozen_by_hand",
        sa.Column("game_id", _ROW, sa.ForeignKey("games.id", name="fk_frozen_by_hand_game_id"), autoincrement=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_frozen_by_hand"),
    )
    op.create_table(
        "forgotten",
        sa.Column("key", sa.String(64)),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_forgotten"),
    )


def downgrade() -> None:
    for table in ("forgotten", "frozen_by_hand", "allowances", "bans", "operator_log", "marks"):
        op.drop_table(table)
