"""Let the people of a lobby or game agree on a time at which they meet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("lobbies", sa.Column("meets_at", sa.BigInteger()))
    op.create_table(
        "appointments",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("lobby_id", sa.BigInteger()),
        sa.Column("game_id", sa.BigInteger()),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("scheduled_id", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_appointments"),
    )
    for column in ("lobby_id", "game_id", "user_id", "at"):
        op.create_index(f"ix_appointments_{column}", "appointments", [column])
    agreed = sa.text("state = 'agreed'")
    op.create_index("ix_appointments_agreed", "appointments", ["at"], sqlite_where=agreed, postgresql_where=agreed)
    op.create_table(
        "appointment_answers",
        sa.Column("appointment_id", _ROW_ID, autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["appointment_id"], ["appointments.id"], name="fk_appointment_answers_appointment_id"),
        sa.PrimaryKeyConstraint("appointment_id", "user_id", name="pk_appointment_answers"),
    )
    op.create_index("ix_appointment_answers_user_id", "appointment_answers", ["user_id"])


def downgrade() -> None:
    op.drop_table("appointment_answers")
    op.drop_table("appointments")
    op.drop_column("lobbies", "meets_at")
