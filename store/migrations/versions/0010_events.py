"""Add events (tournaments and leagues) with their ratings, and the ladder.

An event has a plan, the entries of its players, and a log of facts, from which rounds and standings are computed; its
tables are the games of its rounds. The ladder finds opponents for single rated games.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""The type of generated ids; SQLite generates them only for the type INTEGER."""
_TABLES = (
    "events",
    "event_organisers",
    "event_entries",
    "event_teams",
    "event_facts",
    "event_tables",
    "event_audit",
    "event_reports",
    "event_posts",
    "rated_results",
    "rated_players",
    "ratings",
    "ladder_queue",
    "ladder_games",
)
"""All new tables, referenced ones before those that refer to them."""


def upgrade() -> None:
    _add_events()
    _add_play()
    _add_ratings()
    _add_ladder()


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)


def _add_events() -> None:
    """Create events, their organisers and their entrants."""
    op.create_table(
        "events",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("code", sa.String(12), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("owner_id", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("specification", sa.Text(), nullable=True),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("facts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("look_at", sa.BigInteger(), nullable=True),
        sa.Column("tended_at", sa.BigInteger(), nullable=False),
        sa.Column("released", sa.Integer(), server_default="-1", nullable=False),
        sa.Column("waits_since", sa.BigInteger(), nullable=True),
        sa.Column("paused_at", sa.BigInteger(), nullable=True),
        sa.Column("pause_ends_at", sa.BigInteger(), nullable=True),
        sa.Column("full_until", sa.BigInteger(), nullable=True),
        sa.Column("renamed", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
        sa.UniqueConstraint("code", name="uq_events_code"),
    )
    op.create_index("ix_events_guild_id_state", "events", ["guild_id", "state"])
    op.create_index("ix_events_look_at", "events", ["look_at"])
    op.create_table(
        "event_organisers",
        sa.Column("event_id", _ROW_ID, autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_organisers_event_id"),
        sa.PrimaryKeyConstraint("event_id", "user_id", name="pk_event_organisers"),
    )
    op.create_table(
        "event_entries",
        sa.Column("event_id", _ROW_ID, autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("checked_in_at", sa.BigInteger(), nullable=True),
        sa.Column("waiting", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("team", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_entries_event_id"),
        sa.PrimaryKeyConstraint("event_id", "user_id", name="pk_event_entries"),
    )
    op.create_index("ix_event_entries_user_id", "event_entries", ["user_id"])
    op.create_table(
        "event_teams",
        sa.Column("event_id", _ROW_ID, autoincrement=False, nullable=False),
        sa.Column("team", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("captain_id", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_teams_event_id"),
        sa.PrimaryKeyConstraint("event_id", "team", name="pk_event_teams"),
    )


def _add_play() -> None:
    """Create the course of events: facts, tables, the audit log, reports, posts."""
    op.create_table(
        "event_facts",
        sa.Column("event_id", _ROW_ID, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("fact", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_facts_event_id"),
        sa.PrimaryKeyConstraint("event_id", "number", name="pk_event_facts"),
    )
    op.create_table(
        "event_tables",
        sa.Column("event_id", _ROW_ID, autoincrement=False, nullable=False),
        sa.Column("stage", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("drawing", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("game_id", _ROW_ID, nullable=True),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=True),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_tables_event_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_event_tables_game_id"),
        sa.PrimaryKeyConstraint("event_id", "stage", "drawing", "round", "number", name="pk_event_tables"),
        sa.UniqueConstraint("game_id", name="uq_event_tables_game_id"),
    )
    op.create_index(
        "ix_event_tables_to_open",
        "event_tables",
        ["due_at"],
        sqlite_where=sa.text("state = 'to_open'"),
        postgresql_where=sa.text("state = 'to_open'"),
    )
    op.create_table(
        "event_audit",
        sa.Column("event_id", _ROW_ID, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_audit_event_id"),
        sa.PrimaryKeyConstraint("event_id", "number", name="pk_event_audit"),
    )
    op.create_table(
        "event_reports",
        sa.Column("event_id", _ROW_ID, autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("game_id", _ROW_ID, nullable=True),
        sa.Column("ply", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_reports_event_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_event_reports_game_id"),
        sa.PrimaryKeyConstraint("event_id", "number", name="pk_event_reports"),
    )
    op.create_table(
        "event_posts",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("event_id", _ROW_ID, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("stage", sa.Integer(), server_default="0", nullable=False),
        sa.Column("round", sa.Integer(), server_default="0", nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("nonce", sa.String(25), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("leased_until", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("first_attempt_at", sa.BigInteger(), nullable=True),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_event_posts_event_id"),
        sa.PrimaryKeyConstraint("id", name="pk_event_posts"),
        sa.UniqueConstraint("nonce", name="uq_event_posts_nonce"),
    )
    op.create_index(
        "ix_event_posts_due",
        "event_posts",
        ["due_at"],
        sqlite_where=sa.text("sent_at IS NULL"),
        postgresql_where=sa.text("sent_at IS NULL"),
    )
    op.create_index(
        "ix_event_posts_unsent",
        "event_posts",
        ["event_id", "id"],
        sqlite_where=sa.text("sent_at IS NULL"),
        postgresql_where=sa.text("sent_at IS NULL"),
    )


def _add_ratings() -> None:
    """Create rated games and the ratings computed from them."""
    op.create_table(
        "rated_results",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("scale", sa.String(12), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("event_id", _ROW_ID, nullable=True),
        sa.Column("stage", sa.Integer(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("game_id", _ROW_ID, nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("places", sa.JSON(), nullable=False),
        sa.Column("corrected", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name="fk_rated_results_event_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_rated_results_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rated_results"),
        sa.UniqueConstraint(
            "event_id", "stage", "round", "number", name="uq_rated_results_event_id_stage_round_number"
        ),
    )
    op.create_index("ix_rated_results_scale_guild_id_at", "rated_results", ["scale", "guild_id", "at"])
    op.create_table(
        "rated_players",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("result_id", _ROW_ID, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["result_id"], ["rated_results.id"], name="fk_rated_players_result_id"),
        sa.PrimaryKeyConstraint("user_id", "result_id", name="pk_rated_players"),
    )
    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("scale", sa.String(12), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("active_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "scale", "user_id", name="pk_ratings"),
    )
    op.create_index("ix_ratings_guild_id_scale_shown", "ratings", ["guild_id", "scale", "shown"])


def _add_ladder() -> None:
    """Create the queue of the ladder and the games opened from it."""
    op.create_table(
        "ladder_queue",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("scale", sa.String(12), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("waited", sa.Integer(), server_default="0", nullable=False),
        sa.Column("look_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "scale", "user_id", name="pk_ladder_queue"),
    )
    op.create_index("ix_ladder_queue_look_at", "ladder_queue", ["look_at"])
    op.create_table(
        "ladder_games",
        sa.Column("game_id", _ROW_ID, autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("scale", sa.String(12), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_ladder_games_game_id"),
        sa.PrimaryKeyConstraint("game_id", name="pk_ladder_games"),
    )
    op.create_index("ix_ladder_games_guild_id_scale_opened_at", "ladder_games", ["guild_id", "scale", "opened_at"])
