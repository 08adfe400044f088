"""Find the appointments that are still open, and those of a channel, without reading all."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    is_open = sa.text("state = 'agreed' OR state = 'proposed' OR scheduled_id IS NOT NULL")
    op.create_index(
        "ix_appointments_open", "appointments", ["at", "id"], sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_index("ix_appointments_channel_id", "appointments", ["channel_id"])


def downgrade() -> None:
    op.drop_index("ix_appointments_channel_id", "appointments")
    op.drop_index("ix_appointments_open", "appointments")
