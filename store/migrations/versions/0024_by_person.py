"""Add indexes that find all rows about a person, to export or erase them, without reading whole tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_BY = (
    ("lobbies", "owner_id"),
    ("lobby_members", "user_id"),
    ("lobby_barred", "user_id"),
    ("undone", "user_id"),
    ("requests", "user_id"),
    ("requests", "subject"),
    ("answers", "user_id"),
    ("substitutions", "before_id"),
    ("substitutions", "after_id"),
    ("events", "owner_id"),
    ("event_organisers", "user_id"),
    ("event_teams", "captain_id"),
    ("event_facts", "user_id"),
    ("event_audit", "user_id"),
    ("event_reports", "user_id"),
    ("event_posts", "event_id"),
    ("ratings", "user_id"),
    ("ladder_queue", "user_id"),
)
"""The columns with ids of people that get an index, by table."""
_TAKEN_OUT = sa.text("substr(text, 1, 7) = 'resign:'")
"""The condition of the index of withdrawals; a person without a seat may have decided one, too."""


def upgrade() -> None:
    for table, column in _BY:
        op.create_index(f"ix_{table}_{column}", table, [column])
    op.create_index(
        "ix_actions_taken_out", "actions", ["user_id"], sqlite_where=_TAKEN_OUT, postgresql_where=_TAKEN_OUT
    )


def downgrade() -> None:
    op.drop_index("ix_actions_taken_out", "actions")
    for table, column in reversed(_BY):
        op.drop_index(f"ix_{table}_{column}", table)
